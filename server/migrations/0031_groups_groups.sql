-- A private list of friends, seen by its owner alone. `name_key` is what names are compared by: without letter case, and with one space
-- where there are several.
CREATE TABLE groups (
    owner_id uuid NOT NULL REFERENCES members,
    id uuid NOT NULL,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    name_key text NOT NULL CHECK (char_length(name_key) BETWEEN 1 AND 2000),
    PRIMARY KEY (owner_id, id),
    UNIQUE (owner_id, name_key)
);

-- Who is in it. It hangs on the friendship: where that ends, by whatever way, the membership goes with it.
CREATE TABLE group_members (
    owner_id uuid NOT NULL,
    group_id uuid NOT NULL,
    member_id uuid NOT NULL,
    PRIMARY KEY (owner_id, group_id, member_id),
    FOREIGN KEY (owner_id, group_id) REFERENCES groups ON DELETE CASCADE,
    FOREIGN KEY (owner_id, member_id) REFERENCES friendships (member_id, friend_id) ON DELETE CASCADE
);
CREATE INDEX group_members_by_member ON group_members (owner_id, member_id);

-- The groups that a draft shall ask as well. They become recipients, and are forgotten, when it is posted; one that was deleted is passed over.
ALTER TABLE favors ADD COLUMN group_ids uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(group_ids) <= 20);
