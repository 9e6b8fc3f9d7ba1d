//! What becomes of rentals when their item is removed, and what items ask of them.

use super::three;
use crate::{
    borrowing::{day, wish},
    harness::TestServer,
};
use goodturn::{
    days::{self, Days},
    error::Reason,
    ids::ItemId,
    items::{self, Hook},
    pb::{
        notifications::NotificationType as Told,
        rentals::{RentalAction as Action, RentalStatus},
    },
    read, rentals, transact,
};
use time::Duration;

/// Asks the hook as items do: under the item's lock, and telling at last.
async fn remove(server: &TestServer, item: &str) -> goodturn::error::Result<()> {
    let (deps, id) = (&server.node.deps, ItemId::parse("item_id", item)?);
    transact!(deps.pool, |tx| {
        let item = items::lock(tx, id).await?.unwrap();
        let told = rentals::Hooks(deps.clone()).removing(tx, &item, deps.clock.now()).await?;
        goodturn::notifications::tell(tx, deps, &told.news, &told.settled).await
    })
}

#[tokio::test]
async fn what_waits_is_declined_and_told_and_what_is_promised_keeps_the_item() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let (waits, promised) =
        (server.wants(&ben, wish(&ladder, 5, 6)).await.unwrap().request_id, server.agreed(&ana, &eve, wish(&ladder, 0, 1)).await);
    for (action, status) in [(Action::Start, "accepted"), (Action::Return, "active"), (Action::Complete, "returned")] {
        let refused = remove(&server, &ladder).await.unwrap_err();
        assert_eq!(
            (refused.reason(), refused.message()),
            (Reason::WrongState, format!("this item has a rental that is {status}").as_str())
        );
        assert_eq!(server.rental(&ben, &waits).await.unwrap().rental_status(), RentalStatus::Pending, "nothing was declined");
        let who = if action == Action::Return { &eve } else { &ana };
        server.does(who, &promised, action).await.unwrap();
    }
    remove(&server, &ladder).await.unwrap();
    assert_eq!(server.rental(&ben, &waits).await.unwrap().rental_status(), RentalStatus::Declined);
    let told = &server.news(&ben).await[0];
    assert_eq!((told.r#type(), told.message.as_str()), (Told::RentalResponse, "Ana Silva does not lend “Ladder” any more."));
    assert!(server.news(&ana).await.iter().all(|told| !told.action_required));
    server.stop().await;
}

#[tokio::test]
async fn items_learn_in_which_days_they_are_booked_and_which_are_remembered() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    server.lists(&ana, "Never lent").await;
    server.wants(&ben, wish(&ladder, 0, 9)).await.unwrap();
    server.agreed(&ana, &ben, wish(&ladder, 3, 4)).await;
    let (deps, item) = (&server.node.deps, ItemId::parse("item_id", &ladder).unwrap());
    let hooks = rentals::Hooks(deps.clone());
    let range = |first: i64, last: i64| {
        let parse = |n| days::parse("day", &day(n)).unwrap();
        Days::new(parse(first), parse(last)).unwrap()
    };
    let booked = read!(deps.pool, |conn| hooks.booked(conn, item, &[range(0, 2), range(5, 9), range(4, 4), range(3, 3)]).await).unwrap();
    assert_eq!(booked, Some(range(4, 4)), "the first that meets one");
    assert_eq!(read!(deps.pool, |conn| hooks.booked(conn, item, &[range(5, 9)]).await).unwrap(), None);
    let owner = goodturn::ids::MemberId::parse("uid", &ana.uid).unwrap();
    assert_eq!(read!(deps.pool, |conn| hooks.remembered(conn, owner).await).unwrap(), [item]);
    server.clock.advance(Duration::DAY);
    server.stop().await;
}
