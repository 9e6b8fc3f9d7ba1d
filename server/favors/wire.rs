//! Favors between the wire and the domain.

mod find;

pub use find::{browsed, of_category, of_location, searched};

use super::{
    Answer, Category, Content, Event, EventKind, Favor, FavorStatus, People, Place, Recipient, RequestType, Requester,
    form::{self, Changes},
    rules::{self, Action, Role, View},
};
use crate::{
    error::{Error, FieldReason, Result},
    identity::Shown,
    ids::{GroupId, MemberId},
    money::{Cents, Currency},
    pb::{self, common, favors as wire},
    pictures::Pictures,
    text,
};
use std::collections::HashSet;
use time::OffsetDateTime;

impl People {
    fn person(&self, id: MemberId, show_email: bool, pictures: &Pictures) -> common::Person {
        match self.members.get(&id) {
            Some(shown) => shown.clone().into_person(show_email, pictures),
            None => former(),
        }
    }
}

fn former() -> common::Person {
    common::Person { display_name: "Former member".to_owned(), ..Default::default() }
}

/// A new favor.
#[derive(Clone, Debug)]
pub struct New {
    /// What is asked.
    pub content: Content,
    /// Who is asked.
    pub recipients: Vec<MemberId>,
    /// Which groups are asked as well.
    pub groups: Vec<GroupId>,
    /// Whether it is posted at once.
    pub post: bool,
}

/// A change of a favor.
#[derive(Clone, Debug)]
pub enum Update {
    /// Of its status.
    To(FavorStatus),
    /// Of its fields.
    Fields(Changes),
}

/// Reads a new favor. Texts are trimmed; an absent deadline is the start.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn create(asked: &wire::CreateFavorRequest) -> Result<New> {
    let start = instant("start_date", asked.start_date.as_ref())?;
    let content = Content {
        title: text::line(&asked.title),
        description: text::clean(&asked.description),
        category: category(asked.category()),
        start,
        confirm: instant("confirmation_date", asked.confirmation_date.as_ref())?.or(start),
        tip: Cents::parse("tip", asked.tip)?,
        currency: Currency::of(asked.currency()),
        location: text::line(&asked.location),
        request_type: request_type(asked.request_type()),
        max_responses: count(asked.max_responses)?,
    };
    let (recipients, groups) = (members(&asked.recipients)?, groups(&asked.group_ids)?);
    Ok(New { content, recipients, groups, post: asked.status() == wire::FavorStatus::Active })
}

/// Reads a change: a status alone, or fields, of which the mask names those that count.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn update(asked: &wire::UpdateFavorRequest) -> Result<Update> {
    let fields = fields(asked);
    if fields.contains("status") {
        return match fields.len() {
            1 => status(asked.status()).map(Update::To),
            _ => Err(Error::field("status", FieldReason::Conflicting, "must not be changed together with another field")),
        };
    }
    let mut changes = Changes::default();
    for field in fields {
        match field {
            "title" => changes.title = Some(text::line(asked.title())),
            "description" => changes.description = Some(text::clean(asked.description())),
            "category" => changes.category = Some(category(asked.category())),
            "start_date" => changes.start = Some(instant("start_date", asked.start_date.as_ref())?),
            "confirmation_date" => changes.confirm = Some(instant("confirmation_date", asked.confirmation_date.as_ref())?),
            "tip" => changes.tip = Some(Cents::parse("tip", asked.tip())?),
            "currency" => changes.currency = Some(Currency::of(asked.currency())),
            "recipients" => changes.recipients = Some(members(&asked.recipients)?),
            "group_ids" => changes.groups = Some(groups(&asked.group_ids)?),
            "location" => changes.location = Some(text::line(asked.location())),
            "request_type" => changes.request_type = Some(request_type(asked.request_type())),
            "max_responses" => changes.max_responses = Some(count(asked.max_responses())?),
            _ => return Err(Error::field("update_mask", FieldReason::UnknownWord, "contains a field that cannot be changed")),
        }
    }
    Ok(Update::Fields(changes))
}

