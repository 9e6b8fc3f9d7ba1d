-- For the exclusion constraint that prevents double bookings.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Loans of items, from the request to the return. Who changes one locks the item's row first; the constraints here
-- are the second line of defense.
CREATE TABLE rentals (
    item_id uuid NOT NULL REFERENCES items (id),
    id uuid NOT NULL,
    owner_id uuid NOT NULL REFERENCES members,
    borrower_id uuid NOT NULL REFERENCES members,
    -- The item's title when it was asked for. A borrower who may no longer see the item still reads this.
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    status text NOT NULL CHECK (
        status IN ('pending', 'accepted', 'declined', 'cancelled', 'active', 'returned', 'completed')
    ),
    -- The days that were agreed on, both included.
    first_day date NOT NULL,
    last_day date NOT NULL,
    -- The last day on which the item is taken. An early return frees the days after it.
    held_until date NOT NULL,
    -- The price of a day, the deposit and the currency when it was asked for.
    price_cents bigint NOT NULL CHECK (price_cents BETWEEN 0 AND 100000000),
    deposit_cents bigint NOT NULL CHECK (deposit_cents BETWEEN 0 AND 100000000),
    total_cents bigint NOT NULL CHECK (total_cents >= 0),
    currency text NOT NULL CHECK (currency IN ('USD', 'INR', 'EUR', 'GBP')),
    gratitude smallint NOT NULL CHECK (gratitude BETWEEN 0 AND 9999),
    message text NOT NULL CHECK (char_length(message) <= 500),
    asked_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    answered_at timestamptz,
    decline_note text NOT NULL DEFAULT '',
    cancelled_at timestamptz,
    cancelled_by uuid,
    started_at timestamptz,
    started_by uuid,
    start_note text NOT NULL DEFAULT '' CHECK (char_length(start_note) <= 500),
    returned_at timestamptz,
    returned_by uuid,
    return_note text NOT NULL DEFAULT '' CHECK (char_length(return_note) <= 500),
    completed_at timestamptz,
    -- The owner's words when they confirm a return that the borrower noted.
    complete_note text NOT NULL DEFAULT '',
    -- The new last day that the borrower asks for.
    more_until date,
    more_asked_at timestamptz,
    -- Payments as either side noted them. Goodturn holds no money.
    paid_cents bigint NOT NULL DEFAULT 0,
    deposit_received_at timestamptz,
    deposit_returned_at timestamptz,
    -- What each side gave the other, and their words with it.
    rating_by_owner smallint CHECK (rating_by_owner BETWEEN 1 AND 5),
    rating_by_borrower smallint CHECK (rating_by_borrower BETWEEN 1 AND 5),
    note_by_owner text NOT NULL DEFAULT '',
    note_by_borrower text NOT NULL DEFAULT '',
    -- When the next reminder or the end is due. NULL if nothing is to come.
    timer_at timestamptz,
    PRIMARY KEY (item_id, id),
    CHECK (borrower_id <> owner_id),
    CHECK (first_day <= last_day AND last_day - first_day < 366),
    CHECK (held_until BETWEEN first_day AND last_day),
    CHECK ((started_at IS NOT NULL) = (started_by IS NOT NULL)),
    CHECK ((returned_at IS NOT NULL) = (returned_by IS NOT NULL)),
    CHECK ((status IN ('active', 'returned', 'completed')) = (started_at IS NOT NULL)),
    CHECK ((status IN ('returned', 'completed')) = (returned_at IS NOT NULL)),
    CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (status = 'active' OR more_until IS NULL),
    CHECK ((more_until IS NOT NULL) = (more_asked_at IS NOT NULL)),
    CHECK (more_until > last_day),
    CHECK (status = 'completed' OR (rating_by_owner IS NULL AND rating_by_borrower IS NULL)),
    CONSTRAINT rentals_complete_note_check CHECK (
        char_length(complete_note) <= 500 AND (complete_note = '' OR status = 'completed')
    ),
    CONSTRAINT rentals_payments_check CHECK (
        paid_cents >= 0
        AND (deposit_received_at IS NULL OR deposit_cents > 0)
        AND (deposit_returned_at IS NULL OR deposit_received_at IS NOT NULL)
    ),
    CONSTRAINT rentals_notes_check CHECK (
        char_length(decline_note) <= 500 AND char_length(note_by_owner) <= 500 AND char_length(note_by_borrower) <= 500
    ),
    -- No two rentals hold an item on the same day. The condition is a CASE so that no query can use this index:
    -- Postgres (seen in 15 and 18) can lose rows of a GiST index when a query scans it repeatedly while it grows, and
    -- then the constraint would miss them. Queries use `rentals_held`. The constraint's own check scans once.
    CONSTRAINT rentals_no_double_booking EXCLUDE USING gist (
        item_id WITH =, daterange(first_day, held_until, '[]') WITH &&
    ) WHERE (CASE status WHEN 'accepted' THEN true WHEN 'active' THEN true WHEN 'returned' THEN true ELSE false END)
);
-- An item is with one borrower at a time.
CREATE UNIQUE INDEX rentals_one_active ON rentals (item_id) WHERE status = 'active';
CREATE INDEX rentals_by_id ON rentals (id);
-- The lists of both sides and of an item, newest first.
CREATE INDEX rentals_of_owner ON rentals (owner_id, asked_at DESC, id DESC);
CREATE INDEX rentals_of_borrower ON rentals (borrower_id, asked_at DESC, id DESC);
CREATE INDEX rentals_of_item ON rentals (item_id, asked_at DESC, id DESC);
-- The days on which an item is taken.
CREATE INDEX rentals_held ON rentals (item_id, first_day) INCLUDE (held_until)
    WHERE status IN ('accepted', 'active', 'returned');
