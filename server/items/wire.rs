//! Items between the wire and the domain.

use super::{
    Category, Content, Policy, Status, Visibility, Whole, face,
    form::{self, Changes, New},
    hooks::Repute,
    rules::{self, Action, Seen},
};
use crate::{
    days::{self, Days},
    error::{Error, FieldReason, Result},
    ids::{GroupId, PictureId, each_once},
    money::{Cents, Currency},
    pb::{self, items as wire},
    pictures::{Pictures, Size},
    text,
};
use std::collections::HashSet;

/// Reads a new item. Texts are trimmed.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn create(asked: &wire::CreateItemRequest) -> Result<New> {
    let content = Content {
        title: text::line(&asked.title),
        description: text::clean(&asked.description),
        category: category(asked.category()),
        url: form::link(&asked.url)?,
        visibility: visibility(asked.visibility()),
        price: Cents::parse("price_per_day", asked.price_per_day)?,
        deposit: Cents::parse("deposit", asked.deposit)?,
        currency: Currency::of(asked.currency()),
        max_days: max_days(asked.max_days)?,
        policy: policy(asked.cancellation_policy()),
        city: city(asked.location.as_ref()),
    };
    Ok(New { content, groups: groups(&asked.group_ids)?, listed: asked.status() == wire::ItemStatus::Listed })
}

/// Reads a change: fields, of which the mask names those that count. One that is named and absent is cleared, where it may be empty.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn update(asked: &wire::UpdateItemRequest) -> Result<Changes> {
    let mut changes = Changes::default();
    for field in fields(asked) {
        match field {
            "title" => changes.title = Some(text::line(asked.title())),
            "description" => changes.description = Some(text::clean(asked.description())),
            "category" => changes.category = Some(category(asked.category())),
            "url" => changes.url = Some(form::link(asked.url())?),
            "visibility" => changes.visibility = Some(visibility(asked.visibility())),
            "status" => changes.status = Some(status(asked.status())?),
            "price_per_day" => changes.price = Some(Cents::parse("price_per_day", asked.price_per_day())?),
            "currency" => changes.currency = Some(Currency::of(asked.currency())),
            "deposit" => changes.deposit = Some(Cents::parse("deposit", asked.deposit())?),
            "max_days" => changes.max_days = Some(max_days(asked.max_days())?),
            "cancellation_policy" => changes.policy = Some(policy(asked.cancellation_policy())),
            "location" | "location.city" => changes.city = Some(city(asked.location.as_ref())),
            "group_ids" => changes.groups = Some(groups(&asked.group_ids)?),
            _ => return Err(Error::field("update_mask", FieldReason::UnknownWord, "contains a field that cannot be changed")),
        }
    }
    Ok(changes)
}

/// The fields that count: those of the mask, else those that are set.
fn fields(asked: &wire::UpdateItemRequest) -> HashSet<&str> {
    match &asked.update_mask {
        // The id says which item: a client that sends it in the body too changes nothing by that.
        Some(mask) if !mask.paths.is_empty() => mask.paths.iter().map(String::as_str).filter(|p| *p != "item_id").collect(),
        _ => [
            ("title", asked.title.is_some()),
            ("description", asked.description.is_some()),
            ("category", asked.category.is_some()),
            ("url", asked.url.is_some()),
            ("visibility", asked.visibility.is_some()),
            ("status", asked.status.is_some()),
            ("price_per_day", asked.price_per_day.is_some()),
            ("currency", asked.currency.is_some()),
            ("deposit", asked.deposit.is_some()),
            ("max_days", asked.max_days.is_some()),
            ("cancellation_policy", asked.cancellation_policy.is_some()),
            ("location", asked.location.is_some()),
            ("group_ids", !asked.group_ids.is_empty()),
        ]
        .into_iter()
        .filter_map(|(name, set)| set.then_some(name))
        .collect(),
    }
}

/// Reads ranges of days, in any order.
///
/// # Errors
/// INVALID_ARGUMENT naming the day.
pub fn ranges(asked: &[wire::DayRange]) -> Result<Vec<Days>> {
    let range = |(i, range): (usize, &wire::DayRange)| {
        let first = days::parse(format!("ranges[{i}].start_date"), &range.start_date)?;
        let last = days::parse(format!("ranges[{i}].end_date"), &range.end_date)?;
        let before = || Error::field(format!("ranges[{i}].end_date"), FieldReason::Conflicting, "must not be before start_date");
        Days::new(first, last).ok_or_else(before)
    };
    asked.iter().enumerate().map(range).collect()
}

/// Ranges of days on the wire.
pub fn day_ranges(ranges: &[Days]) -> Vec<wire::DayRange> {
    ranges.iter().map(|r| wire::DayRange { start_date: days::text(r.first()), end_date: days::text(r.last()) }).collect()
}

