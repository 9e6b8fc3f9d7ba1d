//! What becomes of rentals when two members part, and who is whom to each other by them.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer},
    hooks::part,
};
use goodturn::{
    app,
    pb::{
        friends::BlockMemberRequest,
        notifications::NotificationType as Told,
        profile::GetProfileRequest,
        rentals::{ListReceivedRentalsRequest, ListSentRentalsRequest, RentalAction as Action, RentalStatus},
    },
};

/// The rentals of a member on both sides.
async fn listed(server: &TestServer, who: &Member) -> Vec<String> {
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
        let rest = listed(&server, who).await;
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
    assert!(listed(&server, &ana).await.contains(&of_eve));
    let seen = server.rental(&ben, &agreed).await.unwrap();
    assert_eq!((seen.rental_status(), seen.owner.unwrap().email.as_str()), (RentalStatus::Accepted, ""), "nobody learns an address by it");
    assert_eq!(finds(&server, &ben, &ana).await, None);
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
