//! What a creator writes, and the rules it must keep. Pure.

use super::{Category, Content, FavorStatus, RequestType};
use crate::{
    error::{Error, FieldReason, Reason, Result},
    ids::{GroupId, MemberId},
    money::{Cents, Currency},
    preconditions,
};
use std::collections::HashSet;
use time::OffsetDateTime;

/// The changes of an edit; `None` keeps. A start or deadline of `Some(None)` is cleared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// A new title.
    pub title: Option<String>,
    /// A new description.
    pub description: Option<String>,
    /// A new category.
    pub category: Option<Category>,
    /// A new start.
    pub start: Option<Option<OffsetDateTime>>,
    /// A new deadline.
    pub confirm: Option<Option<OffsetDateTime>>,
    /// A new tip.
    pub tip: Option<Cents>,
    /// A new currency.
    pub currency: Option<Currency>,
    /// New recipients.
    pub recipients: Option<Vec<MemberId>>,
    /// New groups.
    pub groups: Option<Vec<GroupId>>,
    /// A new location.
    pub location: Option<String>,
    /// Who is asked from now on.
    pub request_type: Option<RequestType>,
    /// How many may accept from now on.
    pub max_responses: Option<i16>,
}

impl Changes {
    /// The content with these changes. A deadline that was the start moves along with it.
    pub fn apply(&self, old: &Content) -> Content {
        let start = self.start.unwrap_or(old.start);
        let follows = old.confirm == old.start || start.is_none();
        let confirm = match self.confirm {
            Some(confirm) => confirm.or(start),
            None if follows => start,
            None => old.confirm,
        };
        Content {
            title: self.title.clone().unwrap_or_else(|| old.title.clone()),
            description: self.description.clone().unwrap_or_else(|| old.description.clone()),
            category: self.category.unwrap_or(old.category),
            start,
            confirm,
            tip: self.tip.unwrap_or(old.tip),
            currency: self.currency.unwrap_or(old.currency),
            location: self.location.clone().unwrap_or_else(|| old.location.clone()),
            request_type: self.request_type.unwrap_or(old.request_type),
            max_responses: self.max_responses.unwrap_or(old.max_responses),
        }
    }
}

/// Refuses to take a favor from friends who may have offered help for it.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn stays_public(status: FavorStatus, old: &Content, new: &Content) -> Result<()> {
    if status == FavorStatus::Draft || old.request_type == RequestType::Direct || new.request_type == RequestType::Public {
        return Ok(());
    }
    Err(Error::field("request_type", FieldReason::Conflicting, "must stay public once the favor is posted"))
}

/// The content of a favor that moves to a proposed start. A deadline moves along, or ends with the start.
pub fn moved(old: &Content, start: OffsetDateTime) -> Content {
    let moved = Changes { start: Some(Some(start)), ..Changes::default() }.apply(old);
    Content { confirm: moved.confirm.map(|confirm| confirm.min(start)), ..moved }
}

/// The most recipients of a favor, groups and all.
const RECIPIENTS_MAX: usize = 100;

/// Refuses more recipients than there may be, which groups can make of few.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn few_enough(recipients: usize) -> Result<()> {
    if recipients <= RECIPIENTS_MAX {
        return Ok(());
    }
    let text = format!("You can ask up to {RECIPIENTS_MAX} people. You chose {recipients}.");
    Err(Error::field("group_ids", FieldReason::TooMany, text))
}

/// Refuses one more than there may be.
///
/// # Errors
/// LIMIT_REACHED.
pub fn one_more(recipients: usize) -> Result<()> {
    if recipients < RECIPIENTS_MAX {
        return Ok(());
    }
    Err(Error::new(Reason::LimitReached, format!("a favor can ask at most {RECIPIENTS_MAX} people")))
}

/// A list with each entry once, where it first stands.
pub fn each_once<T: Copy + Eq + std::hash::Hash>(list: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    list.filter(|entry| seen.insert(*entry)).collect()
}

/// The version of a favor: another one after every change that its creator makes.
pub fn etag(updated_at: OffsetDateTime) -> String {
    format!("{:x}", updated_at.unix_timestamp_nanos() / 1000)
}

/// Refuses a change that was made on another version than the one that stands; the empty one is whichever.
///
/// # Errors
/// CONFLICT.
pub fn check_version(known: &str, updated_at: OffsetDateTime) -> Result<()> {
    preconditions::check("etag", known, &etag(updated_at), "the favor has changed; load it again")
}

/// Names what is asked, for who promises to do it: another one for another title, description, place, start or tip.
pub fn terms(content: &Content) -> String {
    let start = content.start.map(OffsetDateTime::unix_timestamp);
    preconditions::name_of(&(&content.title, &content.description, &content.location, start, content.tip.cents(), content.currency.code()))
}

/// Refuses an answer to something else than what is asked; the empty one is to whatever it is.
///
/// # Errors
/// CONFLICT.
pub fn check_terms(known: &str, content: &Content) -> Result<()> {
    preconditions::check("terms", known, &terms(content), "the terms of the favor have changed; load it again")
}

