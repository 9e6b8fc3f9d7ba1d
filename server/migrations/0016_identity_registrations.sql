-- Sign-ups that nobody has confirmed. Each is a registration of its own, also at the same address: it becomes a member by its own code.
CREATE TABLE registrations (
    -- The member's id, once there is one.
    id uuid PRIMARY KEY,
    -- As it was typed, for mails; the key is its lower-case form.
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 201),
    given_name text NOT NULL CHECK (length(given_name) BETWEEN 1 AND 100),
    family_name text NOT NULL CHECK (length(family_name) <= 100),
    time_zone text NOT NULL,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    sealed bytea NOT NULL,
    -- A keyed hash of the network that it came from, where it came from one.
    network bytea CHECK (length(network) = 32),
    -- The code that stands. Its digits are derived from this id with a key of the configuration and stand nowhere.
    code uuid NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX registrations_by_address ON registrations (email_key, created_at);
CREATE INDEX registrations_by_age ON registrations (created_at);

INSERT INTO registrations (id, email, email_key, name, given_name, family_name, time_zone, salt, sealed, code, created_at)
SELECT m.id, m.email, m.email_key, trim(m.given_name || ' ' || m.family_name), m.given_name, m.family_name, m.time_zone, v.salt, v.sealed,
       c.id, m.created_at
FROM members m
JOIN verifiers v ON v.member_id = m.id
JOIN codes c ON c.member_id = m.id AND c.purpose = 'sign_up' AND c.used_at IS NULL AND c.voided_at IS NULL
WHERE m.status = 'unconfirmed';

-- A node of the release before may make some more until it is replaced: these are nobody, and swept.
DELETE FROM members WHERE status = 'unconfirmed';

-- As the member said it; NULL for who signed up before it was kept: it is the given and the family name then.
ALTER TABLE members ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 201);

-- A keyed hash of the network that a session was begun from: who signed in from there lately is not held back by what others do there.
ALTER TABLE sessions ADD COLUMN network bytea CHECK (length(network) = 32);
