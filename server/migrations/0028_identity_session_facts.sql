-- Whether a session began before the second factor that is in force, and did not set it up: nobody has shown that one in it.
ALTER TABLE sessions ADD COLUMN precedes_factor boolean NOT NULL DEFAULT false;
-- Of those that are open nobody knows it: who has a factor that is in force shows it once more before another change of it.
UPDATE sessions s
SET precedes_factor = true
FROM second_factors f
WHERE f.member_id = s.member_id AND s.ended_at IS NULL AND (f.totp_on OR f.sms_on);
-- Who made the secret that waits for its first code, and who set the authenticator up, or turned it off: a session, or a sign-in that is under way.
-- Nobody else goes on with either.
ALTER TABLE second_factors ADD COLUMN made_by uuid;
ALTER TABLE second_factors ADD COLUMN set_up_by uuid;
-- What its member was called before, while it was open: a client proves its secret by the name that it knows.
ALTER TABLE sessions ADD COLUMN former_names text[] NOT NULL DEFAULT '{}' CHECK (cardinality(former_names) <= 5);
