//! Rentals: the whole life of one, who may do what, and what each side sees and is told.

mod asking;
mod lapsing;
mod leaving;
mod lists;
mod longer;
mod parting;
mod payments;
mod pictures;
mod races;
mod ratings;
mod removing;
mod seen;
mod timers;
mod walks;

use crate::{
    borrowing::{day, steps_of, wish},
    harness::{Member, TestServer},
};
use goodturn::pb::{
    identity::DeleteUserRequest,
    notifications::{NotificationType as Told, TargetKind},
    rentals::{
        BorrowRequestStatus, CompleteRentalRequest, GetRentalRequest, RentalAction as Action, RentalEventKind as Step, RentalStatus,
        StatusWord,
    },
};

/// Ana, who has a ladder, and Ben, a friend of hers who needs one; and Eve, a friend too.
pub async fn three(server: &TestServer) -> (Member, Member, Member, String) {
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &eve).await;
    let ladder = server.lends(&ana, "Ladder").await;
    (ana, ben, eve, ladder)
}

/// What a member was told since they had read so much.
async fn since(server: &TestServer, who: &Member, before: usize) -> Vec<Told> {
    let told = server.told(who).await;
    told[..told.len() - before].to_vec()
}

#[tokio::test]
async fn an_item_is_asked_for_lent_given_back_and_confirmed() {
    let server = TestServer::start().await;
    let (mut ana, mut ben, _, ladder) = three(&server).await;
    let before = (server.told(&ana).await.len(), server.told(&ben).await.len());
    let asked = server.wants(&ben, wish(&ladder, 0, 2)).await.unwrap();
    let id = asked.request_id.clone();
    assert_eq!(
        (asked.status(), asked.request_status(), asked.rental_status()),
        (StatusWord::Initiated, BorrowRequestStatus::Initiated, RentalStatus::Pending)
    );
    assert_eq!((asked.total_price, asked.deposit, asked.item.as_ref().unwrap().title.as_str()), (30.0, 20.0, "Ladder"));
    assert_eq!(steps_of(&asked), [Action::Move, Action::Cancel]);
    assert_eq!(since(&server, &ana, before.0).await, [Told::RentalRequest]);
    let news = server.news(&ana).await;
    let target = news[0].target.as_ref().unwrap();
    assert_eq!((news[0].action_required, target.kind(), &target.id), (true, TargetKind::Rental, &id));
    assert_eq!(news[0].message, "Ben Okafor would like to borrow “Ladder” from June 16 to June 18, 2026.");

    for _ in 0..2 {
        let accepted = server.does(&ana, &id, Action::Accept).await.unwrap();
        assert_eq!((accepted.status(), accepted.rental_status()), (StatusWord::Accepted, RentalStatus::Accepted));
        assert_eq!(steps_of(&accepted), [Action::Start, Action::Cancel]);
    }
    assert!(!server.news(&ana).await[0].action_required, "it was answered");
    for (who, note) in [(&ben, "All steps are there"), (&ben, "All steps are there"), (&ana, "")] {
        let active = server.does_with(who, &id, Action::Start, note, (0, 0)).await.unwrap();
        assert_eq!((active.status(), active.rental_status(), active.days_left), (StatusWord::Accepted, RentalStatus::Active, Some(2)));
        let started = active.started.unwrap();
        assert_eq!((started.noted_by, started.note.as_str()), (ben.uid.clone(), "All steps are there"));
    }
    let late = server.does_with(&ana, &id, Action::Start, "One was loose before", (0, 0)).await.unwrap_err();
    assert_eq!(late.message, "this rental is active: this was already marked, and nothing can be added to it");
    server.days_pass(1, &mut [&mut ana, &mut ben]).await;
    for _ in 0..2 {
        let returned = server.does_with(&ben, &id, Action::Return, "A step is loose", (0, 0)).await.unwrap();
        assert_eq!(
            (returned.request_status(), returned.rental_status(), returned.days_left),
            (BorrowRequestStatus::Accepted, RentalStatus::Returned, None)
        );
        assert!(steps_of(&returned).is_empty(), "it is the owner's to confirm");
        assert_eq!(returned.returned.unwrap().note, "A step is loose");
    }
    assert!(server.news(&ana).await[0].action_required, "the return waits to be confirmed");
    for _ in 0..2 {
        let completed = server.does(&ana, &id, Action::Complete).await.unwrap();
        assert_eq!((completed.status(), completed.rental_status()), (StatusWord::Completed, RentalStatus::Completed));
        assert_eq!(steps_of(&completed), [Action::Rate]);
    }
    assert!(!server.news(&ana).await[0].action_required);
    // Each step once, however often it was said, and each told to the other side.
    let story: Vec<_> = server.rental(&ben, &id).await.unwrap().story.iter().map(|e| (e.kind(), e.actor_id.clone())).collect();
    let steps = [(Step::Asked, &ben), (Step::Accepted, &ana), (Step::Started, &ben), (Step::Returned, &ben), (Step::Completed, &ana)];
    assert_eq!(story, steps.map(|(step, who)| (step, who.uid.clone())));
    assert_eq!(since(&server, &ana, before.0).await, [Told::RentalReturned, Told::RentalStarted, Told::RentalRequest]);
    assert_eq!(since(&server, &ben, before.1).await, [Told::RentalCompleted, Told::RentalResponse]);
    server.stop().await;
}

