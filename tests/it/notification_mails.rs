//! Mails about notifications: when they are sent, about what, and that none is sent twice.

mod digest;

use crate::harness::{Member, START, TestServer, locks, until};
use futures_util::future::join_all;
use goodturn::{
    adapters::mail::{Mail, Mailer, Refused},
    clock::Clock,
    deps::Deps,
    error::Result,
    ids::MemberId,
    jobs::Handler,
    mail_links::MailLinks,
    notifications::{self, Cause, New, Post, SendDigest, SendNews, Settled, Target},
    pb::notifications::{
        MailFrequency, MarkAllNotificationsReadRequest, NotificationType as Kind, TargetKind, TopicSetting,
        UpdateNotificationSettingsRequest,
    },
    transact,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// What a mail server does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Take,
    /// Says that it does not.
    Refuse,
    /// Takes it, and breaks off before it says so.
    BreakOff,
    /// Is not there.
    Away,
}

/// A mail server that keeps what it takes.
struct Postbox {
    taken: Mutex<Vec<Mail>>,
    does: Mutex<Does>,
}

impl Postbox {
    fn taken(&self) -> Vec<Mail> {
        self.taken.lock().unwrap().clone()
    }

    fn does(&self) -> Does {
        *self.does.lock().unwrap()
    }

    fn shall(&self, do_so: Does) {
        *self.does.lock().unwrap() = do_so;
    }
}

#[tonic::async_trait]
impl Mailer for Postbox {
    async fn reachable(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.does() != Does::Away, "it is away");
        Ok(())
    }

    async fn send(&self, mail: Mail) -> anyhow::Result<()> {
        match self.does() {
            Does::Take => self.taken.lock().unwrap().push(mail),
            Does::Refuse => return Err(Refused("450".into()).into()),
            Does::BreakOff => {
                self.taken.lock().unwrap().push(mail);
                anyhow::bail!("the connection broke off");
            }
            Does::Away => anyhow::bail!("it is away"),
        }
        Ok(())
    }
}

/// A mail server that refuses what was settled while it thought.
struct Settling {
    deps: Deps,
    settled: Settled,
}

#[tonic::async_trait]
impl Mailer for Settling {
    async fn send(&self, _mail: Mail) -> anyhow::Result<()> {
        transact!(self.deps.pool, |tx| notifications::tell(tx, &self.deps, &[], &[self.settled]).await)?;
        Err(Refused("450".into()).into())
    }
}

/// A server, and the mail that jobs send when a test runs them.
struct Mails {
    server: TestServer,
    postbox: Arc<Postbox>,
}

impl Mails {
    async fn start() -> Self {
        Self::start_at(START).await
    }

    async fn start_at(at: OffsetDateTime) -> Self {
        let postbox = Arc::new(Postbox { taken: Mutex::default(), does: Mutex::new(Does::Take) });
        Self { server: TestServer::start_with(Clock::fixed(at), |_| {}).await, postbox }
    }

    fn post_of(&self, server: &TestServer) -> Post {
        let links = MailLinks::new(&[7; 32], "https://goodturn.test");
        Post { deps: server.node.deps.clone(), mailer: self.postbox.clone(), links }
    }

    fn post(&self) -> Post {
        self.post_of(&self.server)
    }

    async fn silences(&self, who: &Member, whom: &Member) {
        let deps = &self.server.node.deps;
        let (now, cause) = (deps.clock.now(), Cause::Blocked);
        let done: Result<()> = transact!(deps.pool, |tx| notifications::silence(tx, id(who), id(whom), cause, now).await);
        done.unwrap();
    }

    async fn tell(&self, news: &[New], settled: &[Settled]) {
        let deps = &self.server.node.deps;
        let told: Result<()> = transact!(deps.pool, |tx| notifications::tell(tx, deps, news, settled).await);
        told.unwrap();
    }

    /// Tells a member something about a thing.
    async fn told(&self, who: &Member, kind: Kind, about: u128) {
        self.tell(&[new(who, kind, about)], &[]).await;
    }

    /// What the jobs of a task that wait are told, and in how many seconds they are due.
    async fn waiting(&self, task: &str) -> Vec<(Value, f64)> {
        let sql = "SELECT payload->'payload', extract(epoch FROM run_at - now())::float8
                   FROM graphile_worker._private_jobs
                   WHERE payload->>'task' = $1
                   ORDER BY key
                   LIMIT 1000";
        sqlx::query_as(sql).bind(task).fetch_all(&mut self.server.database.connect().await).await.unwrap()
    }

    /// Runs the jobs of the next mails, as they stand there. What each came to.
    async fn run_next(&self) -> Vec<anyhow::Result<()>> {
        let mut outcomes = Vec::new();
        for (payload, _) in self.waiting("send_notifications").await {
            outcomes.push(SendNews(self.post()).run(&payload).await);
        }
        outcomes
    }

