//! What a link that ends mails is about: a member, and some topics.

use super::rules;
use crate::{
    error::{Error, Result},
    ids::MemberId,
    mail_links::{MailLinks, Purpose, Token},
    pb::notifications::NotificationType as Kind,
};
use std::collections::BTreeSet;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// As long as what it is about is kept.
const LIFE: Duration = super::KEPT_FOR;

/// The token of a link that ends mails of a member about topics.
pub fn write(links: &MailLinks, member: MemberId, topics: &BTreeSet<Kind>, now: OffsetDateTime) -> Token {
    let bits = topics.iter().map(|topic| bit(*topic)).fold(0, |all, one| all | one);
    links.sign(Purpose::Unsubscribe, &[member.0.as_bytes().as_slice(), &bits.to_be_bytes()].concat(), now + LIFE)
}

/// The member and the topics of a token.
///
/// # Errors
/// INVALID_ARGUMENT, EXPIRED_LINK.
pub fn read(links: &MailLinks, token: &str, now: OffsetDateTime) -> Result<(MemberId, BTreeSet<Kind>)> {
    let subject = links.read(Purpose::Unsubscribe, ("token", token), now)?;
    let cut = || Error::internal(anyhow::anyhow!("a link that we signed has another length"));
    let (member, bits) = subject.split_first_chunk::<16>().ok_or_else(cut)?;
    let bits = u32::from_be_bytes(bits.try_into().map_err(|_| cut())?);
    Ok((MemberId(Uuid::from_bytes(*member)), rules::topics().filter(|topic| bits & bit(*topic) != 0).collect()))
}

/// Part of every link that was ever sent: the contract's numbers never change.
const fn bit(topic: Kind) -> u32 {
    1 << (topic as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Reason;
    use time::macros::datetime;

    #[test]
    fn a_token_is_of_its_member_and_topics() {
        let (links, now) = (MailLinks::new(&[7; 32], "https://goodturn.test"), datetime!(2026-03-04 05:06:07 UTC));
        let member = MemberId(Uuid::from_u128(1));
        for topics in [BTreeSet::new(), BTreeSet::from([Kind::System]), rules::topics().collect()] {
            let token = write(&links, member, &topics, now);
            assert_eq!(read(&links, token.reveal(), now).unwrap(), (member, topics));
            assert_eq!(read(&links, token.reveal(), now + LIFE).unwrap_err().reason(), Reason::ExpiredLink);
        }
        assert!(rules::topics().all(|topic| (topic as u32) < u32::BITS), "each has its bit");
    }
}
