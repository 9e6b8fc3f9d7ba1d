//! Statements on invitations, invitation_claims and invitation_refusals.

use crate::{
    error::Result,
    friends::Invitation,
    identity::store::email_key,
    ids::{InvitationId, MemberId},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// The invitation of a member to an address, locked.
pub async fn lock(conn: &mut PgConnection, inviter: MemberId, email: &str) -> Result<Option<Invitation>> {
    let row = sqlx::query_as!(
        Invitation,
        "SELECT id, inviter_id AS inviter, email, was_nobodys, message, sent_at, expires_at
         FROM invitations
         WHERE inviter_id = $1 AND email_key = $2
         LIMIT 1
         FOR UPDATE",
        inviter.0,
        email_key(email),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// Writes an invitation, or the same one sent anew. What the address has refused stays so. Its id.
pub async fn put(conn: &mut PgConnection, new: &Invitation, address: [u8; 32]) -> Result<InvitationId> {
    let id = sqlx::query_scalar!(
        "INSERT INTO invitations (id, inviter_id, email, email_key, address, was_nobodys, message, sent_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (inviter_id, email_key) DO UPDATE
         SET email = $3, address = $5, was_nobodys = $6, message = $7, sent_at = $8, expires_at = $9, mailed_at = NULL,
             cancelled_at = NULL
         RETURNING id",
        new.id.0,
        new.inviter.0,
        new.email,
        email_key(&new.email),
        address.as_slice(),
        new.was_nobodys,
        new.message,
        new.sent_at,
        new.expires_at,
    )
    .fetch_one(conn)
    .await?;
    Ok(InvitationId(id))
}

/// An invitation that counts: to an address that refuses none, whenever that was said.
pub async fn standing(conn: &mut PgConnection, id: InvitationId, now: OffsetDateTime) -> Result<Option<Invitation>> {
    let row = sqlx::query_as!(
        Invitation,
        "SELECT id, inviter_id AS inviter, email, was_nobodys, message, sent_at, expires_at
         FROM invitations i
         WHERE id = $1 AND expires_at > $2 AND refused_at IS NULL AND cancelled_at IS NULL
           AND NOT EXISTS (SELECT FROM invitation_refusals r WHERE r.address = i.address)
         LIMIT 1",
        id.0,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row)
}

/// The same, when it was not mailed since it was last sent, to an address that refuses none.
pub async fn unmailed(conn: &mut PgConnection, id: InvitationId, now: OffsetDateTime) -> Result<Option<(Invitation, Vec<u8>)>> {
    let row = sqlx::query!(
        "SELECT id, inviter_id, email, was_nobodys, message, sent_at, expires_at, address
         FROM invitations i
         WHERE id = $1 AND expires_at > $2 AND refused_at IS NULL AND cancelled_at IS NULL AND mailed_at IS NULL
           AND NOT EXISTS (SELECT FROM invitation_refusals r WHERE r.address = i.address)
         LIMIT 1",
        id.0,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| {
        let (id, inviter) = (InvitationId(row.id), MemberId(row.inviter_id));
        let (email, was_nobodys, message) = (row.email, row.was_nobodys, row.message);
        (Invitation { id, inviter, email, was_nobodys, message, sent_at: row.sent_at, expires_at: row.expires_at }, row.address)
    }))
}

/// Notes that it is mailed, unless it was already, or was sent anew since. Whether it is noted now.
pub async fn mailed(conn: &mut PgConnection, of: &Invitation, now: OffsetDateTime) -> Result<bool> {
    let noted = sqlx::query!(
        "UPDATE invitations
         SET mailed_at = $3
         WHERE id = $1 AND sent_at = $2 AND mailed_at IS NULL",
        of.id.0,
        of.sent_at,
        now,
    )
    .execute(conn)
    .await?;
    Ok(noted.rows_affected() == 1)
}

/// Takes back what was noted at an instant, unless it was sent anew since.
pub async fn not_mailed(conn: &mut PgConnection, of: &Invitation, at: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE invitations
         SET mailed_at = NULL
         WHERE id = $1 AND sent_at = $2 AND mailed_at = $3",
        of.id.0,
        of.sent_at,
        at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// An address that somebody was invited at, as it was typed last.
pub async fn email_of(conn: &mut PgConnection, address: &[u8]) -> Result<Option<String>> {
    let email = sqlx::query_scalar!(
        "SELECT email
         FROM invitations
         WHERE address = $1
         ORDER BY sent_at DESC
         LIMIT 1",
        address,
    )
    .fetch_optional(conn)
    .await?;
    Ok(email)
}

/// Locks all invitations to an address, refused or not: of two who change what it refuses the second sees what the first has done.
async fn lock_all_to(conn: &mut PgConnection, address: &[u8]) -> Result<()> {
    sqlx::query!(
        "SELECT id
         FROM invitations
         WHERE address = $1
         ORDER BY id
         FOR UPDATE",
        address,
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}

/// Notes that an address wants no invitations, and refuses those that wait there.
pub async fn refuse(conn: &mut PgConnection, address: &[u8], now: OffsetDateTime) -> Result<()> {
    lock_all_to(conn, address).await?;
    sqlx::query!(
        "UPDATE invitations
         SET refused_at = $2
         WHERE address = $1 AND refused_at IS NULL",
        address,
        now,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO invitation_refusals (address, refused_at)
         VALUES ($1, $2)
         ON CONFLICT DO NOTHING",
        address,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether an address wants no invitations.
pub async fn is_refused(conn: &mut PgConnection, address: &[u8]) -> Result<bool> {
    let refused = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM invitation_refusals WHERE address = $1) AS "refused!"
           LIMIT 1"#,
        address,
    )
    .fetch_one(conn)
    .await?;
    Ok(refused)
}

/// Takes back what an address has refused.
pub async fn allow(conn: &mut PgConnection, address: &[u8]) -> Result<()> {
    lock_all_to(conn, address).await?;
    sqlx::query!(
        "UPDATE invitations
         SET refused_at = NULL
         WHERE address = $1 AND refused_at IS NOT NULL",
        address,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!("DELETE FROM invitation_refusals WHERE address = $1", address).execute(conn).await?;
    Ok(())
}

/// Notes by which invitation somebody signs up: the last one said.
pub async fn claim(conn: &mut PgConnection, registration: MemberId, invitation: Uuid, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "INSERT INTO invitation_claims (registration_id, invitation_id, claimed_at)
         VALUES ($1, $2, $3)
         ON CONFLICT (registration_id) DO UPDATE
         SET invitation_id = $2, claimed_at = $3",
        registration.0,
        invitation,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Who invited somebody who is a member now: by the link that they came by, and at their address. The first ones sent, at most 100. What was sent to an
/// address that refuses invitations is kept, so that nobody can tell, and counts as little as what was there when it refused.
pub async fn inviters(conn: &mut PgConnection, member: MemberId, email: &str, now: OffsetDateTime) -> Result<Vec<MemberId>> {
    let rows = sqlx::query_scalar!(
        "SELECT inviter_id
         FROM invitations i
         WHERE (email_key = $2 OR id = (SELECT invitation_id FROM invitation_claims WHERE registration_id = $1))
           AND expires_at > $3
           AND refused_at IS NULL
           AND cancelled_at IS NULL
           AND NOT EXISTS (SELECT FROM invitation_refusals r WHERE r.address = i.address)
           AND inviter_id <> $1
         ORDER BY sent_at, id
         LIMIT 100",
        member.0,
        email_key(email),
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(MemberId).collect())
}

/// Uses up what these invited somebody by, who is a member now. What was used, the first sent first: of two who come by one link, one finds it.
pub async fn redeem(
    conn: &mut PgConnection,
    member: MemberId,
    email: &str,
    inviters: &[MemberId],
    now: OffsetDateTime,
) -> Result<Vec<Invitation>> {
    let inviters: Vec<Uuid> = inviters.iter().map(|m| m.0).collect();
    let mut used = sqlx::query_as!(
        Invitation,
        "DELETE FROM invitations
         WHERE id IN (
             SELECT id
             FROM invitations i
             WHERE (email_key = $2 OR id = (SELECT invitation_id FROM invitation_claims WHERE registration_id = $1))
               AND expires_at > $4
               AND refused_at IS NULL
               AND cancelled_at IS NULL
               AND NOT EXISTS (SELECT FROM invitation_refusals r WHERE r.address = i.address)
               AND inviter_id = ANY($3)
             ORDER BY id
             FOR UPDATE OF i
         )
         RETURNING id, inviter_id AS inviter, email, was_nobodys, message, sent_at, expires_at",
        member.0,
        email_key(email),
        &inviters,
        now,
    )
    .fetch_all(&mut *conn)
    .await?;
    used.sort_by_key(|i| (i.sent_at, i.id));
    sqlx::query!("DELETE FROM invitation_claims WHERE registration_id = $1", member.0).execute(conn).await?;
    Ok(used)
}

/// The invitations by a member that count, the last sent first, but those to friends by now. Those that their address refuses are
/// among them: the inviter does not learn of that.
pub async fn sent(conn: &mut PgConnection, inviter: MemberId, now: OffsetDateTime, limit: i64) -> Result<Vec<Invitation>> {
    let rows = sqlx::query_as!(
        Invitation,
        "SELECT id, inviter_id AS inviter, email, was_nobodys, message, sent_at, expires_at
         FROM invitations i
         WHERE inviter_id = $1 AND expires_at > $2 AND cancelled_at IS NULL AND NOT EXISTS (
             SELECT FROM members m
             JOIN friendships f ON f.member_id = i.inviter_id AND f.friend_id = m.id
             WHERE m.email_key = i.email_key
         )
         ORDER BY sent_at DESC, id DESC
         LIMIT $3",
        inviter.0,
        now,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Notes that a member takes an invitation of theirs back, if it is there.
pub async fn cancel(conn: &mut PgConnection, inviter: MemberId, id: InvitationId, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "UPDATE invitations SET cancelled_at = $3 WHERE id = $1 AND inviter_id = $2 AND cancelled_at IS NULL",
        id.0,
        inviter.0,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The invitations by a member that stand, in the order of their ids, after one.
pub async fn after(conn: &mut PgConnection, member: MemberId, after: InvitationId, limit: i64) -> Result<Vec<Invitation>> {
    let rows = sqlx::query_as!(
        Invitation,
        "SELECT id, inviter_id AS inviter, email, was_nobodys, message, sent_at, expires_at
         FROM invitations
         WHERE inviter_id = $1 AND id > $2
         ORDER BY id
         LIMIT $3",
        member.0,
        after.0,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Removes the invitations by a member, and those to their address.
pub async fn remove_of(conn: &mut PgConnection, member: MemberId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM invitations
         WHERE id IN (
             SELECT id
             FROM invitations
             WHERE inviter_id = $1 OR email_key = (SELECT email_key FROM members WHERE id = $1)
             ORDER BY id
             FOR UPDATE
         )",
        member.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes the invitation by a member to the address of another one.
pub async fn remove_between(conn: &mut PgConnection, inviter: MemberId, invited: MemberId) -> Result<()> {
    sqlx::query!(
        "DELETE FROM invitations
         WHERE inviter_id = $1 AND email_key = (SELECT email_key FROM members WHERE id = $2)",
        inviter.0,
        invited.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes some that have expired, and claims from before an instant. How many.
pub async fn remove_old(conn: &mut PgConnection, now: OffsetDateTime, claimed_before: OffsetDateTime) -> Result<u64> {
    let gone = sqlx::query!(
        "DELETE FROM invitations
         WHERE id IN (
             SELECT id
             FROM invitations
             WHERE expires_at <= $1
             LIMIT 5000
             FOR UPDATE SKIP LOCKED
         )",
        now,
    )
    .execute(&mut *conn)
    .await?;
    let claims = sqlx::query!(
        "DELETE FROM invitation_claims
         WHERE registration_id IN (
             SELECT registration_id
             FROM invitation_claims
             WHERE claimed_at < $1
             LIMIT 5000
             FOR UPDATE SKIP LOCKED
         )",
        claimed_before,
    )
    .execute(conn)
    .await?;
    Ok(gone.rows_affected() + claims.rows_affected())
}
