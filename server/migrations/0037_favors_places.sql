-- Where a favor stands for a member: which of their lists it is in. A row for each member who knows of it, its creator too, written under the
-- favor's lock from one table of rules; a favor that a member does not know of has none. `due_key` repeats the favor's, and `changed_at`
-- its last change, for the creator alone, whose lists can be sorted by that. Each list is a stretch of one index that begins with the
-- member, so that the rows can be spread by member as favors are by id.
CREATE TABLE favor_places (
    favor_id uuid NOT NULL REFERENCES favors ON DELETE CASCADE,
    member_id uuid NOT NULL,
    place text NOT NULL CHECK (
        place IN (
            'own_open', 'own_completed', 'own_cancelled',
            'pending', 'offered', 'declined', 'applied', 'not_chosen', 'helping', 'back_up', 'taken',
            'completed', 'settled', 'cancelled'
        )
    ),
    due_key timestamptz NOT NULL,
    changed_at timestamptz,
    PRIMARY KEY (favor_id, member_id),
    CHECK ((changed_at IS NOT NULL) = (place IN ('own_open', 'own_completed', 'own_cancelled')))
);

CREATE INDEX favor_places_by_due ON favor_places (member_id, place, due_key, favor_id);
CREATE INDEX favor_places_by_change ON favor_places (member_id, place, changed_at DESC, favor_id DESC) WHERE changed_at IS NOT NULL;

-- What is not written by this release stands in the columns of the one before, and is carried over: what there is by migration 39, and what its nodes write
-- by triggers until they are replaced. Those of this one say so of their connections, and pass the triggers by. A later migration drops these and the columns.
CREATE FUNCTION favor_place_of(place text, answer text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE WHEN place = 'pending' AND answer = 'another_time' THEN 'offered' ELSE nullif(place, 'draft') END;

CREATE FUNCTION carry_creators_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
    VALUES (NEW.id, NEW.creator_id, 'own_' || replace(NEW.shelf, 'active', 'open'), NEW.due_key, NEW.updated_at)
    ON CONFLICT (favor_id, member_id) DO UPDATE
    SET place = excluded.place, due_key = excluded.due_key, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;

CREATE FUNCTION carry_recipients_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    now_at text;
BEGIN
    IF TG_OP <> 'DELETE' THEN
        now_at := favor_place_of(NEW.place, NEW.answer);
    END IF;
    IF now_at IS NULL THEN
        DELETE FROM favor_places WHERE favor_id = OLD.favor_id AND member_id = OLD.member_id;
    ELSE
        INSERT INTO favor_places (favor_id, member_id, place, due_key)
        VALUES (NEW.favor_id, NEW.member_id, now_at, NEW.due_key)
        ON CONFLICT (favor_id, member_id) DO UPDATE SET place = excluded.place, due_key = excluded.due_key;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER carry_place AFTER INSERT OR UPDATE ON favors FOR EACH ROW
WHEN (current_setting('goodturn.places', true) IS NULL) EXECUTE FUNCTION carry_creators_place();
CREATE TRIGGER carry_place AFTER INSERT OR UPDATE OR DELETE ON favor_recipients FOR EACH ROW
WHEN (current_setting('goodturn.places', true) IS NULL) EXECUTE FUNCTION carry_recipients_place();
