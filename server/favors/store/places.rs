//! Where favors stand for members: the rows that every list is read from. Written under the favor's lock, after every change to it.

use super::super::{Answer, Crowd, Favor, FavorStatus, Place, Standing, rules};
use crate::{
    error::Result,
    ids::{FavorId, MemberId},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// Writes the places of a favor, by what was read of it.
pub async fn set_places(conn: &mut PgConnection, favor: &Favor, crowd: &Crowd) -> Result<()> {
    write(conn, &[Standing::of(favor, crowd)]).await
}

/// Writes those of many, as far as they are there still.
pub async fn set_places_of(conn: &mut PgConnection, favors: &[FavorId]) -> Result<()> {
    let standing = standing(conn, favors).await?;
    write(conn, &standing).await
}

async fn standing(conn: &mut PgConnection, favors: &[FavorId]) -> Result<Vec<Standing>> {
    let favors: Vec<Uuid> = favors.iter().map(|f| f.0).collect();
    let rows = sqlx::query!(
        r#"SELECT f.id, f.creator_id, f.status AS "status: FavorStatus", f.helper_id, f.responses, f.max_responses,
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
    });
    Ok(standing.collect())
}

/// Brings the rows of these favors to what the rules say: those that differ are written, and those of who knows of one no longer go.
async fn write(conn: &mut PgConnection, standing: &[Standing]) -> Result<()> {
    let favors: Vec<Uuid> = standing.iter().map(|s| s.favor.0).collect();
    let (mut of, mut members, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for favor in standing {
        for (member, place) in rules::places(favor) {
            of.push(favor.favor.0);
            members.push(member.0);
            places.push(place);
        }
    }
    sqlx::query!(
        "WITH placed AS MATERIALIZED (
             SELECT p.favor_id, p.member_id, p.place, f.due_key, CASE WHEN p.member_id = f.creator_id THEN f.updated_at END AS changed_at
             FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS p (favor_id, member_id, place)
             JOIN favors f ON f.id = p.favor_id
         ), gone AS (
             DELETE FROM favor_places o
             WHERE o.favor_id = ANY($1)
               AND NOT EXISTS (SELECT FROM placed p WHERE p.favor_id = o.favor_id AND p.member_id = o.member_id)
         )
         INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
         SELECT p.favor_id, p.member_id, p.place, p.due_key, p.changed_at
         FROM placed p
         LEFT JOIN favor_places o ON o.favor_id = p.favor_id AND o.member_id = p.member_id
         WHERE (o.place, o.due_key, o.changed_at) IS DISTINCT FROM (p.place, p.due_key, p.changed_at)
         ON CONFLICT (favor_id, member_id) DO UPDATE
         SET place = excluded.place, due_key = excluded.due_key, changed_at = excluded.changed_at",
        &favors,
        &of,
        &members,
        &places as &[Place],
    )
    .execute(conn)
    .await?;
    Ok(())
}
