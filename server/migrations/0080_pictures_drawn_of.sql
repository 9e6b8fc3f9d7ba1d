-- SHA-256 of the file that the renditions of a picture are drawn of, which is the first one that was looked at and is a picture: they are written with
-- nothing held, so two calls may write them at once, and what both write is the same. A node of the release before, which writes
-- under the row's lock, does not look at it: while nodes are replaced, who puts another file to an address may have both written.
ALTER TABLE pictures ADD COLUMN drawn_of bytea;
