//! Who the members of a favor's story are, to one who reads it.

use super::super::People;
use crate::{
    error::Result,
    identity::Shown,
    ids::{MemberId, PictureId},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// What a viewer may be shown of these members, who may be named twice. Whom the viewer has blocked, or who has blocked them, is as one who left, but for
/// the one with whom something is going on.
pub async fn people(conn: &mut PgConnection, viewer: MemberId, members: &[MemberId], going_on_with: Option<MemberId>) -> Result<People> {
    let ids: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    let rows = sqlx::query!(
        r#"SELECT m.id, m.email, m.given_name, m.family_name, m.display_name, m.picture,
                  EXISTS (SELECT FROM friendships s WHERE s.member_id = $2 AND s.friend_id = m.id) AS "friend!"
           FROM members m
           WHERE m.id = ANY($1) AND m.status = 'confirmed'
             AND (
                 m.id = $3
                 OR NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = m.id AND b.other_id = $2)
                    AND NOT EXISTS (SELECT FROM blocks b WHERE b.member_id = $2 AND b.other_id = m.id)
             )
           LIMIT cardinality($1)"#,
        &ids,
        viewer.0,
        going_on_with.map(|member| member.0),
    )
    .fetch_all(conn)
    .await?;
    let mut people = People::default();
    for row in rows {
        let shown = Shown {
            id: MemberId(row.id),
            email: row.email,
            given_name: row.given_name,
            family_name: row.family_name,
            display_name: row.display_name,
            picture: PictureId::kept(row.picture.as_deref()),
        };
        if row.friend {
            people.friends.insert(shown.id);
        }
        people.members.insert(shown.id, shown);
    }
    Ok(people)
}
