-- An invitation that its inviter took back. The row stays until it expires: the address is not invited anew by that.
ALTER TABLE invitations ADD COLUMN cancelled_at timestamptz;
