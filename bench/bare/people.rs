//! What the bare service reads of members.

use super::failed;
use sqlx::{FromRow, PgConnection, Row, postgres::PgRow};
use std::collections::HashMap;
use time::OffsetDateTime;
use tonic::Status;
use uuid::Uuid;

const MEMBERS: &str = "SELECT id, email, given_name, family_name, display_name, picture, created_at, profile_changed_at
     FROM members
     WHERE id = ANY($1) AND status = 'confirmed'";

/// A member, as rows have it.
pub struct Member {
    pub id: Uuid,
    pub email: String,
    pub given_name: String,
    pub family_name: String,
    display_name: Option<String>,
    picture: Option<String>,
    pub created_at: OffsetDateTime,
    pub profile_changed_at: OffsetDateTime,
}

impl FromRow<'_, PgRow> for Member {
    /// By position, as sqlx's checked macros read: by name would cost a look-up a column.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get(0)?,
            email: row.try_get(1)?,
            given_name: row.try_get(2)?,
            family_name: row.try_get(3)?,
            display_name: row.try_get(4)?,
            picture: row.try_get(5)?,
            created_at: row.try_get(6)?,
            profile_changed_at: row.try_get(7)?,
        })
    }
}

impl Member {
    /// The name that others see.
    pub fn name(&self) -> String {
        self.display_name.clone().unwrap_or_else(|| format!("{} {}", self.given_name, self.family_name).trim().to_owned())
    }

    /// The address of the picture; empty means none.
    pub fn picture(&self) -> String {
        self.picture.clone().unwrap_or_default()
    }
}

/// The members with these ids.
pub async fn members(conn: &mut PgConnection, ids: &[Uuid]) -> Result<HashMap<Uuid, Member>, Status> {
    let rows: Vec<Member> = sqlx::query_as(MEMBERS).bind(ids).fetch_all(conn).await.map_err(failed)?;
    Ok(rows.into_iter().map(|m| (m.id, m)).collect())
}
