//! What a sign-up must bring, and how texts are read. Pure.

use crate::{
    error::{Error, Reason, Result},
    text,
};
use jiff::tz::TimeZoneDatabase;
use time::{OffsetDateTime, PrimitiveDateTime, macros::format_description};

const NAME_CHARS_MAX: usize = 100;
const EMAIL_CHARS_MAX: usize = 254;
const LOCAL_PART_CHARS_MAX: usize = 64;

/// A name and its two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// All of it, as it was said.
    pub whole: String,
    /// The first word.
    pub given: String,
    /// The others; empty for a name of one word.
    pub family: String,
}

/// Refuses a request that lacks members, in the words of the protocol.
///
/// # Errors
/// INVALID_PARAMETER naming all that are empty.
pub fn present(members: &[(&str, &str)]) -> Result<()> {
    let missing: Vec<String> = members
        .iter()
        .filter(|(_, value)| value.is_empty())
        .map(|(name, _)| format!("Value null at '{name}' failed to satisfy constraint: Member must not be null"))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let noun = if missing.len() == 1 { "error" } else { "errors" };
    Err(invalid(format!("{} validation {noun} detected: {}", missing.len(), missing.join("; "))))
}

/// INVALID_PARAMETER with a text.
pub fn invalid(text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(Reason::InvalidParameter, text)
}

/// Whether a text has the shape of an e-mail address that mail can be sent to.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let fits = text.len() <= EMAIL_CHARS_MAX && (1..=LOCAL_PART_CHARS_MAX).contains(&local.len());
    let plain = |b: u8| b.is_ascii_graphic() && !b"@()<>[],;:\\\"".contains(&b);
    let dotted = |part: &str| part.split('.').all(|label| !label.is_empty());
    let label = |l: &str| l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && !l.starts_with('-') && !l.ends_with('-');
    let shaped = local.bytes().all(plain) && dotted(local) && domain.contains('.') && dotted(domain) && domain.split('.').all(label);
    fits && shaped && text.parse::<lettre::Address>().is_ok()
}

/// Reads the time that enters a proof: `Tue May 7 00:09:40 UTC 2025`.
pub fn timestamp(text: &str) -> Option<OffsetDateTime> {
    let format = format_description!("[weekday repr:short] [month repr:short] [day padding:none] [hour]:[minute]:[second] UTC [year]");
    PrimitiveDateTime::parse(text, format).ok().map(PrimitiveDateTime::assume_utc)
}

/// Reads a name from the attributes `name`, `given_name` and `family_name`, of which the parts count more than the whole.
///
/// # Errors
/// INVALID_PARAMETER when there is none, or one is too long or has control characters.
pub fn name(whole: &str, given: &str, family: &str) -> Result<Name> {
    let (first, rest) = split(whole);
    let (given, family) = (text::name(given), text::name(family));
    let (given, family) = match (given.is_empty(), family.is_empty()) {
        (true, true) => (first, rest),
        (true, false) => (first, family),
        (false, _) => (given, family),
    };
    if given.is_empty() {
        return Err(schema("name", "The attribute is required"));
    }
    let whole = text::name(whole);
    let whole = if whole.is_empty() { format!("{given} {family}").trim().to_owned() } else { whole };
    let name = Name { whole, given, family };
    let parts = [("given_name", &name.given, NAME_CHARS_MAX), ("family_name", &name.family, NAME_CHARS_MAX)];
    for (attribute, text, most) in parts.into_iter().chain([("name", &name.whole, 2 * NAME_CHARS_MAX + 1)]) {
        if text.chars().count() > most {
            return Err(schema(attribute, &format!("must be at most {most} characters")));
        }
        if text.chars().any(text::breaks) {
            return Err(schema(attribute, "must not contain control characters"));
        }
    }
    Ok(name)
}