/// The pictures of a request, each once, in their order.
///
/// # Errors
/// INVALID_ARGUMENT naming the one that stands there twice, in two letter cases.
pub fn images(asked: &[String]) -> Result<Vec<PictureId>> {
    let named: Vec<PictureId> = asked.iter().map(|id| PictureId::parse("image_ids", id)).collect::<Result<_>>()?;
    each_once("image_ids", &named)?;
    Ok(named)
}

/// A category, if one is named.
pub fn only(asked: wire::ItemCategory) -> Option<Category> {
    (asked != wire::ItemCategory::Unspecified).then(|| category(asked))
}

/// The statuses that a filter means; `None`: any.
pub fn statuses(asked: wire::ItemStatus) -> Option<&'static [Status]> {
    match asked {
        wire::ItemStatus::Unspecified => None,
        wire::ItemStatus::Draft => Some(&[Status::Draft]),
        wire::ItemStatus::Listed => Some(&[Status::Listed]),
        wire::ItemStatus::Unlisted => Some(&[Status::Draft, Status::Unlisted]),
    }
}

/// A picture, for looking at.
pub fn image(id: PictureId, pictures: &Pictures) -> wire::ItemImage {
    wire::ItemImage { image_id: id.to_string(), url: pictures.address(id, Size::Large) }
}

/// An item as somebody may see it who sees it.
pub fn item(whole: Whole, seen: Seen, repute: Repute, is_busy: bool, pictures: &Pictures) -> wire::Item {
    let Whole { item, images, groups, owner, shared } = whole;
    let (content, is_owner) = (item.content, seen == Seen::Owner);
    let terms = form::terms(&content);
    let owner = owner.map(|shown| shown.into_person(false, pictures)).unwrap_or_default();
    wire::Item {
        item_id: item.id.to_string(),
        title: content.title,
        description: content.description,
        category: category_word(content.category).into(),
        url: content.url,
        visibility: visibility_word(content.visibility).into(),
        status: status_word(item.status).into(),
        price_per_day: content.price.units(),
        currency: content.currency.word().into(),
        deposit: content.deposit.units(),
        max_days: content.max_days.into(),
        cancellation_policy: policy_word(content.policy).into(),
        location: Some(wire::Location { city: content.city }),
        main_image: face(pictures, images.first().copied()),
        card_image: super::card(pictures, images.first().copied()),
        images: images.into_iter().map(|id| image(id, pictures)).collect(),
        owner: Some(wire::ItemOwner {
            uid: owner.uid,
            name: owner.display_name,
            profile_picture_url: owner.profile_picture_url,
            rating: repute.rating,
            favors_completed: small(repute.favors_completed),
            items_shared: small(shared),
        }),
        is_owner,
        created_at: Some(pb::timestamp(item.created_at)),
        updated_at: Some(pb::timestamp(item.updated_at)),
        allowed_actions: rules::allowed_actions(item.status, seen, is_busy).into_iter().map(|a| action_word(a).into()).collect(),
        group_ids: if is_owner { groups.iter().map(ToString::to_string).collect() } else { Vec::new() },
        terms,
    }
}

