-- Second factors of a member: an authenticator, and SMS to the verified number.
CREATE TABLE second_factors (
    member_id uuid PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    -- The authenticator's secret, sealed with a key of the configuration.
    totp_sealed bytea,
    totp_name text NOT NULL DEFAULT '' CHECK (length(totp_name) <= 131),
    totp_on boolean NOT NULL DEFAULT false,
    -- The last period of which a code was used: each works once.
    totp_used_period bigint NOT NULL DEFAULT 0,
    -- The secret that was made last and waits for its first code, sealed.
    made_sealed bytea,
    sms_on boolean NOT NULL DEFAULT false,
    preferred text CHECK (preferred IN ('totp', 'sms')),
    CHECK (NOT totp_on OR totp_sealed IS NOT NULL),
    CHECK (preferred IS NULL OR (preferred = 'totp' AND totp_on) OR (preferred = 'sms' AND sms_on))
);

-- Codes for who has lost the authenticator. The characters are derived from the id with a key of the configuration and stand nowhere.
CREATE TABLE recovery_codes (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (member_id, id)
);

-- Devices that a sign-in came from. One that is confirmed proves itself by SRP; one that is remembered stands in for a second factor.
CREATE TABLE devices (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    group_key text NOT NULL,
    name text NOT NULL DEFAULT '' CHECK (length(name) <= 1024),
    salt bytea CHECK (length(salt) BETWEEN 1 AND 192),
    sealed bytea,
    remembered boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    signed_in_at timestamptz NOT NULL,
    last_address text NOT NULL DEFAULT '',
    -- By which client, and until when, its proof is awaited: everything else of a sign-in has been shown.
    awaited_by text,
    awaited_until timestamptz,
    PRIMARY KEY (member_id, id),
    CHECK ((salt IS NULL) = (sealed IS NULL)),
    CHECK (NOT remembered OR sealed IS NOT NULL),
    CHECK ((awaited_by IS NULL) = (awaited_until IS NULL))
);
-- For lists, the newest first, and the sweep of those that were never confirmed.
CREATE INDEX devices_of_member ON devices (member_id, created_at DESC, id DESC);
CREATE INDEX devices_unconfirmed ON devices (created_at) WHERE sealed IS NULL;

-- Since when what was shown of a sign-in counts: another address, number or second factor, and a sign-out everywhere, begin it anew.
ALTER TABLE members ADD COLUMN sign_ins_since timestamptz;

-- The device that a session was begun from.
ALTER TABLE sessions ADD COLUMN device_id uuid;
