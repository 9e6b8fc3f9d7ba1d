-- What a create answered, by the key that came with it. Swept after 24 hours.
CREATE TABLE idempotency_keys (
    member_id uuid NOT NULL,
    method text NOT NULL,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
    answer bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (member_id, method, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
