-- What a member's profile has beside what identity keeps of them. A row a member who ever wrote some of it; always under the member's lock.
CREATE TABLE profiles (
    member_id uuid PRIMARY KEY REFERENCES members,
    -- By which a phone number without + is read.
    country_code text NOT NULL CHECK (country_code ~ '^[A-Z]{2}$'),
    venmo text NOT NULL CHECK (venmo ~ '^[A-Za-z0-9._-]{0,64}$'),
    paypal text NOT NULL CHECK (paypal ~ '^[A-Za-z0-9._-]{0,64}$'),
    -- When a number was first given, or the step skipped that asks for one: it is not asked again.
    phone_step_done_at timestamptz
);
