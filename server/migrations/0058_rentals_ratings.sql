-- What a member was given by those with whom they completed a rental, counted with each rating; the ratings themselves stand in the rentals.
CREATE TABLE member_ratings (
    member_id uuid PRIMARY KEY REFERENCES members,
    count integer NOT NULL CHECK (count > 0),
    total bigint NOT NULL,
    CHECK (total BETWEEN count AND 5 * count::bigint)
);
