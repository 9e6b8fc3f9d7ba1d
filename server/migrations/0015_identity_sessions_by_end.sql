-- What ended lately, for nodes that were not told: every node asks every few seconds.
CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;
