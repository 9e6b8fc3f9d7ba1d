-- Codes that confirm a new address or number of a member stand beside the others.
ALTER TABLE codes DROP CONSTRAINT codes_purpose_check;
ALTER TABLE codes ADD CONSTRAINT codes_purpose_check CHECK (purpose IN ('sign_up', 'reset_password', 'email', 'phone_number'));
-- Where such a code goes, and what takes effect once it is given; and the address that was in force until then, which is told of it.
ALTER TABLE codes ADD COLUMN destination text CHECK (length(destination) BETWEEN 3 AND 254);
ALTER TABLE codes ADD COLUMN replaced text CHECK (replaced IS NULL OR used_at IS NOT NULL);
ALTER TABLE codes ADD CONSTRAINT codes_destination CHECK ((purpose IN ('email', 'phone_number')) = (destination IS NOT NULL));

-- Who deleted their account leaves a row without anything of theirs: what others keep of the past hangs on its id.
ALTER TABLE members DROP CONSTRAINT members_status_check;
ALTER TABLE members ADD CONSTRAINT members_status_check CHECK (status IN ('unconfirmed', 'confirmed', 'deleted'));
ALTER TABLE members ADD CONSTRAINT members_deleted CHECK (
    status <> 'deleted'
    OR (
        email = 'deleted' AND email_key = id::text AND given_name = 'Former' AND family_name = 'member' AND time_zone = 'UTC'
        AND name IS NULL AND display_name IS NULL AND picture IS NULL AND phone_e164 IS NULL AND disabled_at IS NULL
        AND created_at = updated_at AND profile_changed_at = updated_at
    )
);

-- What a member caused, and said, for when they leave.
CREATE INDEX favor_events_with_words ON favor_events (actor_id) WHERE message <> '';
CREATE INDEX notifications_by_actor ON notifications (actor_id) WHERE actor_id IS NOT NULL;
