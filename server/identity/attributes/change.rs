//! A change of attributes as steps of a transaction, in the order of its locks: what it spends, what it writes, what it sends.

use super::{
    CODE_LIFE, gone, needs_sms,
    rules::{self, Attribute, Changes},
    spend, tries,
};
use crate::{
    db::Tx,
    error::Result,
    identity::{
        Member,
        factor_news::{self, News},
        mail,
        rules::Name,
        steps::Factor,
        store::{self, attempts::Kind},
        user_pool::UserPool,
    },
    ids::MemberId,
    jobs,
    pb::identity::{CodeDeliveryDetails, DeliveryMedium},
};
use std::net::IpAddr;
use time::OffsetDateTime;
use uuid::Uuid;

/// A change that has spent what it takes, and written nothing yet.
pub struct Begun {
    expected: Vec<(Attribute, String)>,
    /// Of each, whether its destination has not had enough codes.
    goes: Vec<bool>,
}

/// A change that is written; what comes last in the order of locks is left.
pub struct Written {
    renamed: bool,
    /// Whether the clocks show another zone.
    moved: bool,
    /// What became of a second factor by it.
    news: Option<News>,
    sent: Vec<Sent>,
}

impl Written {
    /// The code for a new number, where one is to be sent: for who holds it back.
    pub fn number(&self) -> Option<Uuid> {
        self.sent.iter().find(|sent| sent.goes && sent.attribute == Attribute::PhoneNumber).map(|sent| sent.code)
    }

    /// With what others see by now.
    pub(super) fn with_renamed(self, renamed: bool) -> Self {
        Self { renamed, ..self }
    }

    /// Where the codes go.
    pub(super) fn told(&self) -> Vec<CodeDeliveryDetails> {
        self.sent.iter().map(Sent::told).collect()
    }
}

/// A code that stands.
pub(super) struct Sent {
    attribute: Attribute,
    destination: String,
    code: Uuid,
    goes: bool,
}

impl Sent {
    pub(super) fn told(&self) -> CodeDeliveryDetails {
        let medium = match self.attribute {
            Attribute::Email => DeliveryMedium::Email,
            Attribute::PhoneNumber => DeliveryMedium::Sms,
        };
        CodeDeliveryDetails {
            destination: self.attribute.masked(&self.destination),
            delivery_medium: medium.into(),
            attribute_name: self.attribute.as_str().to_owned(),
        }
    }

    /// Unless its destination has had enough of them: the answer does not tell.
    pub(super) async fn enqueue(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        if self.goes { jobs::enqueue(tx, &mail::attribute_job(self.attribute, member, self.code)).await } else { Ok(()) }
    }
}

/// Begins a change in a transaction of the caller's: budgets and tries come first in the order of locks.
///
/// # Errors
/// INVALID_PARAMETER; ATTEMPTS_EXCEEDED when too many codes were asked for.
pub async fn begin(
    pool: &UserPool,
    tx: &mut Tx,
    member: MemberId,
    changes: &Changes,
    from: Option<IpAddr>,
    now: OffsetDateTime,
) -> Result<Begun> {
    if changes.phone_number.as_ref().is_some_and(|number| !number.is_empty()) {
        needs_sms(pool, Attribute::PhoneNumber)?;
    }
    let expected = expected(changes, &store::member(tx, member).await?.ok_or_else(gone)?);
    let mut goes = Vec::with_capacity(expected.len());
    for (attribute, destination) in &expected {
        goes.push(spend(pool, tx, member, (*attribute, destination), from, now).await?);
    }
    for (attribute, _) in &expected {
        store::attempts::clear(tx, &tries(pool, member, *attribute), Kind::Code).await?;
    }
    Ok(Begun { expected, goes })
}

/// Writes it, under the member's lock.
///
/// # Errors
/// INVALID_PARAMETER for a name that is too long.
pub async fn write(
    pool: &UserPool,
    tx: &mut Tx,
    begun: &Begun,
    (present, changes): (&Member, &Changes),
    now: OffsetDateTime,
) -> Result<Written> {
    let news = make_way(tx, present, changes, now).await?;
    let renamed = apply(tx, present, changes, now).await?;
    let moved = is_moved(present, changes);
    let mut sent = Vec::with_capacity(begun.expected.len());
    for ((attribute, destination), goes) in begun.expected.iter().zip(&begun.goes) {
        sent.push(expect(pool, tx, present.id, (*attribute, destination), *goes, now).await?);
    }
    Ok(Written { renamed, moved, news, sent })
}

