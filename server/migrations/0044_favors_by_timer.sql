-- no-transaction
-- What is overdue: read by the sweep, which finds nothing but what a job missed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS favors_by_timer ON favors (timer_at) WHERE status IN ('active', 'accepted');
