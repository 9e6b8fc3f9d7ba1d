-- What a session was begun with, as its member knows it again, and when it was last refreshed.
ALTER TABLE sessions ADD COLUMN agent text NOT NULL DEFAULT '' CHECK (length(agent) <= 60);
ALTER TABLE sessions ADD COLUMN refreshed_at timestamptz;
