//! What becomes of rentals when a member leaves, and what is kept of a member's.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer},
};
use goodturn::pb::{
    friends::BlockMemberRequest,
    identity::DeleteUserRequest,
    notifications::NotificationType as Told,
    rentals::{GetItemStatsRequest, Party, RateRentalRequest, RentalAction as Action, RentalStatus, RequestRentalRequest},
};
use tonic::Request;

async fn leaves(server: &TestServer, who: &Member) -> Result<(), Refused> {
    server.identity(who).delete_user(DeleteUserRequest::default()).await?;
    Ok(())
}

#[tokio::test]
async fn nobody_leaves_with_an_item_or_while_somebody_has_theirs() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    for who in [&ana, &ben] {
        let refused = leaves(&server, who).await.unwrap_err();
        assert_eq!(refused.reason, "ITEMS_OUT");
    }
    server.does(&ben, &id, Action::Return).await.unwrap();
    for who in [&ana, &ben] {
        assert_eq!(leaves(&server, who).await.unwrap_err().reason, "ITEMS_OUT", "the return is not confirmed");
    }
    assert_eq!(server.rental(&ben, &id).await.unwrap().rental_status(), RentalStatus::Returned, "all is as it was");
    server.does(&ana, &id, Action::Complete).await.unwrap();
    leaves(&server, &ana).await.unwrap();
    let past = server.rental(&ben, &id).await.unwrap();
    assert_eq!((past.owner.unwrap().name.as_str(), past.item.unwrap().title.as_str()), ("Former member", "Ladder"));
    leaves(&server, &ben).await.unwrap();
    let sql = "SELECT (SELECT count(*) FROM rentals) + (SELECT count(*) FROM items)";
    let rows: i64 = sqlx::query_scalar(sql).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(rows, 0, "it is nobody's past any more");
    server.stop().await;
}

/// What was answered once is kept under its key for a day, and nothing of the owner's with it.
#[tokio::test]
async fn a_request_that_is_sent_again_tells_nothing_of_an_owner_who_has_left() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let send = async || {
        let mut request = Request::new(wish(&ladder, 1, 2));
        request.metadata_mut().insert("idempotency-key", "once".parse().unwrap());
        server.rentals(&ben).request_rental(request).await.unwrap().into_inner().rental.unwrap()
    };
    let asked = send().await;
    assert_eq!(send().await, asked, "the same, as long as they are there");
    leaves(&server, &ana).await.unwrap();
    let again = send().await;
    assert_eq!((again.request_id, again.owner.unwrap()), (asked.request_id, Party { name: "Former member".into(), ..Party::default() }));
    let kept = "SELECT count(*) FROM idempotency_keys WHERE position('Silva'::bytea IN answer) > 0 OR position(convert_to($1, 'UTF8') IN answer) > 0";
    let kept: i64 = sqlx::query_scalar(kept).bind(&ana.email).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(kept, 0);
    server.stop().await;
}

#[tokio::test]
async fn what_is_agreed_is_called_off_and_what_waits_ends_when_its_owner_or_borrower_leaves() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let tent = server.lends(&ben, "Tent").await;
    server.befriend(&ben, &eve).await;
    let asked = RequestRentalRequest { message: "For my apples".into(), ..wish(&ladder, 1, 2) };
    let waits = server.wants(&ben, asked).await.unwrap().request_id;
    let agreed = server.agreed(&ana, &ben, wish(&ladder, 5, 6)).await;
    let of_ben = server.wants(&eve, wish(&tent, 1, 2)).await.unwrap().request_id;
    let lent = server.agreed(&ben, &eve, wish(&tent, 5, 6)).await;
    leaves(&server, &ben).await.unwrap();
    for (who, id, status) in [
        (&ana, &waits, RentalStatus::Cancelled),
        (&ana, &agreed, RentalStatus::Cancelled),
        (&eve, &of_ben, RentalStatus::Declined),
        (&eve, &lent, RentalStatus::Cancelled),
    ] {
        let left = server.rental(who, id).await.unwrap();
        assert_eq!((left.rental_status(), left.message.as_str()), (status, ""), "{id}");
    }
    let news = server.news(&eve).await;
    let said: Vec<_> = news.iter().take(2).map(|n| (n.r#type(), n.message.as_str())).collect();
    let declined = (Told::RentalResponse, "A former member can't lend you “Tent” from June 17 to June 18, 2026.");
    let called_off = (Told::RentalCancelled, "A former member cancelled the rental of “Tent” from June 21 to June 22, 2026.");
    assert!(said.contains(&declined) && said.contains(&called_off), "{said:?}");
    assert!(server.news(&ana).await.iter().all(|n| !n.action_required && !n.message.contains("Ben")), "nothing waits, and nobody is named");
    assert!(server.free(&eve, &ladder, Some((5, 6))).await.unwrap().available, "the days are free again");
    let stats = server.rentals(&ana).get_item_stats(GetItemStatsRequest { item_id: ladder }).await.unwrap().into_inner();
    assert_eq!(stats.active_requests, 0);
    server.stop().await;
}

#[tokio::test]
async fn of_a_deletion_and_an_acceptance_at_once_either_comes_first() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let ladder = server.lends(&ana, "Ladder").await;
    for n in 0..6 {
        let other = server.member(&format!("Other{n}"), "Test").await;
        server.befriend(&ana, &other).await;
        let id = server.wants(&other, wish(&ladder, 1, 2)).await.unwrap().request_id;
        let (accepted, left) = tokio::join!(server.does(&ana, &id, Action::Accept), leaves(&server, &other));
        left.unwrap();
        assert!(accepted.as_ref().map_or_else(|refused| refused.reason == "WRONG_STATE", |_| true), "{accepted:?}");
        assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Cancelled, "nothing is agreed with nobody");
    }
    // And a hand-over: who has it stays.
    let ben = server.ben().await;
    server.befriend(&ana, &ben).await;
    let id = server.agreed(&ana, &ben, wish(&ladder, 0, 0)).await;
    let (started, left) = tokio::join!(server.does(&ana, &id, Action::Start), leaves(&server, &ben));
    let status = server.rental(&ana, &id).await.unwrap().rental_status();
    match left {
        Ok(()) => assert_eq!(status, RentalStatus::Cancelled, "{started:?}"),
        Err(refused) => assert_eq!((refused.reason.as_str(), status), ("ITEMS_OUT", RentalStatus::Active)),
    }
    server.stop().await;
}

