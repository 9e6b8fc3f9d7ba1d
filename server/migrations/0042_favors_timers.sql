-- When the next of a favor's times falls due: a job waits for it, whose payload names it. Absent where none is to come; of the epoch where nobody has seen
-- to it yet, as for favors that an older node wrote.
-- `lapsed_start` is the start that passed while nobody had accepted: the favor is lapsed as long as that is its start, and it is active.
ALTER TABLE favors
    ADD COLUMN timer_at timestamptz DEFAULT '1970-01-01T00:00:00Z',
    ADD COLUMN lapsed_start timestamptz;
