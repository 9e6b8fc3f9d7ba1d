-- What a profile holds beside the account. Members who never wrote any of it have no row.
-- Written under the member's lock.
CREATE TABLE profiles (
    member_id uuid PRIMARY KEY REFERENCES members,
    -- The country that a phone number without + belongs to.
    country_code text NOT NULL CHECK (country_code ~ '^[A-Z]{2}$'),
    venmo text NOT NULL CHECK (venmo ~ '^[A-Za-z0-9._-]{0,64}$'),
    paypal text NOT NULL CHECK (paypal ~ '^[A-Za-z0-9._-]{0,64}$'),
    -- When the member first gave a number or skipped the step. They are not asked again.
    phone_step_done_at timestamptz
);

-- Problems with Goodturn that members reported to those who run it. A sweep deletes them after half a year.
CREATE TABLE problem_reports (
    id uuid PRIMARY KEY,
    member_id uuid NOT NULL REFERENCES members,
    message text NOT NULL CHECK (char_length(message) BETWEEN 1 AND 4000),
    created_at timestamptz NOT NULL,
    -- When it was mailed. NULL before that, and if no address is configured.
    mailed_at timestamptz
);
CREATE INDEX problem_reports_of_member ON problem_reports (member_id, id);
-- For the sweep.
CREATE INDEX problem_reports_by_age ON problem_reports (created_at);
