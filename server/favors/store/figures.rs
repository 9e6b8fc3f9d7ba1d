//! What is counted of favors.

use super::super::{Ahead, Category};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
    money::{Cents, Currency},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// How many open favors a creator has.
pub async fn count_open(conn: &mut PgConnection, creator: MemberId) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!"
           FROM favor_places
           WHERE member_id = $1 AND place = 'own_open'
           LIMIT 1"#,
        creator.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

/// What is counted of a member's favors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Posted by the member.
    pub posted: i64,
    /// Of those, completed or settled.
    pub completed: i64,
}

/// How many favors a member posted, and how many of them were completed or settled.
pub async fn counts(conn: &mut PgConnection, member: MemberId) -> Result<Counts> {
    let counts = sqlx::query_as!(
        Counts,
        r#"SELECT count(*) AS "posted!", count(*) FILTER (WHERE status IN ('completed', 'settled')) AS "completed!"
           FROM favors
           WHERE creator_id = $1 AND posted_at IS NOT NULL
           LIMIT 1"#,
        member.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(counts)
}

/// The tips of settled favors that a member helped with, in the order of the currencies, without zeros.
pub async fn earnings(conn: &mut PgConnection, member: MemberId) -> Result<Vec<(Currency, Cents)>> {
    let rows = sqlx::query!(
        r#"SELECT currency AS "currency: Currency", sum(tip_cents)::bigint AS "cents!"
           FROM favors
           WHERE helper_id = $1 AND status = 'settled'
           GROUP BY currency
           HAVING sum(tip_cents) > 0
           LIMIT 10"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    let mut earnings: Vec<_> = rows.into_iter().map(|r| (r.currency, Cents::from_cents(r.cents))).collect();
    earnings.sort();
    Ok(earnings)
}

/// The open favors that a member posted or helps with and that begin from then on, the soonest first.
pub async fn ahead(conn: &mut PgConnection, member: MemberId, from: OffsetDateTime, limit: i64) -> Result<Vec<Ahead>> {
    let rows = sqlx::query!(
        r#"SELECT f.id, f.title, f.start_at AS "at!"
           FROM favor_places p
           JOIN favors f ON f.id = p.favor_id
           WHERE p.member_id = $1 AND p.place IN ('own_open', 'helping') AND f.status IN ('active', 'accepted') AND f.start_at >= $2
           ORDER BY f.start_at, f.id
           LIMIT $3"#,
        member.0,
        from,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| Ahead { id: FavorId(r.id), title: r.title, at: r.at }).collect())
}

/// How many favors that a member posted or was asked for were posted since then, by category, the most first.
pub async fn posted_since(conn: &mut PgConnection, member: MemberId, since: OffsetDateTime) -> Result<Vec<(Category, i64)>> {
    // A favor changed when it was posted, if not later: the creator's are found by that.
    let rows = sqlx::query!(
        r#"SELECT p.category AS "category!: Category", count(*) AS "count!"
           FROM (
               SELECT f.category
               FROM favor_places p
               JOIN favors f ON f.id = p.favor_id
               WHERE p.member_id = $1 AND p.place IN ('own_open', 'own_completed', 'own_cancelled') AND p.changed_at >= $2
                 AND f.posted_at >= $2
               UNION ALL
               SELECT f.category
               FROM favor_recipients r
               JOIN favors f ON f.id = r.favor_id
               WHERE r.member_id = $1 AND r.asked_at >= $2 AND f.posted_at >= $2
           ) p
           GROUP BY p.category
           ORDER BY count(*) DESC, p.category
           LIMIT 4"#,
        member.0,
        since,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| (r.category, r.count)).collect())
}
