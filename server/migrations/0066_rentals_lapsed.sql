-- A request whose days pass without an answer ends by itself: a step of its story that nobody made.
ALTER TABLE rental_events
    ALTER COLUMN actor_id DROP NOT NULL,
    DROP CONSTRAINT rental_events_kind_check,
    -- Every row that is there keeps to the narrower ones: they need not be read for that.
    ADD CONSTRAINT rental_events_kind_check CHECK (
        kind IN (
            'asked', 'moved', 'accepted', 'declined', 'cancelled', 'started', 'returned', 'completed',
            'extension_asked', 'extended', 'extension_declined', 'extension_withdrawn', 'lapsed'
        )
    ) NOT VALID,
    ADD CONSTRAINT rental_events_actor_check CHECK ((actor_id IS NULL) = (kind = 'lapsed')) NOT VALID;
-- A request that a node of the release before writes begins with a time that is long past: the sweep sets it right.
ALTER TABLE rentals ALTER COLUMN timer_at SET DEFAULT '1970-01-01T00:00:00Z';
