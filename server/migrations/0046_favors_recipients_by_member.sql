-- no-transaction
-- What is looked for of one who was asked, beside lists, needs the member alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS favor_recipients_by_member ON favor_recipients (member_id, asked_at);
