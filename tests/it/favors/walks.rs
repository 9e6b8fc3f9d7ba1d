//! Favors driven at random: whoever does whatever, only the moves of the table happen, and what members are told matches them exactly.

use super::lists;
use crate::{
    asking::asking,
    harness::{Member, Refused, START, TestServer},
};
use goodturn::{
    clock::Clock,
    pb::{
        favors::{
            AcceptProposedTimeRequest, ApplyToFavorRequest, AskMemberRequest, CancelFavorRequest, ChooseApplicantRequest,
            CompleteFavorRequest, CreateFavorRequest, DeclineProposedTimeRequest, DeleteFavorRequest, Favor, FavorAction as Action,
            FavorResponse, FavorStatus as Status, GetFavorRequest, GetFavorStoryRequest, PublishFavorRequest, Recipient,
            ReportMissingTipRequest, RequestType, RespondToFavorRequest, SettleFavorRequest, UpdateFavorRequest, WithdrawFromFavorRequest,
        },
        notifications::NotificationType as Told,
        timestamp,
    },
};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use sqlx::{PgConnection, Row};
use std::collections::{BTreeMap, HashSet};
use time::Duration;

/// So many favors, each with so many tries to do something with it.
const WALKS: usize = 30;
const STEPS: usize = 24;

/// Who is told what, how often.
type News = BTreeMap<(String, Told), usize>;

/// A favor as its creator sees it, and all rows that are stored of it.
type Look = (Option<World>, Vec<String>);

/// One try: who, and numbers that say what.
type Step = (usize, usize, u8);

/// A favor with the eyes of its creator, and who offers help whatever its status is.
#[derive(Clone, Debug)]
struct World {
    favor: Favor,
    asked: Vec<Recipient>,
    applicants: Vec<String>,
}

impl World {
    fn helper(&self) -> Option<&str> {
        self.favor.helper.as_ref().map(|helper| helper.uid.as_str())
    }

    fn asked_with(&self, fits: impl Fn(FavorResponse) -> bool) -> Vec<String> {
        self.asked.iter().filter(|r| fits(r.response())).map(uid).collect()
    }

    /// With whom an action is tried, where it is with somebody.
    fn whom(&self, action: Action, people: &[Member]) -> Option<String> {
        match action {
            Action::Choose => self.applicants.first().cloned(),
            Action::Ask => people[FRIENDS].iter().map(|m| m.uid.clone()).find(|uid| !self.favor.recipients.contains(uid)),
            Action::AcceptTime => self.proposal().map(uid),
            Action::DeclineTime => self.asked_with(|answer| answer == FavorResponse::AnotherTime).first().cloned(),
            _ => None,
        }
    }

    /// The first who proposes a start.
    fn proposal(&self) -> Option<&Recipient> {
        self.asked.iter().find(|r| r.response() == FavorResponse::AnotherTime && r.proposed_start.is_some())
    }
}

