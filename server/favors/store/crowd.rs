//! Those who offer help, and those who promised it: who they are, who steps back and who moves up. What writes does so under the favor's lock.

use super::{
    super::{Applicant, Crowd, Favor, FavorStatus, RequestType},
    changes::one,
    recipients, shown,
};
use crate::{
    error::{Error, Reason, Result},
    identity::Shown,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// The most who offer help for a favor at once.
const APPLICANTS_MAX: i64 = 100;

/// Favors with those who offer help and the back-ups, as far as the viewer may know them: of their own all, of others' themself. Where none of
/// these favors can have any, nothing is asked.
pub async fn around(conn: &mut PgConnection, viewer: Uuid, mut favors: Vec<Favor>) -> Result<Vec<Favor>> {
    let is_open = |f: &Favor| f.status == FavorStatus::Active && f.content.request_type == RequestType::Public;
    let open: Vec<Uuid> = favors.iter().filter(|f| is_open(f) && (f.applies || f.creator.0 == viewer)).map(|f| f.id.0).collect();
    if !open.is_empty() {
        let found = applicants(conn, viewer, &open).await?;
        for (favor, applicant) in found {
            favors.iter_mut().filter(|f| f.id == favor).for_each(|f| f.applicants.push(applicant.clone()));
        }
    }
    let backed: Vec<Uuid> = favors.iter().filter(|f| f.responses > 1).map(|f| f.id.0).collect();
    if !backed.is_empty() {
        for (favor, back_up) in back_ups(conn, viewer, &backed).await? {
            favors.iter_mut().filter(|f| f.id == favor).for_each(|f| f.back_ups.push(back_up.clone()));
        }
    }
    Ok(favors)
}

async fn applicants(conn: &mut PgConnection, viewer: Uuid, favors: &[Uuid]) -> Result<Vec<(FavorId, Applicant)>> {
    let rows = sqlx::query!(
        r#"SELECT a.favor_id, a.member_id, a.message, a.applied_at AS "applied_at!", m.email AS "email?", m.given_name AS "given_name?",
                  m.family_name AS "family_name?", m.display_name, m.picture
           FROM favor_applicants a
           JOIN favors f ON f.id = a.favor_id
           JOIN members m ON m.id = a.member_id AND m.status = 'confirmed'
           WHERE a.favor_id = ANY($1) AND a.applied_at IS NOT NULL AND $2 IN (f.creator_id, a.member_id)
           ORDER BY a.favor_id, a.turn
           LIMIT 100 * cardinality($1)"#,
        favors,
        viewer,
    )
    .fetch_all(conn)
    .await?;
    let found = rows.into_iter().filter_map(|r| {
        let shown = shown(r.member_id, (r.email, r.given_name, r.family_name, r.display_name, r.picture))?;
        Some((FavorId(r.favor_id), Applicant { shown, message: r.message, applied_at: r.applied_at }))
    });
    Ok(found.collect())
}

async fn back_ups(conn: &mut PgConnection, viewer: Uuid, favors: &[Uuid]) -> Result<Vec<(FavorId, Shown)>> {
    let rows = sqlx::query!(
        r#"SELECT r.favor_id, r.member_id, m.email AS "email?", m.given_name AS "given_name?", m.family_name AS "family_name?",
                  m.display_name, m.picture
           FROM favor_recipients r
           JOIN favors f ON f.id = r.favor_id
           JOIN members m ON m.id = r.member_id AND m.status = 'confirmed'
           WHERE r.favor_id = ANY($1) AND r.answer = 'accept' AND r.member_id <> f.helper_id AND $2 IN (f.creator_id, r.member_id)
             AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = r.member_id AND b.other_id = $2)
             AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $2 AND b.other_id = r.member_id)
           ORDER BY r.favor_id, r.turn
           LIMIT 100 * cardinality($1)"#,
        favors,
        viewer,
    )
    .fetch_all(conn)
    .await?;
    let found = rows.into_iter().filter_map(|r| {
        let columns = (r.email, r.given_name, r.family_name, r.display_name, r.picture);
        Some((FavorId(r.favor_id), shown(r.member_id, columns)?))
    });
    Ok(found.collect())
}

/// All whom a favor concerns beside its creator.
pub async fn crowd(conn: &mut PgConnection, id: FavorId) -> Result<Crowd> {
    let applicants = sqlx::query_scalar!(
        "SELECT member_id
         FROM favor_applicants
         WHERE favor_id = $1 AND applied_at IS NOT NULL
         ORDER BY turn
         LIMIT 100",
        id.0,
    )
    .fetch_all(&mut *conn)
    .await?;
    let applicants = applicants.into_iter().map(MemberId).collect();
    Ok(Crowd { recipients: recipients(conn, id).await?, applicants, again: Vec::new() })
}

