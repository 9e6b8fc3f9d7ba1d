//! Sessions, and the SECRET_BLOCKs that began them.

mod ended;
mod facts;

pub use ended::{end, end_of_device, end_others, ended_after, open};
pub use facts::{keep_name, precede};

use super::attempts::Subject;
use crate::{
    error::Result,
    identity::scopes::Scopes,
    ids::{DeviceId, MemberId, SessionId},
};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

/// How long a session of the hosted sign-in waits for its code.
pub const CODE_LIFE: Duration = Duration::minutes(5);

/// A session's row.
#[derive(Clone, Debug)]
pub struct Session {
    /// Whose.
    pub member: MemberId,
    /// The session.
    pub id: SessionId,
    /// The client that signed in.
    pub client_id: String,
    /// When it was signed in.
    pub started_at: OffsetDateTime,
    /// When its member showed who they are, where a browser that was signed in already began it.
    pub authenticated_at: Option<OffsetDateTime>,
    /// When its refresh tokens end.
    pub expires_at: OffsetDateTime,
    /// When it was ended.
    pub ended_at: Option<OffsetDateTime>,
    /// What its refresh tokens are derived from.
    pub refresh_seed: Vec<u8>,
    /// How often the refresh token was rotated.
    pub refresh_generation: i32,
    /// When it last was.
    pub rotated_at: Option<OffsetDateTime>,
    /// Where it was begun from; `None` when from no network, or it is not told.
    pub network: Option<Subject>,
    /// The device that it was begun from, where the client remembers devices.
    pub device: Option<DeviceId>,
    /// What its tokens are for; `None` when an operation of the user pool began it.
    pub scopes: Option<Scopes>,
    /// Whether it has not shown the second factor that is in force, nor set it up: it began before, or by a provider that was linked.
    pub precedes_factor: bool,
    /// What its member was called before, while it was open; the latest first.
    pub former_names: Vec<String>,
}

impl Session {
    /// The same for these scopes: it ends soon when the code for it is not redeemed.
    #[must_use]
    pub fn waiting(self, scopes: Scopes) -> Self {
        Self { scopes: Some(scopes), expires_at: self.started_at + CODE_LIFE, ..self }
    }

    /// The same for what of its scopes its client may still have; `None` when nothing is left of them. What the user pool's own operations
    /// begin is for calls, whatever the client may ask of the hosted page.
    pub fn within(self, allowed: Scopes) -> Option<Self> {
        match self.scopes.map(|scopes| scopes.within(allowed)) {
            Some(Scopes::NONE) => None,
            scopes => Some(Self { scopes, ..self }),
        }
    }

    /// When its member showed who they are: `auth_time`.
    pub fn authenticated_at(&self) -> OffsetDateTime {
        self.authenticated_at.unwrap_or(self.started_at)
    }

    /// What its tokens are for, at most.
    pub fn granted(&self) -> Scopes {
        self.scopes.unwrap_or(Scopes::ADMIN)
    }
}

/// What a member is told of a session.
pub struct Told {
    /// The session.
    pub id: SessionId,
    /// The client that signed in.
    pub client_id: String,
    /// When it was signed in.
    pub started_at: OffsetDateTime,
    /// When its refresh tokens end.
    pub expires_at: OffsetDateTime,
    /// When it was ended.
    pub ended_at: Option<OffsetDateTime>,
    /// When its refresh token was last rotated.
    pub rotated_at: Option<OffsetDateTime>,
    /// What the member was called before, while it was open.
    pub former_names: Vec<String>,
}

