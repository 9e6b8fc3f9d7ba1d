-- How an item was called when it was asked for: all that its borrower reads of it once they may see it no longer.
ALTER TABLE rentals
    ADD COLUMN title text,
    ADD CONSTRAINT rentals_title_check CHECK (char_length(title) BETWEEN 1 AND 200) NOT VALID;

-- What nodes of the release before write has none; what there is gets it by migration 73. A later migration drops this.
CREATE FUNCTION carry_rentals_title() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.title := (SELECT i.title FROM items i WHERE i.id = NEW.item_id);
    RETURN NEW;
END $$;

CREATE TRIGGER carry_title BEFORE INSERT ON rentals FOR EACH ROW WHEN (NEW.title IS NULL) EXECUTE FUNCTION carry_rentals_title();
