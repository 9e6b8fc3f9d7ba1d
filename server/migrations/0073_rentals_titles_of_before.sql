-- no-transaction
-- Rentals of before keep how their item is called now. A few items at a time, each under its own lock, so that nobody waits for long. Begun anew,
-- it passes over what is there.
DO $$
DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    few uuid[];
BEGIN
    LOOP
        PERFORM set_config('lock_timeout', '500', true);
        few := ARRAY(
            SELECT DISTINCT item_id
            FROM rentals
            WHERE item_id > last AND title IS NULL
            ORDER BY item_id
            LIMIT 200
        );
        EXIT WHEN cardinality(few) = 0;
        PERFORM FROM items WHERE id = ANY (few) ORDER BY id FOR UPDATE;
        UPDATE rentals r SET title = i.title FROM items i WHERE i.id = r.item_id AND r.item_id = ANY (few) AND r.title IS NULL;
        last := few[cardinality(few)];
        COMMIT;
    END LOOP;
END $$;