/// The fields that count: those of the mask, else those that are set.
fn fields(asked: &wire::UpdateFavorRequest) -> HashSet<&str> {
    match &asked.update_mask {
        // The id and the version say which favor: a client that sends them in the body too changes nothing by that.
        Some(mask) if !mask.paths.is_empty() => mask.paths.iter().map(String::as_str).filter(|p| !["id", "etag"].contains(p)).collect(),
        _ => [
            ("title", asked.title.is_some()),
            ("description", asked.description.is_some()),
            ("category", asked.category.is_some()),
            ("start_date", asked.start_date.is_some()),
            ("confirmation_date", asked.confirmation_date.is_some()),
            ("tip", asked.tip.is_some()),
            ("currency", asked.currency.is_some()),
            ("recipients", !asked.recipients.is_empty()),
            ("group_ids", !asked.group_ids.is_empty()),
            ("location", asked.location.is_some()),
            ("request_type", asked.request_type.is_some()),
            ("max_responses", asked.max_responses.is_some()),
            ("status", asked.status.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, set)| set.then_some(name))
        .collect(),
    }
}

/// Reads an answer with its words, and the start that it proposes.
///
/// # Errors
/// INVALID_ARGUMENT: another time needs words that say which, or a proposed start, which goes with it alone.
pub fn response(asked: &wire::RespondToFavorRequest) -> Result<(Answer, String, Option<OffsetDateTime>)> {
    let words = text::clean(&asked.message);
    let proposed = instant("proposed_start", asked.proposed_start.as_ref())?;
    let answer = match asked.response() {
        wire::FavorResponse::Accept => Answer::Accept,
        wire::FavorResponse::Decline => Answer::Decline,
        wire::FavorResponse::AnotherTime if words.is_empty() && proposed.is_none() => {
            return Err(Error::field("message", FieldReason::Required, "must say which time would work for you"));
        }
        wire::FavorResponse::AnotherTime => Answer::AnotherTime,
        wire::FavorResponse::Unspecified => return Err(Error::field("response", FieldReason::Required, "is required")),
    };
    if proposed.is_some() && answer != Answer::AnotherTime {
        return Err(Error::field("proposed_start", FieldReason::Conflicting, "is only allowed with the response another_time"));
    }
    Ok((answer, words, proposed))
}

/// The places that a filter of the received list names. None given: what waits for an answer, and what the caller helps with.
pub fn places(filter: impl Iterator<Item = wire::FavorStatus>) -> Vec<Place> {
    let mut places = Vec::new();
    let mut any = false;
    for status in filter {
        any = true;
        places.extend_from_slice(match status {
            wire::FavorStatus::Pending => &[Place::Pending, Place::Offered],
            wire::FavorStatus::Declined => &[Place::Declined],
            wire::FavorStatus::Open => &[Place::Applied],
            wire::FavorStatus::Accepted => &[Place::Helping, Place::BackUp, Place::Taken, Place::NotChosen],
            wire::FavorStatus::Completed => &[Place::Completed],
            wire::FavorStatus::Settled => &[Place::Settled],
            wire::FavorStatus::Cancelled => &[Place::Cancelled],
            // Nobody sees another's favor so.
            wire::FavorStatus::Unspecified | wire::FavorStatus::Draft | wire::FavorStatus::Active => &[],
        });
    }
    // One that is named twice is one.
    if any { form::each_once(places.into_iter()) } else { vec![Place::Pending, Place::Offered, Place::Helping, Place::BackUp] }
}

