-- Either side can correct a payment, and note that what was paid for a cancelled rental was returned.
ALTER TABLE rental_events
    DROP CONSTRAINT rental_events_kind_check,
    ADD CONSTRAINT rental_events_kind_check CHECK (
        kind IN (
            'asked', 'moved', 'accepted', 'declined', 'cancelled', 'started', 'returned', 'completed',
            'extension_asked', 'extended', 'extension_declined', 'extension_withdrawn', 'lapsed',
            'paid', 'not_paid', 'refunded',
            'deposit_received', 'deposit_not_received', 'deposit_returned', 'deposit_not_returned'
        )
    ) NOT VALID;