#[tokio::test]
async fn the_owners_own_return_confirms_it_at_once_and_frees_the_days_left() {
    let server = TestServer::start().await;
    let (mut ana, mut ben, mut eve, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 9)).await;
    let before = server.told(&ben).await.len();
    assert!(!server.free(&eve, &ladder, Some((5, 6))).await.unwrap().available);
    let done = server.does_with(&ana, &id, Action::Return, "Thanks", (0, 0)).await.unwrap();
    assert_eq!((done.rental_status(), done.end_date.as_str()), (RentalStatus::Completed, day(9).as_str()), "what was agreed stays");
    assert_eq!(done.story[3..].iter().map(|e| e.kind()).collect::<Vec<_>>(), [Step::Returned, Step::Completed]);
    assert_eq!(since(&server, &ben, before).await, [Told::RentalCompleted], "one event, told once");
    assert!(server.free(&eve, &ladder, Some((5, 6))).await.unwrap().available);
    assert_eq!(server.does(&ana, &id, Action::Return).await.unwrap().rental_status(), RentalStatus::Completed, "again: nothing");

    // A return by the borrower frees them before it is confirmed; the day itself is held until then.
    let id = server.out(&ana, &ben, wish(&ladder, 0, 9)).await;
    server.days_pass(2, &mut [&mut ana, &mut ben, &mut eve]).await;
    server.does(&ben, &id, Action::Return).await.unwrap();
    assert!(server.free(&eve, &ladder, Some((3, 9))).await.unwrap().available);
    assert_eq!(server.free(&eve, &ladder, Some((2, 3))).await.unwrap().booked_dates, [day(2)]);
    server.agreed(&ana, &eve, wish(&ladder, 3, 9)).await;
    server.stop().await;
}

#[tokio::test]
async fn a_move_at_the_wrong_moment_names_the_state_and_the_wrong_side_is_told_so() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    let wrong = |refused: crate::harness::Refused| (refused.reason, refused.message);
    for (who, action, reason, message) in [
        (&ben, Action::Accept, "WRONG_PARTY", "only the other side of this rental can do that"),
        (&ana, Action::Cancel, "WRONG_PARTY", "only the other side of this rental can do that"),
        (&ana, Action::Start, "WRONG_STATE", "this rental is pending"),
        (&ben, Action::Return, "WRONG_STATE", "this rental is pending"),
        (&eve, Action::Accept, "NOT_FOUND", "rental not found"),
    ] {
        assert_eq!(wrong(server.does(who, &id, action).await.unwrap_err()), (reason.into(), message.into()), "{action:?}");
    }
    server.does(&ana, &id, Action::Accept).await.unwrap();
    let early = format!("this rental is accepted, and starts on {}", day(1));
    assert_eq!(wrong(server.does(&ben, &id, Action::Start).await.unwrap_err()), ("WRONG_STATE".into(), early));
    assert_eq!(wrong(server.does(&ana, &id, Action::Decline).await.unwrap_err()).1, "this rental is accepted");
    server.does(&ana, &id, Action::Cancel).await.unwrap();
    assert_eq!(wrong(server.does(&ana, &id, Action::Accept).await.unwrap_err()).1, "this rental is cancelled");
    assert_eq!(server.does(&ben, &id, Action::Cancel).await.unwrap().rental_status(), RentalStatus::Cancelled, "they agree on it");
    assert_eq!(server.told(&ben).await[0], Told::RentalCancelled);

    let declined = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    for _ in 0..2 {
        let declined = server.does(&ana, &declined, Action::Decline).await.unwrap();
        assert_eq!((declined.status(), declined.rental_status()), (StatusWord::Rejected, RentalStatus::Declined));
    }
    assert_eq!(server.told(&ben).await[0], Told::RentalResponse);
    server.stop().await;
}

