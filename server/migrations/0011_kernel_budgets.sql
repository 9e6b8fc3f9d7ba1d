-- When something was spent of each budget, as long as it counts. The subject is a member's id, the ids of a pair, or a keyed hash of a
-- network or an address. Swept when nothing counts any more.
CREATE TABLE budgets (
    subject bytea NOT NULL CHECK (length(subject) IN (16, 32)),
    purpose text NOT NULL CHECK (length(purpose) BETWEEN 1 AND 50),
    spent timestamptz[] NOT NULL CHECK (cardinality(spent) > 0),
    last_spent timestamptz NOT NULL,
    PRIMARY KEY (subject, purpose)
);
CREATE INDEX budgets_by_age ON budgets (last_spent);
