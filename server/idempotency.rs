//! Idempotency keys: a create that is sent twice is done once, and answers the same.

use crate::{
    error::{Error, FieldReason, Reason, Result},
    ids::MemberId,
    jobs,
};
use aws_lc_rs::digest::{SHA256, digest};
use prost::Message;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tonic::Request;

/// The metadata key and header.
pub const HEADER: &str = "idempotency-key";
const KEY_CHARS_MAX: usize = 255;
const KEPT_FOR: Duration = Duration::hours(24);

/// One use of a key: whose, for which RPC, with which body.
#[derive(Debug)]
pub struct Use {
    member: MemberId,
    method: &'static str,
    key: String,
    body_hash: Vec<u8>,
}

/// The use that a request makes of a key; `None` when it brings none. `member` is the scope: the caller, or for a public RPC an id
/// that is derived from whom it is about.
///
/// # Errors
/// INVALID_ARGUMENT when the key is empty, longer than 255 characters or not printable ASCII.
pub fn of<T: Message>(request: &Request<T>, member: MemberId, method: &'static str) -> Result<Option<Use>> {
    let Some(value) = request.metadata().get(HEADER) else {
        return Ok(None);
    };
    let key = value.to_str().unwrap_or_default();
    if key.is_empty() || key.len() > KEY_CHARS_MAX {
        return Err(Error::field("Idempotency-Key", FieldReason::Invalid, "must be 1 to 255 printable ASCII characters"));
    }
    let body_hash = digest(&SHA256, &request.get_ref().encode_to_vec()).as_ref().to_vec();
    Ok(Some(Use { member, method, key: key.to_owned(), body_hash }))
}

/// Claims the key in this transaction, before anything is done; a second caller waits here for the first. The answer that was given,
/// if there was one.
///
/// # Errors
/// IDEMPOTENCY_KEY_REUSED when the key was used with another body.
pub async fn replay<A: Message + Default>(conn: &mut PgConnection, claim: Option<&Use>, now: OffsetDateTime) -> Result<Option<A>> {
    let Some(u) = claim else { return Ok(None) };
    let inserted = sqlx::query!(
        "INSERT INTO idempotency_keys (member_id, method, key, body_hash, answer, created_at)
         VALUES ($1, $2, $3, $4, '', $5)
         ON CONFLICT DO NOTHING",
        u.member.0,
        u.method,
        u.key,
        u.body_hash,
        now,
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if inserted == 1 {
        return Ok(None);
    }
    let row = sqlx::query!(
        "SELECT body_hash, answer
         FROM idempotency_keys
         WHERE member_id = $1 AND method = $2 AND key = $3
         LIMIT 1",
        u.member.0,
        u.method,
        u.key,
    )
    .fetch_one(conn)
    .await?;
    if row.body_hash != u.body_hash {
        return Err(Error::new(Reason::IdempotencyKeyReused, "this idempotency key was already used with a different body"));
    }
    A::decode(&*row.answer).map(Some).map_err(Error::internal)
}

/// Keeps the answer under the key, in the transaction that claimed it.
pub async fn keep<A: Message>(conn: &mut PgConnection, claim: Option<&Use>, answer: &A) -> Result<()> {
    let Some(u) = claim else { return Ok(()) };
    sqlx::query!(
        "UPDATE idempotency_keys
         SET answer = $4
         WHERE member_id = $1 AND method = $2 AND key = $3",
        u.member.0,
        u.method,
        u.key,
        answer.encode_to_vec(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets keys after a day.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "idempotency keys"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        forget(conn, now - KEPT_FOR).await
    }
}

async fn forget(conn: &mut PgConnection, before: OffsetDateTime) -> Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM idempotency_keys
         WHERE (member_id, method, key) IN (
             SELECT member_id, method, key
             FROM idempotency_keys
             WHERE created_at < $1
             LIMIT 10000
         )",
        before,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Forgets what was answered to these, whatever key it is under.
///
/// # Errors
/// As the database.
pub async fn forget_of(conn: &mut PgConnection, members: &[MemberId]) -> Result<()> {
    let members: Vec<uuid::Uuid> = members.iter().map(|m| m.0).collect();
    sqlx::query!("DELETE FROM idempotency_keys WHERE member_id = ANY($1)", &members).execute(conn).await?;
    Ok(())
}
