-- How often a recipient has changed their answer, or its words. An acceptance is always possible, and not counted.
ALTER TABLE favor_recipients ADD COLUMN changes smallint NOT NULL DEFAULT 0 CHECK (changes BETWEEN 0 AND 20);
