-- no-transaction
-- What all favors and items that were there before the triggers of migration 63 are found by. A few at a time, each under the lock that whoever
-- changes it takes too, so that nobody waits for long. Begun anew, it passes over what is there. Of favors nothing else changes, so that the
-- triggers of migration 37 have nothing to carry.
DO $$
DECLARE
    thing text;
    last uuid;
    few uuid[];
BEGIN
    FOREACH thing IN ARRAY ARRAY['favors', 'items'] LOOP
        last := '00000000-0000-0000-0000-000000000000';
        LOOP
            PERFORM set_config('lock_timeout', '500', true), set_config('goodturn.places', 'kept', true);
            EXECUTE format('SELECT ARRAY(SELECT id FROM %I WHERE id > $1 AND found_by IS NULL ORDER BY id LIMIT 200 FOR UPDATE)', thing)
            INTO few USING last;
            EXIT WHEN cardinality(few) = 0;
            EXECUTE format(
                'UPDATE %I SET found_by = replace(folded(title), E''\n'', '' '') || E''\n'' || folded(description) WHERE id = ANY ($1)', thing
            ) USING few;
            last := few[cardinality(few)];
            COMMIT;
        END LOOP;
    END LOOP;
END $$;