/// Notes that a member offers help, or with which other words.
///
/// # Errors
/// LIMIT_REACHED when too many do.
pub async fn apply(conn: &mut PgConnection, id: FavorId, member: MemberId, words: &str, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "INSERT INTO favor_applicants AS a (favor_id, member_id, turn, applied_at, message)
         SELECT $1, $2, coalesce(max(o.turn), 0) + 1, $3, $4
         FROM favor_applicants o
         WHERE o.favor_id = $1
         HAVING count(*) FILTER (WHERE o.applied_at IS NOT NULL AND o.member_id <> $2) < $5
         ON CONFLICT (favor_id, member_id) DO UPDATE
         SET message = excluded.message,
             changes = a.changes + (a.applied_at IS NOT NULL)::integer,
             turn = CASE WHEN a.applied_at IS NULL THEN excluded.turn ELSE a.turn END,
             applied_at = coalesce(a.applied_at, excluded.applied_at)",
        id.0,
        member.0,
        now,
        words,
        APPLICANTS_MAX,
    )
    .execute(conn)
    .await?;
    match written.rows_affected() {
        0 => Err(Error::new(Reason::LimitReached, format!("{APPLICANTS_MAX} people have already offered to help"))),
        _ => Ok(()),
    }
}

/// Takes an offer of help back.
pub async fn take_back(conn: &mut PgConnection, id: FavorId, member: MemberId) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favor_applicants
         SET applied_at = NULL, message = '', withdrawn = withdrawn + 1
         WHERE favor_id = $1 AND member_id = $2 AND applied_at IS NOT NULL",
        id.0,
        member.0,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Forgets that these members offer help: they are asked.
pub async fn remove_applicants(conn: &mut PgConnection, id: FavorId, members: &[MemberId]) -> Result<()> {
    let members: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    sqlx::query!(
        "DELETE FROM favor_applicants
         WHERE favor_id = $1 AND member_id = ANY($2)",
        id.0,
        &members,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes back what somebody promised: from then on they have declined. However often they did: a helper can always step back.
pub async fn step_back(conn: &mut PgConnection, id: FavorId, member: MemberId, words: &str, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favor_recipients
         SET answer = 'decline', message = $3, answered_at = $4, turn = NULL, withdrawn = least(withdrawn + 1, 5)
         WHERE favor_id = $1 AND member_id = $2 AND answer = 'accept'",
        id.0,
        member.0,
        words,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// The first back-up, once the helper has stepped back.
pub async fn next_in_line(conn: &mut PgConnection, id: FavorId) -> Result<Option<MemberId>> {
    let heir = sqlx::query_scalar!(
        "SELECT member_id
         FROM favor_recipients
         WHERE favor_id = $1 AND answer = 'accept'
         ORDER BY turn
         LIMIT 1",
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(heir.map(MemberId))
}

/// Makes a back-up the helper in another one's place.
pub async fn hand_over(conn: &mut PgConnection, id: FavorId, from: MemberId, to: MemberId, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favors
         SET helper_id = $3, accepted_at = $4, responses = responses - 1, updated_at = greatest($4, updated_at + interval '1 microsecond')
         WHERE id = $1 AND status = 'accepted' AND helper_id = $2",
        id.0,
        from.0,
        to.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Makes a favor active again that nobody helps with any more.
pub async fn reopen(conn: &mut PgConnection, id: FavorId, helper: MemberId, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favors
         SET status = 'active', helper_id = NULL, accepted_at = NULL, responses = 0,
             updated_at = greatest($3, updated_at + interval '1 microsecond')
         WHERE id = $1 AND status = 'accepted' AND helper_id = $2",
        id.0,
        helper.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Counts one more back-up. What they answer moves nothing: the version stays.
pub async fn add_response(conn: &mut PgConnection, id: FavorId) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favors SET responses = responses + 1 WHERE id = $1 AND status = 'accepted' AND responses < max_responses",
        id.0,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}

/// Counts one back-up less.
pub async fn drop_response(conn: &mut PgConnection, id: FavorId) -> Result<()> {
    let written = sqlx::query!("UPDATE favors SET responses = responses - 1 WHERE id = $1 AND status = 'accepted' AND responses > 1", id.0)
        .execute(conn)
        .await?;
    one(written.rows_affected())
}

/// Notes that a tip did not arrive. That is between the two: it is no change that others see.
pub async fn report_missing_tip(conn: &mut PgConnection, id: FavorId, now: OffsetDateTime) -> Result<()> {
    let written = sqlx::query!(
        "UPDATE favors
         SET tip_missing_at = $2
         WHERE id = $1 AND status = 'settled' AND tip_missing_at IS NULL",
        id.0,
        now,
    )
    .execute(conn)
    .await?;
    one(written.rows_affected())
}
