-- What favors and items are found by: title, and in a new line description, without accents and in small letters. Written with the row.
ALTER TABLE favors
ADD COLUMN found_by text,
ADD CONSTRAINT favors_found_by_check CHECK (char_length(found_by) <= 13000) NOT VALID;
ALTER TABLE items
ADD COLUMN found_by text,
ADD CONSTRAINT items_found_by_check CHECK (char_length(found_by) <= 13000) NOT VALID;

-- What nodes of the release before write is folded here until they are replaced, and what there is by migration 64. This release does it by
-- `terms::fold`, and passes the triggers by. A later migration drops these. Where LC_CTYPE is C, `lower` knows ASCII alone: other capitals are named.
CREATE FUNCTION folded(words text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN normalize(
    replace(replace(replace(replace(
        translate(
            lower(regexp_replace(
                normalize(words, NFD), '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f]', '', 'g'
            )),
            'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩØøŁłĐđÐðĦħŊŋŦŧıÆŒÞẞ',
            'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґαβγδεζηθικλμνξοπρσστυφχψωoollddddhhnnttiæœþß'
        ),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    NFC
);

CREATE FUNCTION carry_found_by() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.found_by := replace(folded(NEW.title), E'\n', ' ') || E'\n' || folded(NEW.description);
    RETURN NEW;
END $$;

CREATE TRIGGER carry_found_by BEFORE INSERT ON favors FOR EACH ROW
WHEN (NEW.found_by IS NULL) EXECUTE FUNCTION carry_found_by();
CREATE TRIGGER carry_found_by_of_changed BEFORE UPDATE OF title, description ON favors FOR EACH ROW
WHEN ((NEW.title, NEW.description) IS DISTINCT FROM (OLD.title, OLD.description) AND NEW.found_by IS NOT DISTINCT FROM OLD.found_by)
EXECUTE FUNCTION carry_found_by();
CREATE TRIGGER carry_found_by BEFORE INSERT ON items FOR EACH ROW
WHEN (NEW.found_by IS NULL) EXECUTE FUNCTION carry_found_by();
CREATE TRIGGER carry_found_by_of_changed BEFORE UPDATE OF title, description ON items FOR EACH ROW
WHEN ((NEW.title, NEW.description) IS DISTINCT FROM (OLD.title, OLD.description) AND NEW.found_by IS NOT DISTINCT FROM OLD.found_by)
EXECUTE FUNCTION carry_found_by();
