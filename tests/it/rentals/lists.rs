//! Lists of rentals, in both vocabularies.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer},
};
use goodturn::pb::rentals::{
    ListItemRentalsRequest, ListReceivedRentalsRequest, ListRentalsRequest, ListSentRentalsRequest, Rental, RentalAction as Action,
    RentalCounts, Side, StatusWord as Word,
};
use time::Duration;

fn words(words: &[Word]) -> Vec<i32> {
    words.iter().map(|word| (*word).into()).collect()
}

async fn sent(server: &TestServer, who: &Member, status: &[Word]) -> Vec<Rental> {
    let request = ListSentRentalsRequest { status: words(status), ..Default::default() };
    server.rentals(who).list_sent_rentals(request).await.unwrap().into_inner().rentals
}

async fn on(server: &TestServer, who: &Member, side: Side, status: &[Word]) -> Vec<Rental> {
    let request = ListRentalsRequest { side: side.into(), status: words(status), ..Default::default() };
    server.rentals(who).list_rentals(request).await.unwrap().into_inner().rentals
}

fn ids(rentals: &[Rental]) -> Vec<&str> {
    rentals.iter().map(|rental| rental.request_id.as_str()).collect()
}

/// One rental of Ben's in each status, the newest first, with the words that each vocabulary has for it.
async fn one_of_each(server: &TestServer, ana: &Member, ben: &Member) -> Vec<(String, Word, Word)> {
    let mut made = Vec::new();
    let plan: [(&[Action], Word, Word); 7] = [
        (&[Action::Accept, Action::Start, Action::Return, Action::Complete], Word::Completed, Word::Completed),
        (&[Action::Accept, Action::Start, Action::Return], Word::Returned, Word::Accepted),
        (&[Action::Accept, Action::Start], Word::Active, Word::Accepted),
        (&[Action::Accept], Word::Accepted, Word::Accepted),
        (&[Action::Decline], Word::Declined, Word::Rejected),
        (&[Action::Cancel], Word::Cancelled, Word::Cancelled),
        (&[], Word::Pending, Word::Initiated),
    ];
    for (actions, rental, borrow) in plan {
        let item = server.lends(ana, "Thing").await;
        let id = server.wants(ben, wish(&item, 0, 0)).await.unwrap().request_id;
        for action in actions {
            let who = if matches!(action, Action::Return | Action::Cancel) { ben } else { ana };
            server.does(who, &id, *action).await.unwrap();
        }
        server.clock.advance(Duration::SECOND);
        made.insert(0, (id, rental, borrow));
    }
    made
}

#[tokio::test]
async fn each_list_speaks_its_vocabulary_and_filters_in_either() {
    let server = TestServer::start().await;
    let (ana, ben, eve, _) = three(&server).await;
    let all = one_of_each(&server, &ana, &ben).await;
    let shown = |rentals: &[Rental]| rentals.iter().map(|r| (r.request_id.clone(), r.status())).collect::<Vec<_>>();
    let rental_words: Vec<_> = all.iter().map(|(id, word, _)| (id.clone(), *word)).collect();
    let borrow_words: Vec<_> = all.iter().map(|(id, _, word)| (id.clone(), *word)).collect();
    assert_eq!(shown(&sent(&server, &ben, &[]).await), borrow_words);
    for (who, side) in [(&ben, Side::Borrower), (&ana, Side::Owner)] {
        assert_eq!(shown(&on(&server, who, side, &[]).await), rental_words);
    }
    let received = server.rentals(&ana).list_received_rentals(ListReceivedRentalsRequest::default()).await.unwrap().into_inner();
    assert_eq!(shown(&received.rentals), borrow_words);
    assert!(received.rentals.iter().all(|rental| rental.story.is_empty()), "a story is told of one alone");
    let counts = RentalCounts { all: 7, pending: 1, accepted: 3, declined: 1, active: 2 };
    assert_eq!((received.counts, received.cursor.as_str(), received.has_more), (Some(counts), "", false));
    assert!(sent(&server, &ana, &[]).await.is_empty() && on(&server, &eve, Side::Owner, &[]).await.is_empty());

    let with = |words: &[Word]| all.iter().filter(|(_, word, _)| words.contains(word)).map(|(id, ..)| id.as_str()).collect::<Vec<_>>();
    for (filter, found) in [
        (vec![Word::Pending], with(&[Word::Pending])),
        (vec![Word::Initiated], with(&[Word::Pending])),
        (vec![Word::Rejected, Word::Declined], with(&[Word::Declined])),
        (vec![Word::Active], with(&[Word::Active])),
        (vec![Word::Returned, Word::Completed], with(&[Word::Returned, Word::Completed])),
    ] {
        assert_eq!(ids(&sent(&server, &ben, &filter).await), found, "{filter:?}");
        assert_eq!(ids(&on(&server, &ben, Side::Borrower, &filter).await), found, "{filter:?}");
    }
    assert_eq!(ids(&sent(&server, &ben, &[Word::Accepted]).await), with(&[Word::Accepted, Word::Active, Word::Returned]));
    assert_eq!(ids(&on(&server, &ben, Side::Borrower, &[Word::Accepted]).await), with(&[Word::Accepted]));
    server.stop().await;
}

