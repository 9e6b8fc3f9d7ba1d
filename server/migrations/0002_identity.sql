-- People with an account. A sign-up that is not confirmed yet is in `registrations`.
-- The row of a deleted account stays, without personal data, because other members' history refers to its id.
CREATE TABLE members (
    id uuid PRIMARY KEY,
    -- As the member typed it, for mails and screens. The key is the lower-case form.
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL UNIQUE,
    -- The full name as the member typed it, and its first and last part.
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 201),
    given_name text NOT NULL CHECK (length(given_name) BETWEEN 1 AND 100),
    family_name text NOT NULL CHECK (length(family_name) <= 100),
    -- NULL means first and last name.
    display_name text CHECK (length(display_name) BETWEEN 1 AND 200),
    time_zone text NOT NULL DEFAULT 'UTC',
    picture text,
    phone_e164 text CHECK (phone_e164 ~ '^\+[1-9][0-9]{6,14}$'),
    phone_verified_at timestamptz,
    status text NOT NULL CHECK (status IN ('confirmed', 'deleted')),
    confirmed_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    profile_changed_at timestamptz NOT NULL,
    -- Since when an operator has kept the member from signing in.
    disabled_at timestamptz,
    -- A half-finished sign-in that began before this must start again. A new address, number or second factor
    -- sets it, and so does signing out everywhere.
    sign_ins_since timestamptz,
    CHECK ((status = 'confirmed') = (confirmed_at IS NOT NULL)),
    CHECK (phone_verified_at IS NULL OR phone_e164 IS NOT NULL),
    -- Nothing personal is left in a deleted account.
    CONSTRAINT members_deleted CHECK (
        status <> 'deleted'
        OR (
            email = 'deleted' AND email_key = id::text AND name = 'Former member' AND given_name = 'Former'
            AND family_name = 'member' AND time_zone = 'UTC' AND display_name IS NULL AND picture IS NULL
            AND phone_e164 IS NULL AND disabled_at IS NULL AND created_at = updated_at
            AND profile_changed_at = updated_at
        )
    )
);
-- A verified number belongs to one member. Until it is verified, anyone may claim it.
CREATE UNIQUE INDEX members_by_verified_phone ON members (phone_e164) WHERE phone_verified_at IS NOT NULL;

-- What a password is checked against: the SRP verifier, sealed with a key from the configuration.
CREATE TABLE verifiers (
    member_id uuid PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- An operator can set a temporary password. Until this moment it lets the member in to choose their own.
    -- NULL for a password that the member chose.
    temporary_until timestamptz
);

-- Sign-ups that wait for their code. Several may wait at one address; the one whose code is given becomes the member.
CREATE TABLE registrations (
    -- Becomes the member's id.
    id uuid PRIMARY KEY,
    -- As the member typed it, for mails. The key is the lower-case form.
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 201),
    given_name text NOT NULL CHECK (length(given_name) BETWEEN 1 AND 100),
    family_name text NOT NULL CHECK (length(family_name) <= 100),
    time_zone text NOT NULL,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    sealed bytea NOT NULL,
    -- A keyed hash of the network that the sign-up came from, if known.
    network bytea CHECK (length(network) = 32),
    -- The code that is valid now. The digits are derived from this id and a key, and are stored nowhere.
    code uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX registrations_by_address ON registrations (email_key, created_at);
-- For the sweep.
CREATE INDEX registrations_by_expiry ON registrations (expires_at);

-- Codes that were mailed or texted to members: to set a new password, or to confirm a new address or number.
-- The digits are derived from the id and a key, and are stored nowhere.
CREATE TABLE codes (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('reset_password', 'email', 'phone_number')),
    -- The new address or number. It takes effect once the code is given.
    destination text CHECK (length(destination) BETWEEN 3 AND 254),
    -- The address that was valid until then. It gets a mail about the change.
    replaced text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    voided_at timestamptz,
    PRIMARY KEY (member_id, id),
    CHECK (used_at IS NULL OR voided_at IS NULL),
    CHECK (replaced IS NULL OR used_at IS NOT NULL),
    CONSTRAINT codes_destination CHECK ((purpose IN ('email', 'phone_number')) = (destination IS NOT NULL))
);
-- A member has one valid code for each purpose.
CREATE UNIQUE INDEX codes_standing ON codes (member_id, purpose) WHERE used_at IS NULL AND voided_at IS NULL;
-- For the sweep.
CREATE INDEX codes_by_expiry ON codes (expires_at);

