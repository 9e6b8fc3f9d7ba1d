//! Mails about notifications: planned in the transaction that tells, sent by a job afterwards of what is then still unread and wanted.
//!
//! Before a mail is sent its rows are taken, in a transaction of their own: nobody gets two about the same, whoever else runs the job. What
//! the mail server refuses waits again. When it is not known whether the server has it, or the node ended meanwhile, it is not sent
//! again: it stands in the app, and a second mail would be worse than none.

use super::{New, Notification, letters, rules, store};
use crate::{
    adapters::mail::{Mail, Mailer, is_refused},
    budgets::{self, Spending},
    db::Tx,
    deps::Deps,
    error::Result,
    identity,
    ids::MemberId,
    jobs::{self, Class, Job},
    mail_links::MailLinks,
    pb::notifications::MailFrequency,
    read, transact,
};
use rules::{Due, Plan, Silenced};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use time::{Duration, OffsetDateTime};

/// Codes, for which somebody waits, come first.
const PRIORITY: i16 = 10;
/// Longer than a transaction takes: what is told before a morning is found on that morning.
const AFTER_MORNING: Duration = Duration::minutes(1);
/// A job's wait counts from the begin of its transaction, which was before its time was said: by so much it comes later, not to come too early.
const AFTER_NEXT: Duration = Duration::seconds(1);
/// So many members' mornings are begun in one transaction.
const MEMBERS_AT_ONCE: i64 = 500;

/// Which mails shall tell of news, as their members want it now; and what they do not want to hear of, which is found in the same statement.
pub async fn plan(tx: &mut Tx, deps: &Deps, news: &[&New]) -> Result<(Plan, Silenced)> {
    if news.is_empty() {
        return Ok(Default::default());
    }
    let members: Vec<MemberId> = news.iter().map(|n| n.member).collect::<BTreeSet<_>>().into_iter().collect();
    let topics: Vec<i32> = news.iter().map(|n| n.kind as i32).collect::<BTreeSet<_>>().into_iter().collect();
    let actors: Vec<MemberId> = news.iter().filter_map(|n| n.actor).collect::<BTreeSet<_>>().into_iter().collect();
    let wishes = store::mails::wishes(tx, (&members, &actors), &topics).await?;
    let silenced = Silenced::of(&wishes);
    let heard: Vec<_> = news.iter().filter(|new| !silenced.has(new)).map(|new| (new.member, new.kind)).collect();
    Ok((rules::plan(&heard, &wishes, deps.clock.now(), deps.mail_delay), silenced))
}

/// Enqueues what a plan needs that does not wait yet: `waits` are the instants of the next mails as they stand in the counters. The last of
/// all in a transaction.
pub async fn enqueue(tx: &mut Tx, deps: &Deps, plan: &Plan, waits: impl Fn(MemberId) -> Option<OffsetDateTime>) -> Result<()> {
    let now = deps.clock.now();
    let next = plan.due.iter().filter_map(|(member, due)| Some((*member, due.mail_at?)));
    let next: Vec<_> = next.filter(|(member, at)| waits(*member) == Some(*at)).map(|(m, at)| SendNews::job(m, at, now)).collect();
    jobs::enqueue_all(tx, &next).await?;
    let mornings: Vec<_> = plan.mornings().into_iter().map(|at| BeginMorning::job(at, now)).collect();
    jobs::enqueue_all(tx, &mornings).await
}

fn wait(from: OffsetDateTime, to: OffsetDateTime) -> std::time::Duration {
    (to - from).try_into().unwrap_or_default()
}

/// What mails of notifications are sent with.
#[derive(Clone)]
pub struct Post {
    /// Where they are.
    pub deps: Deps,
    /// How.
    pub mailer: Arc<dyn Mailer>,
    /// What leads back from them.
    pub links: MailLinks,
}

/// Mails what has just happened, some moments later.
pub struct SendNews(pub Post);

