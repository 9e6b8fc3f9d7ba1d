-- One row for each member who ever got a notification. Who adds a notification locks this row, so notifications are
-- committed in the order of their numbers, without gaps: a reader who has seen number n has seen all before it.
CREATE TABLE notification_counters (
    member_id uuid NOT NULL PRIMARY KEY,
    last_seq bigint NOT NULL CHECK (last_seq >= 0),
    unread integer NOT NULL CHECK (unread >= 0),
    -- When the jobs for the member's next mail and for the morning mail are due. NULL if none waits.
    mail_at timestamptz,
    digest_at timestamptz
);
CREATE INDEX notification_counters_by_digest ON notification_counters (digest_at) WHERE digest_at IS NOT NULL;

-- What members were told. `type` and `target_kind` are the numbers of the contract's enums.
CREATE TABLE notifications (
    member_id uuid NOT NULL REFERENCES notification_counters (member_id),
    seq bigint NOT NULL CHECK (seq > 0),
    id uuid NOT NULL,
    type integer NOT NULL CHECK (type > 0),
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
    message text NOT NULL CHECK (length(message) BETWEEN 1 AND 500),
    actor_id uuid,
    -- What a click opens. The id is nil if the kind has none.
    target_kind integer NOT NULL CHECK (target_kind >= 0),
    target_id uuid NOT NULL,
    -- What it is about, if that is not the target. A newer notification of the same type from the same member about
    -- the same thing replaces an unread one. A friend request is about its sender, so taking it back and sending it
    -- again makes one notification.
    about_id uuid,
    action_required boolean NOT NULL,
    -- The mail that will tell of it: 2 for the next one, 3 for the morning mail. NULL if none will, or it was sent.
    mail integer CHECK (mail IN (2, 3)),
    created_at timestamptz NOT NULL,
    read_at timestamptz,
    PRIMARY KEY (member_id, seq),
    UNIQUE (member_id, id)
);
CREATE INDEX notifications_unread ON notifications (member_id, seq) WHERE read_at IS NULL;
-- To replace an unread one.
CREATE INDEX notifications_unread_about ON notifications (member_id, (coalesce(about_id, target_id)), type)
    WHERE read_at IS NULL;
-- To settle those that wait for an action.
CREATE INDEX notifications_waiting ON notifications (member_id, (coalesce(about_id, target_id)))
    WHERE action_required;
-- To take the name out when the member who caused it leaves.
CREATE INDEX notifications_by_actor ON notifications (actor_id) WHERE actor_id IS NOT NULL;
-- For the sweep.
CREATE INDEX notifications_by_age ON notifications (created_at);

-- Which topics a member wants mails about, where that differs from the default. Numbers of the contract's enums.
CREATE TABLE notification_settings (
    member_id uuid NOT NULL REFERENCES members,
    topic integer NOT NULL CHECK (topic > 0),
    mail integer NOT NULL CHECK (mail BETWEEN 1 AND 3),
    PRIMARY KEY (member_id, topic)
);

-- Whose actions a member is not told about, and why: they muted or blocked the other one. One row for each reason.
CREATE TABLE notification_silences (
    member_id uuid NOT NULL REFERENCES members,
    other_id uuid NOT NULL REFERENCES members,
    cause text NOT NULL CHECK (cause IN ('muted', 'blocked')),
    since timestamptz NOT NULL,
    -- The other one's name at that moment; a later name is not shown. NULL once they have left.
    name text,
    PRIMARY KEY (member_id, other_id, cause),
    CHECK (member_id <> other_id)
);
CREATE INDEX notification_silences_by_other ON notification_silences (other_id);