/// A favor as a member may see it.
pub fn favor(favor: Favor, view: View, viewer: MemberId, pictures: &Pictures) -> wire::Favor {
    let place = rules::place(favor.status, view.role, view.answer, rules::has_places(view.responses, view.max_responses));
    let status = status_word(favor.status, view.role, place).into();
    let is_side = matches!(view.role, Role::Creator | Role::Helper);
    // A favor goes on when one has blocked the other, but nobody learns a new address by it.
    let reaches = is_side && !favor.hidden;
    let knows_email = favor.creator == viewer || reaches || favor.requester.is_friend;
    let recipients = match view.role {
        Role::Creator => recipients(&favor),
        Role::Recipient | Role::Helper | Role::BackUp => vec![viewer.to_string()],
        Role::Applicant | Role::Friend => Vec::new(),
    };
    let email = |shown: &Shown| shown.id == viewer || is_side;
    let applicants = favor.applicants.into_iter().map(|a| wire::Applicant {
        person: Some(a.shown.clone().into_person(email(&a.shown), pictures)),
        message: a.message,
        applied_at: Some(pb::timestamp(a.applied_at)),
    });
    let back_ups = favor.back_ups.into_iter().map(|b| b.clone().into_person(email(&b), pictures));
    let helping = favor.helper.is_some().then(|| {
        let knows_email = favor.helper == Some(viewer) || reaches;
        favor.helping.map_or_else(former, |shown| shown.into_person(knows_email, pictures))
    });
    let terms = form::terms(&favor.content);
    let content = favor.content;
    wire::Favor {
        id: favor.id.to_string(),
        title: content.title,
        description: content.description,
        category: category_word(content.category).into(),
        status,
        start_date: content.start.map(pb::timestamp),
        confirmation_date: content.confirm.map(pb::timestamp),
        tip: content.tip.units(),
        currency: content.currency.word().into(),
        recipients,
        group_ids: favor.groups.iter().map(ToString::to_string).collect(),
        created_by: favor.requester.shown.as_ref().map(|shown| shown.id.to_string()).unwrap_or_default(),
        created_at: Some(pb::timestamp(favor.created_at)),
        updated_at: Some(pb::timestamp(favor.updated_at)),
        etag: form::etag(favor.updated_at),
        location: content.location,
        request_type: request_type_word(content.request_type).into(),
        max_responses: content.max_responses.into(),
        responses: favor.responses.into(),
        requester: Some(requester(favor.requester, knows_email, pictures)),
        helper: helping.filter(|_| is_side),
        allowed_actions: rules::allowed_actions(view).into_iter().map(|a| action_word(a).into()).collect(),
        applicants: applicants.collect(),
        back_ups: back_ups.collect(),
        terms,
        answered: place == Some(Place::Offered),
        nobody_can: favor.nobody_can,
    }
}

/// The ids of those who are asked. Clients pay the first: a helper who left has an empty place there, and nobody else takes it.
pub fn recipients(favor: &Favor) -> Vec<String> {
    let left = favor.helper.filter(|_| favor.helping.is_none());
    favor.recipients.iter().map(|m| if Some(*m) == left { String::new() } else { m.to_string() }).collect()
}

fn requester(requester: Requester, show_email: bool, pictures: &Pictures) -> wire::Requester {
    let person = requester.shown.map_or_else(former, |shown| shown.into_person(show_email, pictures));
    wire::Requester {
        id: person.uid,
        name: person.display_name,
        email: person.email,
        location: String::new(),
        favors_completed: i32::try_from(requester.helped).unwrap_or(i32::MAX),
        created_at: requester.since.map(pb::timestamp),
        updated_at: requester.changed_at.map(pb::timestamp),
        rating: requester.ratings.mean(),
        profile_picture_url: person.profile_picture_url,
    }
}

/// What is told of a favor's past.
#[derive(Debug)]
pub struct Story<'a> {
    /// The newest steps that the viewer may know, oldest first.
    pub events: &'a [Event],
    /// Whether there are steps before them.
    pub has_earlier: bool,
    /// All who are asked.
    pub recipients: &'a [Recipient],
}

