//! Items with what is told beside them (pictures, owner, groups), one statement for a page of any list: first the keys of the page, by the
//! index of the list, then the items by these.

use super::{
    super::{Category, Item, Policy, Status, Visibility, Whole},
    Row,
};
use crate::{
    error::Result,
    identity::Shown,
    ids::{GroupId, ItemId, MemberId, PictureId},
    money::Currency,
    terms::Terms,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// In how many letters from the title on a word with a typo is looked for: to compare them costs more than all the rest.
const TYPOS_IN_MAX: i32 = 500;
/// How many of the items that a member may browse a page of a search looks at, the newest first.
const SEARCHED_MAX: i64 = 5000;
/// In how many of them words with a typo are found.
const TYPOS_OF_MAX: i64 = 1000;

/// A row with what is beside it.
struct Wide {
    id: Uuid,
    owner_id: Uuid,
    title: String,
    description: String,
    category: Category,
    url: String,
    visibility: Visibility,
    narrowed: bool,
    status: Status,
    price_cents: i64,
    deposit_cents: i64,
    currency: Currency,
    max_days: i16,
    policy: Policy,
    city: String,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    listed_at: Option<OffsetDateTime>,
    images: Vec<Uuid>,
    groups: Vec<Uuid>,
    given_name: Option<String>,
    family_name: Option<String>,
    display_name: Option<String>,
    picture: Option<String>,
    shared: i64,
}

impl From<Wide> for Whole {
    fn from(wide: Wide) -> Self {
        let names = wide.given_name.zip(wide.family_name);
        // The address is nobody's to know here.
        let shown = |names| Shown::kept(wide.owner_id, String::new(), names, wide.display_name, wide.picture.as_deref());
        let owner = names.map(shown);
        let row = Row {
            id: wide.id,
            owner_id: wide.owner_id,
            title: wide.title,
            description: wide.description,
            category: wide.category,
            url: wide.url,
            visibility: wide.visibility,
            narrowed: wide.narrowed,
            status: wide.status,
            price_cents: wide.price_cents,
            deposit_cents: wide.deposit_cents,
            currency: wide.currency,
            max_days: wide.max_days,
            policy: wide.policy,
            city: wide.city,
            created_at: wide.created_at,
            updated_at: wide.updated_at,
            listed_at: wide.listed_at,
        };
        Self {
            item: Item::from(row),
            images: wide.images.into_iter().map(PictureId).collect(),
            groups: wide.groups.into_iter().map(GroupId).collect(),
            owner,
            shared: wide.shared,
        }
    }
}

/// Items with the eyes of the member in $1, also how many their owners list: of those that are narrowed, only who may see them learns. The owners
/// are looked up one by one: a page has few, and there are many.
macro_rules! wholes {
    ($conn:expr, $rest:tt, $viewer:expr $(, $arg:expr)* $(,)?) => {{
        let rows = sqlx::query_as!(
            Wide,
            r#"SELECT i.id, i.owner_id, i.title, i.description, i.category AS "category: Category", i.url,
                      i.visibility AS "visibility: Visibility", i.narrowed, i.status AS "status: Status", i.price_cents, i.deposit_cents,
                      i.currency AS "currency: Currency", i.max_days, i.policy AS "policy: Policy", i.city, i.created_at, i.updated_at,
                      i.listed_at,
                      ARRAY(SELECT m.id FROM item_images m WHERE m.item_id = i.id ORDER BY m.position LIMIT 10) AS "images!",
                      CASE WHEN i.owner_id = $1 AND i.narrowed THEN ARRAY(
                          SELECT g.group_id
                          FROM item_groups g
                          WHERE g.item_id = i.id
                          ORDER BY g.group_id
                          LIMIT 20
                      ) ELSE '{}' END AS "groups!",
                      o.given_name AS "given_name?", o.family_name AS "family_name?", o.display_name AS "display_name?",
                      o.picture AS "picture?",
                      (
                          SELECT count(*)
                          FROM items s
                          WHERE s.owner_id = i.owner_id AND s.status = 'listed'
                            AND (
                                NOT s.narrowed OR s.owner_id = $1
                                OR EXISTS (
                                    SELECT FROM item_groups g
                                    JOIN group_members m ON m.owner_id = s.owner_id AND m.group_id = g.group_id AND m.member_id = $1
                                    WHERE g.item_id = s.id
                                )
                            )
                      ) AS "shared!"
               FROM items i
               LEFT JOIN LATERAL (SELECT * FROM members m WHERE m.id = i.owner_id AND m.status = 'confirmed' LIMIT 1) o ON true
               "# + $rest,
            $viewer $(, $arg)*
        )
        .fetch_all(&mut *$conn)
        .await?;
        rows.into_iter().map(Whole::from).collect::<Vec<_>>()
    }};
}

/// An item with all that is told beside it, one that was removed too.
pub async fn whole(conn: &mut PgConnection, viewer: MemberId, id: ItemId) -> Result<Option<Whole>> {
    Ok(wholes!(conn, "WHERE i.id = $2 LIMIT 1", viewer.0, id.0).pop())
}

/// Which items of a member are listed.
#[derive(Clone, Debug)]
pub struct Filter<'a> {
    /// Only those of these statuses; `None`: any.
    pub statuses: Option<&'a [Status]>,
    /// Only those of this category.
    pub category: Option<Category>,
    /// Only those in which each of these words is found.
    pub terms: &'a Terms,
}

