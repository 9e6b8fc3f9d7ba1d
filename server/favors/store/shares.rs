//! Which friends have not read that a favor asks all of them. Reads friendships and notifications.

use crate::{error::Result, ids::MemberId, pb::notifications::NotificationType};
use sqlx::PgConnection;
use uuid::Uuid;

/// Those of a creator's friends who have not read of what it was about.
pub async fn unread_shares(conn: &mut PgConnection, creator: MemberId, about: Uuid) -> Result<Vec<MemberId>> {
    let friends = sqlx::query_scalar!(
        "SELECT s.friend_id
         FROM friendships s
         JOIN notifications n ON n.member_id = s.friend_id AND coalesce(n.about_id, n.target_id) = $2 AND n.type = $3 AND n.read_at IS NULL
         WHERE s.member_id = $1
         LIMIT 1000",
        creator.0,
        about,
        NotificationType::FavorShared as i32,
    )
    .fetch_all(conn)
    .await?;
    Ok(friends.into_iter().map(MemberId).collect())
}

/// Unread news of each of two members about the other's favors, with the favor each is about.
pub async fn shares_between(conn: &mut PgConnection, one: MemberId, other: MemberId) -> Result<Vec<(MemberId, Uuid)>> {
    let rows = sqlx::query!(
        r#"SELECT n.member_id, n.about_id AS "about_id!"
           FROM (VALUES ($1::uuid, $2::uuid), ($2, $1)) AS pair (member_id, actor_id)
           JOIN notifications n ON n.member_id = pair.member_id AND n.actor_id = pair.actor_id
           WHERE n.type = $3 AND n.about_id IS NOT NULL AND n.read_at IS NULL
           LIMIT 10000"#,
        one.0,
        other.0,
        NotificationType::FavorShared as i32,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (MemberId(row.member_id), row.about_id)).collect())
}