#[tokio::test]
async fn both_sides_together_are_a_list_of_their_own() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let bike = server.lends(&ben, "Bike").await;
    let mut made = Vec::new();
    for n in 0..4 {
        for (who, item) in [(&ben, &ladder), (&ana, &bike)] {
            made.insert(0, server.wants(who, wish(item, n, n)).await.unwrap().request_id);
            server.clock.advance(Duration::SECOND);
        }
    }
    server.wants(&eve, wish(&ladder, 9, 9)).await.unwrap();
    server.does(&ana, &made[1], Action::Accept).await.unwrap();
    let page = async |cursor: &str, side: Side| {
        let request = ListRentalsRequest { limit: Some(3), cursor: cursor.into(), side: side.into(), ..Default::default() };
        server.rentals(&ben).list_rentals(request).await.map(|page| page.into_inner()).map_err(Refused::from)
    };
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let found = page(&cursor, Side::Unspecified).await.unwrap();
        let counts = RentalCounts { all: 8, pending: 7, accepted: 1, declined: 0, active: 0 };
        assert_eq!(found.counts, Some(counts));
        seen.extend(found.rentals.into_iter().map(|rental| rental.request_id));
        if !found.has_more {
            break;
        }
        cursor = found.cursor;
    }
    assert_eq!(seen, made, "the newest first, whichever side");
    assert_eq!(page(&cursor, Side::Owner).await.unwrap_err().reason, "INVALID_CURSOR", "of one side");
    assert_eq!(ids(&on(&server, &ben, Side::Unspecified, &[Word::Accepted]).await), [made[1].as_str()]);
    server.stop().await;
}

#[tokio::test]
async fn an_items_requests_are_its_owners() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let drill = server.lends(&ana, "Drill").await;
    server.wants(&ben, wish(&drill, 1, 2)).await.unwrap();
    let id = server.wants(&ben, wish(&ladder, 1, 2)).await.unwrap().request_id;
    let of = |item: &str| ListItemRentalsRequest { item_id: item.into(), ..Default::default() };
    let list = server.rentals(&ana).list_item_rentals(of(&ladder)).await.unwrap().into_inner();
    assert_eq!((ids(&list.rentals), list.counts.unwrap().all), (vec![id.as_str()], 1));
    let refused = Refused::from(server.rentals(&ben).list_item_rentals(of(&ladder)).await.unwrap_err());
    assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("NOT_FOUND", "item not found"));
    server.stop().await;
}

#[tokio::test]
async fn pages_go_on_where_they_ended_whatever_comes_between() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let mut made = Vec::new();
    for n in 0..7 {
        made.insert(0, server.wants(&ben, wish(&ladder, n, n)).await.unwrap().request_id);
        server.clock.advance(Duration::SECOND);
    }
    let page = async |cursor: &str, status: &[Word]| {
        let request = ListSentRentalsRequest { limit: Some(3), cursor: cursor.into(), status: words(status) };
        server.rentals(&ben).list_sent_rentals(request).await.map(|page| page.into_inner()).map_err(Refused::from)
    };
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    for n in 8.. {
        let found = page(&cursor, &[]).await.unwrap();
        seen.extend(found.rentals.into_iter().map(|rental| rental.request_id));
        assert_eq!(found.has_more, !found.cursor.is_empty());
        if !found.has_more {
            break;
        }
        cursor = found.cursor;
        server.wants(&ben, wish(&ladder, n, n)).await.unwrap();
    }
    assert_eq!(seen, made);
    assert_eq!(page(&cursor, &[Word::Pending]).await.unwrap_err().reason, "INVALID_CURSOR", "of another filter");
    let request = ListReceivedRentalsRequest { cursor, ..Default::default() };
    let refused = server.rentals(&ana).list_received_rentals(request).await.unwrap_err();
    assert_eq!(Refused::from(refused).reason, "INVALID_CURSOR");
    server.stop().await;
}
