//! What time does to favors: deadlines and starts that pass, and reminders.

use super::{received, three, update};
use crate::{
    asking::{asking, asking_all, fields, refused},
    harness::{Member, START, TestServer, until},
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    favors::{Overdue, Ring},
    jobs::{Handler, Sweep},
    pb::{
        favors::{
            AskMemberRequest, CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, DeleteFavorRequest, FavorResponse, FavorStatus,
            UpdateFavorRequest,
        },
        identity::DeleteUserRequest,
        notifications::{MarkAllNotificationsReadRequest, Notification, NotificationType as Told, TargetKind},
        timestamp,
    },
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, macros::datetime};

/// A server on which a sign-in lasts for the days that pass here.
pub async fn start_at(at: OffsetDateTime) -> TestServer {
    TestServer::start_with(Clock::fixed(at), |c| c.identity.access_token_life_min = 20_000).await
}

#[tokio::test]
async fn what_should_have_begun_is_not_asked_of_one_more() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let public = server.favor(&ana, asking_all()).await.id;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    server.apply(&eve, &public, "Me").await.unwrap();
    server.clock.advance(Duration::DAY + Duration::SECOND);
    assert_eq!(server.apply(&ben, &public, "").await.unwrap_err().reason, "START_IN_PAST");
    server.apply(&eve, &public, "Me").await.expect("she had");
    let ask = AskMemberRequest { id: id.clone(), member_id: eve.uid.clone(), message: String::new() };
    assert_eq!(refused(server.favors(&ana).ask_member(ask.clone()).await).reason, "START_IN_PAST");
    let both = UpdateFavorRequest { id: id.clone(), recipients: vec![ben.uid.clone(), eve.uid.clone()], ..Default::default() };
    let past = update(&server, &ana, both.clone()).await.unwrap_err();
    assert_eq!((past.reason.as_str(), fields(&past)), ("START_IN_PAST", vec!["start_date: IN_PAST".into()]));
    assert_eq!(server.seen(&ana, &id).await.recipients, [ben.uid.as_str()]);
    let renamed = UpdateFavorRequest { id: id.clone(), title: Some("Walk both dogs".into()), ..Default::default() };
    update(&server, &ana, renamed).await.expect("it is asked of nobody else");
    let moved = UpdateFavorRequest { start_date: Some(timestamp(START + Duration::days(2))), ..both };
    assert_eq!(update(&server, &ana, moved).await.unwrap().recipients.len(), 2);
}

/// What the jobs of favors' times that wait are told.
async fn waiting(server: &TestServer) -> Vec<Value> {
    let sql = "SELECT payload->'payload'
               FROM graphile_worker._private_jobs
               WHERE payload->>'task' = 'favor_timer'
               ORDER BY key
               LIMIT 100";
    sqlx::query_scalar(sql).fetch_all(&mut server.database.connect().await).await.unwrap()
}

/// The instants for which they wait.
async fn instants(server: &TestServer) -> Vec<OffsetDateTime> {
    let format = &time::format_description::well_known::Rfc3339;
    waiting(server).await.iter().map(|job| OffsetDateTime::parse(job["at"].as_str().unwrap(), format).unwrap()).collect()
}

/// Moves the time on, and does every job that falls due until then, each when it does.
pub async fn pass(server: &TestServer, until: OffsetDateTime) {
    loop {
        let next = instants(server).await.into_iter().filter(|at| *at > server.clock.now() && *at <= until).min();
        server.clock.advance(next.unwrap_or(until) - server.clock.now());
        for (job, at) in waiting(server).await.iter().zip(instants(server).await) {
            if at <= server.clock.now() {
                ring(server, job).await.unwrap();
            }
        }
        if next.is_none() {
            return;
        }
    }
}

async fn ring(server: &TestServer, job: &Value) -> anyhow::Result<()> {
    Ring(server.node.deps.clone()).run(job).await
}

pub async fn live_in(server: &TestServer, who: &Member, zone: &str) {
    let sql = "UPDATE members SET time_zone = $2 WHERE id = $1::uuid";
    sqlx::query(sql).bind(&who.uid).bind(zone).execute(&mut server.database.connect().await).await.unwrap();
}

