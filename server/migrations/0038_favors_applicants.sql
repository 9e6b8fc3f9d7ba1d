-- Public favors, for which friends of the creator apply; back-ups, who accepted after the helper; proposed starts; tips that did not arrive.
-- Of the rows that are there each keeps to what is added to their table: they need not be read for that.
ALTER TABLE favors
    ADD COLUMN request_type text NOT NULL DEFAULT 'direct',
    ADD COLUMN tip_missing_at timestamptz,
    ADD CONSTRAINT favors_request_type_check CHECK (request_type IN ('direct', 'public')) NOT VALID,
    ADD CONSTRAINT favors_tip_missing_check CHECK (tip_missing_at IS NULL OR status = 'settled') NOT VALID;

-- `turn` counts acceptances under the favor's lock: in its order back-ups move up. A helper of the release before has none, and comes first.
-- `withdrawn` is how often somebody stepped back; `proposed_start` counts with another time alone.
ALTER TABLE favor_recipients
    ADD COLUMN turn smallint,
    ADD COLUMN proposed_start timestamptz,
    ADD COLUMN withdrawn smallint NOT NULL DEFAULT 0,
    ADD CONSTRAINT favor_recipients_turn_check CHECK (turn > 0) NOT VALID,
    ADD CONSTRAINT favor_recipients_withdrawn_check CHECK (withdrawn BETWEEN 0 AND 5) NOT VALID;

-- Who offers help for a public favor. The row stays when they take it back, without time and words: it counts how often.
CREATE TABLE favor_applicants (
    favor_id uuid NOT NULL REFERENCES favors (id) ON DELETE CASCADE,
    member_id uuid NOT NULL REFERENCES members,
    turn integer NOT NULL,
    applied_at timestamptz,
    message text NOT NULL CHECK (char_length(message) <= 500),
    changes smallint NOT NULL DEFAULT 0 CHECK (changes BETWEEN 0 AND 20),
    withdrawn smallint NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND 5),
    PRIMARY KEY (favor_id, member_id),
    CHECK (applied_at IS NOT NULL OR message = '')
);
CREATE INDEX favor_applicants_by_member ON favor_applicants (member_id);

ALTER TABLE favor_events
    DROP CONSTRAINT favor_events_kind_check,
    ADD CONSTRAINT favor_events_kind_check CHECK (
        kind IN (
            'drafted', 'posted', 'accepted', 'declined', 'another_time', 'completed', 'settled', 'cancelled',
            'withdrawn', 'moved_up', 'applied', 'chosen', 'asked', 'time_accepted', 'tip_missing'
        )
    ) NOT VALID;
