//! What is left in notifications of those who have left, or hide from who was told.

use crate::{
    error::Result,
    ids::MemberId,
    notifications::{Target, rules},
    pb::notifications::{NotificationType, TargetKind},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// Takes a member's name and words from what they caused: a sentence for each kind, and no way to them.
pub async fn forget_actor(conn: &mut PgConnection, actor: MemberId, sentences: &[(NotificationType, &str)]) -> Result<()> {
    let types: Vec<i32> = sentences.iter().map(|s| s.0 as i32).collect();
    let texts: Vec<String> = sentences.iter().map(|s| s.1.to_owned()).collect();
    sqlx::query!(
        "UPDATE notifications n
         SET message = coalesce(
                 (SELECT s.message FROM unnest($2::integer[], $3::text[]) AS s (type, message) WHERE s.type = n.type LIMIT 1),
                 $4
             ),
             action_required = false,
             mail = NULL,
             target_kind = CASE WHEN n.target_kind = ANY($5) THEN 0 ELSE n.target_kind END,
             target_id = CASE WHEN n.target_kind = ANY($5) THEN $6 ELSE n.target_id END
         WHERE n.actor_id = $1",
        actor.0,
        &types,
        &texts,
        rules::of_former(NotificationType::Unspecified),
        &[TargetKind::Member as i32, TargetKind::FriendRequest as i32],
        Uuid::nil(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The same of what a member was told by an actor, who has not left, of everything or of one thing: the row is nobody's then. Not where something is
/// expected in what goes on. How many.
pub async fn forget_told(
    conn: &mut PgConnection,
    (member, actor): (MemberId, MemberId),
    (of, goes_on): (Option<Target>, &[Target]),
    sentences: &[(NotificationType, &str)],
) -> Result<u64> {
    let types: Vec<i32> = sentences.iter().map(|s| s.0 as i32).collect();
    let texts: Vec<String> = sentences.iter().map(|s| s.1.to_owned()).collect();
    let (kinds, ids): (Vec<i32>, Vec<Uuid>) = goes_on.iter().map(|of| (of.0 as i32, of.1)).unzip();
    let forgotten = sqlx::query!(
        "UPDATE notifications n
         SET message = coalesce(
                 (SELECT s.message FROM unnest($3::integer[], $4::text[]) AS s (type, message) WHERE s.type = n.type LIMIT 1),
                 $5
             ),
             actor_id = $7,
             mail = NULL,
             target_kind = CASE WHEN n.target_kind = ANY($6) THEN 0 ELSE n.target_kind END,
             target_id = CASE WHEN n.target_kind = ANY($6) THEN $7 ELSE n.target_id END
         WHERE n.member_id = $1 AND n.actor_id = $2
           AND NOT (
               n.action_required
               AND EXISTS (SELECT FROM unnest($10::integer[], $11::uuid[]) AS g (kind, id) WHERE g.kind = n.target_kind AND g.id = n.target_id)
           )
           AND ($8::integer IS NULL OR n.target_kind = $8 AND n.target_id = $9)",
        member.0,
        actor.0,
        &types,
        &texts,
        rules::of_former(NotificationType::Unspecified),
        &[TargetKind::Member as i32, TargetKind::FriendRequest as i32],
        Uuid::nil(),
        of.map(|of| of.0 as i32),
        of.map(|of| of.1),
        &kinds,
        &ids,
    )
    .execute(conn)
    .await?;
    Ok(forgotten.rows_affected())
}
