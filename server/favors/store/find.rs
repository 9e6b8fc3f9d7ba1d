//! What finds favors; it reads favors, favor_places, friendships and blocks. What a member may see is little of all there is, so it is gone through
//! from the member's side: their places, and what each friend has open. Who is blocked is no friend.

use super::super::{
    Category, Place,
    find::{List, Sought, Wanted},
};
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many of the favors that a member has a place in are searched: the newest.
const SEARCHED_MAX: i64 = 5000;
/// In how many of them words with a typo are found, and in how many letters from the title on: to look for one costs more than all the rest.
const TYPOS_OF_MAX: i64 = 1000;
const TYPOS_IN_MAX: i32 = 500;
/// How many open ones of each friend are searched: the first due.
const SEARCHED_OF_FRIEND_MAX: i64 = 50;

/// The keys of a list, the first due first, after a key: each place is read from its own stretch of the index, and of friends only as many
/// as the page can have, those whose first open favor is due first. What others ask and nobody does is left out when its start has passed; of
/// what can be helped with, a back-up too can be asked only for what is to come. By a place nothing is found between two of whom one has blocked
/// the other: it is not shown to them either.
pub async fn found_by_due(
    conn: &mut PgConnection,
    member: MemberId,
    wanted: &Wanted,
    now: OffsetDateTime,
    after: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<(OffsetDateTime, Uuid)>> {
    let rows = sqlx::query!(
        r#"SELECT v.due_key AS "due_key!", v.id AS "id!"
           FROM (
               (
                   SELECT open.due_key, open.id
                   FROM (
                       SELECT s.friend_id, next.due_key, next.id
                       FROM friendships s
                       CROSS JOIN LATERAL (
                           SELECT f.due_key, f.id
                           FROM favors f
                           WHERE f.creator_id = s.friend_id AND f.status = 'active' AND f.request_type = 'public'
                             AND f.lapsed_start IS DISTINCT FROM f.start_at AND (f.due_key, f.id) > ($3, $4) AND f.start_at > $8
                             AND ($6::text IS NULL OR f.category = $6) AND strpos(f.located_by, $7) > 0
                           ORDER BY f.due_key, f.id
                           LIMIT 1
                       ) next
                       WHERE s.member_id = $1
                       ORDER BY next.due_key, next.id
                       LIMIT $5
                   ) friend
                   CROSS JOIN LATERAL (
                       SELECT f.due_key, f.id
                       FROM favors f
                       WHERE f.creator_id = friend.friend_id AND f.status = 'active' AND f.request_type = 'public'
                         AND f.lapsed_start IS DISTINCT FROM f.start_at AND (f.due_key, f.id) >= (friend.due_key, friend.id)
                         AND f.start_at > $8
                         AND ($6::text IS NULL OR f.category = $6) AND strpos(f.located_by, $7) > 0
                       ORDER BY f.due_key, f.id
                       LIMIT $5
                   ) open
                   ORDER BY open.due_key, open.id
                   LIMIT $5
               )
               UNION
               (
                   SELECT known.due_key, known.id
                   FROM unnest($2::text[]) AS w (place)
                   CROSS JOIN LATERAL (
                       SELECT p.due_key, p.favor_id AS id
                       FROM favor_places p
                       JOIN favors f ON f.id = p.favor_id
                       WHERE p.member_id = $1 AND p.place = w.place AND (p.due_key, p.favor_id) > ($3, $4)
                         AND (f.start_at > $8 OR NOT $9::boolean AND (f.creator_id = $1 OR f.status <> 'active'))
                         AND ($6::text IS NULL OR f.category = $6) AND strpos(f.located_by, $7) > 0
                         AND (
                             $7 = '' OR f.creator_id = $1 OR f.helper_id = $1 AND f.status IN ('accepted', 'completed')
                             OR NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = f.creator_id AND b.other_id = $1)
                                AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $1 AND b.other_id = f.creator_id)
                         )
                       ORDER BY p.due_key, p.favor_id
                       LIMIT $5
                   ) known
                   ORDER BY known.due_key, known.id
                   LIMIT $5
               )
           ) v
           ORDER BY v.due_key, v.id
           LIMIT $5"#,
        member.0,
        wanted.list.places() as &[Place],
        after.0,
        after.1,
        limit,
        wanted.category as Option<Category>,
        wanted.location,
        now,
        wanted.list == List::Browse,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.due_key, row.id)).collect())
}

