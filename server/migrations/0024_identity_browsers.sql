-- Browsers that are signed in at the hosted page: for an hour who has shown there who they are goes through at other applications too.
CREATE TABLE browser_sessions (
    -- A keyed hash of the browser's cookie, which stands nowhere.
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    member_id uuid NOT NULL,
    -- The session that the sign-in began: what ends that ends this.
    session_id uuid NOT NULL,
    -- The provider that they came by; NULL for who showed the password.
    provider text CHECK (length(provider) BETWEEN 1 AND 32),
    -- Whether the second factors that they had were asked for.
    asked_factors boolean NOT NULL,
    -- A hash of what the password was checked against; NULL while there was none. Another password ends this.
    proof bytea CHECK (length(proof) = 16),
    began_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CHECK (expires_at > began_at),
    FOREIGN KEY (member_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at);
CREATE INDEX browser_sessions_of_session ON browser_sessions (member_id, session_id);

-- When the member of a session showed who they are, where a browser that was signed in already began it.
ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz CHECK (authenticated_at <= started_at);
