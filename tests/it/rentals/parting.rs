//! What becomes of rentals when two members part, and who is whom to each other by them.

use super::{
    three,
    timers::{pass, start},
};
use crate::{
    borrowing::{day, steps_of, wish},
    harness::{Member, Refused, TestServer},
    hooks::part,
    lending::listed,
};
use futures_util::future::join_all;
use goodturn::{
    app,
    pb::{
        friends::BlockMemberRequest,
        identity::ExportUserDataRequest,
        items::{CreateItemRequest, DeleteItemRequest, ItemCategory, UpdateItemRequest},
        notifications::NotificationType as Told,
        profile::GetProfileRequest,
        rentals::{
            ListReceivedRentalsRequest, ListSentRentalsRequest, Party, Rental, RentalAction as Action, RentalStatus, RequestRentalRequest,
        },
    },
};

use time::Duration;

/// The rentals of a member on both sides.
async fn all_of(server: &TestServer, who: &Member) -> Vec<String> {
    let sent = server.rentals(who).list_sent_rentals(ListSentRentalsRequest::default()).await.unwrap().into_inner().rentals;
    let received = server.rentals(who).list_received_rentals(ListReceivedRentalsRequest::default()).await.unwrap().into_inner().rentals;
    sent.into_iter().chain(received).map(|rental| rental.request_id).collect()
}

async fn blocks(server: &TestServer, who: &Member, other: &Member) {
    let request = BlockMemberRequest { member_id: other.uid.clone(), ..Default::default() };
    server.friends(who).block_member(request).await.unwrap();
}

/// Whether a member finds another's profile, and the address in it.
async fn finds(server: &TestServer, who: &Member, other: &Member) -> Option<Vec<String>> {
    let found = server.profile(who).get_profile(GetProfileRequest { uid: other.uid.clone() }).await.ok()?;
    Some(found.into_inner().profile.unwrap().identities.into_iter().map(|i| i.value).collect())
}

