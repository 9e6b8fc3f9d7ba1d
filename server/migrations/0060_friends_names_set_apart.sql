-- How somebody was called when they were blocked, or muted: the one who did it goes on seeing whom it is about, and not how they are called since.
-- Absent where the release before wrote the row, and where the other one has left.
ALTER TABLE blocks ADD COLUMN name text;
ALTER TABLE notification_silences ADD COLUMN name text;
