//! Members, as other areas look them up.

use super::email_key;
use crate::{
    error::Result,
    identity::{Identity, Member},
    ids::{MemberId, PictureId},
};
use sqlx::{PgConnection, types::Json};
use std::collections::HashMap;
use time::OffsetDateTime;
use uuid::Uuid;

struct Row {
    id: Uuid,
    email: String,
    name: String,
    given_name: String,
    family_name: String,
    display_name: Option<String>,
    picture: Option<String>,
    phone_e164: Option<String>,
    phone_verified_at: Option<OffsetDateTime>,
    time_zone: String,
    created_at: OffsetDateTime,
    profile_changed_at: OffsetDateTime,
    identities: Option<Json<Vec<Identity>>>,
}

impl From<Row> for Member {
    fn from(row: Row) -> Self {
        Self {
            id: MemberId(row.id),
            email: row.email,
            name: row.name,
            given_name: row.given_name,
            family_name: row.family_name,
            display_name: row.display_name,
            picture: PictureId::kept(row.picture.as_deref()),
            phone_number: row.phone_e164,
            phone_verified: row.phone_verified_at.is_some(),
            time_zone: row.time_zone,
            created_at: row.created_at,
            profile_changed_at: row.profile_changed_at,
            identities: row.identities.map_or_else(Vec::new, |Json(all)| all),
        }
    }
}

/// The confirmed members with these ids; the others are left out.
pub async fn members(conn: &mut PgConnection, ids: &[MemberId]) -> Result<HashMap<MemberId, Member>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, email, name, given_name, family_name, display_name, picture, phone_e164, phone_verified_at, time_zone, created_at,
                  profile_changed_at,
                  (SELECT jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject, 'made_member', i.made_member,
                                                       'since_s', extract(epoch FROM i.created_at)::bigint) ORDER BY i.created_at)
                   FROM identities i
                   WHERE i.member_id = members.id) AS "identities: Json<Vec<Identity>>"
         FROM members
         WHERE id = ANY($1) AND status = 'confirmed'
         LIMIT cardinality($1)"#,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (MemberId(row.id), row.into())).collect())
}

/// The confirmed member with this id.
pub async fn member(conn: &mut PgConnection, id: MemberId) -> Result<Option<Member>> {
    Ok(members(conn, &[id]).await?.remove(&id))
}

/// The confirmed member with this address, in any case.
pub async fn member_by_email(conn: &mut PgConnection, email: &str) -> Result<Option<Member>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, email, name, given_name, family_name, display_name, picture, phone_e164, phone_verified_at, time_zone, created_at,
                  profile_changed_at,
                  (SELECT jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject, 'made_member', i.made_member,
                                                       'since_s', extract(epoch FROM i.created_at)::bigint) ORDER BY i.created_at)
                   FROM identities i
                   WHERE i.member_id = members.id) AS "identities: Json<Vec<Identity>>"
         FROM members
         WHERE email_key = $1 AND status = 'confirmed'
         LIMIT 1"#,
        email_key(email),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Member::from))
}

/// The confirmed member who has verified this number, in E.164.
pub async fn member_by_phone(conn: &mut PgConnection, phone_e164: &str) -> Result<Option<Member>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, email, name, given_name, family_name, display_name, picture, phone_e164, phone_verified_at, time_zone, created_at,
                  profile_changed_at,
                  (SELECT jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject, 'made_member', i.made_member,
                                                       'since_s', extract(epoch FROM i.created_at)::bigint) ORDER BY i.created_at)
                   FROM identities i
                   WHERE i.member_id = members.id) AS "identities: Json<Vec<Identity>>"
         FROM members
         WHERE phone_e164 = $1 AND phone_verified_at IS NOT NULL AND status = 'confirmed'
         LIMIT 1"#,
        phone_e164,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Member::from))
}

/// Those of these who are confirmed members, and stay so until the transaction ends. In the order of their ids.
pub async fn share(conn: &mut PgConnection, ids: &[MemberId]) -> Result<Vec<MemberId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query_scalar!(
        "SELECT id
         FROM members
         WHERE id = ANY($1) AND status = 'confirmed'
         ORDER BY id
         LIMIT cardinality($1)
         FOR SHARE",
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(MemberId).collect())
}

/// The same, and nobody shares or holds them until then: what shares them comes before, or after. In the order of their ids.
pub async fn hold(conn: &mut PgConnection, ids: &[MemberId]) -> Result<Vec<MemberId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query_scalar!(
        "SELECT id
         FROM members
         WHERE id = ANY($1) AND status = 'confirmed'
         ORDER BY id
         LIMIT cardinality($1)
         FOR NO KEY UPDATE",
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(MemberId).collect())
}
