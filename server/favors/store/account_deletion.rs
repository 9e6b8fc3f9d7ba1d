//! What becomes of a member's favors when they leave. All of it under the locks of all of them.

use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// How many favors are locked at once.
const LOCKED_AT_ONCE: i64 = 1000;

/// A favor that is open no longer, or lost a recipient.
pub struct Left {
    /// Its id.
    pub id: FavorId,
    /// Who asks.
    pub creator: MemberId,
    /// What is asked.
    pub title: String,
}

/// One who was asked.
pub struct Asked {
    /// For which favor.
    pub favor: FavorId,
    /// Who.
    pub member: MemberId,
    /// Whether they had declined.
    pub declined: bool,
}

/// One who is asked again.
pub struct AskedAgain {
    /// For which favor.
    pub favor: FavorId,
    /// Who.
    pub member: MemberId,
    /// By whom.
    pub creator: MemberId,
    /// The creator's name.
    pub creator_name: String,
    /// What is asked.
    pub title: String,
    /// When it starts.
    pub start: OffsetDateTime,
    /// The zone of who is asked.
    pub zone: String,
}

pub(super) struct AgainRow {
    pub favor_id: Uuid,
    pub member_id: Uuid,
    pub creator_id: Uuid,
    pub title: String,
    pub creator_name: String,
    pub start: OffsetDateTime,
    pub zone: String,
}

impl From<AgainRow> for AskedAgain {
    fn from(AgainRow { favor_id, member_id, creator_id, title, creator_name, start, zone }: AgainRow) -> Self {
        Self { favor: FavorId(favor_id), member: MemberId(member_id), creator: MemberId(creator_id), creator_name, title, start, zone }
    }
}

/// Locks every favor that a member asked, or was asked for, in the order of the ids.
pub async fn lock_all_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let locked = sqlx::query_scalar!(
            "SELECT id
             FROM favors
             WHERE id IN (
                 SELECT id FROM favors WHERE creator_id = $1
                 UNION ALL
                 SELECT favor_id FROM favor_recipients WHERE member_id = $1
                 UNION ALL
                 SELECT favor_id FROM favor_applicants WHERE member_id = $1
             ) AND id > $2
             ORDER BY id
             LIMIT $3
             FOR UPDATE",
            member.0,
            after,
            LOCKED_AT_ONCE,
        )
        .fetch_all(&mut *conn)
        .await?;
        match locked.last() {
            Some(last) => after = *last,
            None => return Ok(()),
        }
    }
}

/// Cancels the open favors that a member asked for, with the step of the story.
pub async fn cancel_open(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<Left>> {
    let rows = sqlx::query!(
        "UPDATE favors
         SET status = 'cancelled', cancelled_at = $2, updated_at = greatest($2, updated_at + interval '1 microsecond')
         WHERE creator_id = $1 AND status IN ('active', 'accepted')
         RETURNING id, creator_id, title",
        member.0,
        now,
    )
    .fetch_all(&mut *conn)
    .await?;
    let favors: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    add_step(conn, &favors, "cancelled", member, now).await?;
    Ok(rows.into_iter().map(|r| Left { id: FavorId(r.id), creator: MemberId(r.creator_id), title: r.title }).collect())
}

/// Who was asked for these favors.
pub async fn asked(conn: &mut PgConnection, favors: &[FavorId]) -> Result<Vec<Asked>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query!(
        r#"SELECT favor_id, member_id, answer IS NOT DISTINCT FROM 'decline' AS "declined!"
           FROM favor_recipients
           WHERE favor_id = ANY($1) AND asked_at IS NOT NULL
           ORDER BY favor_id, position"#,
        &favors,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|r| Asked { favor: FavorId(r.favor_id), member: MemberId(r.member_id), declined: r.declined }).collect())
}

