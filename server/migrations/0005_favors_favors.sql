-- A favor, what was asked, and where it stands. The times say how it came there, and the CHECKs hold them to the status.
-- Everything of a favor is rooted at its id; the lists of a creator are an index here. Sharded by favor, they would become a row per
-- member, as favor_recipients is one for the lists of those who were asked.
-- Tried with 100,000 favors: each list reads one page of one index.
CREATE TABLE favors (
    id uuid PRIMARY KEY,
    creator_id uuid NOT NULL REFERENCES members,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 4000),
    category text NOT NULL CHECK (category IN ('general', 'errands', 'physical_help', 'pet_care')),
    status text NOT NULL CHECK (status IN ('draft', 'active', 'accepted', 'completed', 'settled', 'cancelled')),
    start_at timestamptz,
    confirm_at timestamptz,
    tip_cents bigint NOT NULL CHECK (tip_cents BETWEEN 0 AND 100000000),
    currency text NOT NULL CHECK (currency IN ('USD', 'INR', 'EUR', 'GBP')),
    location text NOT NULL CHECK (char_length(location) <= 200),
    max_responses smallint NOT NULL CHECK (max_responses BETWEEN 1 AND 100),
    responses smallint NOT NULL CHECK (responses BETWEEN 0 AND max_responses),
    helper_id uuid REFERENCES members,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    posted_at timestamptz,
    accepted_at timestamptz,
    completed_at timestamptz,
    completed_by uuid,
    settled_at timestamptz,
    cancelled_at timestamptz,
    -- What lists are sorted by.
    due_key timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(confirm_at, start_at, '1970-01-01T00:00:00Z'::timestamptz)) STORED,
    -- Which of the creator's lists it stands in.
    shelf text NOT NULL GENERATED ALWAYS AS (
        CASE
            WHEN status IN ('completed', 'settled') THEN 'completed'
            WHEN status = 'cancelled' THEN 'cancelled'
            ELSE 'active'
        END
    ) STORED,
    CHECK (helper_id <> creator_id),
    CHECK (confirm_at IS NULL OR confirm_at <= start_at AND start_at IS NOT NULL),
    CHECK (status IN ('draft', 'cancelled') OR (start_at IS NOT NULL AND posted_at IS NOT NULL)),
    CHECK (status <> 'draft' OR posted_at IS NULL),
    CHECK ((helper_id IS NOT NULL) = (accepted_at IS NOT NULL)),
    CHECK ((helper_id IS NOT NULL) = (responses > 0)),
    CHECK (status NOT IN ('accepted', 'completed', 'settled') OR helper_id IS NOT NULL),
    CHECK (status NOT IN ('draft', 'active') OR helper_id IS NULL),
    CHECK ((completed_at IS NOT NULL) = (completed_by IS NOT NULL)),
    CHECK (status <> 'completed' OR completed_at IS NOT NULL),
    CHECK (completed_at IS NULL OR status IN ('completed', 'settled')),
    CHECK ((status = 'settled') = (settled_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
);
CREATE INDEX favors_by_due ON favors (creator_id, shelf, due_key, id);
CREATE INDEX favors_by_change ON favors (creator_id, shelf, updated_at DESC, id DESC);
CREATE INDEX favors_by_helper ON favors (helper_id, status) INCLUDE (currency, tip_cents) WHERE helper_id IS NOT NULL;

-- Who is asked, and what they answered. `place` (where the favor stands for this member) and `due_key` repeat what follows from the
-- favor, written under its lock, so that the received list is read from one index of the member's.
CREATE TABLE favor_recipients (
    favor_id uuid NOT NULL REFERENCES favors (id) ON DELETE CASCADE,
    member_id uuid NOT NULL REFERENCES members,
    position smallint NOT NULL,
    place text NOT NULL CHECK (
        place IN ('draft', 'pending', 'declined', 'helping', 'taken', 'completed', 'settled', 'cancelled')
    ),
    due_key timestamptz NOT NULL,
    asked_at timestamptz,
    answer text CHECK (answer IN ('accept', 'decline', 'another_time')),
    answered_at timestamptz,
    message text NOT NULL CHECK (char_length(message) <= 500),
    PRIMARY KEY (favor_id, member_id),
    CHECK ((answer IS NOT NULL) = (answered_at IS NOT NULL)),
    CHECK (answer IS NULL OR asked_at IS NOT NULL)
);
CREATE INDEX favor_recipients_received ON favor_recipients (member_id, place, due_key, favor_id);

-- The story of a favor, a row for each step, counted under the favor's lock.
CREATE TABLE favor_events (
    favor_id uuid NOT NULL REFERENCES favors (id) ON DELETE CASCADE,
    step integer NOT NULL,
    kind text NOT NULL CHECK (
        kind IN ('drafted', 'posted', 'accepted', 'declined', 'another_time', 'completed', 'settled', 'cancelled')
    ),
    actor_id uuid NOT NULL,
    at timestamptz NOT NULL,
    message text NOT NULL CHECK (char_length(message) <= 500),
    PRIMARY KEY (favor_id, step)
);