/// A count, as far as the wire counts.
pub fn small(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Those that are named, each once, where it first stands.
fn groups(asked: &[String]) -> Result<Vec<GroupId>> {
    let mut named = Vec::with_capacity(asked.len());
    for id in asked {
        let id = GroupId::parse("group_ids", id)?;
        if !named.contains(&id) {
            named.push(id);
        }
    }
    Ok(named)
}

fn city(asked: Option<&wire::Location>) -> String {
    asked.map(|location| text::line(&location.city)).unwrap_or_default()
}

fn max_days(asked: i32) -> Result<i16> {
    i16::try_from(asked).map_err(|_| Error::field("max_days", FieldReason::OutOfRange, "must be from 0 to 365"))
}

/// A status, as one may ask for it.
fn status(asked: wire::ItemStatus) -> Result<Status> {
    match asked {
        wire::ItemStatus::Listed => Ok(Status::Listed),
        wire::ItemStatus::Unlisted => Ok(Status::Unlisted),
        wire::ItemStatus::Unspecified | wire::ItemStatus::Draft => {
            Err(Error::field("status", FieldReason::Required, "must be LISTED or UNLISTED"))
        }
    }
}

/// On the wire. What was removed is told by nobody.
fn status_word(status: Status) -> wire::ItemStatus {
    match status {
        Status::Draft => wire::ItemStatus::Draft,
        Status::Listed => wire::ItemStatus::Listed,
        Status::Unlisted | Status::Deleted => wire::ItemStatus::Unlisted,
    }
}

fn category(asked: wire::ItemCategory) -> Category {
    match asked {
        wire::ItemCategory::Electronics => Category::Electronics,
        wire::ItemCategory::Sports => Category::Sports,
        wire::ItemCategory::Tools => Category::Tools,
        wire::ItemCategory::Transportation => Category::Transportation,
        wire::ItemCategory::Home => Category::Home,
        wire::ItemCategory::Entertainment => Category::Entertainment,
        wire::ItemCategory::Fashion => Category::Fashion,
        wire::ItemCategory::Unspecified | wire::ItemCategory::Other => Category::Other,
    }
}

/// On the wire.
pub fn category_word(category: Category) -> wire::ItemCategory {
    match category {
        Category::Electronics => wire::ItemCategory::Electronics,
        Category::Sports => wire::ItemCategory::Sports,
        Category::Tools => wire::ItemCategory::Tools,
        Category::Transportation => wire::ItemCategory::Transportation,
        Category::Home => wire::ItemCategory::Home,
        Category::Entertainment => wire::ItemCategory::Entertainment,
        Category::Fashion => wire::ItemCategory::Fashion,
        Category::Other => wire::ItemCategory::Other,
    }
}

fn visibility(asked: wire::Visibility) -> Visibility {
    match asked {
        wire::Visibility::Public => Visibility::Public,
        wire::Visibility::Unspecified | wire::Visibility::Friends => Visibility::Friends,
    }
}

fn visibility_word(visibility: Visibility) -> wire::Visibility {
    match visibility {
        Visibility::Friends => wire::Visibility::Friends,
        Visibility::Public => wire::Visibility::Public,
    }
}

fn policy(asked: wire::CancellationPolicy) -> Policy {
    match asked {
        wire::CancellationPolicy::Unspecified | wire::CancellationPolicy::Flex => Policy::Flex,
        wire::CancellationPolicy::Moderate => Policy::Moderate,
        wire::CancellationPolicy::Strict => Policy::Strict,
    }
}

fn policy_word(policy: Policy) -> wire::CancellationPolicy {
    match policy {
        Policy::Flex => wire::CancellationPolicy::Flex,
        Policy::Moderate => wire::CancellationPolicy::Moderate,
        Policy::Strict => wire::CancellationPolicy::Strict,
    }
}

fn action_word(action: Action) -> wire::ItemAction {
    match action {
        Action::Request => wire::ItemAction::Request,
        Action::Edit => wire::ItemAction::Edit,
        Action::List => wire::ItemAction::List,
        Action::Unlist => wire::ItemAction::Unlist,
        Action::Delete => wire::ItemAction::Delete,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost_types::FieldMask;

    fn masked(paths: &[&str], asked: wire::UpdateItemRequest) -> wire::UpdateItemRequest {
        wire::UpdateItemRequest { update_mask: Some(FieldMask { paths: paths.iter().map(|p| (*p).to_owned()).collect() }), ..asked }
    }

    #[test]
    fn a_mask_says_what_counts_and_clears_what_is_absent() {
        let asked = wire::UpdateItemRequest { title: Some(" Ladder ".into()), url: Some("https://a.example".into()), ..Default::default() };
        let all = update(&asked).unwrap();
        assert_eq!((all.title.as_deref(), all.url.as_deref(), all.city), (Some("Ladder"), Some("https://a.example"), None));
        let some = update(&masked(&["item_id", "url"], asked.clone())).unwrap();
        assert_eq!(some, Changes { url: Some("https://a.example".into()), ..Changes::default() });
        let cleared = update(&masked(&["url", "location.city", "max_days", "group_ids"], wire::UpdateItemRequest::default())).unwrap();
        let nothing = Changes {
            url: Some(String::new()),
            city: Some(String::new()),
            max_days: Some(0),
            groups: Some(Vec::new()),
            ..Changes::default()
        };
        assert_eq!(cleared, nothing);
        for (path, field) in [("owner", "update_mask"), ("location.street", "update_mask"), ("status", "status")] {
            let refused = update(&masked(&[path], wire::UpdateItemRequest::default())).unwrap_err();
            assert_eq!(refused.fields().next().map(|f| f.0), Some(field), "{path}");
        }
    }

    #[test]
    fn ranges_are_read_in_any_order_and_what_is_wrong_is_named_by_its_place() {
        let range = |first: &str, last: &str| wire::DayRange { start_date: first.into(), end_date: last.into() };
        let read = ranges(&[range("2026-07-01", "2026-07-02"), range("2026-06-01", "2026-06-01")]).unwrap();
        assert_eq!(day_ranges(&read), [range("2026-07-01", "2026-07-02"), range("2026-06-01", "2026-06-01")]);
        for (bad, field) in [
            (range("2026-02-29", "2026-03-01"), "ranges[1].start_date"),
            (range("2026-03-01", "2026-03-32"), "ranges[1].end_date"),
            (range("2026-03-02", "2026-03-01"), "ranges[1].end_date"),
        ] {
            let refused = ranges(&[range("2026-06-01", "2026-06-01"), bad]).unwrap_err();
            assert_eq!(refused.fields().next().map(|f| f.0), Some(field));
        }
    }

    #[test]
    fn a_picture_that_is_named_twice_is_told_by_its_place() {
        let id = "0190000000007000800000000000000a";
        let twice = images(&[id.to_owned(), id.to_uppercase()]).unwrap_err();
        assert_eq!(twice.fields().next().map(|f| (f.0, f.1)), Some(("image_ids[1]", "TWICE")));
    }
}