/// A member's own items, the newest first, before a key.
pub async fn mine(
    conn: &mut PgConnection,
    owner: MemberId,
    filter: &Filter<'_>,
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Whole>> {
    Ok(wholes!(
        conn,
        "WHERE i.owner_id = $1 AND i.status <> 'deleted' AND (i.created_at, i.id) < ($2, $3)
           AND ($4::text[] IS NULL OR i.status = ANY($4))
           AND ($5::text IS NULL OR i.category = $5)
           AND NOT EXISTS (
               SELECT FROM unnest($6::text[], $7::boolean[], $8::text[], $13::text[]) AS w (word, tolerant, alike, also)
               WHERE strpos(i.found_by, w.word) = 0 AND (w.also IS NULL OR strpos(i.found_by, w.also) = 0)
                 AND NOT (w.tolerant AND word_similarity(w.alike, translate(left(i.found_by, $11), $9, $10)) >= 0.5)
           )
         ORDER BY i.created_at DESC, i.id DESC
         LIMIT $12",
        owner.0,
        before.0,
        before.1,
        filter.statuses as Option<&[Status]>,
        filter.category as Option<Category>,
        &filter.terms.words,
        &filter.terms.tolerant,
        &filter.terms.alike,
        filter.terms.letters,
        filter.terms.stand_ins,
        TYPOS_IN_MAX,
        limit,
        &filter.terms.also as _,
    ))
}

/// What friends of a member list, the newest first, before a key: the newest of each friend, then as many as a page can have of those friends
/// who are on it, and none older than what fills it.
pub async fn feed(conn: &mut PgConnection, member: MemberId, before: (OffsetDateTime, Uuid), limit: i64) -> Result<Vec<Whole>> {
    Ok(wholes!(
        conn,
        "JOIN (
             WITH friend AS MATERIALIZED (
                 SELECT s.friend_id, newest.listed_at, newest.id
                 FROM friendships s
                 CROSS JOIN LATERAL (
                     SELECT l.listed_at, l.id
                     FROM items l
                     WHERE l.owner_id = s.friend_id AND l.status = 'listed' AND (l.listed_at, l.id) < ($2, $3)
                       AND (NOT l.narrowed OR EXISTS (
                           SELECT FROM item_groups g
                           JOIN group_members m ON m.owner_id = s.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                           WHERE g.item_id = l.id
                       ))
                     ORDER BY l.listed_at DESC, l.id DESC
                     LIMIT 1
                 ) newest
                 WHERE s.member_id = $1
                 ORDER BY newest.listed_at DESC, newest.id DESC
                 LIMIT $4
             )
             SELECT open.listed_at, open.id
             FROM friend
             CROSS JOIN LATERAL (
                 SELECT l.listed_at, l.id
                 FROM items l
                 WHERE l.owner_id = friend.friend_id AND l.status = 'listed' AND (l.listed_at, l.id) <= (friend.listed_at, friend.id)
                   AND l.listed_at >= (
                       SELECT CASE WHEN count(*) = $4 THEN min(f.listed_at) ELSE '-infinity' END FROM friend f
                   )
                   AND (NOT l.narrowed OR EXISTS (
                       SELECT FROM item_groups g
                       JOIN group_members m ON m.owner_id = friend.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                       WHERE g.item_id = l.id
                   ))
                 ORDER BY l.listed_at DESC, l.id DESC
                 LIMIT $4
             ) open
             ORDER BY open.listed_at DESC, open.id DESC
             LIMIT $4
         ) k ON k.id = i.id
         ORDER BY k.listed_at DESC, k.id DESC
         LIMIT $4",
        member.0,
        before.0,
        before.1,
        limit,
    ))
}

