CREATE EXTENSION IF NOT EXISTS btree_gist;

-- An item that is asked for, lent, given back. The item's row is locked first; the constraints stand behind that lock.
CREATE TABLE rentals (
    item_id uuid NOT NULL REFERENCES items (id),
    id uuid NOT NULL,
    owner_id uuid NOT NULL REFERENCES members,
    borrower_id uuid NOT NULL REFERENCES members,
    status text NOT NULL CHECK (
        status IN ('pending', 'accepted', 'declined', 'cancelled', 'active', 'returned', 'completed')
    ),
    -- What was agreed, both days included.
    first_day date NOT NULL,
    last_day date NOT NULL,
    -- The last day that it holds: an early return frees those behind it.
    held_until date NOT NULL,
    -- The price of a day, the deposit and the currency as they were when it was asked for.
    price_cents bigint NOT NULL CHECK (price_cents BETWEEN 0 AND 100000000),
    deposit_cents bigint NOT NULL CHECK (deposit_cents BETWEEN 0 AND 100000000),
    total_cents bigint NOT NULL CHECK (total_cents >= 0),
    currency text NOT NULL CHECK (currency IN ('USD', 'INR', 'EUR', 'GBP')),
    gratitude smallint NOT NULL CHECK (gratitude BETWEEN 0 AND 9999),
    message text NOT NULL CHECK (char_length(message) <= 500),
    asked_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    answered_at timestamptz,
    cancelled_at timestamptz,
    cancelled_by uuid,
    started_at timestamptz,
    started_by uuid,
    start_note text NOT NULL DEFAULT '' CHECK (char_length(start_note) <= 500),
    returned_at timestamptz,
    returned_by uuid,
    return_note text NOT NULL DEFAULT '' CHECK (char_length(return_note) <= 500),
    completed_at timestamptz,
    -- More days that the borrower asks for.
    more_until date,
    more_asked_at timestamptz,
    -- What each side gave the other.
    rating_by_owner smallint CHECK (rating_by_owner BETWEEN 1 AND 5),
    rating_by_borrower smallint CHECK (rating_by_borrower BETWEEN 1 AND 5),
    -- When something falls due next.
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
    CONSTRAINT rentals_no_double_booking EXCLUDE USING gist (item_id WITH =, daterange(first_day, held_until, '[]') WITH &&)
    WHERE (status IN ('accepted', 'active', 'returned'))
);
CREATE UNIQUE INDEX rentals_one_active ON rentals (item_id) WHERE status = 'active';
CREATE INDEX rentals_by_id ON rentals (id);
CREATE INDEX rentals_of_owner ON rentals (owner_id, asked_at DESC, id DESC);
CREATE INDEX rentals_of_borrower ON rentals (borrower_id, asked_at DESC, id DESC);
CREATE INDEX rentals_of_item ON rentals (item_id, asked_at DESC, id DESC);
CREATE INDEX rentals_by_timer ON rentals (timer_at) WHERE timer_at IS NOT NULL;

-- The story of a rental, a row for each step, counted under the item's lock.
CREATE TABLE rental_events (
    item_id uuid NOT NULL,
    rental_id uuid NOT NULL,
    step integer NOT NULL,
    kind text NOT NULL CHECK (
        kind IN (
            'asked', 'moved', 'accepted', 'declined', 'cancelled', 'started', 'returned', 'completed',
            'extension_asked', 'extended', 'extension_declined', 'extension_withdrawn'
        )
    ),
    actor_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (item_id, rental_id, step),
    FOREIGN KEY (item_id, rental_id) REFERENCES rentals (item_id, id) ON DELETE CASCADE
);

-- Pictures of a hand-over and of a return, in the order in which they were given.
CREATE TABLE rental_pictures (
    item_id uuid NOT NULL,
    rental_id uuid NOT NULL,
    id uuid NOT NULL,
    moment text NOT NULL CHECK (moment IN ('start', 'return')),
    position smallint NOT NULL CHECK (position BETWEEN 1 AND 5),
    PRIMARY KEY (item_id, rental_id, id),
    UNIQUE (item_id, rental_id, moment, position),
    FOREIGN KEY (item_id, rental_id) REFERENCES rentals (item_id, id) ON DELETE CASCADE
);
-- The rentals of a member on one side: those that are open, which are few however long a past there is, those of two members, and what completed ones paid.
CREATE INDEX rentals_open_of_owner ON rentals (owner_id) WHERE status IN ('pending', 'accepted', 'active', 'returned');
CREATE INDEX rentals_open_of_borrower ON rentals (borrower_id) WHERE status IN ('pending', 'accepted', 'active', 'returned');
CREATE INDEX rentals_of_two ON rentals (owner_id, borrower_id);
CREATE INDEX rentals_paid ON rentals (owner_id) INCLUDE (currency, total_cents, gratitude) WHERE status = 'completed';
CREATE INDEX rentals_completed ON rentals (borrower_id) WHERE status = 'completed';
