-- Who a member is elsewhere: at a provider, by its name for them.
CREATE TABLE identities (
    provider text NOT NULL CHECK (length(provider) BETWEEN 1 AND 32),
    subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    -- Whether the member came by it: they are called by it then, and their attributes follow it.
    made_member boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (provider, subject)
);
CREATE INDEX identities_of_member ON identities (member_id);
CREATE UNIQUE INDEX identities_that_made ON identities (member_id) WHERE made_member;

-- What the tokens of a session are for, by a blank between; NULL for one that was begun by an operation of the user pool.
ALTER TABLE sessions ADD COLUMN scopes text CHECK (length(scopes) BETWEEN 1 AND 200);

-- Codes of the hosted sign-in. Each is for a session that waits for it, and hardly outlives it when nobody comes.
CREATE TABLE authorization_codes (
    -- A keyed hash of the code, which stands nowhere.
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    member_id uuid NOT NULL,
    session_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    nonce text,
    -- The hash of the proof that whoever redeems it must bring, where one was announced.
    challenge bytea CHECK (length(challenge) = 32),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    FOREIGN KEY (member_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
CREATE INDEX authorization_codes_of_session ON authorization_codes (member_id, session_id);

-- Sign-ins by a provider that have begun and not ended: those who are on their way there, and those who must prove that an account is theirs.
CREATE TABLE federated_sign_ins (
    -- A keyed hash of the state, or of the name of the form, by which somebody comes back to it.
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    -- A keyed hash of the cookie of the browser that it began in.
    browser bytea NOT NULL CHECK (length(browser) = 32),
    -- What must be known at its end, sealed.
    sealed bytea NOT NULL,
    -- Whose account it would be linked to.
    member_id uuid REFERENCES members ON DELETE CASCADE,
    -- The code that proves it. Its digits are derived from this id.
    code uuid,
    expires_at timestamptz NOT NULL,
    CHECK (code IS NULL OR member_id IS NOT NULL)
);
CREATE INDEX federated_sign_ins_by_expiry ON federated_sign_ins (expires_at);
CREATE INDEX federated_sign_ins_of_member ON federated_sign_ins (member_id) WHERE member_id IS NOT NULL;
