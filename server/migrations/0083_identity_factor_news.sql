-- News about a member's second step that wait to be mailed, so that what belongs together is one mail. They keep the
-- address of their time.
CREATE TABLE factor_news (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id uuid NOT NULL,
    email text NOT NULL,
    news text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX factor_news_of_member ON factor_news (member_id, id);
