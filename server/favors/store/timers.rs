//! When the times of favors fall due.

use super::super::{FavorStatus, timers::schedule::Timed};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// A favor, as its times depend on it. For writing, under its lock.
pub async fn timed(conn: &mut PgConnection, id: FavorId) -> Result<Option<Timed>> {
    let row = sqlx::query!(
        r#"SELECT f.title, f.creator_id, f.helper_id, f.status AS "status: FavorStatus", f.start_at, f.confirm_at, f.lapsed_start, f.timer_at,
                  c.time_zone AS "creator_zone?", h.time_zone AS "helper_zone?"
           FROM favors f
           LEFT JOIN members c ON c.id = f.creator_id AND c.status = 'confirmed'
           LEFT JOIN members h ON h.id = f.helper_id AND h.status = 'confirmed'
           WHERE f.id = $1
           LIMIT 1"#,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Timed {
        id,
        title: row.title,
        creator: MemberId(row.creator_id),
        helper: row.helper_id.map(MemberId),
        creator_zone: row.creator_zone,
        helper_zone: row.helper_zone,
        status: row.status,
        start: row.start_at,
        confirm: row.confirm_at,
        lapsed_start: row.lapsed_start,
        timer_at: row.timer_at,
    }))
}

/// Writes when the next of a favor's times falls due, and by which start it has lapsed.
pub async fn set_timer(conn: &mut PgConnection, id: FavorId, next: Option<OffsetDateTime>, lapsed: Option<OffsetDateTime>) -> Result<()> {
    sqlx::query!("UPDATE favors SET timer_at = $2, lapsed_start = $3 WHERE id = $1", id.0, next, lapsed).execute(conn).await?;
    Ok(())
}

/// Has a member's accepted favors, those that wait for what is first, wait for nothing but to be looked at; locked in the order of their ids.
pub async fn time_anew(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime, limit: i64) -> Result<Vec<FavorId>> {
    let rows = sqlx::query!(
        "WITH ahead AS (
             SELECT f.id
             FROM favor_places p
             JOIN favors f ON f.id = p.favor_id
             WHERE p.member_id = $1 AND p.place IN ('own_open', 'helping') AND f.status = 'accepted' AND f.timer_at > $2
             ORDER BY f.timer_at
             LIMIT $3
         ), locked AS (
             SELECT f.id FROM favors f WHERE f.id IN (SELECT id FROM ahead) ORDER BY f.id FOR UPDATE
         )
         UPDATE favors f SET timer_at = $2 FROM locked WHERE f.id = locked.id AND f.status = 'accepted' AND f.timer_at > $2
         RETURNING f.id",
        member.0,
        now,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| FavorId(row.id)).collect())
}

/// The instant for which a favor's job waits.
pub async fn timer_at(conn: &mut PgConnection, id: FavorId) -> Result<Option<OffsetDateTime>> {
    let at = sqlx::query_scalar!("SELECT timer_at FROM favors WHERE id = $1 LIMIT 1", id.0).fetch_optional(conn).await?;
    Ok(at.flatten())
}

/// Open favors of whose times some were missed, those that have waited for longest first.
pub async fn overdue(conn: &mut PgConnection, before: OffsetDateTime, limit: i64) -> Result<Vec<(FavorId, OffsetDateTime)>> {
    let rows = sqlx::query!(
        r#"SELECT id, timer_at AS "timer_at!"
           FROM favors
           WHERE status IN ('active', 'accepted') AND timer_at <= $1
           ORDER BY timer_at
           LIMIT $2"#,
        before,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (FavorId(row.id), row.timer_at)).collect())
}