-- For the sweep of missed timers.
CREATE INDEX rentals_by_timer ON rentals (timer_at) WHERE timer_at IS NOT NULL;
-- The open rentals of a member: few, however long their history is.
CREATE INDEX rentals_open_of_owner ON rentals (owner_id)
    WHERE status IN ('pending', 'accepted', 'active', 'returned');
CREATE INDEX rentals_open_of_borrower ON rentals (borrower_id)
    WHERE status IN ('pending', 'accepted', 'active', 'returned');
-- Whether two members have to do with each other.
CREATE INDEX rentals_of_two ON rentals (owner_id, borrower_id);
-- A member's figures: what they earned, and how many rentals they completed on each side.
CREATE INDEX rentals_paid ON rentals (owner_id) INCLUDE (currency, paid_cents, status) WHERE paid_cents > 0;
CREATE INDEX rentals_completed_of_owner ON rentals (owner_id) WHERE status = 'completed';
CREATE INDEX rentals_completed ON rentals (borrower_id) WHERE status = 'completed';

-- The history of a rental, one row for each step, numbered under the item's lock.
CREATE TABLE rental_events (
    item_id uuid NOT NULL,
    rental_id uuid NOT NULL,
    step integer NOT NULL,
    kind text NOT NULL CHECK (
        kind IN (
            'asked', 'moved', 'accepted', 'declined', 'cancelled', 'started', 'returned', 'completed',
            'extension_asked', 'extended', 'extension_declined', 'extension_withdrawn', 'lapsed',
            'paid', 'not_paid', 'refunded',
            'deposit_received', 'deposit_not_received', 'deposit_returned', 'deposit_not_returned'
        )
    ),
    -- NULL if the rental ended by itself.
    actor_id uuid,
    at timestamptz NOT NULL,
    -- The sum of a payment, or of its correction; 0 for any other step.
    amount_cents bigint NOT NULL DEFAULT 0 CHECK (amount_cents >= 0),
    PRIMARY KEY (item_id, rental_id, step),
    FOREIGN KEY (item_id, rental_id) REFERENCES rentals (item_id, id) ON DELETE CASCADE,
    CONSTRAINT rental_events_actor_check CHECK ((actor_id IS NULL) = (kind = 'lapsed'))
);

-- Pictures of a hand-over, a return and its confirmation, in the order they were given.
CREATE TABLE rental_pictures (
    item_id uuid NOT NULL,
    rental_id uuid NOT NULL,
    id uuid NOT NULL,
    moment text NOT NULL CHECK (moment IN ('start', 'return', 'complete')),
    position smallint NOT NULL CHECK (position BETWEEN 1 AND 5),
    PRIMARY KEY (item_id, rental_id, id),
    UNIQUE (item_id, rental_id, moment, position),
    FOREIGN KEY (item_id, rental_id) REFERENCES rentals (item_id, id) ON DELETE CASCADE
);

-- The number and sum of the ratings that a member got. The ratings themselves are in `rentals`.
CREATE TABLE member_ratings (
    member_id uuid PRIMARY KEY REFERENCES members,
    count integer NOT NULL CHECK (count > 0),
    total bigint NOT NULL,
    CHECK (total BETWEEN count AND 5 * count::bigint)
);
