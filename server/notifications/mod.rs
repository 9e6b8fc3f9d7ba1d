//! What members are told. Other areas push here inside their own transaction; no area is known here.

mod account_deletion;
mod hub;
mod letters;
mod mail_token;
mod mails;
mod recent;
mod rules;
mod service;
mod settings;
mod silences;
mod store;
mod stream;
mod wire;

pub use account_deletion::{Hooks, Leaving, Told};
pub use mails::{BeginMorning, Post, SendDigest, SendNews};
pub use service::Service;
pub use settings::Hooks as SettingsHooks;
pub use silences::{Apart, Cause, Ties, forget as forget_silences, silence, unsilence};
pub use store::silences::muted;

use crate::{
    auth::Caller,
    db::Tx,
    deps::Deps,
    error::{Error, Result},
    identity,
    ids::{MemberId, NotificationId},
    jobs,
    pb::notifications::{NotificationType, TargetKind},
};
use futures_util::future::BoxFuture;
use rules::Plan;
use sqlx::PgConnection;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::Counter;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// The signal that a member has new notifications; the rows say which.
const TOPIC_PUSHED: &str = "notifications";
/// The signal that something a member sees has changed. Said once and not stored.
const TOPIC_CHANGED: &str = "changed";

/// How somebody is called who has left, and to who is blocked the one who blocks.
const FORMER: &str = "Former member";

/// How long a notification is kept, read or not. A resume token lives no longer than a session, which is shorter.
const KEPT_FOR: Duration = Duration::days(180);

/// Tells when a caller's session ends. Identity is the real one.
pub trait SessionEnd: Send + Sync + 'static {
    /// Completes when the session has ended, on whatever node; never before.
    fn ended(&self, caller: &Caller) -> BoxFuture<'static, ()>;
}

/// Where a notification leads: a kind, and the id of the thing, nil where the kind has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub TargetKind, pub Uuid);

/// Something to tell a member.
#[derive(Clone, Debug)]
pub struct New {
    /// Who is told.
    pub member: MemberId,
    /// What happened.
    pub kind: NotificationType,
    /// A short heading, 1 to 100 characters.
    pub title: String,
    /// One sentence, 1 to 500 characters.
    pub message: String,
    /// Who caused it.
    pub actor: Option<MemberId>,
    /// Where it leads.
    pub target: Target,
    /// The thing that it is about, mostly what it leads to: it takes the place of one that is unread, of the same kind, from the same
    /// actor, about the same thing.
    pub about: Uuid,
    /// The same, when it calls off what the member has not read of: less is to be said then.
    pub about_unread: Option<Uuid>,
    /// Whether something is expected of the member.
    pub action_required: bool,
}

/// What is expected of a member no longer: the answer was given, or nothing waits any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Of whom it was expected.
    pub member: MemberId,
    /// The thing that it was about.
    pub about: Uuid,
    /// Only what this one caused; `None` for what anybody did.
    pub actor: Option<MemberId>,
    /// Whether what was expected is called off: who has not read of it need not.
    pub called_off: bool,
    /// Whether the member did it: who has answered has read of it.
    pub seen: bool,
}

/// Something a member was told.
#[derive(Clone, Debug)]
pub struct Notification {
    /// Its id.
    pub id: NotificationId,
    /// Who was told.
    pub member: MemberId,
    /// Its place among the member's: 1, 2, 3, … in the order of the commits. One that took another's place left a gap there.
    pub seq: i64,
    /// What happened.
    pub kind: NotificationType,
    /// A short heading.
    pub title: String,
    /// One sentence.
    pub message: String,
    /// Who caused it.
    pub actor: Option<MemberId>,
    /// Where it leads.
    pub target: Target,
    /// Whether something is expected of the member.
    pub action_required: bool,
    /// When it happened.
    pub at: OffsetDateTime,
    /// Whether the member has read it.
    pub read: bool,
}

/// Tells members something, as `tell`, where nothing is settled by it.
///
/// # Errors
/// As the database.
pub async fn push(tx: &mut Tx, deps: &Deps, news: &[New]) -> Result<()> {
    tell(tx, deps, news, &[]).await
}

