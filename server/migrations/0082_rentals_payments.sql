-- Payments between the two sides of a rental, as either of them noted them (Goodturn holds no money),
-- and their words with a refusal and with ratings.
ALTER TABLE rentals
    ADD COLUMN paid_cents bigint NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
    ADD COLUMN deposit_received_at timestamptz CHECK (deposit_received_at IS NULL OR deposit_cents > 0),
    ADD COLUMN deposit_returned_at timestamptz CHECK (deposit_returned_at IS NULL OR deposit_received_at IS NOT NULL),
    ADD COLUMN decline_note text NOT NULL DEFAULT '' CHECK (char_length(decline_note) <= 500),
    ADD COLUMN note_by_owner text NOT NULL DEFAULT '' CHECK (char_length(note_by_owner) <= 500),
    ADD COLUMN note_by_borrower text NOT NULL DEFAULT '' CHECK (char_length(note_by_borrower) <= 500);
-- A member has earned all that was marked as paid.
DROP INDEX rentals_paid;
CREATE INDEX rentals_paid ON rentals (owner_id) INCLUDE (currency, paid_cents, status) WHERE paid_cents > 0;
CREATE INDEX rentals_completed_of_owner ON rentals (owner_id) WHERE status = 'completed';
ALTER TABLE rental_events
    DROP CONSTRAINT rental_events_kind_check,
    ADD CONSTRAINT rental_events_kind_check CHECK (
        kind IN (
            'asked', 'moved', 'accepted', 'declined', 'cancelled', 'started', 'returned', 'completed',
            'extension_asked', 'extended', 'extension_declined', 'extension_withdrawn', 'lapsed',
            'paid', 'deposit_received', 'deposit_returned'
        )
    );