/// The story as a member may know it: the creator every answer, the others their own.
pub fn story(
    view: View,
    viewer: MemberId,
    favor: &Favor,
    story: &Story,
    (people, pictures): (&People, &Pictures),
) -> wire::GetFavorStoryResponse {
    let all = view.role == Role::Creator;
    // Who helps is between the creator and the helper.
    let is_side = matches!(view.role, Role::Creator | Role::Helper);
    let named = |actor| is_side || actor == favor.creator || actor == viewer;
    // So are the thanks that go with the end of a favor.
    let read = |e: &Event| {
        let is_thanks = matches!(e.kind, EventKind::Completed | EventKind::Settled);
        people.members.contains_key(&e.actor) && (is_side || !is_thanks)
    };
    wire::GetFavorStoryResponse {
        events: story
            .events
            .iter()
            .map(|e| wire::FavorEvent {
                kind: event_word(e.kind).into(),
                actor: named(e.actor).then(|| people.person(e.actor, false, pictures)),
                at: Some(pb::timestamp(e.at)),
                message: if read(e) { e.message.clone() } else { String::new() },
            })
            .collect(),
        has_earlier: story.has_earlier,
        recipients: story
            .recipients
            .iter()
            .filter(|r| all || r.member == viewer)
            // Clients know a helper by the first place.
            .filter(|r| favor.helper == Some(r.member) || people.members.contains_key(&r.member))
            .map(|r| wire::Recipient {
                person: Some(people.person(
                    r.member,
                    r.member == viewer || favor.helper == Some(r.member) && !favor.hidden || people.friends.contains(&r.member),
                    pictures,
                )),
                response: r.answer.map_or(wire::FavorResponse::Unspecified, answer_word).into(),
                asked_at: r.asked_at.map(pb::timestamp),
                answered_at: r.answered_at.map(pb::timestamp),
                message: if people.members.contains_key(&r.member) { r.message.clone() } else { String::new() },
                proposed_start: r.proposed.map(pb::timestamp),
            })
            .collect(),
    }
}

/// A status, as one may ask for it.
fn status(asked: wire::FavorStatus) -> Result<FavorStatus> {
    match asked {
        wire::FavorStatus::Draft => Ok(FavorStatus::Draft),
        wire::FavorStatus::Active => Ok(FavorStatus::Active),
        wire::FavorStatus::Accepted => Ok(FavorStatus::Accepted),
        wire::FavorStatus::Completed => Ok(FavorStatus::Completed),
        wire::FavorStatus::Settled => Ok(FavorStatus::Settled),
        wire::FavorStatus::Cancelled => Ok(FavorStatus::Cancelled),
        wire::FavorStatus::Unspecified | wire::FavorStatus::Pending | wire::FavorStatus::Declined | wire::FavorStatus::Open => {
            Err(Error::field("status", FieldReason::UnknownWord, "must be active, completed, settled or cancelled"))
        }
    }
}

/// The status that a creator knows, where they name it.
///
/// # Errors
/// INVALID_ARGUMENT for one in which no favor of theirs can be.
pub fn known_status(known: wire::FavorStatus) -> Result<Option<FavorStatus>> {
    if known == wire::FavorStatus::Unspecified {
        return Ok(None);
    }
    let wrong =
        |_| Error::field("known_status", FieldReason::OutOfRange, "must be draft, active, accepted, completed, settled or cancelled");
    status(known).map(Some).map_err(wrong)
}

fn status_word(status: FavorStatus, role: Role, place: Option<Place>) -> wire::FavorStatus {
    match (place, status) {
        (Some(Place::Pending | Place::Offered), _) => wire::FavorStatus::Pending,
        (Some(Place::Declined), _) => wire::FavorStatus::Declined,
        (Some(Place::Applied), _) => wire::FavorStatus::Open,
        (_, FavorStatus::Active) if role == Role::Friend => wire::FavorStatus::Open,
        (_, FavorStatus::Draft) => wire::FavorStatus::Draft,
        (_, FavorStatus::Active) => wire::FavorStatus::Active,
        (_, FavorStatus::Accepted) => wire::FavorStatus::Accepted,
        (_, FavorStatus::Completed) => wire::FavorStatus::Completed,
        (_, FavorStatus::Settled) => wire::FavorStatus::Settled,
        (_, FavorStatus::Cancelled) => wire::FavorStatus::Cancelled,
    }
}

fn request_type(asked: wire::RequestType) -> RequestType {
    match asked {
        wire::RequestType::Unspecified | wire::RequestType::Direct => RequestType::Direct,
        wire::RequestType::Public => RequestType::Public,
    }
}

fn request_type_word(request_type: RequestType) -> wire::RequestType {
    match request_type {
        RequestType::Direct => wire::RequestType::Direct,
        RequestType::Public => wire::RequestType::Public,
    }
}

/// How many may accept; none given is one.
fn count(asked: i32) -> Result<i16> {
    i16::try_from(asked.max(1)).map_err(|_| Error::field("max_responses", FieldReason::TooMany, "must be 1 to 100"))
}

