//! Links in mails: where each leads, and the signature by which some are known again. Who has one of those may do what it is for, until it
//! expires, and nothing else; no row is kept of it. It is a secret: never in a log, and in no address that a browser sends.

use crate::error::{Error, FieldReason, Reason, Result};
use aws_lc_rs::{
    constant_time::verify_slices_are_equal,
    hmac::{self, HMAC_SHA256},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::fmt;
use time::OffsetDateTime;
use uuid::Uuid;

const TAG_BYTES: usize = 16;
const EXPIRY_BYTES: usize = 8;

/// The most bytes that name what a link is about.
pub const SUBJECT_BYTES_MAX: usize = 64;
/// The most characters of a token; fields of the contract that take one have this bound.
pub const TOKEN_CHARS_MAX: usize = (EXPIRY_BYTES + SUBJECT_BYTES_MAX + TAG_BYTES) * 4 / 3 + 1;

/// Where the programs of mailboxes end mails themselves: the path of the RPC that does it, which a test holds against the contract.
pub const ONE_CLICK_PATH: &str = "/notifications/unsubscribe";

/// A screen of the web app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Where one signs in.
    SignIn,
    /// All that the member was told.
    Notifications,
    /// What is mailed.
    MailSettings,
    /// Who asks to be friends.
    FriendRequests,
    /// One's friends.
    Friends,
    /// A favor, by its id.
    Favor(Uuid),
    /// A rental, by its id.
    Rental(Uuid),
    /// An item, by its id.
    Item(Uuid),
}

impl Page {
    fn path(self) -> String {
        match self {
            Self::SignIn => "/".to_owned(),
            Self::Notifications => "/inbox".to_owned(),
            Self::MailSettings => "/settings/notifications".to_owned(),
            Self::FriendRequests => "/friends/requests".to_owned(),
            Self::Friends => "/friends/mine".to_owned(),
            Self::Favor(id) => format!("/favors/{id}"),
            Self::Rental(id) => format!("/share/rentals/{id}"),
            Self::Item(id) => format!("/share/items/{id}"),
        }
    }
}

/// What a signed link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Ends mails about a topic.
    Unsubscribe,
    /// Signs up by an invitation.
    Join,
    /// Ends invitations to an address.
    NoInvitations,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Unsubscribe, Self::Join, Self::NoInvitations];

    /// The page of the web app that it leads to.
    pub const fn page(self) -> &'static str {
        match self {
            Self::Unsubscribe => "/unsubscribe",
            Self::Join => "/join",
            Self::NoInvitations => "/no-invitations",
        }
    }

    /// What its signature is for; part of every link that was ever sent, so it never changes.
    const fn name(self) -> &'static str {
        match self {
            Self::Unsubscribe => "unsubscribe",
            Self::Join => "join",
            Self::NoInvitations => "no invitations",
        }
    }
}

/// What makes a link count. Nothing shows it by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token itself: for a mail, and nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Writes and reads links. Clones have the same key.
#[derive(Clone)]
pub struct MailLinks {
    key: hmac::Key,
    public_url: String,
}

impl MailLinks {
    /// With a key of its own that every node has, and the address at which members reach the app.
    pub fn new(key: &[u8; 32], public_url: &str) -> Self {
        Self { key: hmac::Key::new(HMAC_SHA256, key), public_url: public_url.trim_end_matches('/').to_owned() }
    }

    /// The address of a screen, which asks who is there.
    pub fn address(&self, page: Page) -> String {
        format!("{}{}", self.public_url, page.path())
    }

    /// The page of a link. The token stands behind the `#`: browsers keep that to themselves.
    pub fn page(&self, purpose: Purpose, token: &Token) -> String {
        format!("{}{}#{}", self.public_url, purpose.page(), token.0)
    }

    /// Where a program of a mailbox ends mails: it sends this by POST, as no browser would that somebody leads there.
    pub fn one_click(&self, token: &Token) -> String {
        format!("{}{ONE_CLICK_PATH}?token={}", self.public_url, token.0)
    }

    /// The page that a browser gets which opens the address of `one_click`: it changes nothing until its button is pressed.
    pub fn one_click_page(query: Option<&str>) -> String {
        let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        let token = pairs.find(|(name, _)| name == "token").map(|(_, token)| token).unwrap_or_default();
        let token: String = token.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
        format!("{}#{token}", Purpose::Unsubscribe.page())
    }

    /// Signs what a link is about, in at most 64 bytes, until an instant.
    pub fn sign(&self, purpose: Purpose, subject: &[u8], expires_at: OffsetDateTime) -> Token {
        debug_assert!(subject.len() <= SUBJECT_BYTES_MAX, "the contract bounds tokens");
        let mut body = expires_at.unix_timestamp().to_be_bytes().to_vec();
        body.extend_from_slice(subject);
        let tag = self.tag(purpose, &body);
        body.extend_from_slice(&tag);
        Token(URL_SAFE_NO_PAD.encode(body))
    }

