-- Whether a rendition for cards was made of a picture. Of those of before none was: they are drawn by jobs, and so are those that nodes of the
-- release before take.
ALTER TABLE item_images ADD COLUMN has_card boolean NOT NULL DEFAULT false;
