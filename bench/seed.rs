//! Fills the database: members on a ring, each a friend of forty others, and favors in every status. Set-based, every constraint on.
//!
//! Everybody has the same: 40 friends, of 100,000 favors among 10,000 members 10 of their own and 27 in the received list, and of 100,000 items 10 of
//! their own and 400 in the feed.

use anyhow::{Result, ensure};
use sqlx::{Connection, PgConnection};
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

/// Friends of each member.
pub const FRIENDS: i64 = 40;

/// How much.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Members, at least 100.
    pub members: i64,
    /// Favors, at least ten for each member.
    pub favors: i64,
    /// Items, at least ten for each member.
    pub items: i64,
}

/// An id with the bits of a version 7, from its time in milliseconds and a text.
macro_rules! id {
    ($ms:literal, $text:literal) => {
        concat!(
            "(lpad(to_hex(",
            $ms,
            "), 12, '0') || '7' || substr(md5(",
            $text,
            "), 1, 3) || '8' || substr(md5(",
            $text,
            "), 4, 15))::uuid"
        )
    };
}

/// Makes all who signed up members, as their codes would.
pub const CONFIRMED: &[&str] = &[
    "INSERT INTO members (id, email, email_key, name, given_name, family_name, time_zone, status, confirmed_at, created_at, updated_at,
                          profile_changed_at)
     SELECT id, email, email_key, name, given_name, family_name, time_zone, 'confirmed', created_at, created_at, created_at, created_at
     FROM registrations",
    "INSERT INTO verifiers (member_id, salt, sealed, created_at) SELECT id, salt, sealed, created_at FROM registrations",
    "DELETE FROM registrations",
];
/// The members by their place on the ring; those who can sign in are spread over it.
const RING: &[&str] = &[
    "CREATE TEMP TABLE ring (n bigint PRIMARY KEY, id uuid NOT NULL)",
    "CREATE TEMP TABLE ways (i bigint PRIMARY KEY, d bigint NOT NULL)",
];
const INTO_RING: &str = concat!(
    "INSERT INTO ring
     SELECT g, coalesce(s.id, ",
    id!("1735689600000 + g * 60000", "'member ' || g"),
    ")
     FROM generate_series(0, $2 - 1) g
     LEFT JOIN unnest($1::uuid[]) WITH ORDINALITY s (id, k) ON (s.k - 1) * ($2 / cardinality($1)) = g"
);
/// Twenty steps to one side and the same to the other: a friend's friend in this is the member again.
const INTO_WAYS: &str = "INSERT INTO ways
     SELECT g, CASE WHEN g % 2 = 0 THEN step ELSE $1 - step END
     FROM generate_series(0, 39) g, LATERAL (SELECT 1 + (g / 2) * (($1 / 2 - 2) / 20) AS step) s";

const MEMBERS: &str =
    "INSERT INTO members (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at,
                          profile_changed_at)
     SELECT r.id, 'm' || r.n || '@ring.example', 'm' || r.n || '@ring.example', c.given || ' ' || c.family, c.given, c.family,
            'confirmed', $1, $1, $1, $1
     FROM ring r
     CROSS JOIN LATERAL (
         SELECT (ARRAY['Ana', 'Ben', 'Chloe', 'Dario', 'Esi', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'])[1 + r.n % 10] AS given,
                (ARRAY['Silva', 'Okafor', 'Martin', 'Rossi', 'Mensah', 'Haddad', 'Kim'])[1 + r.n % 7] AS family
     ) c
     WHERE NOT EXISTS (SELECT FROM members m WHERE m.id = r.id)";
/// Of the size of real ones; nobody signs in with them.
const VERIFIERS: &str = "INSERT INTO verifiers (member_id, salt, sealed, created_at)
     SELECT r.id, decode(md5(r.n::text), 'hex'), (SELECT sealed FROM verifiers LIMIT 1), $1
     FROM ring r
     WHERE NOT EXISTS (SELECT FROM verifiers v WHERE v.member_id = r.id)";
const FRIENDSHIPS: &str = "INSERT INTO friendships (member_id, friend_id, since)
     SELECT a.id, b.id, $1
     FROM ring a
     CROSS JOIN ways w
     JOIN ring b ON b.n = (a.n + w.d) % (SELECT count(*) FROM ring)";

/// Of ten favors five are active, one of them open to all friends, two accepted, one completed, one settled, and one a draft or cancelled. Each asks five friends.
const PLAN: &str = concat!(
    "CREATE TEMP TABLE plan AS
     SELECT f.f, ",
    id!("extract(epoch FROM made)::bigint * 1000 + f.f % 1000", "'favor ' || f.f"),
    " AS id, c.id AS creator_id, f.turn, c.n,
            (ARRAY['active', 'active', 'active', 'active', 'active', 'accepted', 'accepted', 'completed', 'settled',
                   CASE WHEN c.n % 2 = 0 THEN 'draft' ELSE 'cancelled' END])[1 + f.turn % 10] AS status,
            f.made, s.now + interval '1 day' + (f.f * 7919 % 40000) * interval '1 minute' AS start_at
     FROM seeding s
     CROSS JOIN LATERAL (
         SELECT g AS f, g / s.members AS turn, g % s.members AS place, s.now - (s.favors - g) * interval '17 seconds' AS made
         FROM generate_series(0, s.favors - 1) g
     ) f
     JOIN ring c ON c.n = f.place"
);
const SEEDING: &str = "CREATE TEMP TABLE seeding (members bigint, favors bigint, items bigint, now timestamptz)";
const INTO_SEEDING: &str = "INSERT INTO seeding VALUES ($1, $2, $3, $4)";
const ASKED: &str = "CREATE TEMP TABLE asked AS
     SELECT p.f, p.id AS favor_id, r.id AS member_id, s.k + 1 AS position
     FROM plan p
     CROSS JOIN generate_series(0, 4) s (k)
     JOIN ways w ON w.i = (p.turn * 5 + s.k) % 40
     JOIN ring r ON r.n = (p.n + w.d) % (SELECT members FROM seeding)";
const HELPERS: &str = "CREATE TEMP TABLE helpers AS
     SELECT p.f, a.member_id AS helper_id
     FROM plan p
     JOIN asked a ON a.f = p.f AND a.position = 1
     WHERE p.status IN ('accepted', 'completed', 'settled')";

const FAVORS: &str =
    "INSERT INTO favors (id, creator_id, title, description, category, status, start_at, confirm_at, tip_cents, currency, location,
                         max_responses, responses, helper_id, created_at, updated_at, posted_at, accepted_at, completed_at, completed_by,
                         settled_at, cancelled_at, request_type, found_by, located_by, timer_at)
     SELECT p.id, p.creator_id, said.title, said.words,
            (ARRAY['general', 'errands', 'physical_help', 'pet_care'])[1 + p.f % 4], p.status, p.start_at, p.start_at - interval '6 hours',
            p.f % 40 * 100, 'USD', 'Mill Lane ' || p.f % 90, 1, CASE WHEN h.helper_id IS NULL THEN 0 ELSE 1 END, h.helper_id,
            p.made, p.made, CASE WHEN p.status <> 'draft' THEN p.made END, CASE WHEN h.helper_id IS NOT NULL THEN p.made END,
            CASE WHEN p.status IN ('completed', 'settled') THEN p.made END,
            CASE WHEN p.status IN ('completed', 'settled') THEN h.helper_id END,
            CASE WHEN p.status = 'settled' THEN p.made END, CASE WHEN p.status = 'cancelled' THEN p.made END,
            CASE WHEN p.turn % 10 = 4 THEN 'public' ELSE 'direct' END, lower(said.title || E'\\n' || said.words), 'mill lane ' || p.f % 90,
            CASE WHEN p.status IN ('active', 'accepted') THEN p.start_at - interval '6 hours' END
     FROM plan p
     CROSS JOIN LATERAL (
         SELECT 'Carry a sofa, part ' || p.f AS title,
                'Two flights of stairs and a narrow door. It is heavy but short, and there is coffee and cake for everybody who comes.' AS words
     ) said
     LEFT JOIN helpers h ON h.f = p.f";
const RECIPIENTS: &str = "INSERT INTO favor_recipients (favor_id, member_id, position, asked_at, answer, answered_at, message)
     SELECT a.favor_id, a.member_id, a.position, f.posted_at, CASE WHEN a.member_id = f.helper_id THEN 'accept' END,
            CASE WHEN a.member_id = f.helper_id THEN f.accepted_at END, ''
     FROM asked a
     JOIN favors f ON f.id = a.favor_id";
const PLACES: &str = "INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
     SELECT f.id, f.creator_id,
            CASE f.status WHEN 'completed' THEN 'own_completed' WHEN 'settled' THEN 'own_completed' WHEN 'cancelled' THEN 'own_cancelled'
                          ELSE 'own_open' END,
            f.due_key, f.updated_at
     FROM favors f
     UNION ALL
     SELECT a.favor_id, a.member_id,
            CASE
                WHEN f.status = 'active' THEN 'pending'
                WHEN f.status = 'accepted' AND a.member_id = f.helper_id THEN 'helping'
                WHEN f.status = 'accepted' THEN 'taken'
                ELSE f.status
            END,
            f.due_key, NULL
     FROM asked a
     JOIN favors f ON f.id = a.favor_id
     WHERE f.posted_at IS NOT NULL";
const EVENTS: &str = "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
     SELECT f.id, row_number() OVER (PARTITION BY f.id ORDER BY e.n), e.kind, e.actor_id, e.at, ''
     FROM favors f
     CROSS JOIN LATERAL (VALUES
         (1, CASE WHEN f.status = 'draft' THEN 'drafted' ELSE 'posted' END, f.creator_id, f.created_at),
         (2, 'accepted', f.helper_id, f.accepted_at),
         (3, 'completed', f.completed_by, f.completed_at),
         (4, 'settled', f.creator_id, f.settled_at),
         (5, 'cancelled', f.creator_id, f.cancelled_at)
     ) e (n, kind, actor_id, at)
     WHERE e.at IS NOT NULL";

/// All are listed for friends, in the eight categories, each with a picture.
const ITEMS: &str = concat!(
    "INSERT INTO items (id, owner_id, title, description, category, url, visibility, narrowed, status, price_cents, deposit_cents, currency,
                        max_days, policy, city, created_at, updated_at, listed_at, found_by)
     SELECT ",
    id!("extract(epoch FROM i.made)::bigint * 1000 + i.g % 1000", "'item ' || i.g"),
    ", r.id, said.title, said.words,
            (ARRAY['electronics', 'sports', 'tools', 'transportation', 'home', 'entertainment', 'fashion', 'other'])[1 + i.turn % 8],
            '', 'friends', false, 'listed', i.g % 40 * 25, 2000, 'USD', 7, 'flex', 'Oakland', i.made, i.made, i.made,
            lower(said.title || E'\\n' || said.words)
     FROM seeding s
     CROSS JOIN LATERAL (
         SELECT g, g / s.members AS turn, g % s.members AS place, s.now - (s.items - g) * interval '13 seconds' AS made
         FROM generate_series(0, s.items - 1) g
     ) i
     CROSS JOIN LATERAL (
         SELECT 'Ladder, part ' || i.g AS title,
                'Three metres long, of aluminium, and light. It fits on a roof rack, and two people carry it well.' AS words
     ) said
     JOIN ring r ON r.n = i.place"
);
const IMAGES: &str = "INSERT INTO item_images (item_id, id, position, created_at) SELECT id, gen_random_uuid(), 1, created_at FROM items";