/// The reminders that a member has, newest first.
async fn reminders(server: &TestServer, who: &Member) -> Vec<Notification> {
    server.news(who).await.into_iter().filter(|n| n.r#type() == Told::FavorReminder).collect()
}

/// What they say.
async fn reminded(server: &TestServer, who: &Member) -> Vec<String> {
    reminders(server, who).await.into_iter().map(|n| n.message).collect()
}

async fn all_read(server: &TestServer, who: &Member) {
    server.notifications(who).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
}

/// A favor with a start and a deadline.
fn timed(recipients: &[&Member], start: OffsetDateTime, confirm: OffsetDateTime) -> CreateFavorRequest {
    CreateFavorRequest { start_date: Some(timestamp(start)), confirmation_date: Some(timestamp(confirm)), ..asking(recipients) }
}

const DEADLINE: &str = "No one accepted “Walk the dog” by the deadline.";
const LAPSED: &str = "“Walk the dog” was due to start, but no one has accepted. Move it to another time or cancel it.";

#[tokio::test]
async fn a_deadline_that_passes_is_told_to_the_creator_once_and_is_over_when_somebody_accepts() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let confirm = START + Duration::hours(2);
    let id = server.favor(&ana, timed(&[&ben, &eve], START + Duration::DAY, confirm)).await.id;
    server.answer(&eve, &id, FavorResponse::Decline, "").await.unwrap();
    let jobs = waiting(&server).await;
    assert_eq!((jobs.len(), instants(&server).await), (1, vec![confirm]));
    assert!(ring(&server, &jobs[0]).await.unwrap_err().to_string().contains("not time yet"), "it would be lost otherwise");
    server.clock.advance(confirm - START);
    // Two nodes, a node that began anew, and one that died before it could say that the job was done.
    let other = server.second_node().await;
    for outcome in join_all((0..8).map(|n| ring(if n % 2 == 0 { &server } else { &other }, &jobs[0]))).await {
        outcome.unwrap();
    }
    assert_eq!((reminded(&server, &ana).await, reminded(&server, &ben).await), (vec![DEADLINE.to_owned()], vec![]));
    let told = reminders(&server, &ana).await.remove(0);
    assert_eq!(
        (told.target.as_ref().unwrap().kind(), told.target.unwrap().id, told.action_required),
        (TargetKind::Favor, id.clone(), false)
    );
    assert_eq!(received(&server, &ben, &[]).await, std::slice::from_ref(&id), "they may still answer");
    assert_eq!(instants(&server).await, [START + Duration::DAY]);
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(reminded(&server, &ana).await, Vec::<String>::new(), "it is not true any more, and was not read");
    other.stop().await;
}

#[tokio::test]
async fn a_start_that_passes_leaves_the_lists_until_the_creator_moves_or_cancels_it() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let start = START + Duration::DAY;
    let id = server.favor(&ana, timed(&[&ben, &eve], start, START + Duration::hours(2))).await.id;
    server.answer(&eve, &id, FavorResponse::Decline, "").await.unwrap();
    pass(&server, start).await;
    assert_eq!(reminded(&server, &ana).await, [LAPSED], "it took the place of the deadline's");
    assert!(reminders(&server, &ana).await[0].action_required);
    assert_eq!(received(&server, &ben, &[]).await, Vec::<String>::new());
    assert_eq!(received(&server, &eve, &[FavorStatus::Declined]).await, std::slice::from_ref(&id));
    assert!(!server.told(&ben).await.contains(&Told::FavorRequest), "what asked him, which he had not read, is over");
    assert_eq!(server.seen(&ana, &id).await.status(), FavorStatus::Active);
    let title = UpdateFavorRequest { id: id.clone(), title: Some("Walk the dog".into()), tip: Some(20.0), ..Default::default() };
    update(&server, &ana, title).await.unwrap();
    assert!(reminders(&server, &ana).await[0].action_required, "it was not moved");

    let moved = start + Duration::DAY;
    let change = UpdateFavorRequest {
        id: id.clone(),
        start_date: Some(timestamp(moved)),
        confirmation_date: Some(timestamp(moved)),
        ..Default::default()
    };
    update(&server, &ana, change).await.unwrap();
    assert_eq!(reminded(&server, &ana).await, Vec::<String>::new());
    assert_eq!(received(&server, &ben, &[]).await, std::slice::from_ref(&id));
    assert_eq!(server.told(&ben).await[0], Told::FavorRequest, "he is asked for the new time");
    assert_eq!(server.told(&eve).await.iter().filter(|told| **told == Told::FavorRequest).count(), 1, "she had answered");

    pass(&server, moved).await;
    assert_eq!((reminded(&server, &ana).await, instants(&server).await), (vec![LAPSED.to_owned()], vec![moved]));
    all_read(&server, &ana).await;
    server.favors(&ana).cancel_favor(CancelFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    let told = reminders(&server, &ana).await;
    assert_eq!((told.len(), told[0].action_required), (1, false), "what was read stays, and nothing is expected any more");
    pass(&server, moved + Duration::days(3)).await;
    assert_eq!(reminded(&server, &ana).await.len(), 1);
}

