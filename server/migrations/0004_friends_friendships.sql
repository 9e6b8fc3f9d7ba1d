-- A friendship is two rows, one in each member's circle, so that a circle is read and locked in one place.
CREATE TABLE friendships (
    member_id uuid NOT NULL REFERENCES members,
    friend_id uuid NOT NULL REFERENCES members,
    since timestamptz NOT NULL,
    PRIMARY KEY (member_id, friend_id),
    CHECK (member_id <> friend_id)
);

-- A friend request is two rows as well: the sender's and the receiver's. A pair of members has one request at a time, the last one.
-- The row of the lower member id is made and locked first: that is the lock of the pair.
CREATE TABLE friend_requests (
    member_id uuid NOT NULL REFERENCES members,
    request_id uuid NOT NULL,
    other_id uuid NOT NULL REFERENCES members,
    direction text NOT NULL CHECK (direction IN ('sent', 'received')),
    status text NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'cancelled')),
    -- Whether the sender wrote to an e-mail address that they knew, which then may be shown to them.
    by_email boolean NOT NULL,
    -- The sender took back what was declined in silence: it leaves their list, and asking again seems to work.
    hidden boolean NOT NULL DEFAULT false,
    message text NOT NULL CHECK (char_length(message) <= 200),
    sent_at timestamptz NOT NULL,
    answered_at timestamptz,
    PRIMARY KEY (member_id, request_id),
    UNIQUE (member_id, other_id),
    CHECK (member_id <> other_id),
    CHECK (NOT hidden OR (direction = 'sent' AND status = 'declined')),
    CHECK ((status IN ('accepted', 'declined')) = (answered_at IS NOT NULL))
);
CREATE INDEX friend_requests_waiting ON friend_requests (member_id, direction, sent_at DESC, request_id DESC)
    WHERE status IN ('pending', 'declined');
