-- When the renditions of a picture that waits were drawn: from then on it is not drawn anew, whatever is uploaded to its address. Absent until then, and
-- of pictures that nodes of the release before took, which draw and take at once.
ALTER TABLE pictures ADD COLUMN drawn_at timestamptz;