#[tokio::test]
async fn the_export_has_the_rentals_of_both_sides_with_their_words() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let tent = server.lends(&ben, "Tent").await;
    let asked = RequestRentalRequest { message: "For my apples".into(), gratitude: 3, ..wish(&ladder, 0, 2) };
    let id = server.agreed(&ana, &ben, asked).await;
    server.does_with(&ben, &id, Action::Start, "All steps are there", (0, 0)).await.unwrap();
    server.wants(&ana, wish(&tent, 4, 5)).await.unwrap();
    let (status, answer) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    assert_eq!(status, 200, "{answer}");
    let all: serde_json::Value = serde_json::from_str(answer["document"].as_str().unwrap()).unwrap();
    let (lent, borrowed) = (&all["rentals"]["lent"][0], &all["rentals"]["borrowed"][0]);
    assert_eq!((&lent["item"], &lent["status"], &lent["message"]), (&"Ladder".into(), &"active".into(), &"For my apples".into()));
    assert_eq!((&lent["startNote"], &lent["totalPrice"], &lent["gratitude"]), (&"All steps are there".into(), &30.0.into(), &3.into()));
    assert_eq!((&borrowed["item"], &borrowed["firstDay"]), (&"Tent".into(), &crate::borrowing::day(4).into()));
    assert!(!all["rentals"].to_string().contains(&ben.uid), "nobody else is named");
    server.stop().await;
}

/// A block hides the same in the export as everywhere, and stars are told nobody.
#[tokio::test]
async fn the_export_of_who_is_blocked_has_no_words_of_who_blocks() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let asked = RequestRentalRequest { message: "For my apples".into(), ..wish(&ladder, 0, 2) };
    let id = server.agreed(&ana, &ben, asked).await;
    server.does_with(&ana, &id, Action::Start, "Mind the steps", (0, 0)).await.unwrap();
    server.does_with(&ben, &id, Action::Return, "All there", (0, 0)).await.unwrap();
    server.does_with(&ana, &id, Action::Complete, "A scratch", (0, 0)).await.unwrap();
    for (who, rating) in [(&ana, 1), (&ben, 5)] {
        let request = RateRentalRequest { request_id: id.clone(), rating, ..Default::default() };
        server.rentals(who).rate_rental(request).await.unwrap();
    }
    let exported = async |who: &Member, side: &str| {
        let (_, answer) = server.rest("GET", &format!("/v2/users/{}/export", who.uid), who, None).await;
        let all: serde_json::Value = serde_json::from_str(answer["document"].as_str().unwrap()).unwrap();
        let rental = &all["rentals"][side][0];
        ["message", "startNote", "returnNote", "completeNote", "ratingByOwner", "ratingByBorrower"].map(|key| rental[key].clone())
    };
    let none = serde_json::Value::Null;
    let texts = ["For my apples", "Mind the steps", "All there", "A scratch"].map(serde_json::Value::from);
    let [message, start, back, complete] = texts.clone();
    assert_eq!(exported(&ben, "borrowed").await, [message.clone(), start.clone(), back.clone(), complete.clone(), none.clone(), 5.into()]);
    let request = BlockMemberRequest { member_id: ben.uid.clone(), ..Default::default() };
    server.friends(&ana).block_member(request).await.unwrap();
    assert_eq!(exported(&ben, "borrowed").await, [message.clone(), "".into(), back.clone(), "".into(), none.clone(), 5.into()]);
    assert_eq!(exported(&ana, "lent").await, [message, start, back, complete, 1.into(), none], "who blocks has all");
    server.stop().await;
}
