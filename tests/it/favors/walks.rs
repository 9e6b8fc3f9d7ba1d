//! Favors driven at random: whoever does whatever, only the moves of the table happen, and what members are told matches them exactly.

use crate::{
    asking::asking,
    harness::{Member, Refused, TestServer},
};
use goodturn::pb::{
    favors::{
        CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, DeleteFavorRequest, Favor, FavorAction as Action, FavorResponse,
        FavorStatus as Status, GetFavorRequest, GetFavorStoryRequest, PublishFavorRequest, SettleFavorRequest, UpdateFavorRequest,
    },
    notifications::NotificationType as Told,
};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use sqlx::{PgConnection, Row};
use std::collections::BTreeMap;

/// So many favors, each with so many tries to do something with it.
const WALKS: usize = 24;
const STEPS: usize = 24;

/// Who is told what, how often.
type News = BTreeMap<(String, Told), usize>;

/// One try: who, and numbers that say what.
type Step = (usize, usize, u8);

#[derive(Clone, Debug)]
struct Asked {
    uid: String,
    response: FavorResponse,
}

/// A favor with the eyes of its creator.
#[derive(Clone, Debug)]
struct World {
    favor: Favor,
    asked: Vec<Asked>,
}

impl World {
    fn helper(&self) -> Option<&str> {
        self.favor.helper.as_ref().map(|helper| helper.uid.as_str())
    }
}

struct Walk<'a> {
    server: &'a TestServer,
    people: &'a [Member],
    id: String,
    beside: PgConnection,
    /// Every table that has rows of a favor.
    tables: Vec<String>,
    tries: usize,
}

impl Walk<'_> {
    fn creator(&self) -> &Member {
        &self.people[0]
    }

    async fn seen_by(&self, who: &Member) -> Option<Favor> {
        let seen = self.server.favors(who).get_favor(GetFavorRequest { id: self.id.clone() }).await;
        match seen {
            Ok(favor) => favor.into_inner().favor,
            Err(status) => {
                assert_eq!(Refused::from(status).reason, "NOT_FOUND");
                None
            }
        }
    }

    async fn world(&self) -> Option<World> {
        let favor = self.seen_by(self.creator()).await?;
        let story = self.server.favors(self.creator()).get_favor_story(GetFavorStoryRequest { id: self.id.clone() }).await.unwrap();
        let asked = story.into_inner().recipients;
        let asked = asked.into_iter().map(|r| Asked { response: r.response(), uid: r.person.unwrap().uid }).collect();
        Some(World { favor, asked })
    }

    /// All that is stored of the favor.
    async fn stored(&mut self) -> Vec<String> {
        let mut rows = Vec::new();
        for table in &self.tables {
            let key = if table == "favors" { "id" } else { "favor_id" };
            let sql = format!("SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t::text), '[]')::text FROM {table} AS t WHERE {key} = $1::uuid");
            let stored: String = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(&self.id).fetch_one(&mut self.beside).await.unwrap();
            rows.push(format!("{table}: {stored}"));
        }
        rows
    }

    /// What was told since the last time.
    async fn news(&mut self) -> News {
        let sql = "SELECT member_id::text, type FROM notifications WHERE read_at IS NULL";
        let mut news = News::new();
        for row in sqlx::query(sql).fetch_all(&mut self.beside).await.unwrap() {
            *news.entry((row.get(0), Told::try_from(row.get::<i32, _>(1)).unwrap())).or_default() += 1;
        }
        let read = "UPDATE notifications SET read_at = now() WHERE read_at IS NULL; UPDATE notification_counters SET unread = 0";
        sqlx::raw_sql(read).execute(&mut self.beside).await.unwrap();
        news
    }

    /// Tries something, other words each time where words are news.
    async fn try_to(&mut self, who: &Member, action: Action) -> Result<(), Refused> {
        self.tries += 1;
        let (id, mut favors) = (self.id.clone(), self.server.favors(who));
        let respond = async |response, words: &str| self.server.answer(who, &self.id, response, words).await.map(drop);
        let done = match action {
            Action::Edit => {
                let title = Some(format!("Walk the dog {}", self.tries));
                favors.update_favor(UpdateFavorRequest { id, title, ..Default::default() }).await.map(drop)
            }
            Action::Publish => favors.publish_favor(PublishFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Complete => favors.complete_favor(CompleteFavorRequest { id }).await.map(drop),
            Action::Settle => favors.settle_favor(SettleFavorRequest { id }).await.map(drop),
            Action::Cancel => favors.cancel_favor(CancelFavorRequest { id }).await.map(drop),
            Action::Delete => favors.delete_favor(DeleteFavorRequest { id }).await.map(drop),
            Action::Accept => return respond(FavorResponse::Accept, "").await,
            Action::Decline => return respond(FavorResponse::Decline, "").await,
            Action::AnotherTime => return respond(FavorResponse::AnotherTime, &format!("At {}?", self.tries)).await,
            later => unreachable!("{later:?} is not tried"),
        };
        done.map_err(Refused::from)
    }

    async fn step(&mut self, (who, what, chance): Step) {
        let who = &self.people[who % self.people.len()].clone();
        let before = (self.world().await, self.stored().await);
        let seen = self.seen_by(who).await;
        let allowed: Vec<Action> = seen.iter().flat_map(Favor::allowed_actions).filter(|action| is_tried(*action)).collect();
        let likely: Vec<Action> = allowed.iter().copied().filter(|action| chance < 30 || !ends(*action)).collect();
        let action = if chance % 4 > 0 && !likely.is_empty() { likely[what % likely.len()] } else { ACTIONS[what % ACTIONS.len()] };
        let done = self.try_to(who, action).await;
        let after = (self.world().await, self.stored().await);
        let about = format!("{} of {:?}: {action:?}, allowed {allowed:?}: {done:?}", who.name, before.0.as_ref().map(|w| w.favor.status()));
        let told = self.news().await;
        if allowed.contains(&action) {
            assert!(done.is_ok(), "{about}");
            assert_ne!(before.1, after.1, "{about}");
            let from = before.0.expect("it is seen");
            assert!(leads(action, from.favor.status(), after.0.as_ref().map(|world| world.favor.status())), "{about}: {after:?}");
            assert_eq!(told, expected(action, &who.uid, &from, after.0.as_ref()), "{about}");
            return;
        }
        // Refused, or done before.
        match done {
            Err(refused) if seen.is_none() => assert_eq!(refused.reason, "NOT_FOUND", "{about}"),
            Err(refused) => assert!(["WRONG_PARTY", "WRONG_STATE", "LIMIT_REACHED"].contains(&refused.reason.as_str()), "{about}"),
            Ok(()) => assert!(seen.is_some(), "{about}"),
        }
        assert_eq!(before.1, after.1, "{about}");
        assert_eq!(told, News::new(), "{about}");
    }
}