/// Tells the areas above.
///
/// # Errors
/// As the areas.
pub async fn tell(pool: &UserPool, tx: &mut Tx, member: MemberId, written: &Written) -> Result<()> {
    if written.renamed {
        pool.renamed(tx, member).await?;
    }
    if written.moved {
        pool.moved(tx, member).await?;
    }
    factor_news::tell(pool, tx, member, written.news.as_slice()).await
}

/// The same, and sends the codes.
///
/// # Errors
/// As the areas.
pub async fn finish(pool: &UserPool, tx: &mut Tx, member: MemberId, written: &Written) -> Result<()> {
    tell(pool, tx, member, written).await?;
    for sent in &written.sent {
        sent.enqueue(tx, member).await?;
    }
    Ok(())
}

/// The new address and number that wait for their codes; the ones that are in force already wait for nothing.
fn expected(changes: &Changes, present: &Member) -> Vec<(Attribute, String)> {
    let email = changes.email.clone().filter(|email| *email != present.email);
    let in_force = present.phone_number.as_ref().filter(|_| present.phone_verified);
    let number = changes.phone_number.clone().filter(|number| !number.is_empty() && Some(number) != in_force);
    [(Attribute::Email, email), (Attribute::PhoneNumber, number)]
        .into_iter()
        .filter_map(|(attribute, destination)| destination.map(|destination| (attribute, destination)))
        .collect()
}

/// What waited for a code gives way to what is said now. With its number a second factor by SMS goes.
async fn make_way(tx: &mut Tx, present: &Member, changes: &Changes, now: OffsetDateTime) -> Result<Option<News>> {
    let mut news = None;
    for (attribute, said) in [(Attribute::Email, &changes.email), (Attribute::PhoneNumber, &changes.phone_number)] {
        if said.is_some() {
            store::attributes::void(tx, present.id, attribute, now).await?;
        }
    }
    if changes.phone_number.as_deref() == Some("") {
        store::attributes::put_phone(tx, present.id, None, now).await?;
        store::accounts::begin_anew(tx, present.id, now).await?;
        let has = store::factors::of(tx, present.id).await?;
        if has.sms_on {
            let preferred = has.preferred.filter(|factor| *factor != Factor::Sms);
            store::factors::prefer(tx, present.id, (has.totp_on, false), preferred).await?;
            news = Some(News::SmsOff);
        }
        store::awaited::remove_all(tx, present.id).await?;
    }
    Ok(news)
}

/// Whether the clocks will show another zone.
fn is_moved(present: &Member, changes: &Changes) -> bool {
    changes.zone.as_ref().is_some_and(|zone| *zone != present.time_zone)
}

/// Writes what takes effect at once. Whether others see another name now.
async fn apply(tx: &mut Tx, present: &Member, changes: &Changes, now: OffsetDateTime) -> Result<bool> {
    let before = Name { whole: present.name.clone(), given: present.given_name.clone(), family: present.family_name.clone() };
    let name = if changes.of_name() { rules::renamed(&before, changes)? } else { before.clone() };
    if name != before || is_moved(present, changes) {
        let zone = changes.zone.as_ref().unwrap_or(&present.time_zone);
        store::attributes::put_profile(tx, present.id, &name, zone, now).await?;
    }
    Ok((&name.given, &name.family) != (&before.given, &before.family) && present.display_name.is_none())
}

/// Lets a code stand.
pub(super) async fn expect(
    pool: &UserPool,
    tx: &mut Tx,
    member: MemberId,
    (attribute, destination): (Attribute, &str),
    goes: bool,
    now: OffsetDateTime,
) -> Result<Sent> {
    let code = pool.deps.ids.uuid();
    store::attributes::expect(tx, member, (attribute, destination), code, now + CODE_LIFE, now).await?;
    Ok(Sent { attribute, destination: destination.to_owned(), code, goes })
}