/// Settles what is expected no longer, then tells members something, in the caller's transaction: it is stored, counted, and delivered to
/// their open clients when that commits. Of news about the same thing the last counts.
/// Call it once a transaction, late: it locks the members' counters, in the order of their ids, until the end of it.
///
/// # Errors
/// As the database.
pub async fn tell(tx: &mut Tx, deps: &Deps, news: &[New], settled: &[Settled]) -> Result<()> {
    tell_and_lock(tx, deps, news, settled, &[]).await
}

/// Does all that telling a member this would, down to the job that mails it, but for the row: there is nothing to be read, and nothing to be
/// mailed. From how long a call takes nobody shall learn that it was let be.
///
/// # Errors
/// As the database.
pub async fn tell_nothing(tx: &mut Tx, deps: &Deps, new: &New) -> Result<()> {
    // Of nobody: whoever silenced the one who caused it, this takes as long.
    let of_nobody = New { actor: None, ..new.clone() };
    let ((plan, _), now) = (mails::plan(tx, deps, &[&of_nobody]).await?, deps.clock.now());
    let counters = store::take_seqs(tx, &BTreeMap::from([(new.member, 0)]), &plan.due, now).await?;
    store::delete_unread(tx, &[]).await?;
    store::insert(tx, &[], now).await?;
    mails::enqueue(tx, deps, &plan, |member| counters.get(&member).and_then(|counter| counter.mail_at)).await
}

/// As `tell`; and what a member was told by another one, who is as one who left from now on, keeps no name, but for what is expected of the member in
/// what goes on.
///
/// # Errors
/// As the database.
pub async fn tell_and_forget(tx: &mut Tx, deps: &Deps, told: &Told, (member, actor): (MemberId, MemberId)) -> Result<()> {
    tell_and_lock(tx, deps, &told.news, &told.settled, &[member]).await?;
    forget(tx, (member, actor), None, &told.goes_on).await
}

/// Whether a member hides from another one, who would hear of them.
///
/// # Errors
/// As the database.
pub async fn hides(conn: &mut PgConnection, member: MemberId, from: MemberId) -> Result<bool> {
    Ok(store::silences::blocked_between(conn, member, from).await? == [member])
}

/// What two members had to do with each other, and is over.
#[derive(Clone, Copy, Debug)]
pub struct Over {
    /// The two.
    pub pair: (MemberId, MemberId),
    /// What led to it.
    pub target: Target,
}

/// As `tell`, when something is over. A block left it to both until then; from now on one who hides is as one who left also in what was told of it. That
/// it is over is best told by nobody then (`hides`): of what is told by somebody a sentence is left that says less.
///
/// # Errors
/// As the database.
pub async fn tell_of_end(tx: &mut Tx, deps: &Deps, news: &[New], settled: &[Settled], over: Option<Over>) -> Result<()> {
    let Some(Over { pair: (one, other), target }) = over else { return tell(tx, deps, news, settled).await };
    tell_and_lock(tx, deps, news, settled, &[one, other]).await?;
    // After the counters were locked: a block that comes at this moment has them locked before, or finds what is told here.
    for actor in store::silences::blocked_between(tx, one, other).await? {
        forget(tx, (if actor == one { other } else { one }, actor), Some(target), &[]).await?;
    }
    Ok(())
}

/// Takes the name of an actor from what a member was told by them, of everything or of one thing, but for what is expected in what goes on.
async fn forget(tx: &mut Tx, pair: (MemberId, MemberId), of: Option<Target>, goes_on: &[Target]) -> Result<()> {
    let member = pair.0;
    if store::forget_told(tx, pair, (of, goes_on), &rules::sentences_of_former()).await? > 0 {
        changed(tx, member, TargetKind::Notifications, Uuid::nil());
    }
    Ok(())
}