#[tokio::test]
async fn both_sides_are_reminded_by_their_own_clocks() {
    // The clocks go forward in New York in the night before.
    let server = start_at(datetime!(2026-03-05 12:00 UTC)).await;
    let (ana, ben, _) = three(&server).await;
    live_in(&server, &ana, "America/New_York").await;
    live_in(&server, &ben, "Asia/Kathmandu").await;
    let start = datetime!(2026-03-08 14:00 UTC);
    let id = server.favor(&ana, timed(&[&ben], start, start)).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(instants(&server).await, [datetime!(2026-03-07 12:15 UTC)]);
    pass(&server, datetime!(2026-03-07 12:15 UTC)).await;
    let his = "You're helping with “Walk the dog” on Sunday, March 8 at 7:45 PM.";
    assert_eq!((reminded(&server, &ben).await, reminded(&server, &ana).await), (vec![his.to_owned()], vec![]));
    pass(&server, datetime!(2026-03-07 22:59:59 UTC)).await;
    assert_eq!(reminded(&server, &ana).await, Vec::<String>::new());
    pass(&server, datetime!(2026-03-07 23:00 UTC)).await;
    assert_eq!(reminded(&server, &ana).await, ["You're getting help with “Walk the dog” on Sunday, March 8 at 10:00 AM."]);
    all_read(&server, &ana).await;
    pass(&server, start - Duration::HOUR).await;
    let hers = "You're getting help with “Walk the dog” on Sunday, March 8 at 10:00 AM.";
    assert_eq!(reminded(&server, &ana).await, [hers, hers]);
    assert_eq!(
        reminded(&server, &ben).await,
        ["You're helping with “Walk the dog” on Sunday, March 8 at 7:45 PM."],
        "one that was not read gives way"
    );
    pass(&server, start).await;
    assert_eq!((reminded(&server, &ben).await, reminded(&server, &ana).await.len()), (vec![], 1), "nobody need read that it will begin");
    assert!(
        server.news(&ana).await.iter().chain(&server.news(&ben).await).all(|n| n.r#type() != Told::FavorReminder || !n.action_required)
    );
}

#[tokio::test]
async fn a_member_who_has_moved_is_reminded_in_the_evening_of_the_new_zone() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    let start = datetime!(2026-06-18 15:00 UTC);
    let id = server.favor(&ana, timed(&[&ben], start, start)).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    live_in(&server, &ben, "America/New_York").await;
    pass(&server, datetime!(2026-06-17 18:00 UTC)).await;
    assert_eq!((reminded(&server, &ana).await.len(), reminded(&server, &ben).await.len()), (1, 0));
    pass(&server, datetime!(2026-06-17 22:00 UTC)).await;
    assert_eq!(reminded(&server, &ben).await, ["You're helping with “Walk the dog” on Thursday, June 18 at 11:00 AM."]);
}

/// East of where they were, their evening is earlier than the one that was waited for.
#[tokio::test]
async fn who_says_that_they_have_moved_is_waited_for_by_their_new_clocks() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    for who in [&ana, &ben] {
        live_in(&server, who, "America/New_York").await;
    }
    let start = datetime!(2026-06-18 15:00 UTC);
    let ids = [timed(&[&ben], start, start), timed(&[&ben], start, start)];
    for favor in ids {
        let id = server.favor(&ana, favor).await.id;
        server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    }
    let evening = datetime!(2026-06-17 22:00 UTC);
    assert_eq!(instants(&server).await, [evening; 2]);
    let (lisbon, unsaid) = (json!([{"Name": "zoneinfo", "Value": "Europe/Lisbon"}]), json!([{"Name": "family_name", "Value": "Ode"}]));
    for attributes in [unsaid, lisbon] {
        let change = json!({"AccessToken": ben.token, "UserAttributes": attributes});
        assert_eq!(server.target("UpdateUserAttributes", change).await.0, 200);
    }
    let new = datetime!(2026-06-17 17:00 UTC);
    until("they are looked at anew", async || instants(&server).await == [new; 2]).await;
    pass(&server, new).await;
    assert_eq!((reminded(&server, &ana).await.len(), reminded(&server, &ben).await.len()), (0, 2));
    pass(&server, evening).await;
    assert_eq!((reminded(&server, &ana).await.len(), reminded(&server, &ben).await.len()), (2, 2));
}

