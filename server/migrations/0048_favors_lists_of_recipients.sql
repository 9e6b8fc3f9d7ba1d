-- Lists are read from favor_places since migration 37, and this release writes them there alone.
ALTER TABLE favor_recipients ALTER COLUMN place SET DEFAULT 'draft', ALTER COLUMN due_key DROP NOT NULL;
DROP INDEX favor_recipients_received, favor_recipients_by_asking;
