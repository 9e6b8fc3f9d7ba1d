-- no-transaction
-- What a member asks of all friends, while nobody helps and the start has not passed: the first due first. Few rows of many, so that each friend's
-- are read at once.
CREATE INDEX CONCURRENTLY IF NOT EXISTS favors_open ON favors (creator_id, due_key, id)
WHERE status = 'active' AND request_type = 'public' AND lapsed_start IS DISTINCT FROM start_at;
