//! Every SQL statement on profiles and problem_reports.

pub mod reports;

use super::Kept;
use crate::{error::Result, ids::MemberId, items::Repute, rentals::Ratings};
use sqlx::PgConnection;
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

/// What is kept of a member; what is kept of everybody where nothing was written yet.
pub async fn kept(conn: &mut PgConnection, member: MemberId) -> Result<Kept> {
    let row = sqlx::query_as!(
        Kept,
        r#"SELECT country_code AS country, venmo, paypal, phone_step_done_at IS NOT NULL AS "phone_step_done!"
           FROM profiles
           WHERE member_id = $1
           LIMIT 1"#,
        member.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.unwrap_or_default())
}

/// Writes it. The step that asks for a number stays done since the first time. Under the member's lock.
pub async fn put(conn: &mut PgConnection, member: MemberId, kept: &Kept, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO profiles AS p (member_id, country_code, venmo, paypal, phone_step_done_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (member_id) DO UPDATE
         SET country_code = $2, venmo = $3, paypal = $4, phone_step_done_at = coalesce(p.phone_step_done_at, $5)",
        member.0,
        kept.country,
        kept.venmo,
        kept.paypal,
        kept.phone_step_done.then_some(now),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes it.
pub async fn remove(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM profiles WHERE member_id = $1", member.0).execute(conn).await?;
    Ok(())
}

/// How many favors each of these members helped with that were completed or settled, and the mean of the ratings that they were given in rentals.
pub async fn reputes(conn: &mut PgConnection, members: &[MemberId]) -> Result<HashMap<MemberId, Repute>> {
    let members: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        r#"SELECT m.id AS "id!",
                  (
                      SELECT count(*)
                      FROM favors f
                      WHERE f.helper_id = m.id AND f.status IN ('completed', 'settled')
                  ) AS "favors_completed!",
                  coalesce(g.count, 0) AS "ratings!", coalesce(g.total, 0) AS "rated!"
           FROM unnest($1::uuid[]) AS m (id)
           LEFT JOIN member_ratings g ON g.member_id = m.id
           LIMIT cardinality($1)"#,
        &members,
    )
    .fetch_all(conn)
    .await?;
    let repute = |ratings: Ratings, favors_completed| Repute { rating: ratings.mean(), favors_completed };
    let of = |count: i32, total| Ratings { count: count.into(), total };
    Ok(rows.into_iter().map(|row| (MemberId(row.id), repute(of(row.ratings, row.rated), row.favors_completed))).collect())
}
