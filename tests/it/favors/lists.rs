//! Lists: each is read from the rows of its member, whole while others come and go, and those rows say what the favors say.

use super::{received, three, update};
use crate::{
    asking::asking,
    harness::{Member, Refused, START, TestServer},
};
use goodturn::{
    clock::Clock,
    pb::{
        favors::{
            CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, DeleteFavorRequest, Favor, FavorOrder, FavorResponse,
            FavorStatus, ListActiveFavorsRequest, ListCancelledFavorsRequest, ListCompletedFavorsRequest, ListReceivedFavorsRequest,
            RequestType, SettleFavorRequest, UpdateFavorRequest,
        },
        friends::BlockMemberRequest,
        profile::GetDashboardRequest,
        timestamp,
    },
};
use prost_types::FieldMask;
use sqlx::{AssertSqlSafe, Row};
use std::collections::HashSet;
use time::Duration;
use tonic::Response;

/// A list of a member.
#[derive(Clone, Copy, Debug, PartialEq)]
enum List {
    Active(FavorOrder),
    Completed,
    Cancelled,
    Received(&'static [FavorStatus]),
}

/// A page and the cursor of the next; the reason of a refusal.
async fn page(server: &TestServer, who: &Member, list: List, limit: i32, cursor: &str) -> Result<(Vec<Favor>, String), String> {
    let (limit, cursor, mut favors) = (Some(limit), cursor.to_owned(), server.favors(who));
    let page = match list {
        List::Active(order) => {
            let request = ListActiveFavorsRequest { limit, cursor, order: order.into(), ..Default::default() };
            favors.list_active_favors(request).await.map(Response::into_inner).map(|page| (page.favors, page.cursor))
        }
        List::Completed => {
            let request = ListCompletedFavorsRequest { limit, cursor, ..Default::default() };
            favors.list_completed_favors(request).await.map(Response::into_inner).map(|page| (page.favors, page.cursor))
        }
        List::Cancelled => {
            let request = ListCancelledFavorsRequest { limit, cursor, ..Default::default() };
            favors.list_cancelled_favors(request).await.map(Response::into_inner).map(|page| (page.favors, page.cursor))
        }
        List::Received(statuses) => {
            let status = statuses.iter().map(|s| (*s).into()).collect();
            let request = ListReceivedFavorsRequest { limit, cursor, status, ..Default::default() };
            favors.list_received_favors(request).await.map(Response::into_inner).map(|page| (page.favors, page.cursor))
        }
    };
    page.map_err(|status| Refused::from(status).reason)
}

fn ids(favors: &[Favor]) -> HashSet<String> {
    favors.iter().map(|f| f.id.clone()).collect()
}

/// The rows of lists are those that the favors, their recipients and those who offer help want: one for each who knows of it, with the favor's keys.
pub async fn agree(server: &TestServer) {
    let wanted = "SELECT f.id AS favor_id, f.creator_id AS member_id, f.due_key, f.updated_at AS changed_at,
                         CASE f.status WHEN 'completed' THEN 'own_completed' WHEN 'settled' THEN 'own_completed'
                                       WHEN 'cancelled' THEN 'own_cancelled' ELSE 'own_open' END AS place
                  FROM favors f
                  UNION ALL
                  SELECT f.id, r.member_id, f.due_key, NULL,
                         CASE WHEN r.answer = 'decline' AND r.member_id IS DISTINCT FROM f.helper_id THEN 'declined'
                              WHEN f.status NOT IN ('active', 'accepted') THEN f.status
                              WHEN f.status = 'active' AND f.lapsed_start = f.start_at THEN 'lapsed'
                              WHEN r.member_id = f.helper_id THEN 'helping'
                              WHEN r.answer = 'accept' THEN 'back_up'
                              WHEN f.responses >= f.max_responses THEN 'taken'
                              WHEN r.answer = 'another_time' THEN 'offered'
                              ELSE 'pending' END
                  FROM favor_recipients r
                  JOIN favors f ON f.id = r.favor_id
                  WHERE r.asked_at IS NOT NULL
                  UNION ALL
                  SELECT f.id, a.member_id, f.due_key, NULL,
                         CASE WHEN f.status = 'cancelled' THEN 'cancelled'
                              WHEN f.status <> 'active' THEN 'not_chosen'
                              WHEN f.lapsed_start = f.start_at THEN 'lapsed'
                              ELSE 'applied' END
                  FROM favor_applicants a
                  JOIN favors f ON f.id = a.favor_id
                  WHERE a.applied_at IS NOT NULL";
    let differing = format!(
        "SELECT concat_ws(' ', w.favor_id, w.place, w.due_key, w.changed_at, 'stands as', p.favor_id, p.place, p.due_key, p.changed_at) AS told
         FROM ({wanted}) w
         FULL JOIN favor_places p ON p.favor_id = w.favor_id AND p.member_id = w.member_id
         WHERE (w.place, w.due_key, w.changed_at) IS DISTINCT FROM (p.place, p.due_key, p.changed_at)
         LIMIT 10"
    );
    let rows = sqlx::query(AssertSqlSafe(differing)).fetch_all(&mut server.database.connect().await).await.unwrap();
    let told: Vec<String> = rows.iter().map(|row| row.get("told")).collect();
    assert_eq!(told, Vec::<String>::new());
}

struct World {
    server: TestServer,
    ana: Member,
    ben: Member,
    eve: Member,
    made: i64,
}

impl World {
    async fn new() -> Self {
        let server = TestServer::start_with(Clock::fixed(START), |c| c.favors_per_day = 10_000).await;
        let (ana, ben, eve) = three(&server).await;
        Self { server, ana, ben, eve, made: 0 }
    }