    /// The same, a minute later, when they are due.
    async fn a_minute_later(&self) -> Vec<Mail> {
        self.server.clock.advance(Duration::MINUTE);
        for outcome in self.run_next().await {
            outcome.unwrap();
        }
        self.postbox.taken()
    }

    /// Mails a member the morning's, whether it is morning or not.
    async fn digest(&self, who: &Member) -> Vec<Mail> {
        SendDigest(self.post()).run(&json!({ "member": who.uid })).await.unwrap();
        self.postbox.taken()
    }

    async fn set(&self, who: &Member, topic: Kind, mail: MailFrequency) {
        let topics = vec![TopicSetting { topic: topic.into(), mail: mail.into() }];
        self.server.notifications(who).update_notification_settings(UpdateNotificationSettingsRequest { topics }).await.unwrap();
    }

    async fn in_zone(&self, name: &str, zone: &str) -> Member {
        let member = self.server.member(name, "Zone").await;
        let done = sqlx::query("UPDATE members SET time_zone = $2 WHERE id = $1")
            .bind(Uuid::parse_str(&member.uid).unwrap())
            .bind(zone)
            .execute(&mut self.server.database.connect().await)
            .await
            .unwrap();
        assert_eq!(done.rows_affected(), 1);
        member
    }
}

fn id(who: &Member) -> MemberId {
    MemberId(who.uid.parse().unwrap())
}

fn new(who: &Member, kind: Kind, about: u128) -> New {
    New {
        member: id(who),
        kind,
        title: "Somebody did something".into(),
        message: format!("It is about thing {about}."),
        actor: Some(MemberId(Uuid::from_u128(99))),
        target: Target(TargetKind::Favor, Uuid::from_u128(about)),
        about: Uuid::from_u128(about),
        about_unread: None,
        action_required: matches!(kind, Kind::FavorRequest | Kind::FriendRequest),
    }
}

fn settled(who: &Member, about: u128, called_off: bool) -> Settled {
    Settled { member: id(who), about: Uuid::from_u128(about), actor: None, called_off, seen: false }
}

#[tokio::test]
async fn what_waits_for_an_answer_is_mailed_a_minute_later_and_several_things_in_one_mail() {
    let mails = Mails::start().await;
    let ana = mails.server.ana().await;
    mails.told(&ana, Kind::FavorRequest, 1).await;
    let first = mails.waiting("send_notifications").await;
    assert!(first.len() == 1 && (51.0..=61.0).contains(&first[0].1), "{first:?}");
    mails.server.clock.advance(Duration::seconds(30));
    mails.told(&ana, Kind::FavorRequest, 2).await;
    assert_eq!(mails.waiting("send_notifications").await.len(), 1, "one job for the two");
    assert_eq!(mails.waiting("send_notifications").await[0].0, first[0].0, "which is due a minute after the first");
    let early = mails.run_next().await.remove(0).unwrap_err();
    assert_eq!(early.to_string(), "it is not time yet");
    mails.server.clock.advance(Duration::seconds(30));
    mails.run_next().await.remove(0).unwrap();
    let taken = mails.postbox.taken();
    assert_eq!((taken.len(), taken[0].to.as_str(), taken[0].subject.as_str()), (1, "ana@example.org", "2 new notifications on Goodturn"));
    assert!(taken[0].body.contains("It is about thing 1.") && taken[0].body.contains("It is about thing 2."), "{}", taken[0].body);
    // What comes after that is another mail.
    mails.told(&ana, Kind::FavorRequest, 3).await;
    let taken = mails.a_minute_later().await;
    assert_eq!((taken.len(), taken[1].subject.as_str()), (2, "Somebody did something"));
    assert!(taken[1].body.contains("thing 3") && !taken[1].body.contains("thing 1"), "{}", taken[1].body);
    mails.server.stop().await;
}

#[tokio::test]
async fn what_was_read_or_answered_or_called_off_meanwhile_is_not_mailed() {
    let mails = Mails::start().await;
    let (ana, ben, eve) = (mails.server.ana().await, mails.server.ben().await, mails.server.eve().await);
    for who in [&ana, &ben, &eve] {
        mails.told(who, Kind::FavorRequest, 1).await;
    }
    let all = MarkAllNotificationsReadRequest::default();
    mails.server.notifications(&ana).mark_all_notifications_read(all).await.unwrap();
    mails.tell(&[], &[settled(&ben, 1, false), settled(&eve, 1, true)]).await;
    assert!(mails.a_minute_later().await.is_empty());
    assert_eq!(mails.server.unread(&ben).await, 1, "he has it in the app, where it expects nothing any more");
    mails.server.stop().await;
}

