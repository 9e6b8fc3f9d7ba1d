-- Until when a registration waits, by the setting of when it was made. A node of the release before leaves it to the default, which is its bound.
ALTER TABLE registrations ADD COLUMN expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours';
UPDATE registrations SET expires_at = created_at + interval '24 hours';
CREATE INDEX registrations_by_expiry ON registrations (expires_at);

-- What codes, refresh tokens and the names of counted tries are derived with: one key, sealed, so that the secrets of the configuration can be
-- replaced without it.
CREATE TABLE derive_keys (
    id integer PRIMARY KEY CHECK (id = 1),
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- What operators did by the command line. It stays when the member is deleted, and holds no secret and no address.
CREATE TABLE audit (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL,
    -- The account and the machine that it was done from.
    operator text NOT NULL CHECK (length(operator) BETWEEN 1 AND 400),
    action text NOT NULL CHECK (length(action) BETWEEN 1 AND 50),
    -- NULL for what is about nobody, or about many.
    member_id uuid,
    details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object')
);
-- For the list, the newest first, of all and of a member.
CREATE INDEX audit_by_time ON audit (at DESC, id DESC);
CREATE INDEX audit_by_member ON audit (member_id, at DESC, id DESC) WHERE member_id IS NOT NULL;