/// The keys of what is found by words, the best first, and of what is as good the newest, after a key. Every word must be found: at the
/// beginning of a word of the title (1000), or of the description (900), inside of one or in its other spelling (800, 700), or, where it bears one, with a
/// typo (at most 600). The text of each is looked through once, so that no index has to be kept for it, and only until a word is not found.
pub async fn found_by_words(
    conn: &mut PgConnection,
    member: MemberId,
    sought: &Sought,
    now: OffsetDateTime,
    after: (i32, Uuid),
    limit: i64,
) -> Result<Vec<(i32, Uuid)>> {
    let rows = sqlx::query!(
        r#"WITH seen AS (
               (
                   SELECT p.favor_id AS id
                   FROM favor_places p
                   WHERE p.member_id = $1
                   ORDER BY p.favor_id DESC
                   LIMIT $9
               )
               UNION
               (
                   SELECT open.id
                   FROM friendships s
                   CROSS JOIN LATERAL (
                       SELECT f.id
                       FROM favors f
                       WHERE f.creator_id = s.friend_id AND f.status = 'active' AND f.request_type = 'public'
                         AND f.lapsed_start IS DISTINCT FROM f.start_at AND f.start_at > $11
                       ORDER BY f.due_key, f.id
                       LIMIT $10
                   ) open
                   WHERE s.member_id = $1
                   LIMIT $9
               )
           )
           SELECT found.score AS "score!", f.id
           FROM (SELECT seen.id, row_number() OVER (ORDER BY seen.id DESC) <= $12 AS is_new FROM seen) seen
           CROSS JOIN LATERAL (
               SELECT o.id, split_part(o.found_by, E'\n', 1) AS title, o.found_by AS words
               FROM favors o
               WHERE o.id = seen.id AND ($7::text IS NULL OR o.category = $7) AND strpos(o.located_by, $14) > 0
                 AND (o.creator_id = $1 OR o.status <> 'active' OR o.start_at > $11)
                 AND (
                     $14 = '' OR o.creator_id = $1 OR o.helper_id = $1 AND o.status IN ('accepted', 'completed')
                     OR NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = o.creator_id AND b.other_id = $1)
                        AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $1 AND b.other_id = o.creator_id)
                 )
               LIMIT 1
           ) f
           CROSS JOIN LATERAL (
               WITH RECURSIVE word (n, score) AS (
                   SELECT 0, 1000::double precision
                   UNION ALL
                   SELECT
                       word.n + 1,
                       CASE
                           WHEN strpos(f.title, ($2::text[])[word.n + 1]) > 0 THEN
                               CASE WHEN f.title ~ ($3::text[])[word.n + 1] THEN 1000 ELSE 800 END
                           WHEN strpos(f.title, ($18::text[])[word.n + 1]) > 0 THEN 800
                           WHEN strpos(f.words, ($2::text[])[word.n + 1]) > 0 THEN
                               CASE WHEN f.words ~ ($3::text[])[word.n + 1] THEN 900 ELSE 700 END
                           WHEN strpos(f.words, ($18::text[])[word.n + 1]) > 0 THEN 700
                           WHEN seen.is_new AND ($4::boolean[])[word.n + 1] THEN (
                               SELECT CASE WHEN alike >= 0.5 THEN 600 * alike ELSE 0 END
                               FROM word_similarity(($15::text[])[word.n + 1], translate(left(f.words, $13), $16, $17)) AS alike
                           )
                           ELSE 0
                       END
                   FROM word
                   WHERE word.score > 0 AND word.n < cardinality($2::text[])
               )
               SELECT round(avg(word.score) FILTER (WHERE word.n > 0))::integer AS score, min(word.score) AS least
               FROM word
           ) found
           WHERE found.least > 0 AND (found.score, f.id) < ($5, $6)
           ORDER BY found.score DESC, f.id DESC
           LIMIT $8"#,
        member.0,
        &sought.terms.words,
        &sought.terms.begins,
        &sought.terms.tolerant,
        after.0,
        after.1,
        sought.category as Option<Category>,
        limit,
        SEARCHED_MAX,
        SEARCHED_OF_FRIEND_MAX,
        now,
        TYPOS_OF_MAX,
        TYPOS_IN_MAX,
        sought.location,
        &sought.terms.alike,
        sought.terms.letters,
        sought.terms.stand_ins,
        &sought.terms.also as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.score, row.id)).collect())
}
