-- What a member is still to be told about their second step. It waits a moment, so that what belongs together is one mail.
CREATE TABLE factor_news (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id uuid NOT NULL,
    news text NOT NULL
);
CREATE INDEX factor_news_of_member ON factor_news (member_id, id);
