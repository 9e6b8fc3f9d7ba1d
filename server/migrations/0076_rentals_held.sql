-- no-transaction
-- The days of an item that are held. Read by this, and never by the index behind rentals_no_double_booking: migration 77 tells why.
CREATE INDEX CONCURRENTLY IF NOT EXISTS rentals_held ON rentals (item_id, first_day) INCLUDE (held_until)
WHERE status IN ('accepted', 'active', 'returned');
