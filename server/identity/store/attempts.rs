//! Counted tries.

use crate::{error::Result, identity::lockout::Tally};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// Whose tries: a keyed hash of an address.
pub type Subject = [u8; 32];

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Wrong passwords of an account.
    Password,
    /// Wrong passwords from a network address.
    Network,
    /// Codes tried for an account since the last one was sent.
    Code,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Network => "network",
            Self::Code => "code",
        }
    }
}

/// Until when a subject is locked out; a look without a lock.
pub async fn locked_until(conn: &mut PgConnection, subject: &Subject, kind: Kind) -> Result<Option<OffsetDateTime>> {
    let row = sqlx::query!(
        "SELECT locked_until
         FROM attempts
         WHERE subject = $1 AND kind = $2
         LIMIT 1",
        subject.as_slice(),
        kind.as_str(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| r.locked_until))
}

/// What was counted, locked until the transaction ends; `None` when nothing was.
pub async fn lock(conn: &mut PgConnection, subject: &Subject, kind: Kind) -> Result<Option<Tally>> {
    let row = sqlx::query!(
        "SELECT count, first_at, locked_until, last_at
         FROM attempts
         WHERE subject = $1 AND kind = $2
         LIMIT 1
         FOR UPDATE",
        subject.as_slice(),
        kind.as_str(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Tally { count: r.count, first_at: r.first_at, last_at: r.last_at, locked_until: r.locked_until }))
}

/// As `lock`, and locks also what was never counted, so that first tries at the same moment see each other.
pub async fn lock_to_count(conn: &mut PgConnection, subject: &Subject, kind: Kind, now: OffsetDateTime) -> Result<Option<Tally>> {
    sqlx::query!(
        "INSERT INTO attempts (subject, kind, count, first_at, last_at, locked_until)
         VALUES ($1, $2, 0, $3, $3, $3)
         ON CONFLICT DO NOTHING",
        subject.as_slice(),
        kind.as_str(),
        now,
    )
    .execute(&mut *conn)
    .await?;
    lock(conn, subject, kind).await
}

/// Keeps what was counted.
pub async fn put(conn: &mut PgConnection, subject: &Subject, kind: Kind, tally: &Tally) -> Result<()> {
    sqlx::query!(
        "INSERT INTO attempts (subject, kind, count, first_at, last_at, locked_until)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (subject, kind) DO UPDATE
         SET count = $3, first_at = $4, last_at = $5, locked_until = $6",
        subject.as_slice(),
        kind.as_str(),
        tally.count,
        tally.first_at,
        tally.last_at,
        tally.locked_until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets what was counted.
pub async fn clear(conn: &mut PgConnection, subject: &Subject, kind: Kind) -> Result<()> {
    sqlx::query!(
        "DELETE FROM attempts
         WHERE subject = $1 AND kind = $2",
        subject.as_slice(),
        kind.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