#[tokio::test]
async fn a_change_moves_what_waits_and_what_is_over_finds_nothing_to_say() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    let start = START + Duration::days(3);
    let id = server.favor(&ana, timed(&[&ben], start, START + Duration::hours(2))).await.id;
    let old = waiting(&server).await.remove(0);
    let later = START + Duration::hours(30);
    let change = UpdateFavorRequest { id: id.clone(), confirmation_date: Some(timestamp(later)), ..Default::default() };
    update(&server, &ana, change).await.unwrap();
    assert_eq!(instants(&server).await, [later], "one job, at the new instant");
    server.clock.advance(Duration::hours(3));
    ring(&server, &old).await.unwrap();
    assert_eq!(reminded(&server, &ana).await, Vec::<String>::new());
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    pass(&server, START + Duration::days(2) + Duration::hours(12)).await;
    assert_eq!((reminded(&server, &ana).await.len(), reminded(&server, &ben).await.len()), (1, 1), "the evening before, and no deadline");
    server.favors(&ben).complete_favor(CompleteFavorRequest { id, ..Default::default() }).await.unwrap();
    assert_eq!((reminded(&server, &ana).await.len(), reminded(&server, &ben).await.len()), (0, 0));
    pass(&server, start + Duration::days(2)).await;
    assert_eq!((reminded(&server, &ana).await.len(), reminded(&server, &ben).await.len()), (0, 0));

    let draft =
        CreateFavorRequest { status: FavorStatus::Draft.into(), ..timed(&[&ben], start + Duration::days(9), start + Duration::days(8)) };
    let jobs = waiting(&server).await.len();
    server.favor(&ana, draft).await;
    assert_eq!(waiting(&server).await.len(), jobs, "nothing waits for a draft");
}

#[tokio::test]
async fn what_jobs_have_missed_is_found() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let start = START + Duration::hours(30);
    let open = server.favor(&ana, timed(&[&ben], start, START + Duration::hours(20))).await.id;
    let accepted = server.favor(&ana, timed(&[&eve], start, start)).await.id;
    server.answer(&eve, &accepted, FavorResponse::Accept, "").await.unwrap();
    let mut beside = server.database.connect().await;
    let sweep = async |now| Overdue(server.node.deps.clone()).sweep(&mut server.database.connect().await, now).await.unwrap();
    assert_eq!((sweep(START).await, waiting(&server).await.len()), (0, 2));
    sqlx::raw_sql("DELETE FROM graphile_worker._private_jobs").execute(&mut beside).await.unwrap();
    server.clock.advance(Duration::hours(28));
    assert_eq!(sweep(server.clock.now()).await, 2);
    assert_eq!(sweep(server.clock.now()).await, 0);
    assert_eq!(reminded(&server, &ana).await.len(), 2, "a deadline, and an evening");
    assert_eq!((reminded(&server, &eve).await.len(), waiting(&server).await.len()), (1, 2));
    server.favors(&ana).cancel_favor(CancelFavorRequest { id: open, ..Default::default() }).await.unwrap();
    assert_eq!(reminded(&server, &ana).await.len(), 1);
}

#[tokio::test]
async fn when_a_helper_leaves_the_job_that_waits_sees_to_what_comes_then() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    let start = datetime!(2026-06-18 15:00 UTC);
    let confirm = start - Duration::hours(2);
    let handed_over = server.favor(&ana, CreateFavorRequest { max_responses: 2, ..timed(&[&ben, &eve], start, confirm) }).await.id;
    let reopened = server.favor(&ana, timed(&[&ben], start, confirm)).await.id;
    for (who, id) in [(&ben, &handed_over), (&eve, &handed_over), (&ben, &reopened)] {
        server.answer(who, id, FavorResponse::Accept, "").await.unwrap();
    }
    // No sweep comes by.
    server.identity(None).delete_user(DeleteUserRequest { access_token: ben.token.clone() }).await.unwrap();
    pass(&server, datetime!(2026-06-17 18:00 UTC)).await;
    assert_eq!(reminded(&server, &eve).await, ["You're helping with “Walk the dog” on Thursday, June 18 at 3:00 PM."]);
    pass(&server, confirm).await;
    assert_eq!(reminded(&server, &ana).await[0], DEADLINE);
    pass(&server, start).await;
    assert_eq!(reminded(&server, &ana).await, [LAPSED]);
}

