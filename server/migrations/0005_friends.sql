-- A friendship is two rows, one for each member, so that one member's friends are read and locked in one place.
CREATE TABLE friendships (
    member_id uuid NOT NULL REFERENCES members,
    friend_id uuid NOT NULL REFERENCES members,
    since timestamptz NOT NULL,
    PRIMARY KEY (member_id, friend_id),
    CHECK (member_id <> friend_id)
);

-- A friend request is two rows as well: the sender's and the receiver's. Two members have one request, the last one.
-- The row of the lower member id is written and locked first; it is the lock of the pair.
CREATE TABLE friend_requests (
    member_id uuid NOT NULL REFERENCES members,
    request_id uuid NOT NULL,
    other_id uuid NOT NULL REFERENCES members,
    direction text NOT NULL CHECK (direction IN ('sent', 'received')),
    status text NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'cancelled')),
    -- Whether the sender typed the receiver's address. Then the sender may see the address.
    by_email boolean NOT NULL,
    -- The sender took back a request that was declined without their knowing. It leaves their list, and asking again
    -- seems to work.
    hidden boolean NOT NULL DEFAULT false,
    message text NOT NULL CHECK (char_length(message) <= 200),
    sent_at timestamptz NOT NULL,
    answered_at timestamptz,
    -- When the other one last declined a request from this member. It stays when another request takes the row: for
    -- 30 days the other one does not hear of further requests.
    declined_at timestamptz,
    PRIMARY KEY (member_id, request_id),
    UNIQUE (member_id, other_id),
    CHECK (member_id <> other_id),
    CHECK (NOT hidden OR (direction = 'sent' AND status = 'declined')),
    CHECK ((status IN ('accepted', 'declined')) = (answered_at IS NOT NULL))
);
-- For the list of requests, newest first. A declined one still waits as far as its sender knows.
CREATE INDEX friend_requests_waiting ON friend_requests (member_id, direction, sent_at DESC, request_id DESC)
    WHERE status IN ('pending', 'declined');

-- Who blocked whom. While either has blocked the other, neither exists for the other.
-- Written under the locks of both members.
CREATE TABLE blocks (
    member_id uuid NOT NULL REFERENCES members,
    other_id uuid NOT NULL REFERENCES members,
    since timestamptz NOT NULL,
    -- The other one's name at that moment; a later name is not shown. NULL once they have left.
    name text,
    PRIMARY KEY (member_id, other_id),
    CHECK (member_id <> other_id)
);
-- For the list, newest first.
CREATE INDEX blocks_listed ON blocks (member_id, since DESC, other_id);
CREATE INDEX blocks_by_other ON blocks (other_id);

-- Invitations by mail. A row is deleted when it expires, and when the invited person becomes a member.
CREATE TABLE invitations (
    id uuid PRIMARY KEY,
    inviter_id uuid NOT NULL REFERENCES members,
    -- As the inviter typed it, for the mail. The key is the lower-case form.
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL,
    -- A keyed hash, to match it with `invitation_refusals`.
    address bytea NOT NULL CHECK (length(address) = 32),
    -- Whether no member had this address when it was last sent. Only then it becomes a friend request.
    was_nobodys boolean NOT NULL,
    message text NOT NULL CHECK (char_length(message) <= 200),
    -- When it was last sent, as far as the inviter knows. Sending again after a week keeps the row.
    sent_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > sent_at),
    -- When the mail went out. NULL before that, and if none is sent.
    mailed_at timestamptz,
    -- When the invited person declined. The inviter is not told.
    refused_at timestamptz,
    -- When the inviter took it back. The row stays until it expires, so that the limit for the address still holds.
    cancelled_at timestamptz,
    UNIQUE (inviter_id, email_key)
);
CREATE INDEX invitations_by_key ON invitations (email_key);
CREATE INDEX invitations_by_address ON invitations (address);
-- For the sweep.
CREATE INDEX invitations_by_end ON invitations (expires_at);

-- Which invitation a sign-up came from, until the sign-up is confirmed. A sweep deletes old rows.
CREATE TABLE invitation_claims (
    registration_id uuid PRIMARY KEY,
    invitation_id uuid NOT NULL,
    claimed_at timestamptz NOT NULL
);
-- For the sweep.
CREATE INDEX invitation_claims_by_age ON invitation_claims (claimed_at);

-- Addresses that want no invitations, as keyed hashes: the addresses themselves are not stored.
CREATE TABLE invitation_refusals (
    address bytea PRIMARY KEY CHECK (length(address) = 32),
    refused_at timestamptz NOT NULL
);

-- Reports about members, for those who run the server. A sweep deletes them after half a year.
CREATE TABLE member_reports (
    id uuid PRIMARY KEY,
    -- Who reports, and whom.
    member_id uuid NOT NULL REFERENCES members,
    reported_id uuid NOT NULL REFERENCES members,
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 4000),
    created_at timestamptz NOT NULL,
    -- When it was mailed. NULL before that, and if no address is configured.
    mailed_at timestamptz,
    CHECK (member_id <> reported_id)
);
CREATE INDEX member_reports_of_member ON member_reports (member_id, id);
-- For the sweep.
CREATE INDEX member_reports_by_age ON member_reports (created_at);
