-- When the other one last declined a request of this member's. It is kept when another request takes the row, of either side: for 30 days
-- further requests of this member's are not heard. Where it is missing in a row that was declined, answered_at says it.
ALTER TABLE friend_requests ADD COLUMN declined_at timestamptz;
