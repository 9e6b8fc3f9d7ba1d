//! What nobody answers in its days ends by itself.

use super::{
    since, three,
    timers::{instants, pass, ring, start, waiting},
};
use crate::borrowing::{steps_of, wish};
use futures_util::future::join_all;
use goodturn::{
    jobs::Sweep,
    pb::{
        identity::DeleteUserRequest,
        notifications::{NotificationType as Told, TargetKind},
        rentals::{
            BorrowRequestStatus, ListRentalsRequest, ListSentRentalsRequest, Rental, RentalAction as Action, RentalEventKind as Step,
            RentalStatus, Side, StatusWord,
        },
    },
    rentals::Overdue,
};
use time::{Duration, macros::datetime};

fn steps(rental: &Rental) -> Vec<Step> {
    rental.story.iter().map(|step| step.kind()).collect()
}

#[tokio::test]
async fn a_request_that_nobody_answers_ends_with_its_last_day_once_whoever_runs_it() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.lives_in(&ana, "America/New_York").await;
    let before = server.told(&ben).await.len();
    let id = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    // Midnight after the 18th in New York.
    assert_eq!(instants(&server).await, [datetime!(2026-06-19 04:00 UTC)]);
    let job = waiting(&server).await.remove(0);
    pass(&server, datetime!(2026-06-19 03:59:59 UTC)).await;
    assert!(ring(&server, &job).await.unwrap_err().to_string().contains("not time yet"));
    assert!(server.rental(&ana, &id).await.unwrap().allowed_actions().any(|action| action == Action::Accept), "until the last second");

    server.clock.advance(Duration::SECOND);
    let other = server.second_node().await;
    for outcome in join_all((0..8).map(|n| ring(if n % 2 == 0 { &server } else { &other }, &job))).await {
        outcome.unwrap();
    }
    let ended = server.rental(&ben, &id).await.unwrap();
    assert_eq!(
        (ended.status(), ended.request_status(), ended.rental_status()),
        (StatusWord::Cancelled, BorrowRequestStatus::Cancelled, RentalStatus::Cancelled)
    );
    assert_eq!((steps(&ended), ended.story[1].actor_id.as_str()), (vec![Step::Asked, Step::Lapsed], ""));
    assert!(ended.allowed_actions.is_empty());
    assert_eq!(since(&server, &ben, before).await, [Told::RentalCancelled]);
    let told = server.news(&ben).await.remove(0);
    assert_eq!((told.title.as_str(), told.action_required), ("Your request has expired", false));
    assert_eq!(told.message, "Your request to borrow “Ladder” from June 17 to June 18, 2026, wasn't answered in time.");
    assert_eq!((told.target.as_ref().unwrap().kind(), &told.target.unwrap().id), (TargetKind::Rental, &id));
    assert!(!server.told(&ana).await.contains(&Told::RentalRequest), "nothing is asked of her any more");
    let refused = server.does(&ana, &id, Action::Accept).await.unwrap_err();
    assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("WRONG_STATE", "this rental is cancelled"));
    assert!(instants(&server).await.iter().all(|at| *at <= server.clock.now()), "there is nothing to wait for");
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn both_vocabularies_find_what_has_lapsed() {
    let server = start().await;
    let (_, ben, _, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 0, 0)).await.unwrap().request_id;
    pass(&server, datetime!(2026-06-17 00:00 UTC)).await;
    let status = vec![StatusWord::Cancelled.into()];
    let sent = server.rentals(&ben).list_sent_rentals(ListSentRentalsRequest { status: status.clone(), ..Default::default() }).await;
    let sent = sent.unwrap().into_inner();
    assert_eq!(sent.rentals.iter().map(|rental| &rental.request_id).collect::<Vec<_>>(), [&id]);
    assert_eq!(sent.counts.map(|counts| (counts.all, counts.pending, counts.declined)), Some((1, 0, 0)), "it was not declined");
    let request = ListRentalsRequest { side: Side::Borrower.into(), status, ..Default::default() };
    assert_eq!(server.rentals(&ben).list_rentals(request).await.unwrap().into_inner().rentals.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn what_was_answered_or_moved_in_time_does_not_lapse() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let moved = server.wants(&ben, wish(&ladder, 0, 1)).await.unwrap().request_id;
    let agreed = server.wants(&ben, wish(&ladder, 0, 2)).await.unwrap().request_id;
    let declined = server.wants(&ben, wish(&ladder, 1, 1)).await.unwrap().request_id;
    let early = waiting(&server).await;
    server.does_with(&ben, &moved, Action::Move, "", (3, 4)).await.unwrap();
    server.does(&ana, &agreed, Action::Accept).await.unwrap();
    server.does(&ana, &declined, Action::Decline).await.unwrap();
    server.clock.advance(Duration::days(3));
    for job in &early {
        ring(&server, job).await.unwrap();
    }
    for (id, status) in [(&moved, RentalStatus::Pending), (&agreed, RentalStatus::Accepted), (&declined, RentalStatus::Declined)] {
        let rental = server.rental(&ben, id).await.unwrap();
        assert_eq!(rental.rental_status(), status);
        assert!(!steps(&rental).contains(&Step::Lapsed));
    }
    pass(&server, datetime!(2026-06-21 00:00 UTC)).await;
    assert_eq!(steps(&server.rental(&ben, &moved).await.unwrap()), [Step::Asked, Step::Moved, Step::Lapsed]);
    server.stop().await;
}

