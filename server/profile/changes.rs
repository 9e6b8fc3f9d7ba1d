//! A change of a profile, as it is asked for: which fields, and what they shall be. Pure.

use super::{COUNTRY, Kept, numbers};
use crate::{
    error::{Error, FieldReason, Result},
    identity::{attributes::profile::Wanted, rules},
    pb::profile::UpdateProfileRequest,
    text,
};
use std::collections::BTreeSet;

/// What shall change; `None` keeps, an empty text clears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The name that is shown.
    pub display_name: Option<String>,
    /// The first name; never empty.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// The number, as it was typed.
    pub number: Option<String>,
    /// The country by which it is read.
    pub country: Option<String>,
    /// The picture, as far as it may be said here.
    pub picture: Option<String>,
    /// The zone.
    pub zone: Option<String>,
    /// The Venmo handle.
    pub venmo: Option<String>,
    /// The PayPal handle.
    pub paypal: Option<String>,
}

const DISPLAY_NAME: &str = "details.display_name";
const FIRST_NAME: &str = "details.first_name";
const LAST_NAME: &str = "details.last_name";
const NUMBER: &str = "details.phone_number";
const COUNTRY_CODE: &str = "details.country_code";
const PICTURE: &str = "details.profile_picture_url";
const ZONE: &str = "details.time_zone";
const VENMO: &str = "data.payment_info.venmo_username";
const PAYPAL: &str = "data.payment_info.paypal_username";

/// Every field that can change.
const FIELDS: [&str; 9] = [DISPLAY_NAME, FIRST_NAME, LAST_NAME, NUMBER, COUNTRY_CODE, PICTURE, ZONE, VENMO, PAYPAL];
/// Those of the personal details that a whole replacement clears where they are absent; the first name it needs.
const WHOLE: [&str; 4] = [DISPLAY_NAME, FIRST_NAME, LAST_NAME, NUMBER];
const HANDLES: [&str; 2] = [VENMO, PAYPAL];

/// Reads a change.
///
/// # Errors
/// INVALID_ARGUMENT with every field that breaks a rule, in the documented texts.
pub fn read(asked: &UpdateProfileRequest) -> Result<Changes> {
    let given = Given::of(asked);
    let fields = given.fields(asked)?;
    let of = |field: &str| fields.contains(field).then(|| given.value(field).unwrap_or_default());
    let name = |field: &str| of(field).map(text::name);
    let changes = Changes {
        display_name: name(DISPLAY_NAME),
        first_name: name(FIRST_NAME),
        last_name: name(LAST_NAME),
        number: of(NUMBER).map(|number| number.trim().to_owned()),
        country: of(COUNTRY_CODE).map(|country| or(country, COUNTRY)),
        picture: of(PICTURE).map(str::to_owned),
        zone: of(ZONE).map(|zone| or(zone, "UTC")).map(|zone| rules::zone(&zone).unwrap_or(zone)),
        venmo: of(VENMO).map(str::to_owned),
        paypal: of(PAYPAL).map(str::to_owned),
    };
    check(&changes)?;
    Ok(changes)
}

fn or(text: &str, otherwise: &str) -> String {
    if text.is_empty() { otherwise } else { text }.to_owned()
}