-- Sign-ins. A session's refresh tokens are derived from its seed, their generation and a key; no token is stored.
CREATE TABLE sessions (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    client_id text NOT NULL,
    started_at timestamptz NOT NULL,
    -- When the member proved who they are, if that was before the session began: a browser that was signed in
    -- at the hosted page can begin another session.
    authenticated_at timestamptz,
    expires_at timestamptz NOT NULL CHECK (expires_at > started_at),
    ended_at timestamptz,
    refresh_seed bytea NOT NULL CHECK (length(refresh_seed) = 32),
    -- How often the refresh token was rotated. Only this generation is valid, and for a short time the one before.
    refresh_generation integer NOT NULL CHECK (refresh_generation >= 0),
    rotated_at timestamptz,
    -- What the session may be used for, separated by spaces. NULL if it did not begin at the hosted page.
    scopes text CHECK (length(scopes) BETWEEN 1 AND 200),
    -- A keyed hash of the network that the session began from. Failed sign-ins of others in a network do not
    -- slow down a member who signed in from there lately.
    network bytea CHECK (length(network) = 32),
    device_id uuid,
    -- The browser or program, as the member recognizes it in the list of sign-ins.
    agent text NOT NULL DEFAULT '' CHECK (length(agent) <= 60),
    refreshed_at timestamptz,
    -- Whether the member's second factor is newer than the session and was not set up in it. Such a session has
    -- never proved that factor.
    precedes_factor boolean NOT NULL DEFAULT false,
    -- User names that the member had earlier in this session. A client with a secret proves it by the name it knows.
    former_names text[] NOT NULL DEFAULT '{}' CHECK (cardinality(former_names) <= 5),
    PRIMARY KEY (member_id, id),
    CHECK ((refresh_generation = 0) = (rotated_at IS NULL)),
    CHECK (authenticated_at <= started_at)
);
CREATE INDEX sessions_open ON sessions (member_id) WHERE ended_at IS NULL;
-- For the sweep.
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
-- Every node asks every few seconds what ended, in case it missed the signal.
CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- SECRET_BLOCK values that signed a member in. Each works once.
CREATE TABLE used_secret_blocks (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    nonce bytea NOT NULL CHECK (length(nonce) = 12),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (member_id, nonce)
);
-- For the sweep.
CREATE INDEX used_secret_blocks_by_expiry ON used_secret_blocks (expires_at);

-- Failed attempts. The subject is a keyed hash of an address or a network, so unknown accounts count like known ones.
CREATE TABLE attempts (
    subject bytea NOT NULL CHECK (length(subject) = 32),
    kind text NOT NULL CHECK (kind IN ('password', 'network', 'code', 'send')),
    count integer NOT NULL CHECK (count >= 0),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    locked_until timestamptz NOT NULL,
    PRIMARY KEY (subject, kind)
);
-- For the sweep.
CREATE INDEX attempts_by_age ON attempts (last_at);

-- The keys that sign tokens. The newest one whose time has come signs; all that are not retired are published.
CREATE TABLE signing_keys (
    kid text PRIMARY KEY,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    used_from timestamptz NOT NULL CHECK (used_from >= created_at)
);