/// How many times as much everybody lists after `grow`.
pub const GROWN: i64 = 10;
/// Between those that there are, so that a page far from the first is as far from it as before.
const GROW: &str = "CREATE TEMP TABLE grown AS
     SELECT gen_random_uuid() AS id, i.id AS like_id, i.listed_at - n * interval '1 second' AS at
     FROM items i
     CROSS JOIN generate_series(1, 9) n
     WHERE i.status = 'listed'";
const GROWN_ITEMS: &str =
    "INSERT INTO items (id, owner_id, title, description, category, url, visibility, narrowed, status, price_cents, deposit_cents, currency,
                        max_days, policy, city, created_at, updated_at, listed_at, found_by)
     SELECT g.id, i.owner_id, i.title, i.description, i.category, i.url, i.visibility, i.narrowed, i.status, i.price_cents, i.deposit_cents,
            i.currency, i.max_days, i.policy, i.city, g.at, g.at, g.at, i.found_by
     FROM grown g
     JOIN items i ON i.id = g.like_id";
const GROWN_IMAGES: &str = "INSERT INTO item_images (item_id, id, position, created_at) SELECT id, gen_random_uuid(), 1, at FROM grown";

/// Makes the members who signed up confirmed, and all others with them.
///
/// # Errors
/// When the database refuses a row.
pub async fn fill(url: &str, size: Size, signed_up: &[Uuid], now: OffsetDateTime) -> Result<()> {
    let each = 10 * size.members;
    ensure!(
        size.members >= 100 && size.favors >= each && size.items >= each,
        "a ring has at least 100 members, and ten favors and items for each"
    );
    let conn = &mut PgConnection::connect(url).await?;
    for &sql in CONFIRMED.iter().chain(RING) {
        sqlx::query(sql).execute(&mut *conn).await?;
    }
    sqlx::query(INTO_RING).bind(signed_up).bind(size.members).execute(&mut *conn).await?;
    sqlx::query(INTO_WAYS).bind(size.members).execute(&mut *conn).await?;
    for sql in [MEMBERS, VERIFIERS, FRIENDSHIPS] {
        sqlx::query(sql).bind(now).execute(&mut *conn).await?;
    }
    sqlx::query(SEEDING).execute(&mut *conn).await?;
    sqlx::query(INTO_SEEDING).bind(size.members).bind(size.favors).bind(size.items).bind(now).execute(&mut *conn).await?;
    for sql in [
        PLAN,
        "CREATE INDEX ON plan (f)",
        "ANALYZE plan",
        ASKED,
        "ANALYZE asked",
        HELPERS,
        FAVORS,
        RECIPIENTS,
        PLACES,
        EVENTS,
        ITEMS,
        IMAGES,
    ] {
        sqlx::query(sql).execute(&mut *conn).await?;
    }
    Ok(())
}

