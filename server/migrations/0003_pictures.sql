-- A picture that a member uploads, from the moment the upload is allowed until all its files are removed.
CREATE TABLE pictures (
    member_id uuid NOT NULL REFERENCES members,
    id uuid NOT NULL,
    -- What kind of thing it shows, and which one.
    purpose text NOT NULL CHECK (purpose ~ '^[a-z]{1,20}$'),
    about uuid NOT NULL,
    -- What the client announced. 0 bytes means that it did not say.
    format text NOT NULL CHECK (format IN ('image/jpeg', 'image/png', 'image/webp')),
    bytes integer NOT NULL CHECK (bytes BETWEEN 0 AND 5242880),
    -- awaited: it may be uploaded and used. taken: its thing uses it. dropped: nothing will use it again.
    status text NOT NULL CHECK (status IN ('awaited', 'taken', 'dropped')),
    announced_at timestamptz NOT NULL,
    -- SHA-256 of the file that the renditions are drawn from: the first upload that is a picture. No other file is
    -- drawn after it, so two calls that draw at once write the same.
    drawn_of bytea,
    -- When the renditions were finished. From then on nothing that is uploaded changes them.
    drawn_at timestamptz,
    taken_at timestamptz,
    dropped_at timestamptz,
    -- When files that nobody needs may be removed from the store. NULL if there are none.
    clear_at timestamptz,
    -- When the sweep last asked for that.
    swept_at timestamptz,
    PRIMARY KEY (member_id, id),
    CHECK (CASE status
        WHEN 'awaited' THEN taken_at IS NULL AND dropped_at IS NULL AND clear_at IS NOT NULL
        WHEN 'taken' THEN taken_at IS NOT NULL AND dropped_at IS NULL
        ELSE dropped_at IS NOT NULL AND clear_at IS NOT NULL
    END)
);
-- For the sweep.
CREATE INDEX pictures_to_clear ON pictures (clear_at) WHERE clear_at IS NOT NULL;
