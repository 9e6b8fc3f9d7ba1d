//! What members want mailed: said by themselves, or by who has the link of a mail.

use super::{changed, mail_token, rules, store};
use crate::{
    db::Tx,
    deps::Deps,
    error::{Error, FieldReason, Reason, Result},
    identity::{self, store as members},
    ids::MemberId,
    mail_links::MailLinks,
    pb::notifications::{GetMailSubscriptionResponse, MailFrequency, NotificationType, TargetKind, TopicSetting, UnsubscribeResponse},
    read, transact,
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What a member wants mailed about each topic.
pub async fn of(deps: &Deps, member: MemberId) -> Result<Vec<TopicSetting>> {
    let said = read!(deps.pool, |conn| store::mails::said(conn, member).await)?;
    Ok(each(&said))
}

/// Changes what a member wants about some topics. What it is then.
///
/// # Errors
/// INVALID_ARGUMENT for a topic that stands there twice.
pub async fn change(deps: &Deps, member: MemberId, wanted: &[TopicSetting]) -> Result<Vec<TopicSetting>> {
    let wanted = checked(wanted)?;
    transact!(deps.pool, |tx| {
        let said = put(tx, member, &wanted).await?.ok_or_else(Error::unauthenticated)?;
        Ok(each(&said))
    })
}

/// What the link of a mail is about, for whoever has it.
///
/// # Errors
/// INVALID_ARGUMENT, EXPIRED_LINK.
pub async fn subscription(deps: &Deps, links: &MailLinks, token: &str) -> Result<GetMailSubscriptionResponse> {
    let (member, topics) = mail_token::read(links, token, deps.clock.now())?;
    let (who, said) = read!(deps.pool, |conn| Ok((members::member(conn, member).await?, store::mails::said(conn, member).await?)))?;
    // Nothing is mailed to who has left.
    let who = who.ok_or_else(|| Error::new(Reason::ExpiredLink, "the account no longer exists"))?;
    let active = topics.iter().any(|topic| rules::mail_about(*topic, &said) != MailFrequency::Off);
    Ok(GetMailSubscriptionResponse { topics: numbers(&topics), address: rules::masked(&who.email), active })
}

/// Ends mails about the topics of the link of a mail; of one who has left, there are none.
///
/// # Errors
/// INVALID_ARGUMENT, EXPIRED_LINK.
pub async fn unsubscribe(deps: &Deps, links: &MailLinks, token: &str) -> Result<UnsubscribeResponse> {
    let (member, topics) = mail_token::read(links, token, deps.clock.now())?;
    let wanted = topics.iter().map(|topic| (*topic as i32, MailFrequency::Off)).collect();
    transact!(deps.pool, |tx| put(tx, member, &wanted).await)?;
    Ok(UnsubscribeResponse { topics: numbers(&topics) })
}

fn numbers(topics: &BTreeSet<NotificationType>) -> Vec<i32> {
    topics.iter().map(|topic| *topic as i32).collect()
}

/// The settings of a request.
fn checked(wanted: &[TopicSetting]) -> Result<BTreeMap<i32, MailFrequency>> {
    let mut topics = BTreeMap::new();
    for (n, setting) in wanted.iter().enumerate() {
        let mail = match setting.mail() {
            MailFrequency::Unspecified => MailFrequency::Daily,
            said => said,
        };
        if topics.insert(setting.topic, mail).is_some() {
            return Err(Error::field(format!("topics[{n}].topic"), FieldReason::Twice, "must not appear twice"));
        }
    }
    Ok(topics)
}

/// Writes what is not as usual, and forgets what is. All that is said then; `None` of who is no member any more.
async fn put(tx: &mut Tx, member: MemberId, wanted: &BTreeMap<i32, MailFrequency>) -> Result<Option<BTreeMap<i32, MailFrequency>>> {
    // Who is leaving at this moment takes their settings along.
    if members::share(tx, &[member]).await?.is_empty() {
        return Ok(None);
    }
    // All are written first, in one order: two of these at once do not wait for each other in a circle.
    store::mails::say(tx, member, wanted).await?;
    let is_usual = |topic: i32, mail: MailFrequency| NotificationType::try_from(topic).is_ok_and(|t| rules::usual_mail(t) == mail);
    let usual: Vec<i32> = wanted.iter().filter(|(topic, mail)| is_usual(**topic, **mail)).map(|(topic, _)| *topic).collect();
    store::mails::unsay(tx, member, &usual).await?;
    changed(tx, member, TargetKind::Notifications, Uuid::nil());
    Ok(Some(store::mails::said(tx, member).await?))
}

fn each(said: &BTreeMap<i32, MailFrequency>) -> Vec<TopicSetting> {
    rules::topics().map(|topic| TopicSetting { topic: topic.into(), mail: rules::mail_about(topic, said).into() }).collect()
}

/// Tells a member what they have said, with all that is kept of them.
pub struct Hooks;

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let word = |name: &str, prefix: &str| name.trim_start_matches(prefix).to_lowercase();
        let said = store::mails::said(conn, member).await?.into_iter().filter_map(|(topic, mail)| {
            let topic = NotificationType::try_from(topic).ok()?;
            Some(json!({
                "topic": word(topic.as_str_name(), "NOTIFICATION_TYPE_"),
                "mail": word(mail.as_str_name(), "MAIL_FREQUENCY_"),
            }))
        });
        Ok(Some(("notificationSettings", said.collect())))
    }
}
