-- no-transaction
-- A member has earned all that was marked as paid.
CREATE INDEX CONCURRENTLY IF NOT EXISTS rentals_paid ON rentals (owner_id) INCLUDE (currency, paid_cents, status)
WHERE paid_cents > 0;