/// Begins a session.
pub async fn insert(conn: &mut PgConnection, session: &Session) -> Result<()> {
    sqlx::query!(
        "INSERT INTO sessions (member_id, id, client_id, started_at, expires_at, refresh_seed, refresh_generation, network, device_id, scopes,
                               authenticated_at, precedes_factor)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        session.member.0,
        session.id.0,
        session.client_id,
        session.started_at,
        session.expires_at,
        session.refresh_seed,
        session.refresh_generation,
        session.network.as_ref().map(<[u8; 32]>::as_slice),
        session.device.map(|d| d.0),
        session.scopes.map(Scopes::spell),
        session.authenticated_at,
        session.precedes_factor,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A session.
pub async fn find(conn: &mut PgConnection, member: MemberId, id: SessionId) -> Result<Option<Session>> {
    let row = sqlx::query!(
        r#"SELECT client_id, started_at, expires_at, ended_at, refresh_seed, refresh_generation, rotated_at, device_id AS "device: DeviceId",
                  scopes, authenticated_at, precedes_factor, former_names
           FROM sessions
           WHERE member_id = $1 AND id = $2
           LIMIT 1"#,
        member.0,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|r| Session {
        member,
        id,
        client_id: r.client_id,
        started_at: r.started_at,
        authenticated_at: r.authenticated_at,
        expires_at: r.expires_at,
        ended_at: r.ended_at,
        refresh_seed: r.refresh_seed,
        refresh_generation: r.refresh_generation,
        rotated_at: r.rotated_at,
        network: None,
        device: r.device,
        scopes: r.scopes.map(|text| Scopes::read(&text).unwrap_or_default()),
        precedes_factor: r.precedes_factor,
        former_names: r.former_names,
    }))
}

/// A session, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, member: MemberId, id: SessionId) -> Result<Option<Session>> {
    sqlx::query!(
        "SELECT id
         FROM sessions
         WHERE member_id = $1 AND id = $2
         LIMIT 1
         FOR UPDATE",
        member.0,
        id.0,
    )
    .fetch_optional(&mut *conn)
    .await?;
    find(conn, member, id).await
}

/// Gives a session that waits its full life. `false` when it was ended, or had its time.
pub async fn take_up(
    conn: &mut PgConnection,
    member: MemberId,
    id: SessionId,
    expires_at: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE sessions
         SET expires_at = $3
         WHERE member_id = $1 AND id = $2 AND ended_at IS NULL AND expires_at > $4",
        member.0,
        id.0,
        expires_at,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a member has signed in from a network since.
pub async fn was_at(conn: &mut PgConnection, member: MemberId, network: &Subject, since: OffsetDateTime) -> Result<bool> {
    let row = sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT 1
               FROM sessions
               WHERE member_id = $1 AND network = $2 AND started_at > $3
           ) AS "was!""#,
        member.0,
        network.as_slice(),
        since,
    )
    .fetch_one(conn)
    .await?;
    Ok(row)
}

/// Moves a session on to its next refresh token. `false` when it was moved or ended at the same moment.
pub async fn rotate(conn: &mut PgConnection, session: &Session, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "UPDATE sessions
         SET refresh_generation = refresh_generation + 1, rotated_at = $4
         WHERE member_id = $1 AND id = $2 AND refresh_generation = $3 AND ended_at IS NULL",
        session.member.0,
        session.id.0,
        session.refresh_generation,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes that a SECRET_BLOCK has signed somebody in. `false` when it had done so before.
pub async fn use_block(conn: &mut PgConnection, member: MemberId, nonce: &[u8], expires_at: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO used_secret_blocks (member_id, nonce, expires_at)
         VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        member.0,
        nonce,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Sessions of a member, in the order of their ids, after one.
pub async fn after(conn: &mut PgConnection, member: MemberId, after: SessionId, limit: i64) -> Result<Vec<Told>> {
    let rows = sqlx::query!(
        "SELECT id, client_id, started_at, expires_at, ended_at, rotated_at, former_names
         FROM sessions
         WHERE member_id = $1 AND id > $2
         ORDER BY id
         LIMIT $3",
        member.0,
        after.0,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let told = rows.into_iter().map(|r| Told {
        id: SessionId(r.id),
        client_id: r.client_id,
        started_at: r.started_at,
        expires_at: r.expires_at,
        ended_at: r.ended_at,
        rotated_at: r.rotated_at,
        former_names: r.former_names,
    });
    Ok(told.collect())
}
