//! What finds favors; it reads favors, favor_places and friendships. What a member may see is little of all there is, so it is gone through
//! from the member's side: their places, and what each friend has open. Who is blocked is no friend.

use super::super::{Category, Place, find::Wanted, terms::Terms};
use crate::{error::Result, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many of the favors that a member has a place in are searched: the newest.
const SEARCHED_MAX: i64 = 5000;
/// How many open ones of each friend are searched: the first due.
const SEARCHED_OF_FRIEND_MAX: i64 = 50;

/// The keys of a list, the first due first, after a key: each place is read from its own stretch of the index, and of friends only as many
/// as the page can have, those whose first open favor is due first. What others ask and nobody does is left out when its start has passed.
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
                             AND (f.due_key, f.id) > ($3, $4) AND f.start_at > $8
                             AND ($6::text IS NULL OR f.category = $6) AND strpos(lower(f.location), lower($7)) > 0
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
                         AND (f.due_key, f.id) >= (friend.due_key, friend.id) AND f.start_at > $8
                         AND ($6::text IS NULL OR f.category = $6) AND strpos(lower(f.location), lower($7)) > 0
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
                         AND (f.creator_id = $1 OR f.status <> 'active' OR f.start_at > $8)
                         AND ($6::text IS NULL OR f.category = $6) AND strpos(lower(f.location), lower($7)) > 0
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
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.due_key, row.id)).collect())
}

/// The keys of what is found by words, the best first, and of what is as good the newest, after a key. Every word must be found: at the
/// beginning of a word of the title (1000), or of the description (900), inside of one (800, 700), or, where it bears one, with a typo (at most
/// 600). The text of each is looked through once, so that no index has to be kept for it.
pub async fn found_by_words(
    conn: &mut PgConnection,
    member: MemberId,
    terms: &Terms,
    category: Option<Category>,
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
                       ORDER BY f.due_key, f.id
                       LIMIT $10
                   ) open
                   WHERE s.member_id = $1
                   LIMIT $9
               )
           )
           SELECT found.score AS "score!", f.id
           FROM seen
           CROSS JOIN LATERAL (SELECT * FROM favors o WHERE o.id = seen.id LIMIT 1) f
           CROSS JOIN LATERAL (
               SELECT round(avg(word.score))::integer AS score, min(word.score) AS least
               FROM (
                   SELECT
                       CASE
                           WHEN strpos(lower(f.title), lower(w.word)) > 0 THEN CASE WHEN f.title ~* w.begins THEN 1000 ELSE 800 END
                           WHEN strpos(lower(f.description), lower(w.word)) > 0 THEN
                               CASE WHEN f.description ~* w.begins THEN 900 ELSE 700 END
                           WHEN w.tolerant THEN (
                               SELECT CASE WHEN alike >= 0.5 THEN 600 * alike ELSE 0 END
                               FROM word_similarity(w.word, left(f.title || ' ' || f.description, 1000)) AS alike
                           )
                           ELSE 0
                       END AS score
                   FROM unnest($2::text[], $3::text[], $4::boolean[]) AS w (word, begins, tolerant)
                   OFFSET 0
               ) word
           ) found
           WHERE found.least > 0 AND (found.score, f.id) < ($5, $6) AND ($7::text IS NULL OR f.category = $7)
             AND (f.creator_id = $1 OR f.status <> 'active' OR f.start_at > $11)
           ORDER BY found.score DESC, f.id DESC
           LIMIT $8"#,
        member.0,
        &terms.words,
        &terms.begins,
        &terms.tolerant,
        after.0,
        after.1,
        category as Option<Category>,
        limit,
        SEARCHED_MAX,
        SEARCHED_OF_FRIEND_MAX,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.score, row.id)).collect())
}
