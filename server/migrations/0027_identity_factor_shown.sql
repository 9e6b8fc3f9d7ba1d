-- Whether a second factor was shown for a session, or in it: one that was begun by the password alone replaces none that was in force.
ALTER TABLE sessions ADD COLUMN factor_shown boolean NOT NULL DEFAULT false;

-- Whether the authenticator was ever asked for. Of those that there are it is not known: they count as if it was.
ALTER TABLE second_factors ADD COLUMN totp_was_on boolean NOT NULL DEFAULT false;
UPDATE second_factors SET totp_was_on = true WHERE totp_sealed IS NOT NULL;