/// The same of one category, which has an index of its own.
pub async fn feed_of(
    conn: &mut PgConnection,
    member: MemberId,
    category: Category,
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Whole>> {
    Ok(wholes!(
        conn,
        "JOIN (
             WITH friend AS MATERIALIZED (
                 SELECT s.friend_id, newest.listed_at, newest.id
                 FROM friendships s
                 CROSS JOIN LATERAL (
                     SELECT l.listed_at, l.id
                     FROM items l
                     WHERE l.owner_id = s.friend_id AND l.status = 'listed' AND l.category = $5 AND (l.listed_at, l.id) < ($2, $3)
                       AND (NOT l.narrowed OR EXISTS (
                           SELECT FROM item_groups g
                           JOIN group_members m ON m.owner_id = s.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                           WHERE g.item_id = l.id
                       ))
                     ORDER BY l.listed_at DESC, l.id DESC
                     LIMIT 1
                 ) newest
                 WHERE s.member_id = $1
                 ORDER BY newest.listed_at DESC, newest.id DESC
                 LIMIT $4
             )
             SELECT open.listed_at, open.id
             FROM friend
             CROSS JOIN LATERAL (
                 SELECT l.listed_at, l.id
                 FROM items l
                 WHERE l.owner_id = friend.friend_id AND l.status = 'listed' AND l.category = $5
                   AND (l.listed_at, l.id) <= (friend.listed_at, friend.id)
                   AND l.listed_at >= (
                       SELECT CASE WHEN count(*) = $4 THEN min(f.listed_at) ELSE '-infinity' END FROM friend f
                   )
                   AND (NOT l.narrowed OR EXISTS (
                       SELECT FROM item_groups g
                       JOIN group_members m ON m.owner_id = friend.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                       WHERE g.item_id = l.id
                   ))
                 ORDER BY l.listed_at DESC, l.id DESC
                 LIMIT $4
             ) open
             ORDER BY open.listed_at DESC, open.id DESC
             LIMIT $4
         ) k ON k.id = i.id
         ORDER BY k.listed_at DESC, k.id DESC
         LIMIT $4",
        member.0,
        before.0,
        before.1,
        limit,
        category as Category,
    ))
}

/// The items that one friend of a member lists, the newest first, before a key.
pub async fn feed_by(
    conn: &mut PgConnection,
    member: MemberId,
    (owner, category): (MemberId, Option<Category>),
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Whole>> {
    Ok(wholes!(
        conn,
        "JOIN (
             SELECT l.listed_at, l.id
             FROM friendships s
             JOIN items l ON l.owner_id = s.friend_id AND l.status = 'listed' AND (l.listed_at, l.id) < ($2, $3)
             WHERE s.member_id = $1 AND s.friend_id = $5 AND ($6::text IS NULL OR l.category = $6)
               AND (NOT l.narrowed OR EXISTS (
                   SELECT FROM item_groups g
                   JOIN group_members m ON m.owner_id = s.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                   WHERE g.item_id = l.id
               ))
             ORDER BY l.listed_at DESC, l.id DESC
             LIMIT $4
         ) k ON k.id = i.id
         ORDER BY k.listed_at DESC, k.id DESC
         LIMIT $4",
        member.0,
        before.0,
        before.1,
        limit,
        owner.0,
        category as Option<Category>,
    ))
}

/// What friends of a member list in which each of some words is found: as text in title or description, or, where it bears one, with a typo.
/// Gone through from the newest on, until the page is full.
pub async fn feed_with(
    conn: &mut PgConnection,
    member: MemberId,
    (terms, category, owner): (&Terms, Option<Category>, Option<MemberId>),
    before: (OffsetDateTime, Uuid),
    limit: i64,
) -> Result<Vec<Whole>> {
    Ok(wholes!(
        conn,
        "JOIN (
             SELECT open.listed_at, open.id
             FROM (
                 SELECT newest.listed_at, newest.id,
                        row_number() OVER (ORDER BY newest.listed_at DESC, newest.id DESC) <= $9 AS is_new
                 FROM (
                     SELECT own.listed_at, own.id
                     FROM friendships s
                     CROSS JOIN LATERAL (
                         SELECT l.listed_at, l.id
                         FROM items l
                         WHERE l.owner_id = s.friend_id AND l.status = 'listed' AND (l.listed_at, l.id) < ($2, $3)
                           AND ($5::text IS NULL OR l.category = $5)
                           AND (NOT l.narrowed OR EXISTS (
                               SELECT FROM item_groups g
                               JOIN group_members m ON m.owner_id = s.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                               WHERE g.item_id = l.id
                           ))
                         ORDER BY l.listed_at DESC, l.id DESC
                         LIMIT $8
                     ) own
                     WHERE s.member_id = $1 AND ($14::uuid IS NULL OR s.friend_id = $14)
                     ORDER BY own.listed_at DESC, own.id DESC
                     LIMIT $8
                 ) newest
             ) open
             CROSS JOIN LATERAL (
                 SELECT t.found_by AS words
                 FROM items t
                 WHERE t.id = open.id
                 LIMIT 1
             ) t
             WHERE NOT EXISTS (
                 SELECT FROM unnest($6::text[], $7::boolean[], $11::text[], $15::text[]) AS w (word, tolerant, alike, also)
                 WHERE strpos(t.words, w.word) = 0 AND (w.also IS NULL OR strpos(t.words, w.also) = 0)
                   AND NOT (
                       w.tolerant AND open.is_new
                       AND word_similarity(w.alike, translate(left(t.words, $10), $12, $13)) >= 0.5
                   )
             )
             ORDER BY open.listed_at DESC, open.id DESC
             LIMIT $4
         ) k ON k.id = i.id
         ORDER BY k.listed_at DESC, k.id DESC
         LIMIT $4",
        member.0,
        before.0,
        before.1,
        limit,
        category as Option<Category>,
        &terms.words,
        &terms.tolerant,
        SEARCHED_MAX,
        TYPOS_OF_MAX,
        TYPOS_IN_MAX,
        &terms.alike,
        terms.letters,
        terms.stand_ins,
        owner.map(|owner| owner.0),
        &terms.also as _,
    ))
}