/// The name of a zone of the IANA database, as it is written there; `None` for any other text, and for the zone of a clock that nobody has set.
pub fn zone(text: &str) -> Option<String> {
    // The database in the program is the same on all nodes, and has neither `localtime` nor `posixrules`.
    let zone = TimeZoneDatabase::bundled().get(text.trim()).ok()?;
    zone.iana_name().filter(|name| !matches!(*name, "Factory" | "Etc/Unknown")).map(str::to_owned)
}

/// Which of the registrations at an address goes when one more comes than may wait: the newest from the network that has the most of them, so
/// that who fills an address pushes out their own. Of networks with as many, the one that has been quiet for longest. The oldest stand first.
pub fn makes_room<I: Copy, N: PartialEq>(waiting: &[(I, N)]) -> Option<I> {
    let of = |network: &N| waiting.iter().filter(|(_, other)| other == network).count();
    let newest_of_its_network = |at: usize, network: &N| waiting.iter().skip(at + 1).all(|(_, other)| other != network);
    let newest = waiting.iter().enumerate().filter(|(at, (_, network))| newest_of_its_network(*at, network));
    newest.max_by_key(|(at, (_, network))| (of(network), std::cmp::Reverse(*at))).map(|(_, (id, _))| *id)
}

/// INVALID_PARAMETER for one attribute.
pub fn schema(attribute: &str, why: &str) -> Error {
    invalid(format!("Attributes did not conform to the schema: {attribute}: {why}"))
}

/// The first word of a name, and the others.
pub(super) fn split(whole: &str) -> (String, String) {
    let mut words = whole.split_whitespace().map(text::name).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    (first, words.collect::<Vec<_>>().join(" "))
}

/// An address that shows only where it begins: `a***@e***`.
pub fn masked(email: &str) -> String {
    let (local, domain) = email.split_once('@').unwrap_or((email, ""));
    let first = |part: &str| part.chars().next().map(String::from).unwrap_or_default();
    format!("{}***@{}***", first(local), first(domain))
}

