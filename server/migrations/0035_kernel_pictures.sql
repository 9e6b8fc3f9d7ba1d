-- A picture that a member uploads, from the moment that its upload is allowed until all of it is removed.
CREATE TABLE pictures (
    member_id uuid NOT NULL REFERENCES members,
    id uuid NOT NULL,
    -- Of which kind of thing it is a picture, and of which one.
    purpose text NOT NULL CHECK (purpose ~ '^[a-z]{1,20}$'),
    about uuid NOT NULL,
    -- What was announced; 0 bytes: it was not said how many.
    format text NOT NULL CHECK (format IN ('image/jpeg', 'image/png', 'image/webp')),
    bytes integer NOT NULL CHECK (bytes BETWEEN 0 AND 5242880),
    -- awaited: it may be uploaded, and taken; taken: its thing has it; dropped: nothing has it, and nothing will.
    status text NOT NULL CHECK (status IN ('awaited', 'taken', 'dropped')),
    announced_at timestamptz NOT NULL,
    taken_at timestamptz,
    dropped_at timestamptz,
    -- From when on what of it is not needed is removed from the store; NULL: nothing is left to remove.
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
CREATE INDEX pictures_to_clear ON pictures (clear_at) WHERE clear_at IS NOT NULL;