/// What is agreed goes on, and no more is: what is refused would tell the days of others one by one.
#[tokio::test]
async fn who_does_not_see_an_item_any_more_tries_out_none_of_its_days() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 1)).await;
    server.agreed(&ana, &eve, wish(&ladder, 4, 5)).await;
    server.does_with(&ben, &id, Action::Extend, "", (0, 2)).await.unwrap();
    blocks(&server, &ana, &ben).await;
    let seen = server.rental(&ben, &id).await.unwrap();
    assert_eq!(steps_of(&seen), [Action::Return, Action::WithdrawExtension]);
    let tries = join_all([3, 4, 5].map(|day| server.does_with(&ben, &id, Action::Extend, "", (0, day)))).await;
    let answers: Vec<_> = tries.into_iter().map(|tried| tried.map(|_| ()).unwrap_err().message).collect();
    assert_eq!(answers, ["this rental is active, and its item is no longer offered"; 3]);
    server.does_with(&ana, &id, Action::AcceptExtension, "", (0, 2)).await.unwrap();
    server.does(&ben, &id, Action::Return).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn requests_end_in_silence_where_friends_part_who_cannot_see_the_item_then() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let (public, tent) = (server.lends(&ana, "Drill").await, server.lends(&ben, "Tent").await);
    server.item_is(&public, "visibility = 'public'").await;
    let asked = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    let of_tent = server.wants(&ana, wish(&tent, 1, 2)).await.unwrap().request_id;
    let open_to_all = server.wants(&ben, wish(&public, 1, 2)).await.unwrap().request_id;
    let agreed = server.agreed(&ana, &ben, wish(&ladder, 5, 6)).await;
    let told = (server.told(&ana).await.len(), server.told(&ben).await.len());
    part(&server, &ana, &ben, app::friends_hooks(&server.node.deps)).await.unwrap();
    let left = [open_to_all.clone(), agreed.clone()];
    for who in [&ana, &ben] {
        let rest = all_of(&server, who).await;
        assert!(rest.len() == 2 && left.iter().all(|id| rest.contains(id)), "{rest:?}");
        for id in [&asked, &of_tent] {
            assert_eq!(server.rental(who, id).await.unwrap_err().reason, "NOT_FOUND");
        }
    }
    assert_eq!((server.told(&ana).await.len(), server.told(&ben).await.len()), (told.0 - 1, told.1 - 1), "what was not read is gone");
    assert_eq!(server.rental(&ben, &agreed).await.unwrap().rental_status(), RentalStatus::Accepted);
    assert_eq!(finds(&server, &ben, &ana).await, Some(vec![ana.email.clone()]), "they still have to do with each other");
    server.does(&ana, &open_to_all, Action::Accept).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_block_ends_all_requests_and_no_agreed_rental() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let public = server.lends(&ana, "Drill").await;
    server.item_is(&public, "visibility = 'public'").await;
    let out = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    let agreed = server.agreed(&ana, &ben, wish(&ladder, 5, 6)).await;
    let waiting = server.wants(&ben, wish(&public, 1, 2)).await.unwrap().request_id;
    let of_eve = server.wants(&eve, wish(&public, 1, 2)).await.unwrap().request_id;
    blocks(&server, &ana, &ben).await;
    assert_eq!(server.rental(&ben, &waiting).await.unwrap_err().reason, "NOT_FOUND");
    assert!(all_of(&server, &ana).await.contains(&of_eve));
    let seen = server.rental(&ben, &agreed).await.unwrap();
    assert_eq!((seen.rental_status(), seen.owner.unwrap().email.as_str()), (RentalStatus::Accepted, ""), "nobody learns an address by it");
    assert_eq!(finds(&server, &ben, &ana).await.as_deref(), Some(&[][..]), "what is due can still be paid");
    server.does(&ben, &agreed, Action::Cancel).await.unwrap();
    server.does(&ben, &out, Action::Return).await.unwrap();
    let told = server.told(&ana).await;
    assert!(!told.iter().any(|told| [Told::RentalCancelled, Told::RentalReturned].contains(told)), "who is blocked causes none: {told:?}");
    assert_eq!(server.does(&ana, &out, Action::Complete).await.unwrap().rental_status(), RentalStatus::Completed);
    assert_eq!(server.wants(&ben, wish(&public, 3, 4)).await.unwrap_err().reason, "NOT_FOUND");
    server.stop().await;
}

#[tokio::test]
async fn the_sides_of_a_rental_know_each_other_and_their_addresses_once_it_is_agreed() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    server.item_is(&ladder, "visibility = 'public'").await;
    let cleo = server.member("Cleo", "Marsh").await;
    assert_eq!(finds(&server, &ana, &cleo).await, None);
    let id = server.wants(&cleo, wish(&ladder, 1, 2)).await.unwrap().request_id;
    assert_eq!(finds(&server, &ana, &cleo).await, Some(vec![]));
    server.does(&ana, &id, Action::Accept).await.unwrap();
    assert_eq!(
        (finds(&server, &ana, &cleo).await, finds(&server, &cleo, &ana).await),
        (Some(vec![cleo.email.clone()]), Some(vec![ana.email.clone()]))
    );
    assert_eq!((finds(&server, &eve, &cleo).await, finds(&server, &ben, &cleo).await), (None, None));
    // Who has to do with somebody may block them.
    blocks(&server, &cleo, &ana).await;
    assert_eq!(finds(&server, &ana, &cleo).await, None);
    let stranger = server.friends(&eve).block_member(BlockMemberRequest { member_id: cleo.uid.clone(), ..Default::default() }).await;
    assert_eq!(Refused::from(stranger.unwrap_err()).reason, "NOT_FOUND");
    server.stop().await;
}