fn uid(recipient: &Recipient) -> String {
    recipient.person.as_ref().unwrap().uid.clone()
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

    async fn world(&mut self) -> Option<World> {
        let favor = self.seen_by(&self.people[0]).await?;
        let story = self.server.favors(&self.people[0]).get_favor_story(GetFavorStoryRequest { id: self.id.clone() }).await.unwrap();
        let sql = "SELECT member_id::text FROM favor_applicants WHERE favor_id = $1::uuid AND applied_at IS NOT NULL ORDER BY turn";
        let applicants = sqlx::query_scalar(sql).bind(&self.id).fetch_all(&mut self.beside).await.unwrap();
        Some(World { favor, asked: story.into_inner().recipients, applicants })
    }

    /// All that is stored of the favor.
    async fn stored(&mut self) -> Vec<String> {
        let mut rows = Vec::new();
        for table in &self.tables {
            let key = if table == "favors" { "id" } else { "favor_id" };
            let sql =
                format!("SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t::text), '[]')::text FROM {table} AS t WHERE {key} = $1::uuid");
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

    /// Of whom an answer is expected though none is waited for, and whose offer the creator is to answer though there is none.
    async fn expected_for_nothing(&mut self) -> Vec<String> {
        let sql = "SELECT n.message
                   FROM notifications n
                   JOIN favors f ON f.id = n.target_id
                   LEFT JOIN favor_places p ON p.favor_id = f.id AND p.member_id = n.member_id
                   LEFT JOIN favor_places o ON o.favor_id = f.id AND o.member_id = n.actor_id
                   WHERE f.id = $1::uuid AND n.action_required AND (
                       n.type = $2 AND p.place IS DISTINCT FROM 'pending'
                       OR n.type = $3 AND (f.status <> 'active' OR n.member_id <> f.creator_id)
                       OR n.type = $3 AND n.message LIKE '%offers to help%' AND o.place IS DISTINCT FROM 'applied'
                       OR n.type = $3 AND n.message LIKE '%at another time%' AND o.place IS DISTINCT FROM 'offered'
                   )";
        let told = [Told::FavorRequest as i32, Told::FavorResponse as i32];
        sqlx::query_scalar(sql).bind(&self.id).bind(told[0]).bind(told[1]).fetch_all(&mut self.beside).await.unwrap()
    }

    /// Tries something, with other words each time where words are news.
    async fn try_to(&mut self, who: &Member, action: Action, world: Option<&World>) -> Result<(), Refused> {
        self.tries += 1;
        let (id, mut favors) = (self.id.clone(), self.server.favors(who));
        let proposed = START + Duration::days(2) + Duration::minutes(i64::try_from(self.tries).unwrap());
        let respond = |response: FavorResponse, message: String, proposed_start| RespondToFavorRequest {
            id: self.id.clone(),
            response: response.into(),
            message,
            proposed_start,
            ..Default::default()
        };
        let whom = || world.and_then(|world| world.whom(action, self.people)).unwrap_or_else(|| self.people[1].uid.clone());
        let done = match action {
            Action::Unspecified => unreachable!("it is no action"),
            Action::Edit => {
                let title = Some(format!("Walk the dog {}", self.tries));
                favors.update_favor(UpdateFavorRequest { id, title, ..Default::default() }).await.map(drop)
            }
            Action::Publish => favors.publish_favor(PublishFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Complete => favors.complete_favor(CompleteFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Settle => favors.settle_favor(SettleFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Cancel => favors.cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Delete => favors.delete_favor(DeleteFavorRequest { id }).await.map(drop),
            Action::Accept => favors.respond_to_favor(respond(FavorResponse::Accept, String::new(), None)).await.map(drop),
            Action::Decline => favors.respond_to_favor(respond(FavorResponse::Decline, String::new(), None)).await.map(drop),
            Action::AnotherTime => {
                let message = format!("At {}?", self.tries);
                favors.respond_to_favor(respond(FavorResponse::AnotherTime, message, Some(timestamp(proposed)))).await.map(drop)
            }
            Action::Withdraw => favors.withdraw_from_favor(WithdrawFromFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Apply => favors.apply_to_favor(ApplyToFavorRequest { id, ..Default::default() }).await.map(drop),
            Action::Choose => favors.choose_applicant(ChooseApplicantRequest { id, uid: whom() }).await.map(drop),
            Action::Ask => favors.ask_member(AskMemberRequest { id, member_id: whom(), ..Default::default() }).await.map(drop),
            Action::ReportMissingTip => favors.report_missing_tip(ReportMissingTipRequest { id, ..Default::default() }).await.map(drop),
            Action::AcceptTime => {
                let proposed_start = world.and_then(World::proposal).and_then(|r| r.proposed_start).unwrap_or(timestamp(proposed));
                let request = AcceptProposedTimeRequest { id, uid: whom(), proposed_start: Some(proposed_start) };
                favors.accept_proposed_time(request).await.map(drop)
            }
            Action::DeclineTime => {
                let request = DeclineProposedTimeRequest { id, uid: whom(), ..Default::default() };
                favors.decline_proposed_time(request).await.map(drop)
            }
        };
        done.map_err(Refused::from)
    }

    async fn look(&mut self) -> Look {
        (self.world().await, self.stored().await)
    }

    /// Tries one action on the favor as it was `before`. Returns how the favor is now, and the
    /// action if it happened.
    async fn step(&mut self, (who, what, chance): Step, before: Look) -> (Look, Option<Action>) {
        let who = &self.people[who % self.people.len()].clone();
        let seen = self.seen_by(who).await;
        let has_one = |action: Action| action != Action::Ask || before.0.as_ref().is_some_and(|w| w.whom(action, self.people).is_some());
        let allowed: Vec<Action> = seen.iter().flat_map(Favor::allowed_actions).filter(|action| has_one(*action)).collect();
        let likely: Vec<Action> =
            allowed.iter().copied().filter(|action| chance < 20 || ends(*action) == (self.tries + 1 == STEPS)).collect();
        let any = Action::try_from(1 + i32::try_from(what).unwrap() % ACTIONS).unwrap();
        let action = if chance % 4 > 0 && !likely.is_empty() { likely[what % likely.len()] } else { any };
        let done = self.try_to(who, action, before.0.as_ref()).await;
        let after = self.look().await;
        let about = format!("{} of {:?}: {action:?}, allowed {allowed:?}: {done:?}", who.name, before.0.as_ref().map(|w| w.favor.status()));
        let told = self.news().await;
        assert_eq!(self.expected_for_nothing().await, Vec::<String>::new(), "{about}");
        if allowed.contains(&action) {
            assert!(done.is_ok(), "{about}");
            assert_ne!(before.1, after.1, "{about}");
            let from = before.0.expect("it is seen");
            assert!(leads(action, from.favor.status(), after.0.as_ref().map(|world| world.favor.status())), "{about}: {after:?}");
            assert_eq!(told, expected(action, &who.uid, &from, after.0.as_ref(), self.people), "{about}: {from:?}");
            return (after, Some(action));
        }
        // Refused, or done before.
        match done {
            Err(refused) if seen.is_none() => assert_eq!(refused.reason, "NOT_FOUND", "{about}"),
            // Nobody offered or proposed anything.
            Err(refused) if [Action::Choose, Action::AcceptTime, Action::DeclineTime].contains(&action) => {
                assert!(["WRONG_PARTY", "WRONG_STATE", "NOT_FOUND", "CONFLICT"].contains(&refused.reason.as_str()), "{about}");
            }
            Err(refused) => assert!(["WRONG_PARTY", "WRONG_STATE", "LIMIT_REACHED"].contains(&refused.reason.as_str()), "{about}"),
            Ok(()) => assert!(seen.is_some(), "{about}"),
        }
        assert_eq!(before.1, after.1, "{about}");
        assert_eq!(told, News::new(), "{about}");
        (after, None)
    }
}

/// Which people are friends of the creator.
const FRIENDS: std::ops::Range<usize> = 1..5;
/// How many actions the contract has.
const ACTIONS: i32 = 16;

fn ends(action: Action) -> bool {
    matches!(action, Action::Cancel | Action::Delete | Action::Settle)
}

/// The table of the design once more: where an action leads from a status.
fn leads(action: Action, from: Status, to: Option<Status>) -> bool {
    use Status::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    match action {
        Action::Unspecified => false,
        Action::Edit => matches!((from, to), (Draft, Some(Draft)) | (Active, Some(Active))),
        Action::Publish => (from, to) == (Draft, Some(Active)),
        Action::Accept => matches!((from, to), (Active | Accepted, Some(Accepted))),
        Action::Decline => matches!((from, to), (Active, Some(Active)) | (Accepted, Some(Accepted))),
        Action::AnotherTime | Action::Apply | Action::Ask | Action::DeclineTime => (from, to) == (Active, Some(Active)),
        Action::Withdraw => matches!((from, to), (Active | Accepted, Some(Active)) | (Accepted, Some(Accepted))),
        Action::Choose | Action::AcceptTime => (from, to) == (Active, Some(Accepted)),
        Action::Complete => (from, to) == (Accepted, Some(Completed)),
        Action::Settle => matches!((from, to), (Accepted | Completed, Some(Settled))),
        Action::ReportMissingTip => (from, to) == (Settled, Some(Settled)),
        Action::Cancel => matches!((from, to), (Draft | Active | Accepted, Some(Cancelled))),
        Action::Delete => matches!((from, to), (Draft | Active, None)),
    }
}

/// Who has to be told of a move: each of them once, and nobody else.
fn expected(action: Action, actor: &str, before: &World, after: Option<&World>, people: &[Member]) -> News {
    let creator = before.favor.created_by.as_str();
    let told = match (action, after) {
        (Action::Unspecified | Action::Edit, _) => Vec::new(),
        (Action::Publish, Some(after)) => {
            let asked = after.asked_with(|_| true);
            let is_shared = after.favor.request_type() == RequestType::Public;
            let friends = people[FRIENDS].iter().map(|friend| friend.uid.clone()).filter(|friend| is_shared && !asked.contains(friend));
            let told = each(friends, Told::FavorShared);
            each(asked.clone(), Told::FavorRequest).into_iter().chain(told).collect()
        }
        (Action::Ask | Action::DeclineTime, _) => each(before.whom(action, people), Told::FavorRequest),
        (Action::Decline | Action::AnotherTime | Action::Apply, _) => each([creator.to_owned()], Told::FavorResponse),
        (Action::Accept, Some(after)) => each([creator.to_owned()].into_iter().chain(not_needed(after)), Told::FavorResponse),
        (Action::Choose, Some(after)) => each(before.whom(action, people).into_iter().chain(not_needed(after)), Told::FavorResponse),
        (Action::AcceptTime, Some(after)) => {
            let with = |answer| if has_room(after) { after.asked_with(|given| given == answer) } else { Vec::new() };
            let others = not_needed(after).into_iter().chain(with(FavorResponse::AnotherTime));
            let told = each(before.whom(action, people).into_iter().chain(others), Told::FavorResponse);
            told.into_iter().chain(each(with(FavorResponse::Unspecified), Told::FavorRequest)).collect()
        }
        (Action::Withdraw, Some(after)) if before.helper() == Some(actor) => {
            let next = after.helper().map(str::to_owned);
            let (again, offers) = match next {
                Some(_) => (Vec::new(), Vec::new()),
                None => {
                    let other_times = after.asked_with(|answer| answer == FavorResponse::AnotherTime);
                    let offers = other_times.into_iter().chain(after.applicants.clone()).collect();
                    (after.asked_with(|answer| answer == FavorResponse::Unspecified), offers)
                }
            };
            let told = each([creator.to_owned()].into_iter().chain(next).chain(offers), Told::FavorResponse);
            told.into_iter().chain(each(again, Told::FavorRequest)).collect()
        }
        (Action::Withdraw, _) => each([creator.to_owned()], Told::FavorResponse),
        (Action::Complete, _) if actor == creator => each(before.helper().map(str::to_owned), Told::FavorCompleted),
        (Action::Complete, _) => each([creator.to_owned()], Told::FavorCompleted),
        (Action::Settle, _) => each(before.helper().map(str::to_owned), Told::FavorSettled),
        (Action::ReportMissingTip, _) => each([creator.to_owned()], Told::FavorSettled),
        (Action::Cancel | Action::Delete, _) if before.favor.status() == Status::Draft => Vec::new(),
        (Action::Cancel | Action::Delete, _) => {
            each(before.asked_with(|_| true).into_iter().chain(before.applicants.clone()), Told::FavorCancelled)
        }
        (Action::Publish | Action::Accept | Action::Choose | Action::AcceptTime, None) => unreachable!("it does not go by that"),
    };
    told.into_iter().fold(News::new(), |mut news, told| {
        *news.entry(told).or_default() += 1;
        news
    })
}

fn each(members: impl IntoIterator<Item = String>, kind: Told) -> Vec<(String, Told)> {
    members.into_iter().map(|member| (member, kind)).collect()
}

/// Who is not needed, after somebody promised help: those who may not accept any more, and once somebody helps those who offered to.
fn not_needed(after: &World) -> Vec<String> {
    let waits = |answer| !has_room(after) && !matches!(answer, FavorResponse::Accept | FavorResponse::Decline);
    let offers = if after.favor.responses == 1 { after.applicants.clone() } else { Vec::new() };
    after.asked_with(waits).into_iter().chain(offers).collect()
}

/// Whether one more may accept.
fn has_room(after: &World) -> bool {
    after.favor.responses < after.favor.max_responses
}

/// The same tries each time, as if they were random.
fn tries() -> Vec<Vec<Step>> {
    let step = (0..6_usize, 0..60_usize, any::<u8>());
    let walks = prop::collection::vec(prop::collection::vec(step, STEPS), WALKS);
    let mut walks = walks.new_tree(&mut TestRunner::deterministic()).unwrap().current();
    // A draft, and a posted one, that their creator deletes at once: few of the others come to that.
    walks.extend([vec![(0, Action::Delete as usize - 1, 0)], vec![(0, Action::Delete as usize - 1, 0)]]);
    walks
}

#[tokio::test]
async fn whoever_tries_whatever_only_the_moves_of_the_table_happen_and_all_of_them_are_told() {
    let server = TestServer::start_with(Clock::fixed(START), |c| c.favors_per_day = 1_000_000).await;
    let mut people = vec![server.ana().await, server.ben().await, server.eve().await];
    for (given, family) in [("Dan", "Reyes"), ("Fay", "Lund"), ("Gus", "Stranger")] {
        people.push(server.member(given, family).await);
    }
    for friend in &people[FRIENDS] {
        server.befriend(&people[0], friend).await;
    }
    let mut beside = server.database.connect().await;
    let tables = "SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'favor_id'";
    let mut tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut beside).await.unwrap();
    tables.push("favors".into());
    let mut moves = HashSet::new();
    for (n, steps) in tries().into_iter().enumerate() {
        let status = if n % 5 == 0 { Status::Draft } else { Status::Active };
        let (request_type, recipients) = if n % 2 == 0 { (RequestType::Public, 2..3) } else { (RequestType::Direct, 1..4) };
        let favor = CreateFavorRequest {
            status: status.into(),
            request_type: request_type.into(),
            max_responses: 1 + i32::try_from(n % 3).unwrap(),
            ..asking(&people[recipients].iter().collect::<Vec<_>>())
        };
        let id = server.favor(&people[0], favor).await.id;
        let beside = server.database.connect().await;
        let mut walk = Walk { server: &server, people: &people, id, beside, tables: tables.clone(), tries: 0 };
        walk.news().await;
        let mut look = walk.look().await;
        for (n, (who, what, chance)) in steps.into_iter().enumerate() {
            // The last is the creator's, who ends it if they may.
            let who = if n + 1 == STEPS { 0 } else { who };
            let (after, done) = walk.step((who, what, chance), look).await;
            look = after;
            moves.extend(done);
        }
    }
    assert_eq!(moves.len(), usize::try_from(ACTIONS).unwrap(), "the tries come to too little: {moves:?}");
    lists::agree(&server).await;
}
