//! What a change of attributes asks for, and what it makes of a name. Pure.

use super::super::rules::{self, Name, schema};
use crate::{
    error::{Error, Result},
    text,
};

/// An attribute that is confirmed by a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// The address.
    Email,
    /// The number, in E.164.
    PhoneNumber,
}

impl Attribute {
    /// Its name, and the purpose of its codes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::PhoneNumber => "phone_number",
        }
    }

    /// Reads the name of one.
    ///
    /// # Errors
    /// INVALID_PARAMETER for any other.
    pub fn read(name: &str) -> Result<Self> {
        let found = [Self::Email, Self::PhoneNumber].into_iter().find(|attribute| attribute.as_str() == name);
        found.ok_or_else(|| if KNOWN.contains(&name) { schema(name, "cannot be verified by a code") } else { unknown(name) })
    }

    /// A destination that shows only where it begins, or how it ends.
    pub fn masked(self, destination: &str) -> String {
        match self {
            Self::Email => rules::masked(destination),
            Self::PhoneNumber => masked_number(destination),
        }
    }
}

/// All that GetUser may tell.
const KNOWN: [&str; 10] =
    ["sub", "email", "email_verified", "name", "given_name", "family_name", "zoneinfo", "picture", "phone_number", "phone_number_verified"];
/// What the server alone says.
const READ_ONLY: [&str; 4] = ["sub", "email_verified", "phone_number_verified", "picture"];
/// What every member has.
const REQUIRED: [&str; 2] = ["email", "given_name"];

/// What shall change. What may be empty is removed by an empty text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The whole name; empty: that of its parts.
    pub name: Option<String>,
    /// The first name.
    pub given_name: Option<String>,
    /// The last name.
    pub family_name: Option<String>,
    /// An IANA zone.
    pub zone: Option<String>,
    /// The address, once its code is given.
    pub email: Option<String>,
    /// The number, once its code is given; empty: none, at once.
    pub phone_number: Option<String>,
}

/// Reads new values.
///
/// # Errors
/// INVALID_PARAMETER in the protocol's words.
pub fn changes<'a>(attributes: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Changes> {
    let mut changes = Changes::default();
    for (name, value) in attributes {
        let field = changes.field(name)?;
        if field.replace(read(name, value.trim())?).is_some() {
            return Err(schema(name, "must not be given twice"));
        }
    }
    Ok(changes)
}

/// Reads the names of attributes that shall go.
///
/// # Errors
/// INVALID_PARAMETER in the protocol's words.
pub fn removals<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Changes> {
    let mut changes = Changes::default();
    for name in names {
        *changes.field(name)? = Some(read(name, "")?);
    }
    Ok(changes)
}

impl Changes {
    fn field(&mut self, name: &str) -> Result<&mut Option<String>> {
        match name {
            "name" => Ok(&mut self.name),
            "given_name" => Ok(&mut self.given_name),
            "family_name" => Ok(&mut self.family_name),
            "zoneinfo" => Ok(&mut self.zone),
            "email" => Ok(&mut self.email),
            "phone_number" => Ok(&mut self.phone_number),
            _ if READ_ONLY.contains(&name) => Err(schema(name, "Attribute cannot be updated.")),
            _ => Err(unknown(name)),
        }
    }

    /// Whether anything of the name shall change.
    pub const fn of_name(&self) -> bool {
        self.name.is_some() || self.given_name.is_some() || self.family_name.is_some()
    }
}

/// The numbers of a member: what the profile shows is the one that waits for its code, else the one there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers<'a> {
    /// The one there is, verified or not.
    pub present: Option<&'a str>,
    /// The one that waits for its code.
    pub waiting: Option<&'a str>,
    /// Whether codes of a second factor go to the one there is.
    pub is_factor: bool,
}

/// What becomes of them when the member's profile says a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing: it is the one that is shown.
    Keep,
    /// There is none any more.
    Remove,
    /// It is the one there is: the one that waits gives way.
    Return,
    /// It is the member's from now on, unverified.
    Replace,
    /// It is the member's once its code is given: until then the second factor goes to the one there is.
    Await,
}

impl Numbers<'_> {
    /// The rule. An empty text says that there is none.
    pub fn said(&self, number: &str) -> Said {
        let said = Some(number).filter(|number| !number.is_empty());
        match said {
            _ if said == self.waiting.or(self.present) => Said::Keep,
            None => Said::Remove,
            _ if said == self.present => Said::Return,
            _ if self.is_factor => Said::Await,
            _ => Said::Replace,
        }
    }
}

fn read(name: &str, value: &str) -> Result<String> {
    if REQUIRED.contains(&name) && text::clean(value).is_empty() {
        return Err(schema(name, "The attribute is required"));
    }
    match name {
        "email" if !rules::is_email(value) => Err(schema(name, "Invalid email address format.")),
        "phone_number" if !value.is_empty() && !is_number(value) => Err(schema(name, "Invalid phone number format.")),
        "zoneinfo" if value.is_empty() => Ok("UTC".to_owned()),
        "zoneinfo" => rules::zone(value).ok_or_else(|| schema(name, "must be an IANA time zone")),
        _ => Ok(value.to_owned()),
    }
}

