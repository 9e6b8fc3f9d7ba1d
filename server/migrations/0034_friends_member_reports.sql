-- Members whom others reported to those who run the server. Swept after half a year.
CREATE TABLE member_reports (
    id uuid PRIMARY KEY,
    -- Who reports, and whom.
    member_id uuid NOT NULL REFERENCES members,
    reported_id uuid NOT NULL REFERENCES members,
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 4000),
    created_at timestamptz NOT NULL,
    -- When it was mailed; NULL before that, and where no address is set.
    mailed_at timestamptz,
    CHECK (member_id <> reported_id)
);
CREATE INDEX member_reports_of_member ON member_reports (member_id, id);
CREATE INDEX member_reports_by_age ON member_reports (created_at);