#[tokio::test]
async fn who_moves_to_the_west_has_until_their_own_midnight() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 0, 1)).await.unwrap().request_id;
    server.lives_in(&ana, "America/Los_Angeles").await;
    pass(&server, datetime!(2026-06-18 06:59:59 UTC)).await;
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Pending);
    server.does(&ana, &id, Action::Accept).await.unwrap();
    pass(&server, datetime!(2026-06-18 07:00 UTC)).await;
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Accepted);
    server.stop().await;
}

/// What jobs have missed is found by the sweep.
#[tokio::test]
async fn the_sweep_ends_what_no_job_has_ended() {
    let server = start().await;
    let (_, ben, _, ladder) = three(&server).await;
    let (past, ahead) = (server.wants(&ben, wish(&ladder, 0, 1)).await.unwrap(), server.wants(&ben, wish(&ladder, 8, 9)).await.unwrap());
    server.rewrites("DELETE FROM graphile_worker._private_jobs WHERE payload->>'task' = 'rental_timer'").await;
    server.rewrites("UPDATE rentals SET timer_at = 'epoch'").await;
    server.clock.advance(Duration::days(5));
    let mut conn = server.database.connect().await;
    let sweep = Overdue(server.node.deps.clone());
    assert_eq!(sweep.sweep(&mut conn, server.clock.now()).await.unwrap(), 2);
    assert_eq!(sweep.sweep(&mut conn, server.clock.now()).await.unwrap(), 0);
    assert_eq!(server.rental(&ben, &past.request_id).await.unwrap().rental_status(), RentalStatus::Cancelled);
    assert_eq!(server.rental(&ben, &ahead.request_id).await.unwrap().rental_status(), RentalStatus::Pending);
    assert_eq!(instants(&server).await, [datetime!(2026-06-26 00:00 UTC)]);
    server.stop().await;
}

#[tokio::test]
async fn an_answer_at_the_same_moment_counts_or_the_end_does() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    for n in 0..9 {
        let id = server.wants(&ben, wish(&ladder, n, n)).await.unwrap().request_id;
        let mut jobs = waiting(&server).await.into_iter().zip(instants(&server).await);
        let (job, end) = jobs.find(|(job, _)| job["rental"] == id.as_str()).unwrap();
        server.clock.advance(end - server.clock.now() - Duration::SECOND);
        let (who, action, status, step) = match n % 3 {
            0 => (&ana, Action::Accept, RentalStatus::Accepted, Step::Accepted),
            1 => (&ana, Action::Decline, RentalStatus::Declined, Step::Declined),
            _ => (&ben, Action::Move, RentalStatus::Pending, Step::Moved),
        };
        let (answer, ended) = tokio::join!(server.does_with(who, &id, action, "", (100 + n, 100 + n)), async {
            server.clock.advance(Duration::SECOND);
            ring(&server, &job).await
        });
        ended.unwrap();
        let after = server.rental(&ana, &id).await.unwrap();
        match answer {
            Ok(_) => assert_eq!((after.rental_status(), steps(&after)), (status, vec![Step::Asked, step])),
            Err(refused) => {
                let said = ["this rental is cancelled", "this rental is pending, and its dates are in the past"];
                assert!(said.contains(&refused.message.as_str()), "{refused:?}");
                assert_eq!((after.rental_status(), steps(&after)), (RentalStatus::Cancelled, vec![Step::Asked, Step::Lapsed]));
            }
        }
        // What was agreed or moved does not stand in the way of the next one.
        drop(server.does(&ben, &id, Action::Cancel).await);
    }
    server.stop().await;
}

