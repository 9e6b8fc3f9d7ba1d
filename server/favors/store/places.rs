//! Where favors stand for members: the rows that every list is read from. Written under the favor's lock, after every change to it.

use super::super::{Answer, Crowd, Favor, FavorStatus, Place, Standing, rules};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// One whose help was not needed, and may be again.
pub struct Again {
    /// With which favor.
    pub favor: FavorId,
    /// Who asks.
    pub creator: MemberId,
    /// Whose.
    pub member: MemberId,
}

/// Writes the places of a favor, by what was read of it. Who may help again, though somebody else was to.
pub async fn set_places(conn: &mut PgConnection, favor: &Favor, crowd: &Crowd) -> Result<Vec<MemberId>> {
    Ok(write(conn, &[Standing::of(favor, crowd)]).await?.into_iter().map(|again| again.member).collect())
}

/// Writes those of many, as far as they are there still. Who may help again with which.
pub async fn set_places_of(conn: &mut PgConnection, favors: &[FavorId]) -> Result<Vec<Again>> {
    let standing = standing(conn, favors).await?;
    write(conn, &standing).await
}

async fn standing(conn: &mut PgConnection, favors: &[FavorId]) -> Result<Vec<Standing>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query!(
        r#"SELECT f.id, f.creator_id, f.status AS "status: FavorStatus", f.helper_id, f.responses, f.max_responses,
                  coalesce(f.status = 'active' AND f.lapsed_start = f.start_at, false) AS "lapsed!",
                  ARRAY(SELECT a.member_id FROM favor_applicants a WHERE a.favor_id = f.id AND a.applied_at IS NOT NULL ORDER BY a.turn)
                      AS "applicants!",
                  ARRAY(SELECT r.member_id FROM favor_recipients r WHERE r.favor_id = f.id AND r.asked_at IS NOT NULL ORDER BY r.position)
                      AS "asked!",
                  ARRAY(SELECT r.answer FROM favor_recipients r WHERE r.favor_id = f.id AND r.asked_at IS NOT NULL ORDER BY r.position)
                      AS "answers!: Vec<Option<Answer>>"
           FROM favors f
           WHERE f.id = ANY($1)
           LIMIT cardinality($1)"#,
        &favors,
    )
    .fetch_all(conn)
    .await?;
    let standing = rows.into_iter().map(|row| Standing {
        favor: FavorId(row.id),
        creator: MemberId(row.creator_id),
        status: row.status,
        helper: row.helper_id.map(MemberId),
        responses: row.responses,
        max_responses: row.max_responses,
        applicants: row.applicants.into_iter().map(MemberId).collect(),
        asked: row.asked.into_iter().map(MemberId).zip(row.answers).collect(),
        lapsed: row.lapsed,
    });
    Ok(standing.collect())
}

/// Brings the rows of these favors to what the rules say: those that differ are written, and those of who knows of one no longer go.
/// Those whose help was not needed, and may be again.
async fn write(conn: &mut PgConnection, standing: &[Standing]) -> Result<Vec<Again>> {
    let favors: Vec<Uuid> = standing.iter().map(|s| s.favor.0).collect();
    let (mut of, mut members, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for favor in standing {
        for (member, place) in rules::places(favor) {
            of.push(favor.favor.0);
            members.push(member.0);
            places.push(place);
        }
    }
    let rows = sqlx::query!(
        r#"WITH placed AS MATERIALIZED (
             SELECT p.favor_id, p.member_id, p.place, f.creator_id, f.due_key, CASE WHEN p.member_id = f.creator_id THEN f.updated_at END AS changed_at
             FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS p (favor_id, member_id, place)
             JOIN favors f ON f.id = p.favor_id
         ), gone AS (
             DELETE FROM favor_places o
             WHERE o.favor_id = ANY($1)
               AND NOT EXISTS (SELECT FROM placed p WHERE p.favor_id = o.favor_id AND p.member_id = o.member_id)
         ), changed AS MATERIALIZED (
             SELECT p.*, o.place AS was
             FROM placed p
             LEFT JOIN favor_places o ON o.favor_id = p.favor_id AND o.member_id = p.member_id
             WHERE (o.place, o.due_key, o.changed_at) IS DISTINCT FROM (p.place, p.due_key, p.changed_at)
         ), written AS (
             INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
             SELECT favor_id, member_id, place, due_key, changed_at
             FROM changed
             ON CONFLICT (favor_id, member_id) DO UPDATE
             SET place = excluded.place, due_key = excluded.due_key, changed_at = excluded.changed_at
         )
         SELECT favor_id AS "favor_id!", creator_id AS "creator_id!", member_id AS "member_id!"
         FROM changed
         WHERE was IN ('taken', 'not_chosen') AND place IN ('pending', 'offered', 'applied')
         LIMIT cardinality($3)"#,
        &favors,
        &of,
        &members,
        &places as &[Place],
    )
    .fetch_all(conn)
    .await?;
    let again = rows.into_iter().map(|row| Again {
        favor: FavorId(row.favor_id),
        creator: MemberId(row.creator_id),
        member: MemberId(row.member_id),
    });
    Ok(again.collect())
}
