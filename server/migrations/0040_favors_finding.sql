-- What favors are found by. pg_trgm comes with Postgres (contrib), and whoever may create the schema of the jobs may create it: it is trusted.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What a member asks of all friends, while nobody helps: the first due first. Few rows of many, so that each friend's are read at once.
CREATE INDEX favors_open ON favors (creator_id, due_key, id) WHERE status = 'active' AND request_type = 'public';