    /// Posts a favor of ana's to both, that is due in so many minutes.
    async fn post(&mut self, minutes: i64) -> String {
        self.made += 1;
        self.server.clock.advance(Duration::SECOND);
        let start = timestamp(START + Duration::HOUR + Duration::minutes(minutes));
        let request = CreateFavorRequest {
            title: format!("Favor {}", self.made),
            start_date: Some(start),
            confirmation_date: Some(start),
            ..asking(&[&self.ben, &self.eve])
        };
        self.server.favor(&self.ana, request).await.id
    }

    async fn ben_says(&self, id: &str, answer: FavorResponse) {
        self.server.answer(&self.ben, id, answer, "At noon").await.unwrap();
    }

    /// Makes it public, asks ben no more, and has him offer help.
    async fn ben_applies(&self, id: &str) {
        let recipients = vec![self.eve.uid.clone()];
        let request_type = Some(RequestType::Public.into());
        let public = UpdateFavorRequest { id: id.into(), recipients, request_type, ..Default::default() };
        update(&self.server, &self.ana, public).await.unwrap();
        self.server.apply(&self.ben, id, "At noon").await.unwrap();
    }

    async fn complete(&self, id: &str) {
        self.ben_says(id, FavorResponse::Accept).await;
        self.server.favors(&self.ana).complete_favor(CompleteFavorRequest { id: id.into(), ..Default::default() }).await.unwrap();
    }

    async fn settle(&self, id: &str) {
        self.server.favors(&self.ana).settle_favor(SettleFavorRequest { id: id.into(), ..Default::default() }).await.unwrap();
    }

    async fn cancel(&self, id: &str) {
        self.server.favors(&self.ana).cancel_favor(CancelFavorRequest { id: id.into(), ..Default::default() }).await.unwrap();
    }

    /// Brings a favor that was posted into a list.
    async fn enter(&self, list: List, id: &str) {
        match list {
            List::Active(_) | List::Received(&[] | &[FavorStatus::Pending]) => {}
            List::Received(&[FavorStatus::Open]) => self.ben_applies(id).await,
            List::Received(&[FavorStatus::Declined]) => self.ben_says(id, FavorResponse::Decline).await,
            List::Received(&[FavorStatus::Accepted]) => self.ben_says(id, FavorResponse::Accept).await,
            List::Cancelled | List::Received(&[FavorStatus::Cancelled]) => self.cancel(id).await,
            List::Completed | List::Received(&[FavorStatus::Completed]) => self.complete(id).await,
            List::Received(_) => {
                self.complete(id).await;
                self.settle(id).await;
            }
        }
    }

    /// Takes one out of a list, where there is a way out of it.
    async fn leave(&self, list: List, id: &str) {
        match list {
            List::Active(_) | List::Received(&[] | &[FavorStatus::Pending | FavorStatus::Accepted]) => self.cancel(id).await,
            List::Received(&[FavorStatus::Open]) => drop(self.server.withdraw(&self.ben, id, "").await.unwrap()),
            List::Received(&[FavorStatus::Declined]) => self.ben_says(id, FavorResponse::AnotherTime).await,
            List::Received(&[FavorStatus::Completed]) => self.settle(id).await,
            List::Completed | List::Cancelled | List::Received(_) => {}
        }
    }
}

const RECEIVED: [FavorStatus; 7] = [
    FavorStatus::Open,
    FavorStatus::Pending,
    FavorStatus::Declined,
    FavorStatus::Accepted,
    FavorStatus::Completed,
    FavorStatus::Settled,
    FavorStatus::Cancelled,
];

fn lists() -> Vec<List> {
    let own = [List::Active(FavorOrder::Unspecified), List::Active(FavorOrder::Recent), List::Completed, List::Cancelled];
    // First what the others fill as well.
    let received = RECEIVED.iter().map(|status| List::Received(std::slice::from_ref(status)));
    [List::Received(&[])].into_iter().chain(own).chain(received).collect()
}

#[tokio::test]
async fn a_walk_sees_once_what_stays_while_favors_come_and_go() {
    let mut world = World::new().await;
    for list in lists() {
        let who = if matches!(list, List::Received(_)) { world.ben.clone() } else { world.ana.clone() };
        let mut go = Vec::new();
        // Two of each minute: keys are equal too.
        for n in 0..8 {
            let id = world.post(100 + n / 2).await;
            world.enter(list, &id).await;
            go.extend((n % 3 == 0).then_some(id));
        }
        let at_first = ids(&page(&world.server, &who, list, 100, "").await.unwrap().0);
        assert!(at_first.len() >= 8, "{list:?}");
        let (mut stay, mut came) = (at_first.clone(), at_first);
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let (favors, next) = page(&world.server, &who, list, 3, &cursor).await.unwrap();
            seen.extend(favors.into_iter().map(|f| f.id));
            cursor = next;
            if cursor.is_empty() {
                break;
            }
            // Before, at and behind where the walk stands; and one leaves that may have been seen.
            if let Some(gone) = go.pop() {
                for minutes in [10, 101, 200] {
                    let id = world.post(minutes).await;
                    world.enter(list, &id).await;
                    came.insert(id);
                }
                world.leave(list, &gone).await;
                stay.remove(&gone);
            }
        }
        let once: HashSet<String> = seen.iter().cloned().collect();
        assert_eq!(once.len(), seen.len(), "{list:?}: seen twice");
        assert!(once.is_superset(&stay), "{list:?}: lost {:?}", stay.difference(&once));
        assert!(once.is_subset(&came), "{list:?}: not of this list {:?}", once.difference(&came));
    }
    agree(&world.server).await;
}

