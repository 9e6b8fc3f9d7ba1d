-- What a notification is about, where that is not the thing it leads to: a newer one of the same kind from the same member about the same
-- thing takes the place of one that is unread, and what is settled is found by it. A request to be friends is about the one who asks, so
-- that one which is taken back and sent anew is the same. Absent, it is the target.
ALTER TABLE notifications ADD COLUMN about_id uuid;
UPDATE notifications SET about_id = actor_id WHERE type = 1 AND actor_id IS NOT NULL;

CREATE INDEX notifications_unread_about ON notifications (member_id, (coalesce(about_id, target_id)), type) WHERE read_at IS NULL;
CREATE INDEX notifications_waiting ON notifications (member_id, (coalesce(about_id, target_id))) WHERE action_required;
