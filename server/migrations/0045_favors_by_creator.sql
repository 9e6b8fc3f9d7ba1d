-- no-transaction
-- What is looked for of a creator, beside lists, needs the member alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS favors_by_creator ON favors (creator_id, status);
