-- Codes that allow a new password stand beside those of the release before, which confirmed an address.
ALTER TABLE codes DROP CONSTRAINT codes_purpose_check;
ALTER TABLE codes ADD CONSTRAINT codes_purpose_check CHECK (purpose IN ('sign_up', 'reset_password'));
CREATE INDEX codes_by_expiry ON codes (expires_at);
