-- A private list of friends. Only its owner sees it.
CREATE TABLE groups (
    owner_id uuid NOT NULL REFERENCES members,
    id uuid NOT NULL,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- The name in lower case and with single spaces: an owner's names differ by it.
    name_key text NOT NULL CHECK (char_length(name_key) BETWEEN 1 AND 2000),
    PRIMARY KEY (owner_id, id),
    UNIQUE (owner_id, name_key)
);

-- Who is in a group. A row refers to the friendship: when that ends, for whatever reason, the membership ends too.
CREATE TABLE group_members (
    owner_id uuid NOT NULL,
    group_id uuid NOT NULL,
    member_id uuid NOT NULL,
    PRIMARY KEY (owner_id, group_id, member_id),
    FOREIGN KEY (owner_id, group_id) REFERENCES groups ON DELETE CASCADE,
    FOREIGN KEY (owner_id, member_id) REFERENCES friendships (member_id, friend_id) ON DELETE CASCADE
);
-- For the second foreign key.
CREATE INDEX group_members_by_member ON group_members (owner_id, member_id);
