-- Who has blocked whom. Neither exists for the other as long as there is such a row of either; made under the locks of both members.
CREATE TABLE blocks (
    member_id uuid NOT NULL REFERENCES members,
    other_id uuid NOT NULL REFERENCES members,
    since timestamptz NOT NULL,
    PRIMARY KEY (member_id, other_id),
    CHECK (member_id <> other_id)
);
CREATE INDEX blocks_listed ON blocks (member_id, since DESC, other_id);
CREATE INDEX blocks_by_other ON blocks (other_id);

-- Whose doings a member is not told of, and why: they muted the other one, or blocked them. A row for each reason.
CREATE TABLE notification_silences (
    member_id uuid NOT NULL REFERENCES members,
    other_id uuid NOT NULL REFERENCES members,
    cause text NOT NULL CHECK (cause IN ('muted', 'blocked')),
    since timestamptz NOT NULL,
    PRIMARY KEY (member_id, other_id, cause),
    CHECK (member_id <> other_id)
);
CREATE INDEX notification_silences_by_other ON notification_silences (other_id);
