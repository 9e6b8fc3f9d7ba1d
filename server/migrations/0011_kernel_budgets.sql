-- What was spent of each budget in the present hour and day; both begin with what is spent first. The subject is a member's id, the ids
-- of a pair, or a keyed hash of a network or an address. Swept when both are over.
CREATE TABLE budgets (
    subject bytea NOT NULL CHECK (length(subject) IN (16, 32)),
    purpose text NOT NULL CHECK (length(purpose) BETWEEN 1 AND 50),
    hour_from timestamptz NOT NULL,
    in_hour integer NOT NULL CHECK (in_hour > 0),
    day_from timestamptz NOT NULL,
    in_day integer NOT NULL CHECK (in_day > 0),
    PRIMARY KEY (subject, purpose)
);
CREATE INDEX budgets_by_age ON budgets (day_from);
