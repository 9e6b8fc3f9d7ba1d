//! Lists of found favors that are walked page by page.

use super::{neighbors, open};
use crate::{
    asking::{fields, refused},
    harness::{Member, Refused, TestServer},
};
use goodturn::pb::favors::{
    BrowseFavorsRequest, CreateFavorRequest, DeleteFavorRequest, FavorCategory, ListFavorsByCategoryRequest, ListFavorsByLocationRequest,
    SearchFavorsRequest,
};
use std::collections::BTreeSet;

/// Which list is walked.
#[derive(Clone, Copy, Debug)]
enum List {
    Browse,
    Search,
    Category,
    Location,
}

const LISTS: [List; 4] = [List::Browse, List::Search, List::Category, List::Location];

impl TestServer {
    /// A page: what is on it, and where the next one begins.
    async fn page(&self, who: &Member, list: List, cursor: &str) -> Result<(Vec<String>, String), Refused> {
        let (mut calls, cursor, limit) = (self.favors(who), cursor.to_owned(), Some(3));
        let (favors, cursor, has_more) = match list {
            List::Browse => {
                let answer = calls.browse_favors(BrowseFavorsRequest { cursor, limit, ..Default::default() }).await?.into_inner();
                (answer.favors, answer.cursor, answer.has_more)
            }
            List::Search => {
                let request = SearchFavorsRequest { search_term: "walk".into(), cursor, limit, ..Default::default() };
                let answer = calls.search_favors(request).await?.into_inner();
                (answer.favors, answer.cursor, answer.has_more)
            }
            List::Category => {
                let category = FavorCategory::General.into();
                let request = ListFavorsByCategoryRequest { category, cursor, limit, ..Default::default() };
                let answer = calls.list_favors_by_category(request).await?.into_inner();
                (answer.favors, answer.cursor, answer.has_more)
            }
            List::Location => {
                let request = ListFavorsByLocationRequest { location: "lane".into(), cursor, limit, ..Default::default() };
                let answer = calls.list_favors_by_location(request).await?.into_inner();
                (answer.favors, answer.cursor, answer.has_more)
            }
        };
        assert_eq!(has_more, !cursor.is_empty());
        Ok((favors.into_iter().map(|f| f.id).collect(), cursor))
    }
}

#[tokio::test]
async fn a_walk_finds_all_that_stays_once_while_others_come_and_go() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, _) = neighbors(&server).await;
    server.befriend(&ana, &cleo).await;
    let of = |n: i64| CreateFavorRequest {
        title: if n % 3 == 0 { "Walk".into() } else { "Dog".into() },
        description: "A long walk".into(),
        location: "Mill Lane".into(),
        // Some are due at the same moment.
        ..open("", 2 + n / 2)
    };
    let mut stay = BTreeSet::new();
    for n in 0..11 {
        let favor = match n % 3 {
            0 => server.favor(&ben, of(n)).await,
            1 => server.favor(&cleo, of(n)).await,
            _ => server.favor(&ben, CreateFavorRequest { request_type: 0, recipients: vec![ana.uid.clone()], ..of(n) }).await,
        };
        stay.insert(favor.id);
    }
    for list in LISTS {
        let (mut walked, mut cursor, mut passing, mut pages) = (Vec::new(), String::new(), Vec::new(), 0);
        loop {
            let (ids, next) = server.page(&ana, list, &cursor).await.unwrap();
            walked.extend(ids);
            pages += 1;
            if next.is_empty() {
                break;
            }
            cursor = next;
            for (id, creator) in passing.drain(..) {
                server.favors(creator).delete_favor(DeleteFavorRequest { id }).await.unwrap();
            }
            for (creator, hours) in [(&ben, 1), (&cleo, 9)] {
                passing.push((
                    server.favor(creator, CreateFavorRequest { start_date: open("", hours).start_date, ..of(0) }).await.id,
                    creator,
                ));
            }
        }
        for (id, creator) in passing {
            server.favors(creator).delete_favor(DeleteFavorRequest { id }).await.unwrap();
        }
        let found: BTreeSet<_> = walked.iter().cloned().collect();
        assert_eq!(found.len(), walked.len(), "{list:?}: none twice");
        assert!(found.is_superset(&stay) && pages > 3, "{list:?}");
    }
}

#[tokio::test]
async fn a_cursor_is_taken_only_where_it_was_given() {
    let server = TestServer::start().await;
    let (ana, ben, _, _) = neighbors(&server).await;
    let favor = CreateFavorRequest { description: "A long walk".into(), location: "Mill Lane".into(), ..open("Walk", 5) };
    for _ in 0..4 {
        server.favor(&ben, favor.clone()).await;
    }
    for list in LISTS {
        let (_, cursor) = server.page(&ana, list, "").await.unwrap();
        for other in LISTS {
            let answer = server.page(&ana, other, &cursor).await;
            assert_eq!(answer.is_ok(), format!("{other:?}") == format!("{list:?}"), "{list:?} {other:?}");
        }
        let foreign = server.page(&ben, list, &cursor).await.unwrap_err();
        assert_eq!((foreign.reason.as_str(), fields(&foreign)), ("INVALID_CURSOR", vec!["cursor: INVALID".into()]));
        let edited: String = cursor.chars().rev().collect();
        assert_eq!(server.page(&ana, list, &edited).await.unwrap_err().reason, "INVALID_CURSOR");
    }
    let (_, cursor) = server.page(&ana, List::Search, "").await.unwrap();
    let other = SearchFavorsRequest { search_term: "walks".into(), cursor, ..Default::default() };
    assert_eq!(refused(server.favors(&ana).search_favors(other).await).reason, "INVALID_CURSOR", "a cursor is of its words");
    let (_, cursor) = server.page(&ana, List::Search, "").await.unwrap();
    let there = SearchFavorsRequest { search_term: "walk".into(), location: "Mill".into(), cursor, ..Default::default() };
    assert_eq!(refused(server.favors(&ana).search_favors(there).await).reason, "INVALID_CURSOR", "and of where it looked");
}