#[tokio::test]
async fn a_cursor_serves_its_own_list_and_member_unedited() {
    let mut world = World::new().await;
    let mut cursors: Vec<String> = Vec::new();
    for list in lists() {
        for minutes in 0..4 {
            let id = world.post(minutes).await;
            world.enter(list, &id).await;
        }
        let (who, other) = if matches!(list, List::Received(_)) { (&world.ben, &world.eve) } else { (&world.ana, &world.ben) };
        let (_, cursor) = page(&world.server, who, list, 3, "").await.unwrap();
        assert!(!cursor.is_empty(), "{list:?}");
        for at in [0, cursor.len() / 2, cursor.len() - 2] {
            let mut edited = cursor.clone();
            let instead = if edited.as_bytes()[at] == b'A' { "B" } else { "A" };
            edited.replace_range(at..=at, instead);
            assert_eq!(page(&world.server, who, list, 3, &edited).await.unwrap_err(), "INVALID_CURSOR", "{list:?}: {edited}");
        }
        assert_eq!(page(&world.server, other, list, 3, &cursor).await.unwrap_err(), "INVALID_CURSOR", "{list:?}");
        for earlier in &cursors {
            assert_eq!(page(&world.server, who, list, 3, earlier).await.unwrap_err(), "INVALID_CURSOR", "{list:?}");
        }
        cursors.push(cursor);
    }
}

#[tokio::test]
async fn a_filter_that_names_a_status_twice_lists_it_once() {
    let mut world = World::new().await;
    let (waits, offered) = (world.post(1).await, world.post(2).await);
    world.ben_says(&offered, FavorResponse::AnotherTime).await;
    let twice = [FavorStatus::Pending, FavorStatus::Declined, FavorStatus::Pending];
    assert_eq!(received(&world.server, &world.ben, &twice).await, [waits.clone(), offered.clone()]);
    assert_eq!(received(&world.server, &world.ben, &[]).await, [waits.clone(), offered]);
    assert_eq!(received(&world.server, &world.ben, &[FavorStatus::Open]).await, Vec::<String>::new());
    let home = GetDashboardRequest::default();
    let home = world.server.profile(&world.ben).get_dashboard(home).await.unwrap().into_inner();
    assert_eq!(home.awaiting_my_answer.iter().map(|f| f.id.clone()).collect::<Vec<_>>(), [waits], "the other waits for ana");
}

#[tokio::test]
async fn a_favor_stands_in_no_list_of_who_does_not_know_of_it() {
    let mut world = World::new().await;
    let (ana, ben) = (world.ana.clone(), world.ben.clone());
    let all = RECEIVED;
    let draft = world.server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) }).await.id;
    agree(&world.server).await;
    world.cancel(&draft).await;
    let posted = world.post(1).await;
    let without = UpdateFavorRequest {
        id: posted.clone(),
        recipients: vec![world.eve.uid.clone()],
        update_mask: Some(FieldMask { paths: vec!["recipients".into()] }),
        ..Default::default()
    };
    update(&world.server, &ana, without).await.unwrap();
    assert_eq!(received(&world.server, &ben, &all).await, Vec::<String>::new());
    assert_eq!(received(&world.server, &world.eve, &all).await, std::slice::from_ref(&posted));
    world.server.favors(&ana).delete_favor(DeleteFavorRequest { id: posted }).await.unwrap();
    assert_eq!(received(&world.server, &world.eve, &all).await, Vec::<String>::new());
    let answered = world.post(2).await;
    world.ben_says(&answered, FavorResponse::AnotherTime).await;
    let waits = world.post(3).await;
    agree(&world.server).await;
    let block = BlockMemberRequest { member_id: ben.uid.clone(), ..Default::default() };
    world.server.friends(&ana).block_member(block).await.unwrap();
    assert_eq!(received(&world.server, &ben, &all).await, Vec::<String>::new(), "whatever he had answered");
    assert_eq!(received(&world.server, &world.eve, &all).await.last(), Some(&waits));
    agree(&world.server).await;
}
