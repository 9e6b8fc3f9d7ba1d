-- Favors that members ask for. The times say how a favor came to its status, and the constraints keep both together.
CREATE TABLE favors (
    id uuid PRIMARY KEY,
    creator_id uuid NOT NULL REFERENCES members,
    -- direct: for the members it names. public: for all friends of the creator, who may apply.
    request_type text NOT NULL CHECK (request_type IN ('direct', 'public')),
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 4000),
    -- What search reads: the title, a line break, and the description, in lower case and without accents.
    found_by text NOT NULL CHECK (char_length(found_by) <= 13000),
    category text NOT NULL CHECK (category IN ('general', 'errands', 'physical_help', 'pet_care')),
    status text NOT NULL CHECK (status IN ('draft', 'active', 'accepted', 'completed', 'settled', 'cancelled')),
    start_at timestamptz,
    confirm_at timestamptz,
    tip_cents bigint NOT NULL CHECK (tip_cents BETWEEN 0 AND 100000000),
    currency text NOT NULL CHECK (currency IN ('USD', 'INR', 'EUR', 'GBP')),
    location text NOT NULL CHECK (char_length(location) <= 200),
    -- The location as search compares it, in lower case and without accents.
    located_by text NOT NULL CHECK (char_length(located_by) <= 800),
    -- The groups that a draft will ask. When it is posted their members become recipients and this is emptied.
    -- A group that was deleted meanwhile is skipped.
    group_ids uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(group_ids) <= 20),
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
    -- When the helper said that the tip did not arrive.
    tip_missing_at timestamptz,
    cancelled_at timestamptz,
    -- When the next reminder or deadline is due; a job waits for this instant. NULL if nothing is to come.
    timer_at timestamptz,
    -- The start that passed while nobody had accepted. An active favor whose start is still this one has lapsed.
    lapsed_start timestamptz,
    -- What lists are sorted by.
    due_key timestamptz NOT NULL
        GENERATED ALWAYS AS (coalesce(confirm_at, start_at, '1970-01-01T00:00:00Z'::timestamptz)) STORED,
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
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CONSTRAINT favors_tip_missing_check CHECK (tip_missing_at IS NULL OR status = 'settled')
);
-- A creator's favors by status. Lists are read from `favor_places`.
CREATE INDEX favors_by_creator ON favors (creator_id, status);
-- A helper's figures.
CREATE INDEX favors_by_helper ON favors (helper_id, status) INCLUDE (currency, tip_cents) WHERE helper_id IS NOT NULL;
-- What a member currently asks of all friends, the first due first. Few rows of many, so reading them for each
-- friend is fast.
CREATE INDEX favors_open ON favors (creator_id, due_key, id)
    WHERE status = 'active' AND request_type = 'public' AND lapsed_start IS DISTINCT FROM start_at;
-- For the sweep of missed timers.
CREATE INDEX favors_by_timer ON favors (timer_at) WHERE status IN ('active', 'accepted');

-- The members who are asked, and what they answered.
CREATE TABLE favor_recipients (
    favor_id uuid NOT NULL REFERENCES favors (id) ON DELETE CASCADE,
    member_id uuid NOT NULL REFERENCES members,
    position smallint NOT NULL,
    asked_at timestamptz,
    answer text CHECK (answer IN ('accept', 'decline', 'another_time')),
    answered_at timestamptz,
    message text NOT NULL CHECK (char_length(message) <= 500),
    -- The start that the recipient proposes with `another_time`.
    proposed_start timestamptz,
    -- The order of acceptances, counted under the favor's lock. Back-ups move up in it.
    turn smallint CHECK (turn > 0),
    -- How often the answer or its words changed. Accepting is always possible and does not count.
    changes smallint NOT NULL DEFAULT 0 CHECK (changes BETWEEN 0 AND 20),
    -- How often the recipient stepped back.
    withdrawn smallint NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND 5),
    PRIMARY KEY (favor_id, member_id),
    CHECK ((answer IS NOT NULL) = (answered_at IS NOT NULL)),
    CHECK (answer IS NULL OR asked_at IS NOT NULL)
);
-- What a member was asked. Lists are read from `favor_places`.
CREATE INDEX favor_recipients_by_member ON favor_recipients (member_id, asked_at);

-- Who offers help for a public favor. The row stays when they take the offer back, without time and words, because it
-- counts how often they did.
CREATE TABLE favor_applicants (
    favor_id uuid NOT NULL REFERENCES favors (id) ON DELETE CASCADE,
    member_id uuid NOT NULL REFERENCES members,
    -- The order of offers.
    turn integer NOT NULL,
    applied_at timestamptz,
    message text NOT NULL CHECK (char_length(message) <= 500),
    changes smallint NOT NULL DEFAULT 0 CHECK (changes BETWEEN 0 AND 20),
    withdrawn smallint NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND 5),
    PRIMARY KEY (favor_id, member_id),
    CHECK (applied_at IS NOT NULL OR message = '')
);
CREATE INDEX favor_applicants_by_member ON favor_applicants (member_id);

-- The list in which a favor stands for each member who knows of it, its creator too. The rules decide the place; the
-- rows are written under the favor's lock. Each list is a range of one index that begins with the member.
CREATE TABLE favor_places (
    favor_id uuid NOT NULL REFERENCES favors ON DELETE CASCADE,
    member_id uuid NOT NULL,
    place text NOT NULL CHECK (
        place IN (
            'own_open', 'own_completed', 'own_cancelled',
            'pending', 'offered', 'declined', 'applied', 'not_chosen', 'helping', 'back_up', 'taken', 'lapsed',
            'completed', 'settled', 'cancelled'
        )
    ),
    -- A copy of the favor's, so that one index serves the list.
    due_key timestamptz NOT NULL,
    -- The favor's last change, for the creator only, whose lists can be sorted by it.
    changed_at timestamptz,
    PRIMARY KEY (favor_id, member_id),
    CHECK ((changed_at IS NOT NULL) = (place IN ('own_open', 'own_completed', 'own_cancelled')))
);
CREATE INDEX favor_places_by_due ON favor_places (member_id, place, due_key, favor_id);
CREATE INDEX favor_places_by_change ON favor_places (member_id, place, changed_at DESC, favor_id DESC)
    WHERE changed_at IS NOT NULL;

-- The history of a favor, one row for each step, numbered under the favor's lock.
CREATE TABLE favor_events (
    favor_id uuid NOT NULL REFERENCES favors (id) ON DELETE CASCADE,
    step integer NOT NULL,
    kind text NOT NULL CHECK (
        kind IN (
            'drafted', 'posted', 'accepted', 'declined', 'another_time', 'completed', 'settled', 'cancelled',
            'withdrawn', 'moved_up', 'applied', 'chosen', 'asked', 'time_accepted', 'tip_missing', 'time_declined'
        )
    ),
    actor_id uuid NOT NULL,
    -- Another member who may read the step: the recipient whose proposed time was declined.
    told_to uuid,
    at timestamptz NOT NULL,
    message text NOT NULL CHECK (char_length(message) <= 500),
    PRIMARY KEY (favor_id, step)
);
-- To take out what a member said when they leave.
CREATE INDEX favor_events_with_words ON favor_events (actor_id) WHERE message <> '';