-- The one key that codes, refresh tokens and the subjects of `attempts` are derived with. Because it is stored
-- (sealed), the secrets of the configuration can be replaced without invalidating any of these.
CREATE TABLE derive_keys (
    id integer PRIMARY KEY CHECK (id = 1),
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- Accounts of members at other providers (Google and the like), by the provider's id for them.
CREATE TABLE identities (
    provider text NOT NULL CHECK (length(provider) BETWEEN 1 AND 32),
    subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    -- Whether the member signed up with it. Then their user name and attributes come from the provider.
    made_member boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (provider, subject)
);
CREATE INDEX identities_of_member ON identities (member_id);
-- A member signed up with one provider at most.
CREATE UNIQUE INDEX identities_that_made ON identities (member_id) WHERE made_member;

-- Authorization codes of the hosted sign-in page. Each belongs to a session that waits for it to be redeemed.
CREATE TABLE authorization_codes (
    -- A keyed hash of the code. The code itself is stored nowhere.
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    member_id uuid NOT NULL,
    session_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    nonce text,
    -- The PKCE challenge, if the client sent one.
    challenge bytea CHECK (length(challenge) = 32),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    FOREIGN KEY (member_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
-- For the sweep.
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
-- For the foreign key.
CREATE INDEX authorization_codes_of_session ON authorization_codes (member_id, session_id);

-- Unfinished sign-ins with a provider: the member is at the provider, or must prove that an account is theirs.
CREATE TABLE federated_sign_ins (
    -- A keyed hash of the state parameter, or of the form's name.
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    -- A keyed hash of the cookie of the browser that it began in.
    browser bytea NOT NULL CHECK (length(browser) = 32),
    -- What is needed to finish it, sealed.
    sealed bytea NOT NULL,
    -- The account that would be linked.
    member_id uuid REFERENCES members ON DELETE CASCADE,
    -- The code that proves the account is theirs. The digits are derived from this id.
    code uuid,
    expires_at timestamptz NOT NULL,
    CHECK (code IS NULL OR member_id IS NOT NULL)
);
-- For the sweep.
CREATE INDEX federated_sign_ins_by_expiry ON federated_sign_ins (expires_at);
-- For the foreign key.
CREATE INDEX federated_sign_ins_of_member ON federated_sign_ins (member_id) WHERE member_id IS NOT NULL;

-- Browsers that are signed in at the hosted page. For an hour they sign in to other applications without a password.
CREATE TABLE browser_sessions (
    -- A keyed hash of the browser's cookie. The cookie itself is stored nowhere.
    id bytea PRIMARY KEY CHECK (length(id) = 32),
    member_id uuid NOT NULL,
    -- The session that the sign-in began. When it ends, this ends too.
    session_id uuid NOT NULL,
    -- NULL if the member signed in with the password.
    provider text CHECK (length(provider) BETWEEN 1 AND 32),
    -- Whether the member was asked for the second factor they had.
    asked_factors boolean NOT NULL,
    -- A hash of the verifier. A changed password ends this. NULL if the member had no password.
    proof bytea CHECK (length(proof) = 16),
    began_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CHECK (expires_at > began_at),
    FOREIGN KEY (member_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
-- For the sweep.
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at);
-- For the foreign key.
CREATE INDEX browser_sessions_of_session ON browser_sessions (member_id, session_id);

-- A member's second factors: an authenticator app, and SMS to the verified number.
CREATE TABLE second_factors (
    member_id uuid PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    -- The authenticator's secret, sealed with a key from the configuration.
    totp_sealed bytea,
    totp_name text NOT NULL DEFAULT '' CHECK (length(totp_name) <= 131),
    totp_on boolean NOT NULL DEFAULT false,
    -- The last time step whose code was used. Each code works once.
    totp_used_period bigint NOT NULL DEFAULT 0,
    -- The session or sign-in that set the authenticator up or turned it off. Only that one may turn it on again.
    set_up_by uuid,
    -- A new secret that waits for its first code, sealed, and the session or sign-in that made it.
    made_sealed bytea,
    made_by uuid,
    sms_on boolean NOT NULL DEFAULT false,
    preferred text CHECK (preferred IN ('totp', 'sms')),
    CHECK (NOT totp_on OR totp_sealed IS NOT NULL),
    CHECK (preferred IS NULL OR (preferred = 'totp' AND totp_on) OR (preferred = 'sms' AND sms_on))
);

-- Recovery codes, for members who lost their authenticator. The characters are derived from the id and a key.
CREATE TABLE recovery_codes (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (member_id, id)
);

-- News about a member's second factor that wait to be mailed, so that several changes make one mail.
-- A row keeps the address of its time: who takes over an account must not get the warning in its owner's place.
CREATE TABLE factor_news (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id uuid NOT NULL,
    email text NOT NULL,
    news text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX factor_news_of_member ON factor_news (member_id, id);

-- Devices that members signed in from. A confirmed device proves itself by SRP; a remembered one replaces the
-- second factor.
CREATE TABLE devices (
    member_id uuid NOT NULL REFERENCES members ON DELETE CASCADE,
    id uuid NOT NULL,
    -- Takes the place of the pool's name in the device's SRP.
    group_key text NOT NULL,
    name text NOT NULL DEFAULT '' CHECK (length(name) <= 1024),
    -- The device's SRP verifier. NULL until the device is confirmed.
    salt bytea CHECK (length(salt) BETWEEN 1 AND 192),
    sealed bytea,
    remembered boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    signed_in_at timestamptz NOT NULL,
    last_address text NOT NULL DEFAULT '',
    PRIMARY KEY (member_id, id),
    CHECK ((salt IS NULL) = (sealed IS NULL)),
    CHECK (NOT remembered OR sealed IS NOT NULL)
);
-- For the list, newest first.
CREATE INDEX devices_of_member ON devices (member_id, created_at DESC, id DESC);
-- For the sweep of devices that were never confirmed.
CREATE INDEX devices_unconfirmed ON devices (created_at) WHERE sealed IS NULL;

-- Sign-ins that only wait for the proof of the device they name.
CREATE TABLE awaited_devices (
    member_id uuid NOT NULL,
    device_id uuid NOT NULL,
    sign_in uuid NOT NULL,
    client_id text NOT NULL,
    -- A keyed hash of the network, for clients that do not say which sign-in they continue.
    network bytea CHECK (length(network) = 32),
    until timestamptz NOT NULL,
    PRIMARY KEY (member_id, sign_in),
    FOREIGN KEY (member_id, device_id) REFERENCES devices ON DELETE CASCADE
);
CREATE INDEX awaited_devices_of_device ON awaited_devices (member_id, device_id, until DESC);
-- For the sweep.
CREATE INDEX awaited_devices_by_expiry ON awaited_devices (until);