#[tokio::test]
async fn each_gets_what_they_want_by_the_time_it_is_sent() {
    let mails = Mails::start().await;
    let (ana, ben, eve) = (mails.server.ana().await, mails.server.ben().await, mails.server.eve().await);
    let max = mails.server.member("Max", "Hale").await;
    mails.set(&ana, Kind::FavorRequest, MailFrequency::Off).await;
    mails.set(&ben, Kind::FavorCompleted, MailFrequency::AtOnce).await;
    for who in [&ana, &ben, &eve, &max] {
        mails.told(who, Kind::FavorRequest, 1).await;
        mails.told(who, Kind::FavorCompleted, 2).await;
    }
    // Too late to be planned so, and early enough.
    mails.set(&eve, Kind::FavorRequest, MailFrequency::Off).await;
    mails.set(&max, Kind::FavorRequest, MailFrequency::Daily).await;
    let taken = mails.a_minute_later().await;
    assert_eq!(taken.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["ben@example.org"]);
    assert!(taken[0].body.contains("thing 1") && taken[0].body.contains("thing 2"), "{}", taken[0].body);
    // The rest in the morning.
    for (who, told) in [(&ana, "thing 2"), (&eve, "thing 2"), (&max, "thing 1")] {
        let mail = mails.digest(who).await.pop().unwrap();
        assert_eq!((mail.to.as_str(), mail.subject.as_str()), (who.email.as_str(), "Your daily digest from Goodturn"));
        assert!(mail.body.contains(told), "{}", mail.body);
    }
    assert_eq!(mails.digest(&ben).await.len(), 4, "he had it all");
    let taken = mails.postbox.taken();
    assert!(!taken[1].body.contains("thing 1") && !taken[2].body.contains("thing 1"), "nobody is mailed about what is off");
    mails.server.stop().await;
}

#[tokio::test]
async fn whoever_runs_a_job_and_however_often_there_is_one_mail() {
    let mails = Mails::start().await;
    // Before there is another node, which would send the code to an outbox of its own.
    let ana = mails.server.ana().await;
    let other = mails.server.second_node().await;
    mails.told(&ana, Kind::FavorRequest, 1).await;
    mails.told(&ana, Kind::FavorCompleted, 2).await;
    mails.server.clock.advance(Duration::MINUTE);
    let payload = mails.waiting("send_notifications").await.remove(0).0;
    let posts = [mails.post(), mails.post_of(&other), mails.post(), mails.post_of(&other)];
    join_all(posts.iter().map(|post| async { SendNews(post.clone()).run(&payload).await.unwrap() })).await;
    assert_eq!(mails.postbox.taken().len(), 1);
    let digest = json!({ "member": ana.uid });
    join_all(posts.iter().map(|post| async { SendDigest(post.clone()).run(&digest).await.unwrap() })).await;
    assert_eq!(mails.postbox.taken().len(), 2);
    other.stop().await;
    mails.server.stop().await;
}