/// A number that shows only where it ends: `+*******1234`.
pub fn masked_phone(e164: &str) -> String {
    let digits: Vec<char> = e164.chars().filter(char::is_ascii_digit).collect();
    let shown: String = digits.iter().skip(digits.len().saturating_sub(4)).collect();
    format!("+{}{shown}", "*".repeat(digits.len().saturating_sub(4)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_have_a_shape() {
        for good in ["ana@example.org", "a.b+c@x.co", "o'neil@a-b.example.org", "A@B.C"] {
            assert!(is_email(good), "{good}");
        }
        let long = format!("{}@example.org", "a".repeat(65));
        for bad in [
            "",
            "ana",
            "ana@",
            "@example.org",
            "ana@example",
            "a b@example.org",
            "ana@@example.org",
            "ana@ex..org",
            "ana@.org",
            "ana@org.",
            ".ana@example.org",
            "ana@-x.org",
            "ana@example.org\n",
            "a<b>@example.org",
            "ana@exa mple.org",
            "ána@example.org",
            &long,
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }

    #[test]
    fn a_zone_has_its_own_name() {
        for (text, name) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("europe/berlin", "Europe/Berlin"),
            ("AMERICA/ARGENTINA/BUENOS_AIRES", "America/Argentina/Buenos_Aires"),
            // Browsers send old names too.
            ("asia/calcutta", "Asia/Calcutta"),
            ("utc", "UTC"),
            (" Etc/GMT+3 ", "Etc/GMT+3"),
        ] {
            assert_eq!(zone(text).as_deref(), Some(name), "{text}");
        }
        for other in
            ["", "Factory", "factory", "Etc/Unknown", "etc/unknown", "localtime", "posixrules", "posix/UTC", "Mars/Base", "+02:00", "CEST"]
        {
            assert_eq!(zone(other), None, "{other}");
        }
    }

    #[test]
    fn the_first_word_is_the_given_name() {
        let table = [
            (("Ana Maria Test", "", ""), ("Ana", "Maria Test")),
            (("  Ana  ", "", ""), ("Ana", "")),
            (("Ana Test", "Anna", "Tester"), ("Anna", "Tester")),
            (("Ana Test", "Anna", ""), ("Anna", "")),
            (("Ana Test", "", "Tester"), ("Ana", "Tester")),
            (("\u{200D} \u{202E}Ana Test", "\u{3164}", "\u{2800}"), ("Ana", "Test")),
        ];
        for ((whole, given, family), (first, last)) in table {
            let read = name(whole, given, family).unwrap();
            assert_eq!((read.given.as_str(), read.family.as_str()), (first, last));
        }
        for (whole, given) in [("", ""), ("   ", " "), ("\u{200B}", "\u{3164}"), ("", "a\u{0}b"), ("", &*"a".repeat(101))] {
            assert_eq!(name(whole, given, "").unwrap_err().reason(), Reason::InvalidParameter);
        }
    }

    #[test]
    fn a_time_of_a_proof_has_english_names() {
        for good in ["Tue Jun 16 09:00:00 UTC 2026", "Sun Jun 7 00:09:40 UTC 2026", "Sun Jun 07 00:09:40 UTC 2026"] {
            assert!(timestamp(good).is_some(), "{good}");
        }
        for bad in
            ["", "2026-06-16T09:00:00Z", "Di Jun 16 09:00:00 UTC 2026", "Tue Jun 16 09:00:00 IST 2026", "Tue Jun 36 09:00:00 UTC 2026"]
        {
            assert!(timestamp(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_name_is_kept_as_it_was_said() {
        let whole = |whole, given, family| name(whole, given, family).unwrap().whole;
        assert_eq!(whole("Dr. Ana  Silva", "Ana", "Silva"), "Dr. Ana  Silva");
        assert_eq!(whole("", "Ana", "Silva"), "Ana Silva");
        assert_eq!(whole(" Ana ", "", ""), "Ana");
        assert_eq!(whole("A\u{200B}na\u{200F} Sil\u{AD}va", "", ""), "Ana Silva", "but for what is not seen");
        assert_eq!(name(&"a b".repeat(70), "Ana", "").unwrap_err().reason(), Reason::InvalidParameter);
    }

    #[test]
    fn who_fills_an_address_makes_room_at_it() {
        // Each is named by its place; the letters are networks.
        let goes = |networks: &str| makes_room(&networks.chars().enumerate().collect::<Vec<_>>());
        for (networks, place) in
            [("aaaaa", 4), ("baaaa", 4), ("aabaa", 4), ("aaaba", 4), ("aaaab", 3), ("aabbc", 1), ("bbaac", 1), ("abcde", 0)]
        {
            assert_eq!(goes(networks), Some(place), "{networks}");
        }
        assert_eq!(goes(""), None);
    }

    #[test]
    fn missing_members_are_named_in_the_words_of_the_protocol() {
        let one = present(&[("clientId", ""), ("username", "x")]).unwrap_err();
        assert_eq!(
            one.message(),
            "1 validation error detected: Value null at 'clientId' failed to satisfy constraint: Member must not be null"
        );
        let two = present(&[("username", ""), ("password", "")]).unwrap_err();
        assert_eq!(
            two.message(),
            "2 validation errors detected: Value null at 'username' failed to satisfy constraint: Member must not be null; \
             Value null at 'password' failed to satisfy constraint: Member must not be null"
        );
        assert!(present(&[("clientId", "x")]).is_ok());
    }

    #[test]
    fn a_masked_address_shows_where_it_begins() {
        assert_eq!(masked("ana@example.org"), "a***@e***");
        assert_eq!(masked("x"), "x***@***");
    }

    #[test]
    fn a_masked_number_shows_where_it_ends() {
        assert_eq!(masked_phone("+15551231234"), "+*******1234");
        assert_eq!(masked_phone("+12"), "+12");
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_panic(text: String) {
            let _ = (is_email(&text), masked(&text), name(&text, "", ""));
        }
    }
}
