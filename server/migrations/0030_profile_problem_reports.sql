-- Problems with Goodturn that members reported to those who run it. Swept after half a year.
CREATE TABLE problem_reports (
    id uuid PRIMARY KEY,
    member_id uuid NOT NULL REFERENCES members,
    message text NOT NULL CHECK (char_length(message) BETWEEN 1 AND 4000),
    created_at timestamptz NOT NULL,
    -- When it was mailed; NULL before that, and where no address is set.
    mailed_at timestamptz
);
CREATE INDEX problem_reports_of_member ON problem_reports (member_id, id);
CREATE INDEX problem_reports_by_age ON problem_reports (created_at);

-- What a member was asked lately, for what is counted of it.
CREATE INDEX favor_recipients_by_asking ON favor_recipients (member_id, asked_at) WHERE asked_at IS NOT NULL;