const ACTIONS: [Action; 9] = [
    Action::Edit,
    Action::Publish,
    Action::Complete,
    Action::Settle,
    Action::Cancel,
    Action::Delete,
    Action::Accept,
    Action::Decline,
    Action::AnotherTime,
];

fn is_tried(action: Action) -> bool {
    ACTIONS.contains(&action)
}

fn ends(action: Action) -> bool {
    matches!(action, Action::Cancel | Action::Delete | Action::Settle)
}

/// The table of the design once more: where an action leads from a status.
fn leads(action: Action, from: Status, to: Option<Status>) -> bool {
    use Status::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    match action {
        Action::Edit => matches!((from, to), (Draft, Some(Draft)) | (Active, Some(Active))),
        Action::Publish => (from, to) == (Draft, Some(Active)),
        Action::Accept => (from, to) == (Active, Some(Accepted)),
        Action::Decline | Action::AnotherTime => (from, to) == (Active, Some(Active)),
        Action::Complete => (from, to) == (Accepted, Some(Completed)),
        Action::Settle => matches!((from, to), (Accepted | Completed, Some(Settled))),
        Action::Cancel => matches!((from, to), (Draft | Active | Accepted, Some(Cancelled))),
        Action::Delete => matches!((from, to), (Draft | Active, None)),
        _ => false,
    }
}

/// Who has to be told of a move: each of them once, and nobody else.
fn expected(action: Action, actor: &str, before: &World, after: Option<&World>) -> News {
    let creator = before.favor.created_by.as_str();
    let asked = |world: &World| world.asked.clone();
    let mut news = News::new();
    let mut tell = |member: &str, kind| *news.entry((member.to_owned(), kind)).or_default() += 1;
    match action {
        Action::Publish => after.into_iter().flat_map(asked).for_each(|r| tell(&r.uid, Told::FavorRequest)),
        Action::Accept => {
            tell(creator, Told::FavorResponse);
            let others = before.asked.iter().filter(|r| r.uid != actor && r.response != FavorResponse::Decline);
            others.for_each(|r| tell(&r.uid, Told::FavorResponse));
        }
        Action::Decline | Action::AnotherTime => tell(creator, Told::FavorResponse),
        Action::Complete => {
            let other = if actor == creator { before.helper().expect("somebody helps") } else { creator };
            tell(other, Told::FavorCompleted);
        }
        Action::Settle => tell(before.helper().expect("somebody helped"), Told::FavorSettled),
        Action::Cancel | Action::Delete if before.favor.status() != Status::Draft => {
            before.asked.iter().for_each(|r| tell(&r.uid, Told::FavorCancelled));
        }
        _ => {}
    }
    news
}

/// The same tries each time, as if they were random.
fn tries() -> Vec<Vec<Step>> {
    let step = (0..6_usize, 0..60_usize, any::<u8>());
    let walks = prop::collection::vec(prop::collection::vec(step, STEPS), WALKS);
    walks.new_tree(&mut TestRunner::deterministic()).unwrap().current()
}

#[tokio::test]
async fn whoever_tries_whatever_only_the_moves_of_the_table_happen_and_all_of_them_are_told() {
    let server = TestServer::start().await;
    let mut people = vec![server.ana().await, server.ben().await, server.eve().await];
    for (given, family) in [("Dan", "Reyes"), ("Fay", "Lund"), ("Gus", "Stranger")] {
        people.push(server.member(given, family).await);
    }
    for friend in &people[1..5] {
        server.befriend(&people[0], friend).await;
    }
    let mut beside = server.database.connect().await;
    let tables = "SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'favor_id'";
    let mut tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut beside).await.unwrap();
    tables.push("favors".into());
    let mut moved = 0;
    for (n, steps) in tries().into_iter().enumerate() {
        let status = if n % 3 == 0 { Status::Draft } else { Status::Active };
        let favor = CreateFavorRequest { status: status.into(), ..asking(&[&people[1], &people[2], &people[3]]) };
        let id = server.favor(&people[0], favor).await.id;
        let beside = server.database.connect().await;
        let mut walk = Walk { server: &server, people: &people, id, beside, tables: tables.clone(), tries: 0 };
        let begin = walk.stored().await;
        walk.news().await;
        for step in steps {
            walk.step(step).await;
        }
        moved += usize::from(walk.stored().await != begin);
    }
    assert!(moved > WALKS / 2, "{moved} favors were moved: the tries try little");
}
