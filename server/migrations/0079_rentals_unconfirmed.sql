-- no-transaction
-- Rentals that were given back before a return counted as confirmed after a time have no timer: the sweep sets it. A few items at a time, each under
-- its own lock, so that nobody waits for long. Begun anew, it passes over what is there.
DO $$
DECLARE
    few uuid[];
BEGIN
    LOOP
        PERFORM set_config('lock_timeout', '500', true);
        few := ARRAY(
            SELECT DISTINCT item_id
            FROM rentals
            WHERE status = 'returned' AND timer_at IS NULL
            ORDER BY item_id
            LIMIT 200
        );
        EXIT WHEN cardinality(few) = 0;
        PERFORM FROM items WHERE id = ANY (few) ORDER BY id FOR UPDATE;
        UPDATE rentals SET timer_at = 'epoch' WHERE item_id = ANY (few) AND status = 'returned' AND timer_at IS NULL;
        COMMIT;
    END LOOP;
END $$;
