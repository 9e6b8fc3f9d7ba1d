-- What favors are found by. pg_trgm comes with Postgres (contrib), and whoever may create the schema of the jobs may create it: it is trusted.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