    /// What the link of a token is about, by the field that it stands in.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when it is no link of ours for this; EXPIRED_LINK.
    pub fn read(&self, purpose: Purpose, (field, token): (&'static str, &str), now: OffsetDateTime) -> Result<Vec<u8>> {
        let bad = || Error::field(field, FieldReason::Invalid, "is not from a link that we sent");
        let raw = URL_SAFE_NO_PAD.decode(token).map_err(|_| bad())?;
        let (body, tag) = raw.split_at_checked(raw.len().saturating_sub(TAG_BYTES)).ok_or_else(bad)?;
        verify_slices_are_equal(&self.tag(purpose, body), tag).map_err(|_| bad())?;
        let (expires_at_s, subject) = body.split_first_chunk::<EXPIRY_BYTES>().ok_or_else(bad)?;
        if i64::from_be_bytes(*expires_at_s) <= now.unix_timestamp() {
            return Err(Error::new(Reason::ExpiredLink, "").with_field(field, FieldReason::Invalid, "is from a link that has expired"));
        }
        Ok(subject.to_vec())
    }

    fn tag(&self, purpose: Purpose, body: &[u8]) -> [u8; TAG_BYTES] {
        let mut mac = hmac::Context::with_key(&self.key);
        // The zero keeps the name apart from what follows.
        for part in [purpose.name().as_bytes(), &[0], body] {
            mac.update(part);
        }
        let mut tag = [0; TAG_BYTES];
        tag.copy_from_slice(mac.sign().as_ref().split_at(TAG_BYTES).0);
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::{Duration, macros::datetime};

    const NOW: OffsetDateTime = datetime!(2026-03-04 05:06:07 UTC);

    fn links() -> MailLinks {
        MailLinks::new(&[7; 32], "https://goodturn.test/")
    }

    #[test]
    fn a_link_is_read_for_what_it_was_signed_for_until_it_expires() {
        let (links, until) = (links(), NOW + Duration::days(30));
        let token = links.sign(Purpose::Join, b"subject", until);
        let read = |purpose, at| links.read(purpose, ("token", token.reveal()), at);
        assert_eq!(read(Purpose::Join, NOW).unwrap(), b"subject");
        assert_eq!(read(Purpose::Join, until - Duration::SECOND).unwrap(), b"subject");
        assert_eq!(read(Purpose::Join, until).unwrap_err().reason(), Reason::ExpiredLink);
        for other in [Purpose::Unsubscribe, Purpose::NoInvitations] {
            assert_eq!(read(other, NOW).unwrap_err().reason(), Reason::InvalidArgument);
        }
        let elsewhere = MailLinks::new(&[8; 32], "https://goodturn.test");
        assert_eq!(elsewhere.read(Purpose::Join, ("token", token.reveal()), NOW).unwrap_err().reason(), Reason::InvalidArgument);
    }

    #[test]
    fn whatever_is_changed_is_no_link() {
        let (links, token) = (links(), links().sign(Purpose::Unsubscribe, &[1; 17], NOW + Duration::DAY));
        let raw = URL_SAFE_NO_PAD.decode(token.reveal()).unwrap();
        for n in 0..raw.len() {
            let mut changed = raw.clone();
            changed[n] ^= 1;
            let cut = &raw[..n];
            for bad in [URL_SAFE_NO_PAD.encode(&changed), URL_SAFE_NO_PAD.encode(cut)] {
                let refused = links.read(Purpose::Unsubscribe, ("token", &bad), NOW).unwrap_err();
                assert_eq!((refused.reason(), refused.message()), (Reason::InvalidArgument, "token: is not from a link that we sent"));
            }
        }
        for bad in ["", "x", "====", "a b", &"A".repeat(TOKEN_CHARS_MAX)] {
            assert!(links.read(Purpose::Unsubscribe, ("token", bad), NOW).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_a_browser_sends_is_the_page_alone() {
        let (links, token) = (links(), links().sign(Purpose::Unsubscribe, &[1; SUBJECT_BYTES_MAX], NOW));
        assert!(token.reveal().len() <= TOKEN_CHARS_MAX);
        let query = links.one_click(&token).split_once('?').map(|(_, query)| query.to_owned());
        assert_eq!(MailLinks::one_click_page(query.as_deref()), format!("/unsubscribe#{}", token.reveal()));
        assert_eq!(MailLinks::one_click_page(Some("a=b&token=x%0d%0aSet-Cookie:y")), "/unsubscribe#xSet-Cookiey");
        assert_eq!(MailLinks::one_click_page(None), "/unsubscribe#");
        assert_eq!(links.page(Purpose::Unsubscribe, &token), format!("https://goodturn.test/unsubscribe#{}", token.reveal()));
        assert_eq!(links.address(Page::Favor(Uuid::nil())), format!("https://goodturn.test/favors/{}", Uuid::nil()));
        assert_eq!(format!("{token:?}"), "Token");
    }

    /// Recorded once. Links in mailboxes stay valid.
    #[test]
    fn a_recorded_link_is_read() {
        let recorded = "AAAAAGmnvb9hbmG9NDNLBxYlvCf14wmNNoMl";
        assert_eq!(links().sign(Purpose::Unsubscribe, b"ana", NOW).reveal(), recorded);
        assert_eq!(links().read(Purpose::Unsubscribe, ("token", recorded), NOW - Duration::SECOND).unwrap(), b"ana");
    }
}
