//! BrowseFeed of the bare service, its first page: by the server's own statements, as they were taped, for there is none plainer that finds
//! the page. Who calls is read off the token, which nobody verifies.

use super::{Rpc, connection, failed, member};
use anyhow::{Result, anyhow};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use goodturn::pb::{
    common::Currency,
    items::{
        BrowseFeedRequest, BrowseFeedResponse, CancellationPolicy, Item, ItemAction, ItemCategory, ItemImage, ItemOwner, ItemStatus,
        Location, Visibility,
    },
    timestamp,
};
use sqlx::{AssertSqlSafe, FromRow, PgPool, SqlSafeStr, SqlStr, postgres::PgRow};
use std::collections::{HashMap, HashSet};
use time::{OffsetDateTime, macros::datetime};
use tonic::{Request, Status};
use uuid::Uuid;

const LAST: OffsetDateTime = datetime!(9999-12-31 00:00 UTC);
/// As long as an address of the server's, which is signed.
const SIGNED: &str = "?expires=1900000000&signature=0123456789012345678901234567890123456789012";

/// The RPC.
#[derive(Clone)]
pub struct BrowseFeed {
    pub pool: PgPool,
    pub statements: Statements,
}

/// What the server asks for a page: its items, then what is counted of their owners.
#[derive(Clone)]
pub struct Statements {
    page: SqlStr,
    owners: SqlStr,
}

impl Statements {
    /// As many of `texts` as the server's call takes.
    ///
    /// # Errors
    /// When it takes others than these two.
    pub fn of(texts: Vec<String>) -> Result<Self> {
        let count = texts.len();
        let [page, owners] = <[String; 2]>::try_from(texts).map_err(|_| anyhow!("BrowseFeed takes {count} statements, and not two"))?;
        let taped = |text| AssertSqlSafe(text).into_sql_str();
        Ok(Self { page: taped(page), owners: taped(owners) })
    }
}

/// How owners did: what they helped with, how often they were rated, and what that adds up to.
type Owners = HashMap<Uuid, (i64, i32, i64)>;

struct Row {
    id: Uuid,
    owner_id: Uuid,
    title: String,
    description: String,
    category: String,
    url: String,
    visibility: String,
    status: String,
    price_cents: i64,
    deposit_cents: i64,
    currency: String,
    max_days: i16,
    policy: String,
    city: String,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    listed_at: OffsetDateTime,
    images: Vec<Uuid>,
    given_name: String,
    family_name: String,
    display_name: Option<String>,
    picture: Option<String>,
    shared: i64,
}

impl FromRow<'_, PgRow> for Row {
    /// By position, as sqlx's checked macros read. What only an owner sees is not looked at.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        Ok(Self {
            id: row.try_get(0)?,
            owner_id: row.try_get(1)?,
            title: row.try_get(2)?,
            description: row.try_get(3)?,
            category: row.try_get(4)?,
            url: row.try_get(5)?,
            visibility: row.try_get(6)?,
            status: row.try_get(8)?,
            price_cents: row.try_get(9)?,
            deposit_cents: row.try_get(10)?,
            currency: row.try_get(11)?,
            max_days: row.try_get(12)?,
            policy: row.try_get(13)?,
            city: row.try_get(14)?,
            created_at: row.try_get(15)?,
            updated_at: row.try_get(16)?,
            listed_at: row.try_get(17)?,
            images: row.try_get(18)?,
            given_name: row.try_get(21)?,
            family_name: row.try_get(22)?,
            display_name: row.try_get(23)?,
            picture: row.try_get(24)?,
            shared: row.try_get(25)?,
        })
    }
}

impl Rpc for BrowseFeed {
    const SERVICE: &'static str = "goodturn.items.v1.ItemsService";
    type Asked = BrowseFeedRequest;
    type Answer = BrowseFeedResponse;