#[tokio::test]
async fn what_was_agreed_and_never_handed_over_is_asked_about_and_ends_after_two_weeks() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.agreed(&ana, &ben, wish(&ladder, 0, 2)).await;
    let ask = async |who| server.news(who).await.into_iter().find(|n| n.title == "Was the item handed over?");
    pass(&server, datetime!(2026-06-17 08:59 UTC)).await;
    assert!(ask(&ana).await.is_none() && ask(&ben).await.is_none());
    assert_eq!(server.rental(&ana, &id).await.unwrap().ends_with, "2026-07-02", "its first day has passed");
    pass(&server, datetime!(2026-06-17 09:00 UTC)).await;
    let hers = "You're lending “Ladder” from June 16 to June 18, 2026, but it hasn't been marked as handed over. If your borrower has \
                it, mark it as handed over.";
    let his = "You're borrowing “Ladder” from June 16 to June 18, 2026, but it hasn't been marked as handed over. If you have it, mark it \
               as handed over.";
    assert_eq!([ask(&ana).await, ask(&ben).await].map(|told| told.unwrap().message), [hers, his]);
    pass(&server, datetime!(2026-06-19 09:00 UTC)).await;
    for who in [&ana, &ben] {
        let told = ask(who).await.unwrap();
        assert!(
            told.action_required && told.message.starts_with("“Ladder” was supposed to be borrowed from June 16 to June 18, 2026, but it")
        );
        let seen = server.rental(who, &id).await.unwrap();
        assert_eq!(steps_of(&seen), [Action::Start, Action::Cancel], "it can be noted late, or called off");
    }
    pass(&server, datetime!(2026-07-02 23:59:59 UTC)).await;
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Accepted, "until the last second");
    let job = waiting(&server).await.remove(0);
    server.clock.advance(Duration::SECOND);
    for outcome in join_all((0..4).map(|_| ring(&server, &job))).await {
        outcome.unwrap();
    }
    for who in [&ana, &ben] {
        let ended = server.rental(who, &id).await.unwrap();
        assert_eq!((ended.rental_status(), ended.ends_with.as_str()), (RentalStatus::Cancelled, ""));
        assert_eq!((steps(&ended), ended.story[2].actor_id.as_str()), (vec![Step::Asked, Step::Accepted, Step::Lapsed], ""));
        let told = server.news(who).await.remove(0);
        assert_eq!((told.r#type(), told.title.as_str()), (Told::RentalCancelled, "A rental has ended"));
        assert!(ask(who).await.is_none(), "nothing is asked any more");
        assert_eq!(server.news(who).await.iter().filter(|n| n.title == "A rental has ended").count(), 1);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_hand_over_that_is_noted_late_goes_on_as_a_loan_that_is_overdue() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.agreed(&ana, &ben, wish(&ladder, 0, 0)).await;
    pass(&server, datetime!(2026-06-20 12:00 UTC)).await;
    let started = server.does(&ben, &id, Action::Start).await.unwrap();
    assert_eq!((started.days_left, started.ends_with.as_str()), (Some(-4), ""));
    assert!(server.news(&ana).await.iter().all(|n| n.title != "Was the item handed over?"), "it was");
    pass(&server, datetime!(2026-07-20 12:00 UTC)).await;
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Active, "what is out does not end by itself");
    server.stop().await;
}

/// Who gave something back is not held by the silence of its owner: they rate, and leave.
#[tokio::test]
async fn a_return_that_nobody_confirms_is_asked_about_and_counts_after_two_weeks() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    server.does(&ben, &id, Action::Return).await.unwrap();
    let ask = async || server.news(&ana).await.into_iter().filter(|n| n.title == "Is your item back?").count();
    pass(&server, datetime!(2026-06-19 08:59 UTC)).await;
    assert_eq!(ask().await, 0);
    for asked in [datetime!(2026-06-19 09:00 UTC), datetime!(2026-06-26 09:00 UTC)] {
        pass(&server, asked).await;
        assert_eq!(ask().await, 1, "the later one takes the place of the earlier");
    }
    pass(&server, datetime!(2026-06-30 23:59:59 UTC)).await;
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Returned, "until the last second");
    let job = waiting(&server).await.remove(0);
    server.clock.advance(Duration::SECOND);
    let other = server.second_node().await;
    for outcome in join_all((0..6).map(|n| ring(if n % 2 == 0 { &server } else { &other }, &job))).await {
        outcome.unwrap();
    }
    for who in [&ana, &ben] {
        let done = server.rental(who, &id).await.unwrap();
        assert_eq!(done.rental_status(), RentalStatus::Completed);
        assert_eq!(steps(&done), [Step::Asked, Step::Accepted, Step::Started, Step::Returned, Step::Lapsed]);
        assert_eq!(steps_of(&done), [Action::Rate]);
        let told = server.news(who).await;
        let ended: Vec<_> = told.iter().filter(|n| n.title == "A return was confirmed automatically").collect();
        assert_eq!(ended.iter().map(|n| n.r#type()).collect::<Vec<_>>(), [Told::RentalCompleted]);
        assert!(told.iter().all(|n| !n.action_required), "nothing is asked any more");
    }
    assert_eq!(ask().await, 0);
    assert!(instants(&server).await.iter().all(|at| *at <= server.clock.now()), "there is nothing to wait for");
    server.identity(&ben).delete_user(DeleteUserRequest::default()).await.unwrap();
    other.stop().await;
    server.stop().await;
}

/// Nobody has confirmed what counts as confirmed: nobody is named for it, and words that come later are refused instead of lost.
#[tokio::test]
async fn what_counts_as_confirmed_was_confirmed_by_nobody() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    server.does(&ben, &id, Action::Return).await.unwrap();
    pass(&server, server.clock.now() + Duration::days(15)).await;
    for who in [&ana, &ben] {
        assert_eq!(server.rental(who, &id).await.unwrap().completed, None);
    }
    for action in [Action::Complete, Action::Return] {
        let refused = server.does_with(&ana, &id, action, "A scratch", (0, 0)).await.unwrap_err();
        assert_eq!(refused.reason, "WRONG_STATE", "{refused:?}");
        assert!(refused.message.contains("completed") && refused.message.contains("was confirmed automatically"), "{refused:?}");
        let done = server.does(&ana, &id, action).await.unwrap();
        assert_eq!((done.rental_status(), done.completed, done.story.len()), (RentalStatus::Completed, None, 5), "it is as it should be");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_confirmation_at_the_same_moment_counts_or_the_end_does() {
    let server = start().await;
    let (ana, ben, _, _) = three(&server).await;
    let mut ids = Vec::new();
    for title in ["Drill", "Saw", "Tent", "Rope"] {
        let item = server.lends(&ana, title).await;
        let id = server.out(&ana, &ben, wish(&item, 0, 0)).await;
        server.does(&ben, &id, Action::Return).await.unwrap();
        ids.push(id);
    }
    pass(&server, server.clock.now() + Duration::days(11)).await;
    let (jobs, ends) = (waiting(&server).await, instants(&server).await);
    assert_eq!((jobs.len(), ends.iter().max()), (ids.len(), ends.first()), "all at once");
    server.clock.advance(ends[0] - server.clock.now());
    let confirmed = join_all(ids.iter().map(|id| server.does(&ana, id, Action::Complete)));
    let (confirmed, ended) = tokio::join!(confirmed, join_all(jobs.iter().map(|job| ring(&server, job))));
    for ((id, confirmed), ended) in ids.iter().zip(confirmed).zip(ended) {
        ended.unwrap();
        let after = server.rental(&ana, id).await.unwrap();
        assert_eq!((after.rental_status(), after.story.len()), (RentalStatus::Completed, 5), "once");
        let last = *steps(&after).last().unwrap();
        assert!(confirmed.is_ok() && [Step::Completed, Step::Lapsed].contains(&last), "{confirmed:?} {last:?}");
    }
    server.stop().await;
}