/// To who is blocked it looks as if the other one had left: what they did together keeps no name, no words and no picture of theirs.
#[tokio::test]
async fn who_is_blocked_reads_what_is_over_as_if_the_other_had_left() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id =
        server.wants(&ben, RequestRentalRequest { message: "For the gutters".into(), ..wish(&ladder, 0, 2) }).await.unwrap().request_id;
    server.does(&ana, &id, Action::Accept).await.unwrap();
    server.does_with(&ana, &id, Action::Start, "The key is red", (0, 0)).await.unwrap();
    blocks(&server, &ana, &ben).await;
    let out = server.rental(&ben, &id).await.unwrap();
    assert_eq!((out.owner.unwrap().name.as_str(), out.started.unwrap().note.as_str()), ("Ana Silva", "The key is red"), "he has it");
    server.does_with(&ben, &id, Action::Return, "Clean", (0, 0)).await.unwrap();
    server.does(&ana, &id, Action::Complete).await.unwrap();

    let over = server.rental(&ben, &id).await.unwrap();
    assert_eq!(over.owner, Some(Party { name: "Former member".into(), ..Party::default() }));
    assert_eq!((over.message.as_str(), over.item.unwrap().title.as_str()), ("For the gutters", "Ladder"));
    let (started, returned) = (over.started.unwrap(), over.returned.unwrap());
    assert_eq!((started.note.as_str(), started.noted_by.as_str()), ("", ""));
    assert_eq!((returned.note.as_str(), returned.noted_by), ("Clean", ben.uid.clone()));
    assert_eq!(over.story.iter().map(|step| step.actor_id.as_str()).collect::<Vec<_>>(), [ben.uid.as_str(), "", "", ben.uid.as_str(), ""]);
    let sent = server.rentals(&ben).list_sent_rentals(ListSentRentalsRequest::default()).await.unwrap().into_inner().rentals;
    assert_eq!(sent[0].owner.as_ref().unwrap().uid, "", "in lists too");
    // Nor which day it is where the other one lives: of who has left nobody knows a zone.
    let mut days = Vec::new();
    for zone in ["Pacific/Pago_Pago", "Pacific/Kiritimati"] {
        server.lives_in(&ana, zone).await;
        assert_eq!(server.rental(&ben, &id).await.unwrap().today, day(0), "{zone}");
        days.push(server.rental(&ana, &id).await.unwrap().today);
    }
    assert_ne!(days[0], days[1], "hers are her own");
    let hers = async || {
        let it = server.rental(&ana, &id).await.unwrap();
        let notes = [it.started.unwrap().note, it.returned.unwrap().note];
        (it.borrower.unwrap().name, it.message, notes)
    };
    let notes = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    let hidden = ("Former member".to_owned(), String::new(), notes("The key is red", ""));
    assert_eq!(hers().await, hidden, "who blocks sees no more of the other either, as in favors");
    server.rewrites(&format!("INSERT INTO blocks VALUES ('{}', '{}', now())", ben.uid, ana.uid)).await;
    assert_eq!(hers().await, hidden);
    server.rewrites("DELETE FROM blocks").await;
    assert_eq!(
        hers().await,
        ("Ben Okafor".to_owned(), "For the gutters".to_owned(), notes("The key is red", "Clean")),
        "all is there again"
    );
    server.stop().await;
}