/// The moment at which things are checked, for one creator.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Now.
    pub now: OffsetDateTime,
    /// When today began in the creator's zone.
    pub today: OffsetDateTime,
}

impl Moment {
    /// A moment in an IANA zone; one that is not known counts as UTC.
    pub fn new(now: OffsetDateTime, zone: &str) -> Self {
        Self { now, today: start_of_day(now, zone).unwrap_or_else(|| now.replace_time(time::Time::MIDNIGHT)) }
    }
}

fn start_of_day(now: OffsetDateTime, zone: &str) -> Option<OffsetDateTime> {
    let zone = jiff::tz::TimeZone::get(zone).ok()?;
    let day = jiff::Timestamp::from_second(now.unix_timestamp()).ok()?.to_zoned(zone).start_of_day().ok()?;
    OffsetDateTime::from_unix_timestamp(day.timestamp().as_second()).ok()
}

/// What is checked beside the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Whether it is, or is about to be, posted: it needs a start and recipients.
    pub posted: bool,
    /// Whether the start counts: one that was fine when it was written may pass. Posted, it is not past; drafted, of today or later.
    pub start: bool,
    /// Whether the deadline counts, in the same way.
    pub confirm: bool,
}

/// Checks what stands in the form.
///
/// # Errors
/// INVALID_ARGUMENT with every field that breaks a rule, in the documented texts; START_IN_PAST when a start that is past is all.
pub fn check(content: &Content, recipients: usize, checks: Checks, at: Moment) -> Result<()> {
    let mut wrong = Vec::new();
    if content.title.is_empty() {
        wrong.push(("title", FieldReason::Required, "Please enter a favor title"));
    }
    if content.description.is_empty() {
        wrong.push(("description", FieldReason::Required, "Please enter a favor description"));
    }
    let first = if checks.posted { at.now } else { at.today };
    let past_start = content.start.filter(|start| checks.start && *start < first);
    match (content.start, content.confirm) {
        (None, Some(_)) => wrong.push(("confirmation_date", FieldReason::Conflicting, "Please select start date first")),
        (Some(start), Some(confirm)) if confirm > start => {
            wrong.push(("confirmation_date", FieldReason::AfterStart, "Confirmation deadline cannot be after the start date"));
        }
        // The start's own deadline goes with it: one text is enough.
        (Some(_), Some(confirm)) if checks.confirm && confirm < first && past_start != Some(confirm) => {
            wrong.push(("confirmation_date", FieldReason::InPast, "The confirmation deadline cannot be in the past"));
        }
        _ => {}
    }
    match content.start {
        None if checks.posted => wrong.push(("start_date", FieldReason::Required, "Please select when you need help")),
        Some(_) if past_start.is_some() => wrong.push(("start_date", FieldReason::InPast, "The start date cannot be in the past")),
        _ => {}
    }
    if checks.posted && recipients == 0 && content.request_type == RequestType::Direct {
        wrong.push(("recipients", FieldReason::Required, "Please select at least one recipient"));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let only_past = wrong.iter().all(|(field, reason, _)| (*field, *reason) == ("start_date", FieldReason::InPast));
    let reason = if only_past { Reason::StartInPast } else { Reason::InvalidArgument };
    Err(wrong.into_iter().fold(Error::new(reason, ""), |error, (field, reason, text)| error.with_field(field, reason, text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::{Duration, macros::datetime};

    const NOW: OffsetDateTime = datetime!(2026-06-01 12:00 UTC);
    const POSTING: Checks = Checks { posted: true, start: true, confirm: true };
    const DRAFTING: Checks = Checks { posted: false, start: true, confirm: true };

    fn content(start: Option<OffsetDateTime>) -> Content {
        Content {
            title: "Walk the dog".into(),
            description: "Twice around the block".into(),
            category: Category::PetCare,
            start,
            confirm: start,
            tip: Cents::default(),
            currency: Currency::Usd,
            location: String::new(),
            request_type: RequestType::Direct,
            max_responses: 1,
        }
    }

    fn reason(result: Result<()>) -> Reason {
        result.unwrap_err().reason()
    }

    #[test]
    fn a_hundred_are_asked_at_most_and_each_once() {
        few_enough(100).unwrap();
        one_more(99).unwrap();
        assert_eq!(one_more(100).unwrap_err().reason(), Reason::LimitReached);
        let many = few_enough(101).unwrap_err();
        assert_eq!(many.fields().next(), Some(("group_ids", "TOO_MANY", "You can ask up to 100 people. You chose 101.")));
        assert_eq!(each_once([2, 1, 2, 3, 1].into_iter()), [2, 1, 3]);
    }

    #[test]
    fn posting_needs_a_start_ahead_and_somebody_to_ask() {
        let at = Moment::new(NOW, "UTC");
        check(&content(Some(NOW)), 1, POSTING, at).unwrap();
        assert_eq!(reason(check(&content(None), 1, POSTING, at)), Reason::InvalidArgument);
        assert_eq!(reason(check(&content(Some(NOW)), 0, POSTING, at)), Reason::InvalidArgument);
        assert_eq!(reason(check(&content(Some(NOW - Duration::SECOND)), 1, POSTING, at)), Reason::StartInPast);
    }

    #[test]
    fn a_public_favor_asks_nobody_by_name_and_stays_public() {
        let (at, direct) = (Moment::new(NOW, "UTC"), content(Some(NOW)));
        let public = Content { request_type: RequestType::Public, ..direct.clone() };
        check(&public, 0, POSTING, at).unwrap();
        stays_public(FavorStatus::Active, &direct, &public).unwrap();
        stays_public(FavorStatus::Draft, &public, &direct).unwrap();
        assert_eq!(stays_public(FavorStatus::Active, &public, &direct).unwrap_err().fields().next().unwrap().0, "request_type");
    }

    #[test]
    fn a_proposed_start_takes_the_deadline_along_or_ends_it() {
        let day = Duration::DAY;
        assert_eq!(moved(&content(Some(NOW)), NOW + day).confirm, Some(NOW + day));
        let early = Content { confirm: Some(NOW - day), ..content(Some(NOW)) };
        assert_eq!(moved(&early, NOW + day).confirm, Some(NOW - day));
        let sooner = moved(&early, NOW - day - day);
        assert_eq!((sooner.start, sooner.confirm), (Some(NOW - day - day), Some(NOW - day - day)));
    }

    #[test]
    fn a_draft_may_start_earlier_today_but_not_yesterday() {
        let at = Moment::new(NOW, "UTC");
        check(&content(None), 0, DRAFTING, at).unwrap();
        check(&content(Some(datetime!(2026-06-01 00:00 UTC))), 0, DRAFTING, at).unwrap();
        assert_eq!(reason(check(&content(Some(datetime!(2026-05-31 23:59 UTC))), 0, DRAFTING, at)), Reason::StartInPast);
    }

    #[test]
    fn a_deadline_is_ahead_when_it_is_written_or_posted() {
        let at = Moment::new(NOW, "UTC");
        let with = |confirm| Content { confirm: Some(confirm), ..content(Some(NOW + Duration::DAY)) };
        check(&with(NOW), 1, POSTING, at).unwrap();
        let late = check(&with(NOW - Duration::SECOND), 1, POSTING, at).unwrap_err();
        assert_eq!(
            (late.reason(), late.message()),
            (Reason::InvalidArgument, "confirmation_date: The confirmation deadline cannot be in the past")
        );
        // It was fine when it was written, and time went by.
        check(&with(NOW - Duration::SECOND), 1, Checks { confirm: false, ..POSTING }, at).unwrap();
        check(&with(at.today), 0, DRAFTING, at).unwrap();
        check(&with(at.today - Duration::SECOND), 0, DRAFTING, at).unwrap_err();
        let both = Content { confirm: Some(NOW - Duration::DAY), ..content(Some(NOW - Duration::SECOND)) };
        assert_eq!(reason(check(&both, 1, POSTING, at)), Reason::InvalidArgument);
    }

    #[test]
    fn who_knows_an_older_version_is_told_and_need_not_try_again() {
        check_version("", NOW).unwrap();
        check_version(&etag(NOW), NOW).unwrap();
        let stale = check_version(&etag(NOW - Duration::MICROSECOND), NOW).unwrap_err();
        assert_eq!((stale.reason(), stale.is_lost_race()), (Reason::Conflict, false));
    }

    #[test]
    fn today_is_the_creators() {
        // In Kiribati it is 2 June already, since ten o'clock of 1 June, UTC.
        assert_eq!(Moment::new(NOW, "Pacific/Kiritimati").today, datetime!(2026-06-01 10:00 UTC));
        assert_eq!(Moment::new(NOW, "America/Los_Angeles").today, datetime!(2026-06-01 07:00 UTC));
        assert_eq!(Moment::new(NOW, "Nowhere/At_all").today, datetime!(2026-06-01 00:00 UTC));
    }

    #[test]
    fn the_deadline_follows_the_start_unless_it_was_set() {
        let (day, old) = (Duration::DAY, content(Some(NOW)));
        let moved = Changes { start: Some(Some(NOW + day)), ..Changes::default() }.apply(&old);
        assert_eq!(moved.confirm, Some(NOW + day));
        let set = Content { confirm: Some(NOW - day), ..old.clone() };
        let moved = Changes { start: Some(Some(NOW + day)), ..Changes::default() }.apply(&set);
        assert_eq!(moved.confirm, Some(NOW - day));
        let cleared = Changes { start: Some(None), ..Changes::default() }.apply(&set);
        assert_eq!((cleared.start, cleared.confirm), (None, None));
        let late = Changes { confirm: Some(Some(NOW + day)), ..Changes::default() }.apply(&old);
        assert_eq!(
            check(&late, 0, DRAFTING, Moment::new(NOW, "UTC")).unwrap_err().message(),
            "confirmation_date: Confirmation deadline cannot be after the start date"
        );
    }
}
