-- SHA-256 of the file that the renditions of a picture are drawn of, which is the first one that was looked at and is a picture: they are written with
-- nothing held, so two calls may write them at once, and what both write is the same.
ALTER TABLE pictures ADD COLUMN drawn_of bytea;
