-- Payments between the two sides of a rental, as either of them noted them (Goodturn holds no money),
-- and their words with a refusal and with ratings.
ALTER TABLE rentals
    ADD COLUMN paid_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN deposit_received_at timestamptz,
    ADD COLUMN deposit_returned_at timestamptz,
    ADD COLUMN decline_note text NOT NULL DEFAULT '',
    ADD COLUMN note_by_owner text NOT NULL DEFAULT '',
    ADD COLUMN note_by_borrower text NOT NULL DEFAULT '',
    ADD CONSTRAINT rentals_payments_check CHECK (
        paid_cents >= 0
        AND (deposit_received_at IS NULL OR deposit_cents > 0)
        AND (deposit_returned_at IS NULL OR deposit_received_at IS NOT NULL)
    ) NOT VALID,
    ADD CONSTRAINT rentals_notes_check CHECK (
        char_length(decline_note) <= 500 AND char_length(note_by_owner) <= 500 AND char_length(note_by_borrower) <= 500
    ) NOT VALID;
ALTER TABLE rental_events
    DROP CONSTRAINT rental_events_kind_check,
    ADD CONSTRAINT rental_events_kind_check CHECK (
        kind IN (
            'asked', 'moved', 'accepted', 'declined', 'cancelled', 'started', 'returned', 'completed',
            'extension_asked', 'extended', 'extension_declined', 'extension_withdrawn', 'lapsed',
            'paid', 'deposit_received', 'deposit_returned'
        )
    ) NOT VALID;
-- Migrations 85 and 86 make two indexes in its place.
DROP INDEX rentals_paid;
