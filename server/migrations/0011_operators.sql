-- What operators did on the command line. It stays when the member is deleted, and holds no secrets and no addresses.
CREATE TABLE audit (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL,
    -- The system account and the machine that the command ran on.
    operator text NOT NULL CHECK (length(operator) BETWEEN 1 AND 400),
    action text NOT NULL CHECK (length(action) BETWEEN 1 AND 50),
    -- NULL if it was about nobody, or about many.
    member_id uuid,
    details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object')
);
-- For the list, newest first, of all and of one member.
CREATE INDEX audit_by_time ON audit (at DESC, id DESC);
CREATE INDEX audit_by_member ON audit (member_id, at DESC, id DESC) WHERE member_id IS NOT NULL;