#[tokio::test]
async fn a_rental_is_known_to_its_sides_alone_under_its_own_item() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    let get = |item: &str, id: &str| GetRentalRequest { item_id: item.into(), request_id: id.into() };
    let drill = server.lends(&ana, "Drill").await;
    for (who, item, id) in [(&eve, "", &id), (&eve, ladder.as_str(), &id), (&ana, drill.as_str(), &id), (&ben, "", &ladder)] {
        let refused = server.rentals(who).get_rental(get(item, id)).await.unwrap_err();
        assert_eq!(crate::harness::Refused::from(refused).message, "rental not found");
    }
    let wrong_item = CompleteRentalRequest { item_id: drill, request_id: id.clone(), ..Default::default() };
    assert_eq!(crate::harness::Refused::from(server.rentals(&ana).complete_rental(wrong_item).await.unwrap_err()).reason, "NOT_FOUND");
    assert!(server.rentals(&ben).get_rental(get(&ladder, &id)).await.is_ok());
    server.stop().await;
}

#[tokio::test]
async fn one_hand_over_of_an_item_at_a_time() {
    let server = TestServer::start().await;
    let (ana, mut ben, mut eve, ladder) = three(&server).await;
    let late = server.out(&ana, &ben, wish(&ladder, 0, 0)).await;
    let next = server.wants(&eve, wish(&ladder, 1, 2)).await.unwrap().request_id;
    server.does(&ana, &next, Action::Accept).await.unwrap();
    server.days_pass(1, &mut [&mut ben, &mut eve]).await;
    let held = server.rental(&eve, &next).await.unwrap();
    assert!(held.held_over, "Ben is late");
    assert_eq!(steps_of(&held), [Action::Cancel]);
    let refused = server.does(&eve, &next, Action::Start).await.unwrap_err();
    assert_eq!(
        (refused.reason.as_str(), refused.message.as_str()),
        ("WRONG_STATE", "this rental is accepted, and someone else still has the item")
    );
    assert_eq!(server.rental(&ben, &late).await.unwrap().days_left, Some(-1));
    server.does(&ben, &late, Action::Return).await.unwrap();
    let free = server.rental(&eve, &next).await.unwrap();
    assert!(!free.held_over);
    server.does(&eve, &next, Action::Start).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn addresses_are_known_once_it_is_agreed_and_to_friends() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.item_is(&ladder, "visibility = 'public'").await;
    let cleo = server.member("Cleo", "Marsh").await;
    let emails =
        |rental: &goodturn::pb::rentals::Rental| [&rental.owner, &rental.borrower].map(|side| side.as_ref().unwrap().email.clone());
    let of_friends = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap();
    assert_eq!(emails(&of_friends), [ana.email.clone(), ben.email.clone()]);
    let asked = server.wants(&cleo, wish(&ladder, 3, 4)).await.unwrap();
    assert_eq!(emails(&asked), [String::new(), cleo.email.clone()]);
    server.does(&ana, &asked.request_id, Action::Accept).await.unwrap();
    let agreed = server.rental(&cleo, &asked.request_id).await.unwrap();
    assert_eq!(emails(&agreed), [ana.email.clone(), cleo.email.clone()]);
    server.rewrites(&format!("INSERT INTO blocks VALUES ('{}', '{}', now())", ana.uid, ben.uid)).await;
    let hidden = server.rental(&ben, &of_friends.request_id).await.unwrap();
    assert_eq!(emails(&hidden), [String::new(), ben.email.clone()], "a block tells no address");

    // Who has left has no name, no address and no id any more.
    server.does(&cleo, &asked.request_id, Action::Cancel).await.unwrap();
    server.identity(&cleo).delete_user(DeleteUserRequest::default()).await.unwrap();
    let left = server.rental(&ana, &asked.request_id).await.unwrap();
    let borrower = left.borrower.unwrap();
    assert_eq!((borrower.uid.as_str(), borrower.name.as_str(), borrower.email.as_str()), ("", "Former member", ""));
    assert_eq!(left.story.last().map(|step| (step.kind(), step.actor_id.as_str())), Some((Step::Cancelled, "")));
    server.stop().await;
}