/// Lets everybody list so many times as much as they do.
///
/// # Errors
/// When the database refuses a row.
pub async fn grow(url: &str) -> Result<()> {
    let conn = &mut PgConnection::connect(url).await?;
    for sql in [GROW, GROWN_ITEMS, GROWN_IMAGES] {
        sqlx::query(sql).execute(&mut *conn).await?;
    }
    settle(url).await
}

/// Some friends of each of these members: whom a favor asks.
///
/// # Errors
/// When the database does not answer.
pub async fn friends_of(url: &str, members: &[Uuid], count: usize) -> Result<HashMap<Uuid, Vec<String>>> {
    let conn = &mut PgConnection::connect(url).await?;
    let rows: Vec<(Uuid, Vec<Uuid>)> = sqlx::query_as(
        "SELECT member_id, (array_agg(friend_id ORDER BY friend_id))[:$2] FROM friendships WHERE member_id = ANY($1) GROUP BY 1",
    )
    .bind(members)
    .bind(i32::try_from(count)?)
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|(member, friends)| (member, friends.iter().map(Uuid::to_string).collect())).collect())
}

/// Counts what there is, and writes it down.
///
/// # Errors
/// When the database does not answer.
pub async fn settle(url: &str) -> Result<()> {
    let conn = &mut PgConnection::connect(url).await?;
    sqlx::query("VACUUM (ANALYZE)").execute(&mut *conn).await?;
    // Not in the middle of a measurement, then.
    sqlx::query("CHECKPOINT").execute(conn).await?;
    Ok(())
}
