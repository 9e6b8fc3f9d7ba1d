-- What the locations of favors are compared by: without accents and in small letters, as what is found by words. Written with the row.
ALTER TABLE favors
ADD COLUMN located_by text,
ADD CONSTRAINT favors_located_by_check CHECK (char_length(located_by) <= 800) NOT VALID;

-- What nodes of the release before write is folded here until they are replaced, and what there is by migration 69. A later migration drops these.
CREATE FUNCTION carry_located_by() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.located_by := folded(NEW.location);
    RETURN NEW;
END $$;

CREATE TRIGGER carry_located_by BEFORE INSERT ON favors FOR EACH ROW
WHEN (NEW.located_by IS NULL) EXECUTE FUNCTION carry_located_by();
CREATE TRIGGER carry_located_by_of_changed BEFORE UPDATE OF location ON favors FOR EACH ROW
WHEN (NEW.location IS DISTINCT FROM OLD.location AND NEW.located_by IS NOT DISTINCT FROM OLD.located_by)
EXECUTE FUNCTION carry_located_by();
