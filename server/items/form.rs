//! What an owner writes, and the rules it must keep. Pure.

use super::{Category, Content, Policy, Status, Visibility};
use crate::{
    days::{self, Days},
    error::{Error, FieldReason, Reason, Result},
    ids::GroupId,
    money::{Cents, Currency},
    preconditions, text,
};
use std::collections::HashSet;
use url::Url;

/// The most items of one member, those that were removed left out.
pub const ITEMS_MAX: i64 = 500;

/// A new item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// What it is.
    pub content: Content,
    /// The groups to which it is narrowed; none means all whom the visibility names.
    pub groups: Vec<GroupId>,
    /// Whether others find it at once.
    pub listed: bool,
}

/// The changes of an edit; `None` keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// A new title.
    pub title: Option<String>,
    /// A new description.
    pub description: Option<String>,
    /// A new category.
    pub category: Option<Category>,
    /// A new link.
    pub url: Option<String>,
    /// Who may see it from now on.
    pub visibility: Option<Visibility>,
    /// Whether others find it from now on.
    pub status: Option<Status>,
    /// A new price.
    pub price: Option<Cents>,
    /// A new deposit.
    pub deposit: Option<Cents>,
    /// A new currency.
    pub currency: Option<Currency>,
    /// For how many days it may be borrowed from now on.
    pub max_days: Option<i16>,
    /// A new policy.
    pub policy: Option<Policy>,
    /// A new city.
    pub city: Option<String>,
    /// Other groups.
    pub groups: Option<Vec<GroupId>>,
}

impl Changes {
    /// The content with these changes.
    pub fn apply(&self, old: &Content) -> Content {
        Content {
            title: self.title.clone().unwrap_or_else(|| old.title.clone()),
            description: self.description.clone().unwrap_or_else(|| old.description.clone()),
            category: self.category.unwrap_or(old.category),
            url: self.url.clone().unwrap_or_else(|| old.url.clone()),
            visibility: self.visibility.unwrap_or(old.visibility),
            price: self.price.unwrap_or(old.price),
            deposit: self.deposit.unwrap_or(old.deposit),
            currency: self.currency.unwrap_or(old.currency),
            max_days: self.max_days.unwrap_or(old.max_days),
            policy: self.policy.unwrap_or(old.policy),
            city: self.city.clone().unwrap_or_else(|| old.city.clone()),
        }
    }
}

/// Checks what stands in the form, of which the codec knows lengths and bounds.
///
/// # Errors
/// INVALID_ARGUMENT with every field of which nothing can be seen, in the documented texts.
pub fn check(content: &Content) -> Result<()> {
    let needed =
        [("title", &content.title, "Please enter an item title"), ("description", &content.description, "Please enter a description")];
    let mut empty = needed.into_iter().filter(|(_, text, _)| text.is_empty()).peekable();
    if empty.peek().is_none() {
        return Ok(());
    }
    Err(empty.fold(Error::invalid_fields(), |error, (field, _, text)| error.with_field(field, FieldReason::Required, text)))
}

/// A reference link to the letter, or none. A host is needed, which browsers would look for in what follows; and nobody is named before it, for
/// that reads as another host.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn link(asked: &str) -> Result<String> {
    let is_seen = || !asked.chars().any(|c| text::is_space(c) || text::is_invisible(c));
    if asked.is_empty() || (is_seen() && names_a_host(asked)) {
        return Ok(asked.to_owned());
    }
    Err(Error::field("url", FieldReason::Invalid, "must be a web address like https://example.org/ladder"))
}

fn names_a_host(link: &str) -> bool {
    let Some((scheme, rest)) = link.split_once("://") else { return false };
    let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let begins = rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    is_web && begins && Url::parse(link).is_ok_and(|url| url.username().is_empty() && url.password().is_none())
}

/// Names what a borrower agrees to who asks for it: another one for another price, deposit, currency or policy.
pub fn terms(content: &Content) -> String {
    preconditions::name_of(&(content.price.cents(), content.deposit.cents(), content.currency.code(), content.policy))
}

/// Refuses a request by other terms than those that hold.
///
/// # Errors
/// CONFLICT.
pub fn check_terms(known: &str, content: &Content) -> Result<()> {
    preconditions::check("terms", known, &terms(content), "the price, deposit or cancellation policy has changed; load the item again")
}

/// The version of black-out days: another one for other ranges.
pub fn etag(blackouts: &[Days]) -> String {
    let days: Vec<_> = blackouts.iter().map(|range| (days::text(range.first()), days::text(range.last()))).collect();
    preconditions::name_of(&days)
}

/// Refuses black-out days that were made of others than those that there are.
///
/// # Errors
/// CONFLICT.
pub fn check_version(known: &str, blackouts: &[Days]) -> Result<()> {
    preconditions::check("etag", known, &etag(blackouts), "the unavailable days have changed; load them again")
}

