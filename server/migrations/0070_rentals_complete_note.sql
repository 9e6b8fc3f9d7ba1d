-- The owner's own words and pictures with the confirmation of a return that the borrower noted.
ALTER TABLE rentals
    ADD COLUMN complete_note text NOT NULL DEFAULT '',
    -- Every row that is there has none: they need not be read for that.
    ADD CONSTRAINT rentals_complete_note_check CHECK (
        char_length(complete_note) <= 500 AND (complete_note = '' OR status = 'completed')
    ) NOT VALID;
ALTER TABLE rental_pictures
    DROP CONSTRAINT rental_pictures_moment_check,
    ADD CONSTRAINT rental_pictures_moment_check CHECK (moment IN ('start', 'return', 'complete')) NOT VALID;
