-- no-transaction
-- Those that are to be drawn.
CREATE INDEX CONCURRENTLY IF NOT EXISTS item_images_without_card ON item_images (id) WHERE NOT has_card;
