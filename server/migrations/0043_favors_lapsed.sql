-- A favor whose start passed while nobody had accepted is in none of the lists of those who were asked, until it is moved.
ALTER TABLE favor_places
    DROP CONSTRAINT favor_places_place_check,
    -- Every row that is there keeps to the narrower one: they need not be read for that.
    ADD CONSTRAINT favor_places_place_check CHECK (
        place IN (
            'own_open', 'own_completed', 'own_cancelled',
            'pending', 'offered', 'declined', 'applied', 'not_chosen', 'helping', 'back_up', 'taken', 'lapsed',
            'completed', 'settled', 'cancelled'
        )
    ) NOT VALID;