fn category(asked: wire::FavorCategory) -> Category {
    match asked {
        wire::FavorCategory::Unspecified | wire::FavorCategory::General => Category::General,
        wire::FavorCategory::Errands => Category::Errands,
        wire::FavorCategory::PhysicalHelp => Category::PhysicalHelp,
        wire::FavorCategory::PetCare => Category::PetCare,
    }
}

/// A category in the words of the wire.
pub fn category_word(category: Category) -> wire::FavorCategory {
    match category {
        Category::General => wire::FavorCategory::General,
        Category::Errands => wire::FavorCategory::Errands,
        Category::PhysicalHelp => wire::FavorCategory::PhysicalHelp,
        Category::PetCare => wire::FavorCategory::PetCare,
    }
}

fn action_word(action: Action) -> wire::FavorAction {
    match action {
        Action::Edit => wire::FavorAction::Edit,
        Action::Publish => wire::FavorAction::Publish,
        Action::Complete => wire::FavorAction::Complete,
        Action::Settle => wire::FavorAction::Settle,
        Action::Cancel => wire::FavorAction::Cancel,
        Action::Delete => wire::FavorAction::Delete,
        Action::Accept => wire::FavorAction::Accept,
        Action::Decline => wire::FavorAction::Decline,
        Action::AnotherTime => wire::FavorAction::AnotherTime,
        Action::Withdraw => wire::FavorAction::Withdraw,
        Action::Apply => wire::FavorAction::Apply,
        Action::Choose => wire::FavorAction::Choose,
        Action::Ask => wire::FavorAction::Ask,
        Action::ReportMissingTip => wire::FavorAction::ReportMissingTip,
        Action::AcceptTime => wire::FavorAction::AcceptTime,
        Action::DeclineTime => wire::FavorAction::DeclineTime,
    }
}

fn answer_word(answer: Answer) -> wire::FavorResponse {
    match answer {
        Answer::Accept => wire::FavorResponse::Accept,
        Answer::Decline => wire::FavorResponse::Decline,
        Answer::AnotherTime => wire::FavorResponse::AnotherTime,
    }
}

fn event_word(kind: EventKind) -> wire::FavorEventKind {
    match kind {
        EventKind::Drafted => wire::FavorEventKind::Drafted,
        EventKind::Posted => wire::FavorEventKind::Posted,
        EventKind::Accepted => wire::FavorEventKind::Accepted,
        EventKind::Declined => wire::FavorEventKind::Declined,
        EventKind::AnotherTime => wire::FavorEventKind::AnotherTime,
        EventKind::Completed => wire::FavorEventKind::Completed,
        EventKind::Settled => wire::FavorEventKind::Settled,
        EventKind::Cancelled => wire::FavorEventKind::Cancelled,
        EventKind::Withdrawn => wire::FavorEventKind::Withdrawn,
        EventKind::MovedUp => wire::FavorEventKind::MovedUp,
        EventKind::Applied => wire::FavorEventKind::Applied,
        EventKind::Chosen => wire::FavorEventKind::Chosen,
        EventKind::Asked => wire::FavorEventKind::Asked,
        EventKind::TimeAccepted => wire::FavorEventKind::TimeAccepted,
        EventKind::TipMissing => wire::FavorEventKind::TipMissing,
        EventKind::TimeDeclined => wire::FavorEventKind::TimeDeclined,
    }
}

fn members(ids: &[String]) -> Result<Vec<MemberId>> {
    ids.iter().map(|id| MemberId::parse("recipients", id)).collect()
}

/// One that is named in two letter cases is one.
fn groups(ids: &[String]) -> Result<Vec<GroupId>> {
    let groups = ids.iter().map(|id| GroupId::parse("group_ids", id)).collect::<Result<Vec<_>>>()?;
    Ok(form::each_once(groups.into_iter()))
}

/// An instant of a request, in whole seconds, as it is told: what a client read and sends again is the same. Absent where it is not given.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn instant(field: &'static str, at: Option<&prost_types::Timestamp>) -> Result<Option<OffsetDateTime>> {
    let at = at.map(|at| pb::instant(field, at)).transpose()?;
    Ok(at.map(|at| at.replace_nanosecond(0).unwrap_or(at)))
}