/// What the member was to help with is open again, for all who had not declined. Its times are overdue, and seen to by a job.
pub async fn reopen_helped(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<FavorId>> {
    let favors = sqlx::query_scalar!(
        "UPDATE favors
         SET status = 'active', helper_id = NULL, accepted_at = NULL, responses = 0, timer_at = $2,
             updated_at = greatest($2, updated_at + interval '1 microsecond')
         WHERE helper_id = $1 AND status = 'accepted'
         RETURNING id",
        member.0,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(favors.into_iter().map(FavorId).collect())
}

/// Declines for a member what they were asked and had not declined, in favors that are open.
pub async fn decline_open(conn: &mut PgConnection, member: MemberId, now: OffsetDateTime) -> Result<Vec<Left>> {
    let rows = sqlx::query!(
        "UPDATE favor_recipients r
         SET answer = 'decline', answered_at = $2, message = ''
         FROM favors f
         WHERE f.id = r.favor_id AND r.member_id = $1 AND r.asked_at IS NOT NULL AND f.status = 'active'
           AND r.answer IS DISTINCT FROM 'decline'
         RETURNING f.id, f.creator_id, f.title",
        member.0,
        now,
    )
    .fetch_all(&mut *conn)
    .await?;
    let favors: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    add_step(conn, &favors, "declined", member, now).await?;
    Ok(rows.into_iter().map(|r| Left { id: FavorId(r.id), creator: MemberId(r.creator_id), title: r.title }).collect())
}

/// Who may help again with what was reopened, of favors whose time has not come, and had said nothing yet.
pub async fn asked_again(conn: &mut PgConnection, favors: &[FavorId], now: OffsetDateTime) -> Result<Vec<AskedAgain>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query_as!(
        AgainRow,
        r#"SELECT r.favor_id, r.member_id, f.creator_id, f.title, f.start_at AS "start!", m.time_zone AS zone,
                  coalesce(c.display_name, trim(c.given_name || ' ' || c.family_name)) AS "creator_name!"
           FROM favor_recipients r
           JOIN favors f ON f.id = r.favor_id
           JOIN members m ON m.id = r.member_id
           JOIN members c ON c.id = f.creator_id AND c.status = 'confirmed'
           WHERE r.favor_id = ANY($1) AND r.asked_at IS NOT NULL AND r.answer IS NULL AND f.start_at >= $2
           ORDER BY r.favor_id, r.position"#,
        &favors,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(AskedAgain::from).collect())
}

/// Takes a member from among those who were asked, but where they helped: clients know a helper by the first place there.
pub async fn leave_others(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "WITH removed AS (
             DELETE FROM favor_recipients r
             USING favors f
             WHERE f.id = r.favor_id AND r.member_id = $1 AND f.helper_id IS DISTINCT FROM $1
             RETURNING r.favor_id
         )
         DELETE FROM favor_places p
         USING removed r
         WHERE p.favor_id = r.favor_id AND p.member_id = $1",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Clears a member's words to others, and where they wanted help. What was asked stays: it is what the others did.
pub async fn forget_words(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "UPDATE favor_events e
         SET message = ''
         WHERE e.actor_id = $1 AND e.message <> ''",
        member.0,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!("UPDATE favor_recipients SET message = '' WHERE member_id = $1 AND message <> ''", member.0).execute(&mut *conn).await?;
    sqlx::query!("UPDATE favors SET location = '', located_by = '' WHERE creator_id = $1 AND location <> ''", member.0)
        .execute(conn)
        .await?;
    Ok(())
}

/// Removes the favors of a member that are nobody else's past: drafts too, of which nobody knows.
pub async fn remove_lonely(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM favors f
         WHERE f.id IN (
             SELECT id FROM favors WHERE creator_id = $1
             UNION ALL
             SELECT favor_id FROM favor_recipients WHERE member_id = $1
         ) AND NOT EXISTS (
             SELECT
             FROM (
                 SELECT f.creator_id AS id
                 UNION ALL
                 SELECT r.member_id FROM favor_recipients r WHERE r.favor_id = f.id AND r.asked_at IS NOT NULL
             ) p
             JOIN members m ON m.id = p.id AND m.status = 'confirmed'
             WHERE m.id <> $1
         )",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn add_step(conn: &mut PgConnection, favors: &[Uuid], kind: &str, actor: MemberId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
         SELECT f.id, (SELECT coalesce(max(e.step), 0) + 1 FROM favor_events e WHERE e.favor_id = f.id), $2, $3, $4, ''
         FROM unnest($1::uuid[]) AS f (id)",
        favors,
        kind,
        actor.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
