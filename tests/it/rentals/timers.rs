//! What time does to rentals: reminders of what begins, of what is due back, and of what is overdue.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, START, TestServer, until},
};
use futures_util::future::join_all;
use goodturn::{
    clock::Clock,
    jobs::{Handler, Sweep},
    pb::{
        notifications::{MarkAllNotificationsReadRequest, Notification, NotificationType as Told, TargetKind},
        rentals::RentalAction as Action,
    },
    rentals::{Overdue, Ring},
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, macros::datetime};

/// A server on which a sign-in lasts for the days that pass here.
pub(super) async fn start() -> TestServer {
    TestServer::start_with(Clock::fixed(START), |c| c.identity.access_token_life_min = 60_000).await
}

/// What the jobs of rentals' times that wait are told.
pub(super) async fn waiting(server: &TestServer) -> Vec<Value> {
    let sql = "SELECT payload->'payload'
               FROM graphile_worker._private_jobs
               WHERE payload->>'task' = 'rental_timer'
               ORDER BY key
               LIMIT 100";
    sqlx::query_scalar(sql).fetch_all(&mut server.database.connect().await).await.unwrap()
}

/// The instants for which they wait.
pub(super) async fn instants(server: &TestServer) -> Vec<OffsetDateTime> {
    let format = &time::format_description::well_known::Rfc3339;
    waiting(server).await.iter().map(|job| OffsetDateTime::parse(job["at"].as_str().unwrap(), format).unwrap()).collect()
}

pub(super) async fn ring(server: &TestServer, job: &Value) -> anyhow::Result<()> {
    Ring(server.node.deps.clone()).run(job).await
}

/// Moves the time on, and does every job that falls due until then, each when it does.
pub(super) async fn pass(server: &TestServer, until: OffsetDateTime) {
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

/// The reminders that a member has, newest first.
async fn reminders(server: &TestServer, who: &Member) -> Vec<Notification> {
    server.news(who).await.into_iter().filter(|n| n.r#type() == Told::RentalReminder).collect()
}

/// What they say.
async fn reminded(server: &TestServer, who: &Member) -> Vec<String> {
    reminders(server, who).await.into_iter().map(|n| n.message).collect()
}

const OVERDUE: &str = "“Ladder” was due back on June 20, 2026. Return it or ask for more days.";

#[tokio::test]
async fn who_says_that_they_have_moved_is_waited_for_by_their_new_clocks() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    for who in [&ana, &ben] {
        server.lives_in(who, "America/New_York").await;
    }
    let id = server.wants(&ben, wish(&ladder, 2, 4)).await.unwrap().request_id;
    server.does(&ana, &id, Action::Accept).await.unwrap();
    assert_eq!(instants(&server).await, [datetime!(2026-06-17 22:00 UTC)]);
    let moves = json!({"AccessToken": ben.token, "UserAttributes": [{"Name": "zoneinfo", "Value": "Asia/Kathmandu"}]});
    assert_eq!(server.target("UpdateUserAttributes", moves).await.0, 200);
    let evening = datetime!(2026-06-17 12:15 UTC);
    until("it is looked at anew", async || instants(&server).await == [evening]).await;
    pass(&server, evening).await;
    assert_eq!((reminded(&server, &ben).await.len(), reminded(&server, &ana).await.len()), (1, 0));
    server.stop().await;
}

#[tokio::test]
async fn both_sides_are_reminded_of_what_begins_each_by_their_own_clocks() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.lives_in(&ana, "America/New_York").await;
    server.lives_in(&ben, "Asia/Kathmandu").await;
    let id = server.wants(&ben, wish(&ladder, 2, 4)).await.unwrap().request_id;
    assert_eq!(
        instants(&server).await,
        [datetime!(2026-06-21 04:00 UTC)],
        "nothing is agreed: it waits for an answer until its days are over"
    );
    server.does(&ana, &id, Action::Accept).await.unwrap();
    // Six in the evening in Kathmandu comes first within the owner's day before.
    assert_eq!(instants(&server).await, [datetime!(2026-06-17 12:15 UTC)]);
    pass(&server, datetime!(2026-06-17 12:15 UTC)).await;
    let (his, hers) =
        ("You're borrowing “Ladder” from June 18 to June 20, 2026.", "You're lending “Ladder” from June 18 to June 20, 2026.");
    assert_eq!((reminded(&server, &ben).await, reminded(&server, &ana).await), (vec![his.to_owned()], vec![]));
    let told = reminders(&server, &ben).await.remove(0);
    assert_eq!((told.target.as_ref().unwrap().kind(), &told.target.unwrap().id, told.action_required), (TargetKind::Rental, &id, false));
    pass(&server, datetime!(2026-06-17 22:00 UTC)).await;
    assert_eq!(reminded(&server, &ana).await, [hers]);
    pass(&server, datetime!(2026-06-18 13:00 UTC)).await;
    assert_eq!(
        (reminded(&server, &ben).await, reminded(&server, &ana).await),
        (vec![his.to_owned()], vec![hers.to_owned()]),
        "no second row"
    );
    server.does(&ana, &id, Action::Cancel).await.unwrap();
    assert_eq!((reminded(&server, &ben).await.len(), reminded(&server, &ana).await.len()), (0, 0), "not true any more, and not read");
    pass(&server, datetime!(2026-07-18 13:00 UTC)).await;
    assert_eq!(reminded(&server, &ben).await.len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn what_is_due_back_and_overdue_is_told_once_whoever_runs_it_how_often() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 4)).await;
    let due = datetime!(2026-06-19 18:00 UTC);
    let jobs = waiting(&server).await;
    assert_eq!((jobs.len(), instants(&server).await), (1, vec![due]), "one timer, the next of its times");
    assert!(ring(&server, &jobs[0]).await.unwrap_err().to_string().contains("not time yet"), "it would be lost otherwise");
    server.clock.advance(due - START);
    // Two nodes, a node that began anew, and one that died before it could say that the job was done.
    let other = server.second_node().await;
    for outcome in join_all((0..8).map(|n| ring(if n % 2 == 0 { &server } else { &other }, &jobs[0]))).await {
        outcome.unwrap();
    }
    assert_eq!(
        (reminded(&server, &ben).await, reminded(&server, &ana).await),
        (vec!["“Ladder” is due back on June 20, 2026.".to_owned()], vec![])
    );
    server.notifications(&ben).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
    assert_eq!(instants(&server).await, [datetime!(2026-06-20 09:00 UTC)]);
    pass(&server, datetime!(2026-06-21 09:00 UTC)).await;
    assert_eq!(reminded(&server, &ben).await[0], OVERDUE);
    assert_eq!(reminded(&server, &ana).await, ["“Ladder” was due back on June 20, 2026, and hasn't been marked as returned."]);
    let expects = |told: Vec<Notification>| told[0].action_required;
    assert!(expects(reminders(&server, &ben).await) && !expects(reminders(&server, &ana).await));
    pass(&server, datetime!(2026-06-23 08:59 UTC)).await;
    let before = reminders(&server, &ben).await[0].id.clone();
    pass(&server, datetime!(2026-06-23 09:00 UTC)).await;
    assert_ne!(reminders(&server, &ben).await[0].id, before, "again after three days");
    pass(&server, datetime!(2026-06-27 09:00 UTC)).await;
    assert!(instants(&server).await.iter().all(|at| *at <= server.clock.now()), "after seven days it is said no more");
    server.notifications(&ana).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
    server.does(&ben, &id, Action::Return).await.unwrap();
    assert!(!reminded(&server, &ben).await.contains(&OVERDUE.to_owned()), "what was not read is gone with it");
    assert_eq!(reminders(&server, &ana).await.len(), 1, "what was read stays");
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn more_days_take_back_what_was_told_of_the_last_one() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 4)).await;
    pass(&server, datetime!(2026-06-20 19:00 UTC)).await;
    assert_eq!(reminded(&server, &ben).await.len(), 1);
    server.does_with(&ben, &id, Action::Extend, "", (0, 5)).await.unwrap();
    assert_eq!(reminded(&server, &ben).await.len(), 1, "it is only asked for");
    server.does(&ana, &id, Action::AcceptExtension).await.unwrap();
    assert_eq!(reminded(&server, &ben).await.len(), 0);
    assert_eq!(instants(&server).await, [datetime!(2026-06-21 09:00 UTC)], "the evening before has passed");
    pass(&server, datetime!(2026-06-21 09:00 UTC)).await;
    assert_eq!(reminded(&server, &ben).await, ["“Ladder” is due back on June 21, 2026."]);
    server.stop().await;
}

