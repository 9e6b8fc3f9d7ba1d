-- Until when a password that an operator set lets somebody in, who then sets their own; NULL for the member's own.
ALTER TABLE verifiers ADD COLUMN temporary_until timestamptz;

-- Since when an operator keeps a member from signing in.
ALTER TABLE members ADD COLUMN disabled_at timestamptz;