#[tokio::test]
async fn a_mail_waits_while_no_node_is_there_and_the_next_one_sends_it_once() {
    let mails = Mails::start().await;
    let ana = mails.server.ana().await;
    mails.told(&ana, Kind::FavorRequest, 1).await;
    let (database, config, clock) = (mails.server.database.clone(), mails.server.config.clone(), mails.server.clock.clone());
    mails.server.stop().await;
    clock.advance(Duration::MINUTE);
    sqlx::query("UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload->>'task' = 'send_notifications'")
        .execute(&mut database.connect().await)
        .await
        .unwrap();
    let server = TestServer::on(database, config, clock).await;
    let mail = server.mail_to(&ana.email, |body| body.contains("thing 1")).await;
    assert_eq!(mail["subject"], "Somebody did something");
    assert!(mail["one_click"].as_str().unwrap().starts_with("http://goodturn.test/notifications/unsubscribe?token="), "{mail}");
    until("the job is done", async || {
        let sql = "SELECT count(*) FROM graphile_worker._private_jobs WHERE payload->>'task' = 'send_notifications'";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut server.database.connect().await).await.unwrap() == 0
    })
    .await;
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    assert_eq!(outbox["messages"].as_array().unwrap().len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn what_is_refused_is_sent_later_and_what_may_have_arrived_never_again() {
    let mails = Mails::start().await;
    let ana = mails.server.ana().await;
    mails.told(&ana, Kind::FavorRequest, 1).await;
    mails.server.clock.advance(Duration::MINUTE);
    for (does, why) in [(Does::Away, "it is away"), (Does::Refuse, "the mail server refused with 450")] {
        mails.postbox.shall(does);
        assert_eq!(mails.run_next().await.remove(0).unwrap_err().to_string(), why);
    }
    // What comes meanwhile goes along.
    mails.told(&ana, Kind::FavorRequest, 2).await;
    mails.postbox.shall(Does::BreakOff);
    mails.server.clock.advance(Duration::MINUTE);
    assert_eq!(mails.run_next().await.remove(0).unwrap_err().to_string(), "the connection broke off");
    let taken = mails.postbox.taken();
    assert!(taken.len() == 1 && taken[0].body.contains("thing 1") && taken[0].body.contains("thing 2"), "{}", taken[0].body);
    mails.postbox.shall(Does::Take);
    mails.run_next().await.remove(0).unwrap();
    assert_eq!(mails.postbox.taken().len(), 1);
    // Nothing is stuck by it.
    mails.told(&ana, Kind::FavorRequest, 3).await;
    assert_eq!(mails.a_minute_later().await.len(), 2);
    mails.server.stop().await;
}

#[tokio::test]
async fn what_was_settled_while_a_mail_was_refused_is_not_mailed() {
    let mails = Mails::start().await;
    let ana = mails.server.ana().await;
    for about in [1, 2] {
        mails.told(&ana, Kind::FavorRequest, about).await;
    }
    mails.server.clock.advance(Duration::MINUTE);
    let settling = Settling { deps: mails.server.node.deps.clone(), settled: settled(&ana, 1, false) };
    let refused = SendNews(Post { mailer: Arc::new(settling), ..mails.post() }).run(&mails.waiting("send_notifications").await[0].0).await;
    assert!(refused.unwrap_err().is::<Refused>());
    mails.run_next().await.remove(0).unwrap();
    let taken = mails.postbox.taken();
    assert!(taken.len() == 1 && taken[0].body.contains("thing 2") && !taken[0].body.contains("thing 1"), "{}", taken[0].body);
    mails.server.stop().await;
}

#[tokio::test]
async fn what_is_by_one_silenced_meanwhile_is_not_mailed() {
    let mails = Mails::start().await;
    let (ana, ben) = (mails.server.ana().await, mails.server.ben().await);
    mails.tell(&[New { actor: Some(id(&ben)), ..new(&ana, Kind::FavorRequest, 1) }, new(&ana, Kind::FavorRequest, 2)], &[]).await;
    mails.silences(&ana, &ben).await;
    let taken = mails.a_minute_later().await;
    assert!(taken.len() == 1 && taken[0].body.contains("thing 2") && !taken[0].body.contains("thing 1"), "{}", taken[0].body);
    assert_eq!(mails.server.unread(&ana).await, 2, "she has both in the app");
    mails.server.stop().await;
}

#[tokio::test]
async fn who_has_left_gets_no_mail() {
    let mails = Mails::start().await;
    let ana = mails.server.ana().await;
    mails.told(&ana, Kind::FavorRequest, 1).await;
    mails.told(&ana, Kind::FavorCompleted, 2).await;
    assert_eq!(mails.server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    assert!(mails.a_minute_later().await.is_empty());
    assert!(mails.digest(&ana).await.is_empty());
    mails.server.stop().await;
}

/// How many statements the transaction had that tells this.
async fn statements(mails: &Mails, news: &[New]) -> usize {
    let before = locks::statements_on("notification_counters").len();
    mails.tell(news, &[]).await;
    until("the transaction is seen", async || locks::statements_on("notification_counters").len() > before).await;
    locks::statements_on("notification_counters")[before]
}

#[tokio::test]
async fn telling_many_takes_as_many_statements_as_telling_one() {
    let mails = Mails::start().await;
    let mut people = Vec::new();
    for n in 0..5 {
        people.push(mails.server.member(&format!("Member{n}"), "One").await);
    }
    let all = |kind, about| people.iter().map(|who| new(who, kind, about)).collect::<Vec<_>>();
    // What they want, the counters, what it takes the place of, the rows, and the jobs.
    assert_eq!(statements(&mails, &all(Kind::FavorRequest, 1)).await, 5);
    mails.server.clock.advance(Duration::SECOND);
    assert_eq!(mails.waiting("send_notifications").await.len(), 5);
    assert_eq!(statements(&mails, &all(Kind::FavorRequest, 2)).await, 4, "each mail waits already");
    assert_eq!(statements(&mails, &all(Kind::FavorCompleted, 3)).await, 5, "one job begins the morning of all");
    assert_eq!(statements(&mails, &all(Kind::FavorCompleted, 4)).await, 4);
    assert_eq!((mails.waiting("begin_morning").await.len(), mails.waiting("send_notifications").await.len()), (1, 5));
    assert_eq!(statements(&mails, &all(Kind::FavorSettled, 5)[..1]).await, 4);
    for who in &people {
        mails.set(who, Kind::FavorSettled, MailFrequency::Off).await;
    }
    assert_eq!(statements(&mails, &all(Kind::FavorSettled, 6)).await, 4);
    mails.server.stop().await;
}
