//! A favor of the page: read from its row, and told as the one who was asked may see it.

use super::{Around, people::Member};
use goodturn::pb::{
    common::{Currency, Person},
    favors::{Favor, FavorAction, FavorCategory, FavorStatus, RequestType, Requester},
    timestamp,
};
use sqlx::{FromRow, postgres::PgRow};
use time::OffsetDateTime;
use uuid::Uuid;

/// A row of the page.
pub struct Row {
    id: Uuid,
    pub creator_id: Uuid,
    title: String,
    description: String,
    category: String,
    status: String,
    start_at: Option<OffsetDateTime>,
    confirm_at: Option<OffsetDateTime>,
    tip_cents: i64,
    currency: String,
    location: String,
    max_responses: i16,
    responses: i16,
    pub helper_id: Option<Uuid>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    due_key: OffsetDateTime,
    answer: Option<String>,
}

impl FromRow<'_, PgRow> for Row {
    /// By position, as sqlx's checked macros read. What only a creator sees is not looked at.
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        Ok(Self {
            id: row.try_get(0)?,
            creator_id: row.try_get(1)?,
            title: row.try_get(2)?,
            description: row.try_get(3)?,
            category: row.try_get(4)?,
            status: row.try_get(5)?,
            start_at: row.try_get(6)?,
            confirm_at: row.try_get(7)?,
            tip_cents: row.try_get(8)?,
            currency: row.try_get(9)?,
            location: row.try_get(10)?,
            max_responses: row.try_get(11)?,
            responses: row.try_get(12)?,
            helper_id: row.try_get(13)?,
            created_at: row.try_get(14)?,
            updated_at: row.try_get(15)?,
            due_key: row.try_get(16)?,
            answer: row.try_get(19)?,
        })
    }
}

impl Row {
    /// Where the page after this favor begins.
    pub fn cursor(&self) -> String {
        format!("{}/{}", self.due_key.unix_timestamp_nanos() / 1000, self.id)
    }

    /// As the member who was asked sees it.
    pub fn favor(self, me: Uuid, around: &Around) -> Favor {
        let helps = self.helper_id == Some(me);
        let requester = around.members.get(&self.creator_id).map(|creator| self.requester(creator, helps, around));
        let helper = self.helper_id.filter(|_| helps).and_then(|id| around.members.get(&id)).map(person);
        Favor {
            id: self.id.to_string(),
            category: category(&self.category).into(),
            status: status(&self.status).into(),
            start_date: self.start_at.map(timestamp),
            confirmation_date: self.confirm_at.map(timestamp),
            tip: self.tip_cents as f64 / 100.0,
            currency: currency(&self.currency).into(),
            recipients: vec![me.to_string()],
            created_by: self.creator_id.to_string(),
            created_at: Some(timestamp(self.created_at)),
            updated_at: Some(timestamp(self.updated_at)),
            request_type: RequestType::Direct.into(),
            max_responses: self.max_responses.into(),
            responses: self.responses.into(),
            requester,
            helper,
            etag: format!("{:x}", self.updated_at.unix_timestamp_nanos() / 1000),
            allowed_actions: self.actions(helps).iter().map(|a| (*a).into()).collect(),
            title: self.title,
            description: self.description,
            location: self.location,
            group_ids: Vec::new(),
            applicants: Vec::new(),
            back_ups: Vec::new(),
            answered: self.answer.as_deref() == Some("another_time"),
            nobody_can: false,
            // As long as the server's.
            terms: format!("{:x}", self.created_at.unix_timestamp_nanos() / 1000),
        }
    }

    fn requester(&self, creator: &Member, helps: bool, around: &Around) -> Requester {
        let show_email = helps || around.friends.contains(&creator.id);
        Requester {
            id: creator.id.to_string(),
            name: creator.name(),
            email: if show_email { creator.email.clone() } else { String::new() },
            favors_completed: around.helped.get(&creator.id).map_or(0, |n| i32::try_from(*n).unwrap_or(i32::MAX)),
            created_at: Some(timestamp(creator.created_at)),
            updated_at: Some(timestamp(creator.profile_changed_at)),
            profile_picture_url: creator.picture(),
            ..Default::default()
        }
    }

    fn actions(&self, helps: bool) -> &'static [FavorAction] {
        match (self.status.as_str(), self.answer.as_deref()) {
            ("active", Some("decline")) => &[FavorAction::Accept, FavorAction::AnotherTime],
            ("active", _) => &[FavorAction::Accept, FavorAction::Decline, FavorAction::AnotherTime],
            ("accepted", _) if helps => &[FavorAction::Complete],
            _ => &[],
        }
    }
}

fn person(member: &Member) -> Person {
    Person {
        uid: member.id.to_string(),
        display_name: member.name(),
        email: member.email.clone(),
        first_name: member.given_name.clone(),
        last_name: member.family_name.clone(),
        profile_picture_url: member.picture(),
    }
}

fn category(word: &str) -> FavorCategory {
    match word {
        "errands" => FavorCategory::Errands,
        "physical_help" => FavorCategory::PhysicalHelp,
        "pet_care" => FavorCategory::PetCare,
        _ => FavorCategory::General,
    }
}

/// What is active waits for the one who was asked.
fn status(word: &str) -> FavorStatus {
    match word {
        "active" => FavorStatus::Pending,
        "accepted" => FavorStatus::Accepted,
        "completed" => FavorStatus::Completed,
        "settled" => FavorStatus::Settled,
        _ => FavorStatus::Cancelled,
    }
}

fn currency(word: &str) -> Currency {
    match word {
        "INR" => Currency::Inr,
        "EUR" => Currency::Eur,
        "GBP" => Currency::Gbp,
        _ => Currency::Usd,
    }
}