#[derive(Serialize, Deserialize)]
struct Next {
    member: MemberId,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

impl SendNews {
    const TASK: &'static str = "send_notifications";

    fn job(member: MemberId, at: OffsetDateTime, now: OffsetDateTime) -> (String, Job<'static>) {
        let job = Job::new(Class::Mail, Self::TASK, json!(Next { member, at }));
        (member.to_string(), Job { after: wait(now, at + AFTER_NEXT), priority: PRIORITY, ..job })
    }
}

#[tonic::async_trait]
impl jobs::Handler for SendNews {
    fn class(&self) -> Class {
        Class::Mail
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    /// Mails what waits, unless another job shall.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Next { member, at } = Next::deserialize(payload)?;
        self.0.send(member, Kind::Next(at)).await
    }
}

/// Mails what happened in a day, in the morning.
pub struct SendDigest(pub Post);

#[derive(Serialize, Deserialize)]
struct Digest {
    member: MemberId,
}

impl SendDigest {
    const TASK: &'static str = "send_digest";

    fn job(member: MemberId) -> (String, Job<'static>) {
        (member.to_string(), Job { priority: PRIORITY, ..Job::new(Class::Mail, Self::TASK, json!(Digest { member })) })
    }
}

#[tonic::async_trait]
impl jobs::Handler for SendDigest {
    fn class(&self) -> Class {
        Class::Mail
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Digest { member } = Digest::deserialize(payload)?;
        self.0.send(member, Kind::Digest).await
    }
}

/// Begins the morning of those for whom it is eight: there are as many of these jobs as zones, however many members have mail then.
pub struct BeginMorning(pub Deps);

#[derive(Serialize, Deserialize)]
struct Morning {
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

impl BeginMorning {
    const TASK: &'static str = "begin_morning";

    fn job(at: OffsetDateTime, now: OffsetDateTime) -> (String, Job<'static>) {
        let job = Job::new(Class::Timers, Self::TASK, json!(Morning { at }));
        (at.unix_timestamp().to_string(), Job { after: wait(now, at + AFTER_MORNING), ..job })
    }

    /// Of some members. How many had mail.
    async fn begin_some(&self, now: OffsetDateTime) -> Result<usize> {
        transact!(self.0.pool, |tx| {
            let members = store::mails::with_morning(tx, now, MEMBERS_AT_ONCE).await?;
            store::lock(tx, &members).await?;
            let mut members = store::mails::end_morning(tx, &members, now).await?;
            members.sort_unstable();
            let jobs: Vec<_> = members.iter().map(|member| SendDigest::job(*member)).collect();
            jobs::enqueue_all(tx, &jobs).await?;
            Ok(jobs.len())
        })
    }
}

#[tonic::async_trait]
impl jobs::Handler for BeginMorning {
    fn class(&self) -> Class {
        Class::Timers
    }

    fn task(&self) -> &'static str {
        Self::TASK
    }

    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Morning { at } = Morning::deserialize(payload)?;
        let now = self.0.clock.now();
        anyhow::ensure!(at <= now, "it is not morning yet");
        while self.begin_some(now).await? > 0 {}
        Ok(())
    }
}

/// Which mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The next one, due at this instant.
    Next(OffsetDateTime),
    /// That of the morning.
    Digest,
}

impl Kind {
    const fn frequency(self) -> MailFrequency {
        match self {
            Self::Next(_) => MailFrequency::AtOnce,
            Self::Digest => MailFrequency::Daily,
        }
    }
}

/// What was taken to be mailed.
struct Taken {
    /// The places of the rows, and whether something was expected by them.
    rows: Vec<(i64, bool)>,
    mail: Mail,
}

