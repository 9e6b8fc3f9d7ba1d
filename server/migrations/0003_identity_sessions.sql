-- Sign-ins. A session's refresh tokens are derived from its seed, their generation and a key of the configuration: no token stands here.
CREATE TABLE sessions (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    client_id text NOT NULL,
    started_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > started_at),
    ended_at timestamptz,
    refresh_seed bytea NOT NULL CHECK (length(refresh_seed) = 32),
    -- How often the refresh token was rotated; only this generation is good, and the one before for a short grace.
    refresh_generation integer NOT NULL CHECK (refresh_generation >= 0),
    rotated_at timestamptz,
    PRIMARY KEY (member_id, id),
    CHECK ((refresh_generation = 0) = (rotated_at IS NULL))
);
CREATE INDEX sessions_open ON sessions (member_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- SECRET_BLOCKs that have signed somebody in: each does so once.
CREATE TABLE used_secret_blocks (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    nonce bytea NOT NULL CHECK (length(nonce) = 12),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (member_id, nonce)
);
CREATE INDEX used_secret_blocks_by_expiry ON used_secret_blocks (expires_at);

-- Tries that are counted. The subject is a keyed hash of an e-mail or network address, so that unknown accounts count like known ones.
CREATE TABLE attempts (
    subject bytea NOT NULL CHECK (length(subject) = 32),
    kind text NOT NULL CHECK (kind IN ('password', 'network', 'code', 'send')),
    count integer NOT NULL CHECK (count >= 0),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    locked_until timestamptz NOT NULL,
    PRIMARY KEY (subject, kind)
);
CREATE INDEX attempts_by_age ON attempts (last_at);

-- The keys that sign tokens. The newest whose time has come signs; all that are not retired are published.
CREATE TABLE signing_keys (
    kid text PRIMARY KEY,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    used_from timestamptz NOT NULL CHECK (used_from >= created_at)
);