#[tokio::test]
async fn when_a_helper_leaves_what_comes_then_may_be_due_before_what_was_waited_for() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    live_in(&server, &eve, "Pacific/Kiritimati").await;
    let start = datetime!(2026-06-18 09:00 UTC);
    let id = server.favor(&ana, CreateFavorRequest { max_responses: 2, ..timed(&[&ben, &eve], start, start) }).await.id;
    for who in [&ben, &eve] {
        server.answer(who, &id, FavorResponse::Accept, "").await.unwrap();
    }
    assert_eq!(instants(&server).await, [datetime!(2026-06-17 18:00 UTC)], "the evening of the two who agreed");
    server.identity(None).delete_user(DeleteUserRequest { access_token: ben.token.clone() }).await.unwrap();
    pass(&server, START).await;
    pass(&server, datetime!(2026-06-17 04:00 UTC)).await;
    assert_eq!(reminded(&server, &eve).await, ["You're helping with “Walk the dog” on Thursday, June 18 at 11:00 PM."]);
}

#[tokio::test]
async fn a_favor_that_is_open_again_after_its_start_lapses_at_once_when_its_helper_leaves() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    let start = START + Duration::DAY;
    let id = server.favor(&ana, timed(&[&ben], start, start)).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    pass(&server, start + Duration::HOUR).await;
    server.identity(None).delete_user(DeleteUserRequest { access_token: ben.token.clone() }).await.unwrap();
    pass(&server, server.clock.now()).await;
    assert_eq!(reminded(&server, &ana).await, [LAPSED]);
}

#[tokio::test]
async fn an_acceptance_that_crosses_a_deadline_or_a_start_leaves_no_word_of_it() {
    let server = start_at(START).await;
    let (ana, ben, eve) = three(&server).await;
    for n in 0..12 {
        let (now, day) = (server.clock.now(), Duration::DAY);
        let confirm = now + Duration::HOUR;
        let start = if n % 2 == 0 { confirm } else { confirm + day };
        let id = server.favor(&ana, timed(&[&ben, &eve], start, confirm)).await.id;
        let job = waiting(&server).await.into_iter().find(|job| job["favor"] == id.as_str()).unwrap();
        server.clock.advance(Duration::HOUR);
        let (accepted, rung) = tokio::join!(server.answer(&ben, &id, FavorResponse::Accept, ""), ring(&server, &job));
        assert_eq!(accepted.unwrap().status(), FavorStatus::Accepted);
        rung.unwrap();
        assert_eq!(reminded(&server, &ana).await, Vec::<String>::new());
        assert!(server.news(&ana).await.iter().all(|n| !n.action_required));
        assert!(received(&server, &ben, &[]).await.contains(&id));
        server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
    }
}

#[tokio::test]
async fn the_worker_rings_what_is_due_by_itself() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, timed(&[&ben], START + Duration::HOUR, START + Duration::HOUR)).await.id;
    server.clock.advance(Duration::HOUR);
    let due = "UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'favor_timer/' || $1";
    sqlx::query(due).bind(&id).execute(&mut server.database.connect().await).await.unwrap();
    // What wakes the worker is another job of its class.
    server.favor(&ana, timed(&[&ben], START + Duration::HOUR + Duration::SECOND, START + Duration::HOUR + Duration::SECOND)).await;
    until("it was told", async || reminded(&server, &ana).await == [LAPSED]).await;
}

#[tokio::test]
async fn no_job_waits_for_the_start_of_what_is_over() {
    let server = start_at(START).await;
    let (ana, ben, _) = three(&server).await;
    let mut favors = Vec::new();
    for _ in 0..4 {
        let far = CreateFavorRequest { start_date: Some(timestamp(datetime!(9999-12-31 00:00 UTC))), ..asking(&[&ben]) };
        favors.push(server.favor(&ana, far).await.id);
    }
    let [open, cancelled, removed, done] = <[String; 4]>::try_from(favors).unwrap();
    assert_eq!(waiting(&server).await.len(), 4);
    server.favors(&ana).cancel_favor(CancelFavorRequest { id: cancelled, ..Default::default() }).await.unwrap();
    server.favors(&ana).delete_favor(DeleteFavorRequest { id: removed }).await.unwrap();
    server.answer(&ben, &done, FavorResponse::Accept, "").await.unwrap();
    server.favors(&ana).complete_favor(CompleteFavorRequest { id: done, ..Default::default() }).await.unwrap();
    let left = waiting(&server).await;
    assert_eq!(left.iter().map(|job| job["favor"].as_str().unwrap()).collect::<Vec<_>>(), [open.as_str()]);
}
