-- People with an account. Looked up from everywhere; holds only what changes rarely.
CREATE TABLE members (
    id uuid PRIMARY KEY,
    -- As it was typed, for mails and screens; the key is its lower-case form.
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL UNIQUE,
    given_name text NOT NULL CHECK (length(given_name) BETWEEN 1 AND 100),
    family_name text NOT NULL CHECK (length(family_name) <= 100),
    -- NULL while it is the given and the family name.
    display_name text CHECK (length(display_name) BETWEEN 1 AND 200),
    time_zone text NOT NULL DEFAULT 'UTC',
    picture text,
    phone_e164 text CHECK (phone_e164 ~ '^\+[1-9][0-9]{6,14}$'),
    phone_verified_at timestamptz,
    status text NOT NULL CHECK (status IN ('unconfirmed', 'confirmed')),
    confirmed_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    profile_changed_at timestamptz NOT NULL,
    CHECK ((status = 'confirmed') = (confirmed_at IS NOT NULL)),
    CHECK (phone_verified_at IS NULL OR phone_e164 IS NOT NULL)
);
-- A number is one member's once it is verified; until then anybody may claim it.
CREATE UNIQUE INDEX members_by_verified_phone ON members (phone_e164) WHERE phone_verified_at IS NOT NULL;
-- For the sweep of accounts that were never confirmed.
CREATE INDEX members_unconfirmed ON members (created_at) WHERE status = 'unconfirmed';

-- What a password is checked against: the SRP verifier, sealed with a key of the configuration.
CREATE TABLE verifiers (
    member_id uuid PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- Codes that confirm an address. The digits are derived from the id with a key of the configuration and stand nowhere.
CREATE TABLE codes (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('sign_up')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    voided_at timestamptz,
    PRIMARY KEY (member_id, id),
    CHECK (used_at IS NULL OR voided_at IS NULL)
);
-- One code stands at a time.
CREATE UNIQUE INDEX codes_standing ON codes (member_id, purpose) WHERE used_at IS NULL AND voided_at IS NULL;
