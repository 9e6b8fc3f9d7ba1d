-- Search compares words by trigrams. The extension comes with Postgres (contrib) and is trusted: who may create the
-- schema of the jobs may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Things that members lend. The row of a removed item stays, for the history of its rentals.
CREATE TABLE items (
    id uuid PRIMARY KEY,
    owner_id uuid NOT NULL REFERENCES members,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    -- Empty only in an item that was removed with its owner's account.
    description text NOT NULL CHECK (char_length(description) <= 4000),
    -- What search reads: the title, a line break, and the description, in lower case and without accents.
    found_by text NOT NULL CHECK (char_length(found_by) <= 13000),
    category text NOT NULL CHECK (
        category IN ('electronics', 'sports', 'tools', 'transportation', 'home', 'entertainment', 'fashion', 'other')
    ),
    url text NOT NULL CHECK (char_length(url) <= 2048),
    visibility text NOT NULL CHECK (visibility IN ('friends', 'public')),
    -- Only members of the groups in `item_groups` may see it: nobody, if those groups are gone.
    narrowed boolean NOT NULL,
    status text NOT NULL CHECK (status IN ('draft', 'listed', 'unlisted', 'deleted')),
    price_cents bigint NOT NULL CHECK (price_cents BETWEEN 0 AND 100000000),
    deposit_cents bigint NOT NULL CHECK (deposit_cents BETWEEN 0 AND 100000000),
    currency text NOT NULL CHECK (currency IN ('USD', 'INR', 'EUR', 'GBP')),
    -- 0 means no limit.
    max_days smallint NOT NULL CHECK (max_days BETWEEN 0 AND 365),
    policy text NOT NULL CHECK (policy IN ('flex', 'moderate', 'strict')),
    city text NOT NULL CHECK (char_length(city) <= 100),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- When others could first see it. The feed is sorted by it.
    listed_at timestamptz,
    CHECK (status = 'deleted' OR description <> ''),
    CHECK (status <> 'draft' OR listed_at IS NULL),
    CHECK (status NOT IN ('listed', 'unlisted') OR listed_at IS NOT NULL)
);
-- For the owner's list, newest first.
CREATE INDEX items_mine ON items (owner_id, created_at DESC, id DESC) WHERE status <> 'deleted';
-- For the feed, with and without a category.
CREATE INDEX items_feed ON items (owner_id, listed_at DESC, id DESC) INCLUDE (narrowed) WHERE status = 'listed';
CREATE INDEX items_feed_by_category ON items (owner_id, category, listed_at DESC, id DESC) INCLUDE (narrowed)
    WHERE status = 'listed';

-- The groups of the owner that may see an item. The row of a deleted group stays, so that its members no longer see
-- the item and nobody else does instead.
CREATE TABLE item_groups (
    item_id uuid NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    group_id uuid NOT NULL,
    PRIMARY KEY (item_id, group_id)
);

-- The pictures of an item in the owner's order. The first one is the main picture.
CREATE TABLE item_images (
    item_id uuid NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    position smallint NOT NULL CHECK (position BETWEEN 1 AND 10),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (item_id, id),
    -- Deferred, because reordering swaps positions.
    UNIQUE (item_id, position) DEFERRABLE INITIALLY DEFERRED
);

-- Days on which the owner does not lend an item, both included.
CREATE TABLE item_blackouts (
    item_id uuid NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    first_day date NOT NULL,
    last_day date NOT NULL CHECK (last_day >= first_day),
    PRIMARY KEY (item_id, first_day)
);
-- To delete those that are past.
CREATE INDEX item_blackouts_by_end ON item_blackouts (last_day);
