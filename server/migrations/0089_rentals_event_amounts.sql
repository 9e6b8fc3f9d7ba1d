-- The sum of a payment, so that the story keeps what was paid at each step, and a correction takes back the last payment alone.
ALTER TABLE rental_events
    ADD COLUMN amount_cents bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT rental_events_amount_check CHECK (amount_cents >= 0) NOT VALID;
