-- no-transaction
-- The rentals that a member completed as their owner are counted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS rentals_completed_of_owner ON rentals (owner_id) WHERE status = 'completed';
