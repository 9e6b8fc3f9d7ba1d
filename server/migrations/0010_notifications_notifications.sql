-- A row a member who was ever told something. It is locked by whoever adds to the member's notifications, so that they are committed in
-- the order of their seq, without gaps: a reader that has seen seq n has seen all before it.
CREATE TABLE notification_counters (
    member_id uuid NOT NULL PRIMARY KEY,
    last_seq bigint NOT NULL CHECK (last_seq >= 0),
    unread integer NOT NULL CHECK (unread >= 0)
);

-- What a member was told. type and target_kind are the numbers of the contract's enums; target_id is nil where the kind has none.
CREATE TABLE notifications (
    member_id uuid NOT NULL REFERENCES notification_counters (member_id),
    seq bigint NOT NULL CHECK (seq > 0),
    id uuid NOT NULL,
    type integer NOT NULL CHECK (type > 0),
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
    message text NOT NULL CHECK (length(message) BETWEEN 1 AND 500),
    actor_id uuid,
    target_kind integer NOT NULL CHECK (target_kind >= 0),
    target_id uuid NOT NULL,
    action_required boolean NOT NULL,
    created_at timestamptz NOT NULL,
    read_at timestamptz,
    PRIMARY KEY (member_id, seq),
    UNIQUE (member_id, id)
);
CREATE INDEX notifications_unread ON notifications (member_id, seq) WHERE read_at IS NULL;
CREATE INDEX notifications_by_age ON notifications (created_at);
