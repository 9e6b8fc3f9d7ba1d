-- no-transaction
-- What the locations of all favors that were there before the triggers of migration 68 are compared by. A few at a time, each under the lock that
-- whoever changes it takes too, so that nobody waits for long. Begun anew, it passes over what is there. Nothing else changes, so that the
-- triggers of migration 37 have nothing to carry.
DO $$
DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    few uuid[];
BEGIN
    LOOP
        PERFORM set_config('lock_timeout', '500', true), set_config('goodturn.places', 'kept', true);
        few := ARRAY(SELECT id FROM favors WHERE id > last AND located_by IS NULL ORDER BY id LIMIT 200 FOR UPDATE);
        EXIT WHEN cardinality(few) = 0;
        UPDATE favors SET located_by = folded(location) WHERE id = ANY (few);
        last := few[cardinality(few)];
        COMMIT;
    END LOOP;
END $$;
