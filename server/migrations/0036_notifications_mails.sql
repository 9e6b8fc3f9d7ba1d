-- When a member wants mail about a topic, where that is not what everybody gets: the numbers of the contract's enums.
CREATE TABLE notification_settings (
    member_id uuid NOT NULL REFERENCES members,
    topic integer NOT NULL CHECK (topic > 0),
    mail integer NOT NULL CHECK (mail BETWEEN 1 AND 3),
    PRIMARY KEY (member_id, topic)
);

-- The mail that waits to tell of it: 2 the next one, 3 that of the next morning. Absent where none does, as when it was sent.
ALTER TABLE notifications ADD COLUMN mail integer;
-- Of the rows that are there each is absent: they need not be read for that.
ALTER TABLE notifications ADD CONSTRAINT notifications_mail_check CHECK (mail IN (2, 3)) NOT VALID;

-- The jobs that wait for the member, by when they fall due: the next mail, and that of the morning.
ALTER TABLE notification_counters ADD COLUMN mail_at timestamptz, ADD COLUMN digest_at timestamptz;
CREATE INDEX notification_counters_by_digest ON notification_counters (digest_at) WHERE digest_at IS NOT NULL;