/// While it goes on each is told who did what; once it is over nothing of that names who hides, wherever it is kept.
#[tokio::test]
async fn who_is_blocked_in_the_middle_of_a_loan_is_told_of_it_without_a_name_once_it_is_over() {
    let server = start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let (saw, tent) = (server.lends(&ana, "Saw").await, server.lends(&ana, "Tent").await);
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    let called_off = server.agreed(&ana, &ben, wish(&saw, 0, 1)).await;
    let unnoted = server.agreed(&ana, &ben, wish(&tent, 0, 1)).await;
    server.does_with(&ben, &id, Action::Extend, "", (0, 4)).await.unwrap();
    blocks(&server, &ana, &ben).await;
    server.does(&ana, &id, Action::AcceptExtension).await.unwrap();
    let named = async || {
        let told = server.news(&ben).await.into_iter();
        told.filter(|n| n.message.contains("Ana") || n.actor.as_ref().is_some_and(|actor| actor.uid == ana.uid))
            .map(|n| n.title)
            .collect::<Vec<_>>()
    };
    assert_eq!(named().await, ["You can keep it longer"], "it goes on");
    server.does(&ana, &called_off, Action::Cancel).await.unwrap();
    assert_eq!(named().await, ["You can keep it longer"], "that goes on, and what is over has no name");
    let said = "A former member cancelled the rental of “Saw” from June 16 to June 17, 2026.";
    let mailed = "SELECT count(*) FROM notifications WHERE message = $1 AND mail IS NOT NULL";
    let mailed: i64 = sqlx::query_scalar(mailed).bind(said).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!((server.news(&ben).await[0].message.as_str(), mailed), (said, 1), "it is told as of one who has left, and mailed as ever");
    server.does(&ben, &id, Action::Return).await.unwrap();
    server.does_with(&ana, &id, Action::Complete, "Ana thanks you", (0, 0)).await.unwrap();
    assert_eq!(named().await, Vec::<String>::new());
    let told = server.news(&ben).await;
    assert_eq!(
        (told[0].title.as_str(), told[0].message.as_str()),
        ("A return was confirmed", "A former member confirmed the return of “Ladder”.")
    );
    pass(&server, server.clock.now() + Duration::days(20)).await;
    assert_eq!(server.rental(&ben, &unnoted).await.unwrap().rental_status(), RentalStatus::Cancelled);
    assert_eq!(named().await, Vec::<String>::new());
    let exported = server.identity(&ben).export_user_data(ExportUserDataRequest::default()).await.unwrap().into_inner();
    assert!(!format!("{exported:?}").contains("Ana"), "{exported:?}");
    server.stop().await;
}

/// A block and the end at the same moment: whichever comes first, nothing names who hides.
#[tokio::test]
async fn a_block_at_the_moment_of_the_end_leaves_no_name_either() {
    let server = TestServer::start().await;
    let (ana, ben, _, _) = three(&server).await;
    let mut ids = Vec::new();
    for title in ["Drill", "Saw", "Rope", "Lamp", "Tent", "Bike"] {
        let item = server.lends(&ana, title).await;
        let id = server.out(&ana, &ben, wish(&item, 0, 1)).await;
        server.does(&ben, &id, Action::Return).await.unwrap();
        ids.push(id);
    }
    let complete = join_all(ids.iter().map(|id| server.does_with(&ana, id, Action::Complete, "Thanks", (0, 0))));
    let (done, ()) = tokio::join!(complete, blocks(&server, &ana, &ben));
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    let named: Vec<_> = server.news(&ben).await.into_iter().filter(|n| n.message.contains("Ana")).collect();
    assert!(named.is_empty(), "{named:?}");
    server.stop().await;
}