fn check(changes: &Changes) -> Result<()> {
    let mut wrong = Vec::new();
    if changes.first_name.as_deref() == Some("") {
        wrong.push((FIRST_NAME, FieldReason::Required, "Please enter both first and last name."));
    }
    for (field, name) in [(DISPLAY_NAME, &changes.display_name), (FIRST_NAME, &changes.first_name), (LAST_NAME, &changes.last_name)] {
        if name.as_ref().is_some_and(|name| name.chars().any(text::breaks)) {
            wrong.push((field, FieldReason::Invalid, "must not contain control characters"));
        }
    }
    if changes.country.as_ref().is_some_and(|country| !numbers::is_country(country)) {
        wrong.push((COUNTRY_CODE, FieldReason::UnknownWord, "must be an ISO 3166-1 country code like US"));
    }
    if changes.zone.as_ref().is_some_and(|zone| rules::zone(zone).is_none()) {
        wrong.push((ZONE, FieldReason::UnknownWord, "must be an IANA time zone like America/New_York"));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(wrong.into_iter().fold(Error::invalid_fields(), |error, (field, reason, text)| error.with_field(field, reason, text)))
}

impl Changes {
    /// What identity shall change, for who has this profile, this number and a picture with these addresses now: the number is read by the country
    /// that holds after the change.
    ///
    /// # Errors
    /// INVALID_ARGUMENT for a number that is none, and for another picture than the present one.
    pub fn wanted(&self, kept: &Kept, is_present: impl Fn(&str) -> bool, shown: Option<&str>) -> Result<Wanted> {
        if self.picture.as_ref().is_some_and(|said| !said.is_empty() && !is_present(said)) {
            return Err(Error::field(
                PICTURE,
                FieldReason::Invalid,
                "must be empty or the current one; use the picture calls to change it",
            ));
        }
        let country = self.country.as_ref().unwrap_or(&kept.country);
        let number = match self.number.as_deref() {
            None => None,
            Some("") => Some(String::new()),
            // Said back as it was told: some are kept that are written otherwise here.
            Some(number) if Some(number) == shown => Some(number.to_owned()),
            Some(number) => Some(numbers::read(number, country).ok_or_else(not_a_number)?),
        };
        Ok(Wanted {
            display_name: self.display_name.clone(),
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            zone: self.zone.clone(),
            number,
        })
    }

    /// What is kept after the change. A number that was given once is not asked for again.
    pub fn apply(&self, kept: &Kept) -> Kept {
        let gives_number = self.number.as_ref().is_some_and(|number| !number.is_empty());
        Kept {
            country: self.country.clone().unwrap_or_else(|| kept.country.clone()),
            venmo: self.venmo.clone().unwrap_or_else(|| kept.venmo.clone()),
            paypal: self.paypal.clone().unwrap_or_else(|| kept.paypal.clone()),
            phone_step_done: kept.phone_step_done || gives_number,
        }
    }
}

fn not_a_number() -> Error {
    Error::field(NUMBER, FieldReason::Invalid, "Please enter a valid phone number")
}

/// What a request says, by field.
struct Given<'a>(Vec<(&'static str, Option<&'a str>)>);

impl<'a> Given<'a> {
    fn of(asked: &'a UpdateProfileRequest) -> Self {
        let details = asked.details.as_ref();
        let handles = asked.data.as_ref().and_then(|data| data.payment_info.as_ref());
        Self(vec![
            (DISPLAY_NAME, details.and_then(|d| d.display_name.as_deref())),
            (FIRST_NAME, details.and_then(|d| d.first_name.as_deref())),
            (LAST_NAME, details.and_then(|d| d.last_name.as_deref())),
            (NUMBER, details.and_then(|d| d.phone_number.as_deref())),
            (COUNTRY_CODE, details.and_then(|d| d.country_code.as_deref())),
            (PICTURE, details.and_then(|d| d.profile_picture_url.as_deref())),
            (ZONE, details.and_then(|d| d.time_zone.as_deref())),
            (VENMO, handles.and_then(|h| h.venmo_username.as_deref())),
            (PAYPAL, handles.and_then(|h| h.paypal_username.as_deref())),
        ])
    }

    fn value(&self, field: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| *name == field).and_then(|(_, value)| *value)
    }

    fn is_set(&self, field: &str) -> bool {
        self.value(field).is_some()
    }

    /// The fields that count: of a whole replacement, those of the mask, or those that are set.
    fn fields(&self, asked: &UpdateProfileRequest) -> Result<BTreeSet<&'static str>> {
        let set = || FIELDS.into_iter().filter(|field| self.is_set(field));
        let has_handles = asked.data.as_ref().is_some_and(|data| data.payment_info.is_some());
        match &asked.update_mask {
            _ if asked.whole => Ok(set().chain(WHOLE).chain(HANDLES.into_iter().filter(|_| has_handles)).collect()),
            Some(mask) if !mask.paths.is_empty() => {
                let mut fields = BTreeSet::new();
                for path in &mask.paths {
                    fields.extend(self.below(path, asked)?);
                }
                Ok(fields)
            }
            _ => Ok(set().collect()),
        }
    }

    /// The fields that a path of the mask names: one, or what stands below it. Of a message that is there, those that are set in it count; of
    /// one that is not, all.
    fn below(&self, path: &str, asked: &UpdateProfileRequest) -> Result<Vec<&'static str>> {
        let data = asked.data.as_ref();
        let is_there = match path {
            "details" => asked.details.is_some(),
            "data" => data.is_some(),
            "data.payment_info" => data.is_some_and(|data| data.payment_info.is_some()),
            _ => false,
        };
        let inside = |field: &&str| field.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let named: Vec<_> = FIELDS.into_iter().filter(inside).collect();
        if named.is_empty() {
            return Err(Error::field("update_mask", FieldReason::UnknownWord, "contains a field that cannot be changed"));
        }
        Ok(named.into_iter().filter(|field| !is_there || self.is_set(field)).collect())
    }
}

#[cfg(test)]
mod tests;