    async fn answer(self, request: Request<BrowseFeedRequest>) -> Result<BrowseFeedResponse, Status> {
        let (me, limit) = (caller(&request)?, i64::from(request.get_ref().limit()));
        let mut conn = connection(&self.pool).await?;
        let Statements { page, owners } = self.statements;
        let query = sqlx::query_as(page).bind(me).bind(LAST).bind(Uuid::max()).bind(limit + 1);
        let mut rows: Vec<Row> = query.fetch_all(&mut *conn).await.map_err(failed)?;
        let has_more = i64::try_from(rows.len()).is_ok_and(|count| count > limit);
        rows.truncate(usize::try_from(limit).unwrap_or_default());
        let ids: Vec<Uuid> = rows.iter().map(|row| row.owner_id).collect::<HashSet<_>>().into_iter().collect();
        let owners: Vec<(Uuid, i64, i32, i64)> = sqlx::query_as(owners).bind(&ids).fetch_all(&mut *conn).await.map_err(failed)?;
        let owners: Owners = owners.into_iter().map(|(id, helped, ratings, total)| (id, (helped, ratings, total))).collect();
        let cursor = rows.last().filter(|_| has_more).map(|row| format!("{}/{}", row.listed_at.unix_timestamp_nanos() / 1000, row.id));
        let items = rows.into_iter().map(|row| row.item(&owners)).collect();
        Ok(BrowseFeedResponse { items, cursor: cursor.unwrap_or_default(), has_more })
    }
}

/// The subject of the token.
fn caller<T>(request: &Request<T>) -> Result<Uuid, Status> {
    let none = || Status::unauthenticated("a token");
    let token = request.metadata().get("authorization").and_then(|value| value.to_str().ok()).ok_or_else(none)?;
    let payload = token.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok()).ok_or_else(none)?;
    let claims: serde_json::Value = serde_json::from_slice(&payload).map_err(|_| none())?;
    member(claims.get("sub").and_then(serde_json::Value::as_str).unwrap_or_default())
}

fn address(picture: &str, size: u32) -> String {
    format!("http://127.0.0.1:40000/pictures/renditions/{picture}/{size}.jpg{SIGNED}")
}

impl Row {
    fn item(self, owners: &Owners) -> Item {
        let (helped, ratings, total) = owners.get(&self.owner_id).copied().unwrap_or_default();
        let first = self.images.first().map(Uuid::to_string);
        let shown = |size| first.as_deref().map(|id| address(id, size)).unwrap_or_default();
        Item {
            item_id: self.id.to_string(),
            category: category(&self.category).into(),
            visibility: visibility(&self.visibility).into(),
            status: status(&self.status).into(),
            price_per_day: self.price_cents as f64 / 100.0,
            currency: currency(&self.currency).into(),
            deposit: self.deposit_cents as f64 / 100.0,
            max_days: self.max_days.into(),
            cancellation_policy: policy(&self.policy).into(),
            location: Some(Location { city: self.city }),
            main_image: shown(256),
            card_image: shown(512),
            images: self.images.iter().map(|id| ItemImage { image_id: id.to_string(), url: address(&id.to_string(), 1024) }).collect(),
            owner: Some(ItemOwner {
                uid: self.owner_id.to_string(),
                name: self.display_name.unwrap_or_else(|| format!("{} {}", self.given_name, self.family_name).trim().to_owned()),
                profile_picture_url: self.picture.map(|id| address(&id, 256)).unwrap_or_default(),
                rating: (ratings > 0).then(|| total as f64 / f64::from(ratings)),
                favors_completed: i32::try_from(helped).unwrap_or(i32::MAX),
                items_shared: i32::try_from(self.shared).unwrap_or(i32::MAX),
            }),
            is_owner: false,
            created_at: Some(timestamp(self.created_at)),
            updated_at: Some(timestamp(self.updated_at)),
            allowed_actions: vec![ItemAction::Request.into()],
            group_ids: Vec::new(),
            // As long as the server's.
            terms: format!("{:x}", self.created_at.unix_timestamp_nanos() / 1000),
            title: self.title,
            description: self.description,
            url: self.url,
        }
    }
}

fn category(word: &str) -> ItemCategory {
    match word {
        "electronics" => ItemCategory::Electronics,
        "sports" => ItemCategory::Sports,
        "tools" => ItemCategory::Tools,
        "transportation" => ItemCategory::Transportation,
        "home" => ItemCategory::Home,
        "entertainment" => ItemCategory::Entertainment,
        "fashion" => ItemCategory::Fashion,
        _ => ItemCategory::Other,
    }
}

fn visibility(word: &str) -> Visibility {
    if word == "public" { Visibility::Public } else { Visibility::Friends }
}

fn status(word: &str) -> ItemStatus {
    if word == "listed" { ItemStatus::Listed } else { ItemStatus::Unlisted }
}

fn policy(word: &str) -> CancellationPolicy {
    match word {
        "moderate" => CancellationPolicy::Moderate,
        "strict" => CancellationPolicy::Strict,
        _ => CancellationPolicy::Flex,
    }
}

fn currency(word: &str) -> Currency {
    match word {
        "EUR" => Currency::Eur,
        "INR" => Currency::Inr,
        _ => Currency::Usd,
    }
}