/// The name after a change. The whole and its parts follow each other where they did before.
///
/// # Errors
/// INVALID_PARAMETER for a part that is too long or has control characters.
pub fn renamed(present: &Name, changes: &Changes) -> Result<Name> {
    let parts = (present.given.clone(), present.family.clone());
    let follows = rules::split(&present.whole) == parts;
    let (given, family) = match &changes.name {
        Some(whole) if follows && !text::clean(whole).is_empty() => rules::split(whole),
        _ => parts,
    };
    let derived = format!("{} {}", present.given, present.family).trim() == present.whole;
    let whole = match &changes.name {
        Some(whole) => whole,
        None if derived => "",
        None => present.whole.as_str(),
    };
    let given = changes.given_name.as_ref().unwrap_or(&given);
    rules::name(whole, given, changes.family_name.as_ref().unwrap_or(&family))
}

/// Whether a text is a number in E.164.
pub fn is_number(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('+') else { return false };
    (7..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0')
}

/// A number that shows only how it ends: `+*******1234`.
pub fn masked_number(number: &str) -> String {
    let last = number.char_indices().rev().nth(3).map_or(number, |(at, _)| number.split_at(at).1);
    format!("+*******{last}")
}

fn unknown(name: &str) -> Error {
    schema(name, "Attribute does not exist in schema.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_a_members_to_change_is_refused_by_its_name() {
        for (name, value, why) in [
            ("sub", "x", "Attribute cannot be updated."),
            ("picture", "https://x.example/a.png", "Attribute cannot be updated."),
            ("email_verified", "true", "Attribute cannot be updated."),
            ("phone_number_verified", "true", "Attribute cannot be updated."),
            ("custom:role", "admin", "Attribute does not exist in schema."),
            ("email", "", "The attribute is required"),
            ("given_name", "\u{200B}", "The attribute is required"),
            ("email", "ana", "Invalid email address format."),
            ("phone_number", "5550123", "Invalid phone number format."),
            ("zoneinfo", "Mars/Base", "must be an IANA time zone"),
        ] {
            let refused = changes([(name, value)]).unwrap_err();
            assert_eq!(refused.message(), format!("Attributes did not conform to the schema: {name}: {why}"));
        }
        assert!(changes([("name", "A"), ("name", "B")]).is_err());
        for name in ["email", "given_name", "sub", "picture", "x"] {
            assert!(removals([name]).is_err(), "{name}");
        }
        let gone = removals(["phone_number", "zoneinfo", "name", "family_name"]).unwrap();
        assert_eq!((gone.phone_number.as_deref(), gone.zone.as_deref(), gone.name.as_deref()), (Some(""), Some("UTC"), Some("")));
    }

    #[test]
    fn the_whole_and_its_parts_follow_each_other_where_they_did() {
        let name = |whole: &str, given: &str, family: &str| Name { whole: whole.into(), given: given.into(), family: family.into() };
        let plain = name("Ana Silva", "Ana", "Silva");
        let titled = name("Dr. Ana Silva", "Ana", "Silva");
        for (present, change, after) in [
            (&plain, ("name", "Anna Stone"), name("Anna Stone", "Anna", "Stone")),
            (&plain, ("given_name", "Anna"), name("Anna Silva", "Anna", "Silva")),
            (&plain, ("family_name", ""), name("Ana", "Ana", "")),
            (&plain, ("name", ""), plain.clone()),
            (&titled, ("given_name", "Anna"), name("Dr. Ana Silva", "Anna", "Silva")),
            (&titled, ("name", "Prof. Ana Silva"), name("Prof. Ana Silva", "Ana", "Silva")),
            (&titled, ("name", ""), plain.clone()),
        ] {
            assert_eq!(renamed(present, &changes([change]).unwrap()).unwrap(), after, "{change:?}");
        }
        assert!(renamed(&plain, &changes([("given_name", "a".repeat(101).as_str())]).unwrap()).is_err());
    }

    #[test]
    fn a_number_that_is_said_takes_the_place_of_the_one_there_is_unless_that_is_a_second_factor() {
        let (a, b, c) = ("+14155550123", "+491701234567", "+442071234567");
        for (present, waiting, is_factor, said, becomes) in [
            (None, None, false, "", Said::Keep),
            (None, None, false, a, Said::Replace),
            (Some(a), None, false, a, Said::Keep),
            (Some(a), None, true, a, Said::Keep),
            (Some(a), None, false, b, Said::Replace),
            (Some(a), None, true, b, Said::Await),
            (Some(a), None, true, "", Said::Remove),
            (Some(a), Some(b), true, b, Said::Keep),
            (Some(a), Some(b), true, a, Said::Return),
            (Some(a), Some(b), true, c, Said::Await),
            (Some(a), Some(b), false, "", Said::Remove),
            (None, Some(b), false, b, Said::Keep),
            (None, Some(b), false, "", Said::Remove),
            (None, Some(b), false, a, Said::Replace),
        ] {
            assert_eq!(Numbers { present, waiting, is_factor }.said(said), becomes, "{present:?} {waiting:?} {is_factor} {said}");
        }
    }

    #[test]
    fn a_number_is_e164_and_shows_its_end() {
        for good in ["+14155550123", "+491701234567", "+1234567"] {
            assert!(is_number(good), "{good}");
        }
        for bad in ["", "+", "14155550123", "+04155550123", "+123456", "+1234567890123456", "+1415555o123", "+1 4155550123"] {
            assert!(!is_number(bad), "{bad}");
        }
        assert_eq!(masked_number("+14155550123"), "+*******0123");
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_panic(name: String, value: String) {
            let _ = (changes([(name.as_str(), value.as_str())]), removals([name.as_str()]), masked_number(&value), is_number(&value));
        }
    }
}
