-- The creator can decline another time that a recipient offered. `told_to` is that recipient, who may read the step too.
ALTER TABLE favor_events
    ADD COLUMN told_to uuid,
    DROP CONSTRAINT favor_events_kind_check,
    ADD CONSTRAINT favor_events_kind_check CHECK (
        kind IN (
            'drafted', 'posted', 'accepted', 'declined', 'another_time', 'completed', 'settled', 'cancelled',
            'withdrawn', 'moved_up', 'applied', 'chosen', 'asked', 'time_accepted', 'tip_missing', 'time_declined'
        )
    ) NOT VALID;