#[tokio::test]
async fn who_borrows_next_is_warned_of_an_overdue_loan_until_it_is_back() {
    let server = start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let late = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    let next = server.agreed(&ana, &eve, wish(&ladder, 3, 4)).await;
    pass(&server, datetime!(2026-06-18 18:00 UTC)).await;
    let told = reminders(&server, &eve).await;
    assert_eq!((told.len(), told[0].title.as_str(), &told[0].target.as_ref().unwrap().id), (1, "An item may be late", &next));
    assert!(
        told[0].message.starts_with("You're borrowing “Ladder” from June 19 to June 20, 2026. The previous borrower hasn't returned it"),
        "{told:?}"
    );
    assert!(!told[0].message.contains("Ben"), "whose loan it is is not hers to know");
    assert!(server.rental(&eve, &next).await.unwrap().held_over);
    server.does(&ben, &late, Action::Return).await.unwrap();
    assert_eq!((reminded(&server, &eve).await.len(), reminders(&server, &ana).await.len()), (0, 0));
    assert!(!server.rental(&eve, &next).await.unwrap().held_over);
    pass(&server, datetime!(2026-06-19 09:00 UTC)).await;
    assert_eq!(reminded(&server, &eve).await, ["You're borrowing “Ladder” from June 19 to June 20, 2026."]);
    server.stop().await;
}

#[tokio::test]
async fn what_jobs_missed_the_sweep_does_as_far_as_it_is_true() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.out(&ana, &ben, wish(&ladder, 0, 4)).await;
    server.rewrites("DELETE FROM graphile_worker._private_jobs WHERE payload->>'task' = 'rental_timer'").await;
    server.clock.advance(Duration::days(8));
    let sweep = || async {
        let mut conn = server.database.connect().await;
        Overdue(server.node.deps.clone()).sweep(&mut conn, server.clock.now()).await.unwrap()
    };
    assert_eq!((sweep().await, sweep().await), (1, 0));
    assert_eq!(reminded(&server, &ben).await, [OVERDUE], "one word for all that was missed");
    assert_eq!(instants(&server).await, [datetime!(2026-06-27 09:00 UTC)]);
    server.stop().await;
}