/// As `tell`, with the counters of some more members locked among the others.
async fn tell_and_lock(tx: &mut Tx, deps: &Deps, news: &[New], settled: &[Settled], also: &[MemberId]) -> Result<()> {
    let news = rules::newest(news);
    let (plan, silenced) = mails::plan(tx, deps, &news).await?;
    let (quiet, news): (Vec<&New>, Vec<&New>) = news.into_iter().partition(|new| silenced.has(new));
    // Who does not want to hear of it still sees what changed, where it is open.
    for new in quiet {
        changed(tx, new.member, new.target.0, new.target.1);
    }
    let mut per_member: BTreeMap<MemberId, i32> = settled.iter().map(|s| s.member).chain(also.iter().copied()).map(|m| (m, 0)).collect();
    for new in &news {
        *per_member.entry(new.member).or_default() += 1;
    }
    if per_member.is_empty() {
        return Ok(());
    }
    // Where each member's next row goes: the counters are locked in the order of the map, so two of these never wait for each other.
    let counters = store::take_seqs(tx, &per_member, &plan.due, deps.clock.now()).await?;
    let (mut hinted, gone) = settle(tx, settled, deps.clock.now()).await?;
    let unread = |new: &New| new.about_unread.filter(|_| gone.contains(&new.member));
    let news: Vec<New> = news.into_iter().map(|new| New { about: unread(new).unwrap_or(new.about), ..new.clone() }).collect();
    if !news.is_empty() {
        insert(tx, deps, &news, &plan, &counters).await?;
    }
    for member in news.into_iter().map(|n| n.member).collect::<BTreeSet<_>>() {
        // Who hears of something new reads the others again as well.
        hinted.remove(&member);
        tx.signal(TOPIC_PUSHED, member.0, "");
    }
    for member in hinted {
        changed(tx, member, TargetKind::Notifications, Uuid::nil());
    }
    mails::enqueue(tx, deps, &plan, |member| counters.get(&member).and_then(|counter| counter.mail_at)).await
}

/// Takes expectations from rows, and rows that were not read where the whole thing is called off. Whose rows changed, and who lost some.
async fn settle(tx: &mut Tx, settled: &[Settled], now: OffsetDateTime) -> Result<(BTreeSet<MemberId>, BTreeSet<MemberId>)> {
    if settled.is_empty() {
        return Ok(Default::default());
    }
    let gone = if settled.iter().any(|s| s.called_off) { store::delete_called_off(tx, settled).await? } else { BTreeSet::new() };
    let mut changed = store::settle(tx, settled, now).await?;
    changed.extend(&gone);
    Ok((changed, gone))
}

/// Stores news after the last row of each member; they take the place of what is unread about the same things.
async fn insert(tx: &mut Tx, deps: &Deps, news: &[New], plan: &Plan, counters: &HashMap<MemberId, Counter>) -> Result<()> {
    store::delete_unread(tx, news).await?;
    let mut last: HashMap<MemberId, i64> = counters.iter().map(|(member, counter)| (*member, counter.seq)).collect();
    let mut rows = Vec::with_capacity(news.len());
    for new in news {
        let seq = last.get_mut(&new.member).ok_or_else(|| Error::internal(anyhow::anyhow!("a counter was not returned")))?;
        *seq += 1;
        rows.push(store::NewRow { seq: *seq, id: deps.ids.id(), mail: plan.mail(new.member, new.kind), new });
    }
    store::insert(tx, &rows, deps.clock.now()).await
}

/// Hints to a member's open clients that something they may show has changed, when the transaction commits. Nothing is stored: a client
/// that is away reads anew when it comes back.
pub fn changed(tx: &mut Tx, member: MemberId, kind: TargetKind, id: Uuid) {
    tx.signal(TOPIC_CHANGED, member.0, &format!("{} {id}", kind as i32));
}

/// How many notifications of a member's are unread.
///
/// # Errors
/// As the database.
pub async fn unread(conn: &mut PgConnection, member: MemberId) -> Result<i32> {
    Ok(store::counters(conn, member).await?.1)
}

/// Who caused these, where they still have an account.
async fn people(conn: &mut PgConnection, rows: &[Notification]) -> Result<HashMap<MemberId, identity::Member>> {
    let actors: BTreeSet<MemberId> = rows.iter().filter_map(|n| n.actor).collect();
    if actors.is_empty() {
        return Ok(HashMap::new());
    }
    identity::store::members(conn, &actors.into_iter().collect::<Vec<_>>()).await
}

/// Deletes notifications that are too old.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "notifications"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        let before = now - KEPT_FOR;
        let members = store::members_with_old(conn, before).await?;
        store::lock(conn, &members).await?;
        let gone = store::delete_old(conn, &members, before).await?;
        let mut unread = BTreeMap::<MemberId, i32>::new();
        for (member, _) in gone.iter().filter(|(_, unread)| *unread) {
            *unread.entry(*member).or_default() += 1;
        }
        store::take_unread(conn, &unread).await?;
        Ok(u64::try_from(gone.len()).unwrap_or(u64::MAX))
    }
}
