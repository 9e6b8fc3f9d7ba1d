//! What becomes of rentals when their item is removed, and what items ask of them.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer},
};
use goodturn::{
    ids::{ItemId, MemberId},
    items::Hook,
    pb::{
        items::{DeleteItemRequest, GetItemRequest, ItemAction},
        notifications::NotificationType as Told,
        rentals::{RentalAction as Action, RentalStatus},
    },
    read, rentals,
};

/// Whether its owner is told that it can be removed.
async fn is_removable(server: &TestServer, owner: &Member, item: &str) -> bool {
    let own = server.items(owner).get_item(GetItemRequest { item_id: item.into() }).await.unwrap().into_inner().item.unwrap();
    own.allowed_actions().any(|action| action == ItemAction::Delete)
}

async fn remove(server: &TestServer, owner: &Member, item: &str) -> Result<(), Refused> {
    server.items(owner).delete_item(DeleteItemRequest { item_id: item.into() }).await?;
    Ok(())
}

#[tokio::test]
async fn what_waits_is_declined_and_told_and_what_is_promised_keeps_the_item() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let (waits, promised) =
        (server.wants(&ben, wish(&ladder, 5, 6)).await.unwrap().request_id, server.agreed(&ana, &eve, wish(&ladder, 0, 1)).await);
    for (action, status) in [(Action::Start, "accepted"), (Action::Return, "active"), (Action::Complete, "returned")] {
        let refused = remove(&server, &ana, &ladder).await.unwrap_err();
        assert_eq!((refused.reason.as_str(), refused.message), ("WRONG_STATE", format!("this item has a rental that is {status}")));
        assert_eq!(server.rental(&ben, &waits).await.unwrap().rental_status(), RentalStatus::Pending, "nothing was declined");
        assert!(!is_removable(&server, &ana, &ladder).await, "and it is not offered");
        let who = if action == Action::Return { &eve } else { &ana };
        server.does(who, &promised, action).await.unwrap();
    }
    assert!(is_removable(&server, &ana, &ladder).await, "what waits does not stand in the way");
    remove(&server, &ana, &ladder).await.unwrap();
    assert_eq!(server.rental(&ben, &waits).await.unwrap().rental_status(), RentalStatus::Declined);
    let told = &server.news(&ben).await[0];
    assert_eq!((told.r#type(), told.message.as_str()), (Told::RentalResponse, "Ana Silva is no longer lending “Ladder”."));
    assert!(server.news(&ana).await.iter().all(|told| !told.action_required));
    server.stop().await;
}

#[tokio::test]
async fn an_owner_keeps_no_days_that_are_booked() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.wants(&ben, wish(&ladder, 0, 9)).await.unwrap();
    let booked = server.agreed(&ana, &ben, wish(&ladder, 3, 4)).await;
    server.keeps(&ana, &ladder, &[(0, 2), (5, 9)]).await.unwrap();
    for days in [(4, 4), (1, 3), (2, 9)] {
        assert_eq!(server.keeps(&ana, &ladder, &[(12, 12), days]).await.unwrap_err().reason, "DAYS_TAKEN", "{days:?}");
    }
    server.does(&ana, &booked, Action::Cancel).await.unwrap();
    server.keeps(&ana, &ladder, &[(0, 9)]).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn an_item_that_was_asked_for_is_remembered() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.lends(&ana, "Never asked for").await;
    server.wants(&ben, wish(&ladder, 0, 9)).await.unwrap();
    let (deps, item) = (&server.node.deps, ItemId::parse("item_id", &ladder).unwrap());
    let (hooks, owner) = (rentals::Hooks(deps.clone()), MemberId::parse("uid", &ana.uid).unwrap());
    assert_eq!(read!(deps.pool, |conn| hooks.remembered(conn, owner).await).unwrap(), [item]);
    server.stop().await;
}
