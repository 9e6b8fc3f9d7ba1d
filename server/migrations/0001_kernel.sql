-- The answer to each create, by the key that came with it, so that a retry gets the same answer.
-- A sweep deletes rows after 24 hours.
CREATE TABLE idempotency_keys (
    member_id uuid NOT NULL,
    method text NOT NULL,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    -- The same key with another body is an error.
    body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
    answer bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (member_id, method, key)
);
-- For the sweep.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Rate limits: when something counted against each limit, as far as it still counts.
-- A sweep deletes rows in which nothing counts any more.
CREATE TABLE budgets (
    -- A member's id, the ids of a pair, or a keyed hash of a network or an address.
    subject bytea NOT NULL CHECK (length(subject) IN (16, 32)),
    purpose text NOT NULL CHECK (length(purpose) BETWEEN 1 AND 50),
    spent timestamptz[] NOT NULL CHECK (cardinality(spent) > 0),
    last_spent timestamptz NOT NULL,
    PRIMARY KEY (subject, purpose)
);
-- For the sweep.
CREATE INDEX budgets_by_age ON budgets (last_spent);