/// Refuses groups that are not the owner's, by their place in the request: another's does not exist for them. Those to which the item is
/// narrowed already may stay when they are gone: nobody is in them, and that nobody sees it is for the owner to change.
///
/// # Errors
/// NOT_FOUND.
pub fn of_own(asked: &[GroupId], own: &[GroupId], before: &[GroupId]) -> Result<()> {
    let foreign = |group: &GroupId| !own.contains(group) && !before.contains(group);
    let mut wrong = asked.iter().enumerate().filter(|(_, group)| foreign(group)).peekable();
    if wrong.peek().is_none() {
        return Ok(());
    }
    let refuse = |error: Error, (i, _)| error.with_field(format!("group_ids[{i}]"), FieldReason::Invalid, "is not a group of yours");
    Err(wrong.fold(Error::new(Reason::NotFound, ""), refuse))
}

/// Whether two lists name the same groups, in whatever order.
pub fn same(one: &[GroupId], other: &[GroupId]) -> bool {
    one.iter().collect::<HashSet<_>>() == other.iter().collect()
}

/// Refuses one more item than there may be.
///
/// # Errors
/// LIMIT_REACHED.
pub fn one_more(items: i64) -> Result<()> {
    if items < ITEMS_MAX {
        return Ok(());
    }
    Err(Error::new(Reason::LimitReached, format!("you can have at most {ITEMS_MAX} items; remove one first")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn content() -> Content {
        Content {
            title: "Ladder".into(),
            description: "Three metres".into(),
            category: Category::Tools,
            url: String::new(),
            visibility: Visibility::Friends,
            price: Cents::default(),
            deposit: Cents::default(),
            currency: Currency::Usd,
            max_days: 0,
            policy: Policy::Flex,
            city: String::new(),
        }
    }

    #[test]
    fn a_link_is_of_the_web_and_shows_where_it_leads() {
        for good in
            ["", "https://a.example", "HTTP://127.0.0.1:80/x?y#z", "https://[::1]/", "https://bücher.example/ä", "https://a.example/@b"]
        {
            assert_eq!(link(good).unwrap(), good);
        }
        for bad in [
            "a.example",
            "ftp://a.example",
            "javascript:alert(1)//https://a.example",
            "https:a.example",
            "https://",
            "http:///a.example",
            "https://?x",
            "https://#",
            "https://:80",
            "https://@",
            "https://%",
            "https://...",
            "https://bank.example@evil.example",
            "https://a:b@evil.example",
            " https://a.example",
            "https://a.example/b c",
            "https://good\u{34F}.example",
            "https://a.example/\u{FE0F}",
            "https://a.example/\u{E0100}",
            "https://a.example/\u{2800}",
        ] {
            let refused = link(bad).unwrap_err();
            assert_eq!(refused.fields().next().map(|f| f.0), Some("url"), "{bad}");
        }
    }

    #[test]
    fn what_is_needed_is_asked_for_in_the_documented_words() {
        check(&content()).unwrap();
        let refused = check(&Content { title: String::new(), description: String::new(), ..content() }).unwrap_err();
        let fields: Vec<_> = refused.fields().map(|(field, reason, text)| (field.to_owned(), reason, text.to_owned())).collect();
        assert_eq!(
            fields,
            [
                ("title".to_owned(), "REQUIRED", "Please enter an item title".to_owned()),
                ("description".to_owned(), "REQUIRED", "Please enter a description".to_owned()),
            ]
        );
        assert_eq!(check(&Content { description: String::new(), ..content() }).unwrap_err().fields().count(), 1);
    }

    #[test]
    fn a_group_is_ones_own_or_was_named_before() {
        let group = |n| GroupId(Uuid::from_u128(n));
        of_own(&[], &[], &[]).unwrap();
        of_own(&[group(1), group(2)], &[group(1)], &[group(2)]).unwrap();
        let refused = of_own(&[group(1), group(3)], &[group(1)], &[group(2)]).unwrap_err();
        assert_eq!((refused.reason(), refused.fields().next().map(|f| f.0)), (Reason::NotFound, Some("group_ids[1]")));
        assert!(same(&[group(1), group(2)], &[group(2), group(1)]) && !same(&[group(1)], &[]));
    }

    #[test]
    fn there_are_so_many_items_and_no_more() {
        one_more(ITEMS_MAX - 1).unwrap();
        assert_eq!(one_more(ITEMS_MAX).unwrap_err().reason(), Reason::LimitReached);
    }

    fn some<T: Clone + std::fmt::Debug + 'static>(values: &'static [T]) -> impl Strategy<Value = Option<T>> {
        proptest::option::of(proptest::sample::select(values))
    }

    proptest! {
        #[test]
        fn what_no_change_names_stays_and_all_else_is_as_it_says(
            title in proptest::option::of("[a-z]{1,9}"),
            category in some(&[Category::Home, Category::Tools, Category::Other]),
            max_days in some(&[0i16, 7, 365]),
            city in proptest::option::of("[a-z]{0,9}"),
        ) {
            let changes = Changes { title: title.clone(), category, max_days, city: city.clone(), ..Changes::default() };
            let (old, new) = (content(), changes.apply(&content()));
            let expected = Content {
                title: title.unwrap_or(old.title.clone()),
                category: category.unwrap_or(old.category),
                max_days: max_days.unwrap_or(old.max_days),
                city: city.unwrap_or(old.city.clone()),
                ..old
            };
            prop_assert_eq!(&new, &expected);
            prop_assert_eq!(changes.apply(&new), new, "a change that is made twice is made once");
        }
    }
}
