-- Invitations by mail. One that is sent anew after a week is the same one; it goes when it expires, and when who was invited is a member.
CREATE TABLE invitations (
    id uuid PRIMARY KEY,
    inviter_id uuid NOT NULL REFERENCES members,
    -- As it was typed, for the mail; the key is its lower-case form, and the hash is keyed: by it what the address refuses is found.
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL,
    address bytea NOT NULL CHECK (length(address) = 32),
    -- Whether there was no member with this address when it was last sent: who has become one since is asked to be a friend.
    was_nobodys boolean NOT NULL,
    message text NOT NULL CHECK (char_length(message) <= 200),
    -- When it was last sent, as far as the inviter knows.
    sent_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > sent_at),
    -- When a mail went out since; NULL before that, and where none goes.
    mailed_at timestamptz,
    -- When the address refused it. The inviter is not told.
    refused_at timestamptz,
    UNIQUE (inviter_id, email_key)
);
CREATE INDEX invitations_by_key ON invitations (email_key);
CREATE INDEX invitations_by_address ON invitations (address);
CREATE INDEX invitations_by_end ON invitations (expires_at);

-- By whose invitation somebody signs up: the id becomes a member's when its address is confirmed. Swept after that could be.
CREATE TABLE invitation_claims (
    registration_id uuid PRIMARY KEY,
    invitation_id uuid NOT NULL,
    claimed_at timestamptz NOT NULL
);
CREATE INDEX invitation_claims_by_age ON invitation_claims (claimed_at);

-- Addresses that want no invitations, as keyed hashes: none of them stands here.
CREATE TABLE invitation_refusals (
    address bytea PRIMARY KEY CHECK (length(address) = 32),
    refused_at timestamptz NOT NULL
);
