//! Who the members around some favors are, to one of them: their accounts, what they helped with, and whose friends they are, in one
//! statement.

use super::super::People;
use crate::{error::Result, identity::Member, ids::MemberId};
use sqlx::PgConnection;
use uuid::Uuid;

/// What a viewer may be shown of these members, who may be named twice; what they helped with is counted of the `creators` alone.
pub async fn people(conn: &mut PgConnection, viewer: MemberId, members: &[MemberId], creators: &[MemberId]) -> Result<People> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let creators: Vec<Uuid> = creators.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        r#"SELECT m.id, m.email, m.given_name, m.family_name, m.display_name, m.picture, m.time_zone, m.created_at, m.profile_changed_at,
                  CASE WHEN m.id = ANY($3) THEN (
                      SELECT count(*)
                      FROM favors h
                      WHERE h.helper_id = m.id AND h.status IN ('completed', 'settled')
                  ) ELSE 0 END AS "helped!",
                  EXISTS (SELECT FROM friendships s WHERE s.member_id = $2 AND s.friend_id = m.id) AS "friend!"
           FROM members m
           WHERE m.id = ANY($1) AND m.status = 'confirmed'
           LIMIT cardinality($1)"#,
        &ids,
        viewer.0,
        &creators,
    )
    .fetch_all(conn)
    .await?;
    let mut people = People::default();
    for row in rows {
        let member = Member {
            id: MemberId(row.id),
            email: row.email,
            given_name: row.given_name,
            family_name: row.family_name,
            display_name: row.display_name,
            picture_url: row.picture.unwrap_or_default(),
            time_zone: row.time_zone,
            created_at: row.created_at,
            profile_changed_at: row.profile_changed_at,
        };
        people.helped.insert(member.id, row.helped);
        if row.friend {
            people.friends.insert(member.id);
        }
        people.members.insert(member.id, member);
    }
    Ok(people)
}