/// Whoever cannot see an item learns nothing of its days, though they asked for it once.
#[tokio::test]
async fn who_could_not_ask_for_the_item_anew_asks_for_no_other_days_and_sees_no_picture_of_it() {
    let server = TestServer::start().await;
    let (ana, ben, eve, _) = three(&server).await;
    let ladder = server.item(&ana, CreateItemRequest { price_per_day: 10.0, ..listed("Ladder") }).await;
    server.adds_image(&ana, &ladder).await;
    let ladder = ladder.item_id;
    let id = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    let agreed = server.agreed(&ana, &ben, wish(&ladder, 20, 21)).await;
    server.agreed(&ana, &eve, wish(&ladder, 5, 6)).await;
    let image = |rental: &Rental| rental.item.as_ref().unwrap().main_image.clone();
    let kind = |rental: &Rental| rental.item.as_ref().unwrap().category();
    let seen = server.rental(&ben, &id).await.unwrap();
    assert_eq!((image(&seen).is_empty(), kind(&seen)), (false, ItemCategory::Tools));
    let group = server.group(&ana, "Street", &[&eve]).await.group_id;
    let narrowed = UpdateItemRequest { item_id: ladder.clone(), group_ids: vec![group], ..Default::default() };
    server.items(&ana).update_item(narrowed).await.unwrap();
    let moved = async |days| server.does_with(&ben, &id, Action::Move, "", days).await;
    let refused = [moved((5, 5)).await.unwrap_err(), moved((9, 9)).await.unwrap_err()].map(|refused| (refused.reason, refused.message));
    let says = ("WRONG_STATE".to_owned(), "this rental is pending, and its item is no longer offered".to_owned());
    assert_eq!(refused, [says.clone(), says.clone()], "taken days and free ones alike");
    let waits = server.rental(&ben, &id).await.unwrap();
    assert_eq!((steps_of(&waits), image(&waits)), (vec![Action::Cancel], String::new()));
    assert_eq!(kind(&waits), ItemCategory::Unspecified, "nor what it is by now");
    assert!(!image(&server.rental(&ben, &agreed).await.unwrap()).is_empty(), "what is agreed goes on");
    assert!(!image(&server.rental(&ana, &id).await.unwrap()).is_empty());

    server.item_is(&ladder, "narrowed = false, status = 'unlisted'").await;
    assert_eq!(moved((9, 9)).await.unwrap_err().message, says.1);
    assert!(!image(&server.rental(&ben, &id).await.unwrap()).is_empty(), "he sees it again");
    server.item_is(&ladder, "status = 'listed'").await;
    moved((9, 9)).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn who_cannot_see_the_item_any_more_does_not_read_how_it_is_called_since() {
    let server = TestServer::start().await;
    let (ana, ben, eve, _) = three(&server).await;
    let ladder = server.item(&ana, listed("Ladder")).await.item_id;
    let mut asked = Vec::new();
    for day in 1..=3 {
        asked.push(server.wants(&ben, wish(&ladder, day, day)).await.unwrap().request_id);
    }
    let [declined, waits, removed] = <[String; 3]>::try_from(asked).unwrap();
    server.does(&ana, &declined, Action::Decline).await.unwrap();
    let agreed = server.agreed(&ana, &ben, wish(&ladder, 20, 21)).await;
    let group = server.group(&ana, "Street", &[&eve]).await.group_id;
    let (item_id, title) = (ladder.clone(), Some("Ladder from Ben's ex".to_owned()));
    server.items(&ana).update_item(UpdateItemRequest { item_id, title, group_ids: vec![group], ..Default::default() }).await.unwrap();

    let hers = server.agreed(&ana, &eve, wish(&ladder, 2, 2)).await;
    assert!(!server.rental(&ben, &waits).await.unwrap().days_taken, "who has it when is for those alone who see it");
    assert!(server.rental(&ana, &waits).await.unwrap().days_taken);
    let called = async |who, id| server.rental(who, id).await.unwrap().item.unwrap().title;
    assert_eq!((called(&ben, &declined).await, called(&ben, &waits).await), ("Ladder".into(), "Ladder".into()));
    assert_eq!(called(&ben, &agreed).await, "Ladder from Ben's ex", "what is agreed goes on");
    assert_eq!(called(&ana, &declined).await, "Ladder from Ben's ex");
    let sent = server.rentals(&ben).list_sent_rentals(ListSentRentalsRequest::default()).await.unwrap().into_inner().rentals;
    let mut names: Vec<_> = sent.iter().map(|rental| rental.item.as_ref().unwrap().title.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ladder", "Ladder", "Ladder", "Ladder from Ben's ex"]);
    server.does(&ana, &waits, Action::Decline).await.unwrap();
    assert!(server.news(&ben).await[0].message.contains("can't lend you “Ladder” on"), "{:?}", server.news(&ben).await[0]);
    for id in [&agreed, &hers] {
        server.does(&ana, id, Action::Cancel).await.unwrap();
    }
    assert_eq!(called(&ben, &agreed).await, "Ladder");
    server.items(&ana).delete_item(DeleteItemRequest { item_id: ladder.clone() }).await.unwrap();
    assert!(server.news(&ben).await[0].message.contains("“Ladder”"), "{:?}", server.news(&ben).await[0]);
    assert_eq!(called(&ben, &removed).await, "Ladder");
    server.stop().await;
}