impl Post {
    async fn send(&self, member: MemberId, kind: Kind) -> anyhow::Result<()> {
        let waiting = read!(self.deps.pool, |conn| store::mails::waiting(conn, member, kind.frequency()).await)?;
        if let Kind::Next(at) = kind {
            if waiting.mail_at != Some(at) {
                return Ok(());
            }
            anyhow::ensure!(at <= self.deps.clock.now(), "it is not time yet");
        }
        // Before anything is taken: an outage costs nobody a mail.
        if waiting.rows {
            self.mailer.reachable().await?;
        }
        let Some(taken) = transact!(self.deps.pool, |tx| self.take(tx, member, kind, waiting.rows).await)? else { return Ok(()) };
        let sent = self.mailer.send(taken.mail).await;
        if is_refused(&sent) {
            transact!(self.deps.pool, |tx| put_back(tx, member, kind, &taken.rows).await)?;
        }
        sent
    }

    /// Takes what is to be mailed, and says it; what the member wants in the morning waits until then.
    async fn take(&self, tx: &mut Tx, member: MemberId, kind: Kind, rows: bool) -> Result<Option<Taken>> {
        let now = self.deps.clock.now();
        let spending = Spending { subject: budgets::Subject::member(member), budget: budgets::NEWS_TO_MEMBER };
        // That of the morning is one a day as it is.
        let spent = match kind {
            Kind::Next(_) if rows => budgets::try_spend(tx, now, &spending).await?.is_err(),
            Kind::Next(_) | Kind::Digest => false,
        };
        store::lock(tx, &[member]).await?;
        let waiting = store::mails::waiting(tx, member, kind.frequency()).await?;
        let mut due = Due { mail_at: waiting.mail_at, digest_at: waiting.digest_at };
        if let Kind::Next(at) = kind {
            if waiting.mail_at != Some(at) {
                return Ok(None);
            }
            due.mail_at = None;
        }
        store::mails::drop_silenced(tx, member, kind.frequency()).await?;
        let taken = store::mails::take(tx, member, kind.frequency()).await?;
        let Some(who) = identity::store::member(tx, member).await? else { return Ok(None) };
        let said = store::mails::said(tx, member).await?;
        let sorted = rules::sort(taken, &said, kind.frequency(), spent);
        let mut mornings = Vec::new();
        if !sorted.later.is_empty() {
            store::mails::let_wait(tx, member, &sorted.later, MailFrequency::Daily).await?;
            let morning = rules::next_morning(now, &who.time_zone);
            due.digest_at.get_or_insert(morning);
            mornings.push(BeginMorning::job(morning, now));
        }
        store::mails::put_due(tx, member, &due).await?;
        jobs::enqueue_all(tx, &mornings).await?;
        Ok((!sorted.now.is_empty()).then(|| self.written(&who, &sorted.now, &said, kind)))
    }

    fn written(&self, who: &identity::Member, rows: &[Notification], said: &BTreeMap<i32, MailFrequency>, kind: Kind) -> Taken {
        let topics = match kind {
            Kind::Next(_) => rows.iter().map(|n| n.kind).collect(),
            Kind::Digest => rules::topics_by(said, MailFrequency::Daily),
        };
        let now = self.deps.clock.now();
        let letter = match kind {
            Kind::Next(_) => letters::news(&self.links, who.id, rows, &topics, now),
            Kind::Digest => letters::digest(&self.links, who.id, rows, &topics, now),
        };
        Taken { rows: rows.iter().map(|n| (n.seq, n.action_required)).collect(), mail: letter.to(who.email.clone()) }
    }
}

/// Lets what was refused wait again, for the next try of the job or for the next job, unless it was settled meanwhile.
async fn put_back(tx: &mut Tx, member: MemberId, kind: Kind, taken: &[(i64, bool)]) -> Result<()> {
    store::lock(tx, &[member]).await?;
    store::mails::put_back(tx, member, taken, kind.frequency()).await?;
    if let Kind::Next(at) = kind {
        let waiting = store::mails::waiting(tx, member, kind.frequency()).await?;
        let due = Due { mail_at: waiting.mail_at.or(Some(at)), digest_at: waiting.digest_at };
        store::mails::put_due(tx, member, &due).await?;
    }
    Ok(())
}
