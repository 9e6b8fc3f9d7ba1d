-- no-transaction
-- The places of all favors there were before the triggers of migration 37, which write those of every later change: what they wrote stays. A few
-- at a time, each under the lock that whoever changes it takes too, so that nobody waits for long, and nothing is written of what was read
-- before it changed. Begun anew, it passes over what is there.
DO $$
DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    few uuid[];
BEGIN
    LOOP
        PERFORM set_config('lock_timeout', '500', true);
        few := ARRAY(SELECT id FROM favors WHERE id > last ORDER BY id LIMIT 200 FOR SHARE);
        EXIT WHEN cardinality(few) = 0;
        INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
        SELECT id, creator_id, 'own_' || replace(shelf, 'active', 'open'), due_key, updated_at
        FROM favors
        WHERE id = ANY (few)
        ON CONFLICT (favor_id, member_id) DO NOTHING;
        INSERT INTO favor_places (favor_id, member_id, place, due_key)
        SELECT favor_id, member_id, favor_place_of(place, answer), due_key
        FROM favor_recipients
        WHERE favor_id = ANY (few) AND place <> 'draft'
        ON CONFLICT (favor_id, member_id) DO NOTHING;
        last := few[cardinality(few)];
        COMMIT;
    END LOOP;
END $$;
