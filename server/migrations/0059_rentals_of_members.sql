-- The rentals of a member on one side: those that are open, which are few however long a past there is, those of two members, and what completed ones paid.
CREATE INDEX rentals_open_of_owner ON rentals (owner_id) WHERE status IN ('pending', 'accepted', 'active', 'returned');
CREATE INDEX rentals_open_of_borrower ON rentals (borrower_id) WHERE status IN ('pending', 'accepted', 'active', 'returned');
CREATE INDEX rentals_of_two ON rentals (owner_id, borrower_id);
CREATE INDEX rentals_paid ON rentals (owner_id) INCLUDE (currency, total_cents, gratitude) WHERE status = 'completed';
CREATE INDEX rentals_completed ON rentals (borrower_id) WHERE status = 'completed';
