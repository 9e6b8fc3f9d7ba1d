//! Favors: the whole life of one, who may do what, and what each side sees.

mod answers;
mod back_ups;
mod floods;
mod groups;
mod input;
pub mod lists;
mod proposals;
mod public;
mod seen;
mod shared;
mod timers;
mod versions;
mod walks;

use crate::{
    asking::{asking, drafting, fields, refused},
    harness::{Member, Refused, START, TestServer, locks, until},
};
use goodturn::pb::{
    common::Currency,
    favors::{
        CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, DeleteFavorRequest, Favor, FavorAction, FavorEventKind, FavorOrder,
        FavorResponse, FavorStatus, GetFavorRequest, GetFavorStoryRequest, ListActiveFavorsRequest, ListCancelledFavorsRequest,
        ListCompletedFavorsRequest, ListReceivedFavorsRequest, PublishFavorRequest, SettleFavorRequest, UpdateFavorRequest,
    },
    notifications::{ListNotificationsRequest, NotificationType as Told, TargetKind},
    profile::GetStatsRequest,
    timestamp,
};
use prost_types::FieldMask;
use std::collections::HashSet;
use time::Duration;
use tonic::Request;

async fn three(server: &TestServer) -> (Member, Member, Member) {
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &eve).await;
    (ana, ben, eve)
}

async fn update(server: &TestServer, who: &Member, request: UpdateFavorRequest) -> Result<Favor, Refused> {
    match server.favors(who).update_favor(request).await {
        Ok(answer) => Ok(answer.into_inner().favor.unwrap()),
        Err(status) => Err(status.into()),
    }
}

fn status(id: &str, status: FavorStatus) -> UpdateFavorRequest {
    UpdateFavorRequest { id: id.into(), status: Some(status.into()), ..Default::default() }
}

fn masked(request: UpdateFavorRequest, fields: &[&str]) -> UpdateFavorRequest {
    UpdateFavorRequest { update_mask: Some(FieldMask { paths: fields.iter().map(|f| (*f).to_owned()).collect() }), ..request }
}

async fn received(server: &TestServer, who: &Member, statuses: &[FavorStatus]) -> Vec<String> {
    let request = ListReceivedFavorsRequest { status: statuses.iter().map(|s| (*s).into()).collect(), ..Default::default() };
    let list = server.favors(who).list_received_favors(request).await.unwrap().into_inner();
    list.favors.into_iter().map(|f| f.id).collect()
}

#[tokio::test]
async fn a_favor_is_drafted_posted_accepted_completed_and_settled() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let told_before = (server.told(&ana).await.len(), server.told(&ben).await.len());
    let ready = CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&eve, &ben]) };
    let draft = server.favor(&ana, ready).await;
    assert_eq!((draft.status(), draft.title.as_str()), (FavorStatus::Draft, "Walk the dog"));
    assert_eq!(draft.confirmation_date, draft.start_date);
    assert_eq!(server.told(&ben).await.len(), told_before.1, "nobody knows of a draft");
    let id = draft.id;
    for _ in 0..2 {
        let posted = server
            .favors(&ana)
            .publish_favor(PublishFavorRequest { id: id.clone(), ..Default::default() })
            .await
            .unwrap()
            .into_inner()
            .favor
            .unwrap();
        assert_eq!(posted.status(), FavorStatus::Active);
    }
    let pending = server.seen(&ben, &id).await;
    assert_eq!((pending.status(), pending.recipients.clone()), (FavorStatus::Pending, vec![ben.uid.clone()]));
    assert_eq!(pending.requester.as_ref().unwrap().email, ana.email, "they are friends");
    assert_eq!(pending.allowed_actions().collect::<Vec<_>>(), [FavorAction::Accept, FavorAction::Decline, FavorAction::AnotherTime]);

    for _ in 0..2 {
        let accepted = server.answer(&ben, &id, FavorResponse::Accept, "Sure").await.unwrap();
        assert_eq!((accepted.status(), accepted.responses), (FavorStatus::Accepted, 1));
        assert_eq!(accepted.helper.unwrap().uid, ben.uid);
    }
    let own = server.seen(&ana, &id).await;
    assert_eq!(own.recipients, [ben.uid.clone(), eve.uid.clone()], "the helper stands first");
    assert_eq!(own.helper.unwrap().email, ben.email);
    let taken = server.seen(&eve, &id).await;
    assert_eq!((taken.status(), taken.helper.clone(), taken.allowed_actions().count()), (FavorStatus::Accepted, None, 0));

    for _ in 0..2 {
        let done = server
            .favors(&ben)
            .complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() })
            .await
            .unwrap()
            .into_inner()
            .favor
            .unwrap();
        assert_eq!(done.status(), FavorStatus::Completed);
    }
    let settled = update(&server, &ana, status(&id, FavorStatus::Settled)).await.unwrap();
    assert_eq!((settled.status(), settled.allowed_actions().count()), (FavorStatus::Settled, 0));

    assert_eq!(server.told(&ana).await[..2], [Told::FavorCompleted, Told::FavorResponse]);
    assert_eq!(server.told(&ana).await.len(), told_before.0 + 2, "each event once");
    assert_eq!(server.told(&ben).await[..2], [Told::FavorSettled, Told::FavorRequest]);
    assert_eq!(server.told(&eve).await[..2], [Told::FavorResponse, Told::FriendRequest]);
    let news = server.news(&ana).await.remove(1);
    assert_eq!(news.message, "Ben Okafor will help you with “Walk the dog”. “Sure”");
    assert_eq!((news.target.clone().unwrap().kind(), news.target.unwrap().id), (TargetKind::Favor, id.clone()));

    let story = server.favors(&ana).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await.unwrap().into_inner();
    let kinds: Vec<_> = story.events.iter().map(|e| e.kind()).collect();
    use FavorEventKind::{Accepted, Completed, Drafted, Posted, Settled};
    assert_eq!(kinds, [Drafted, Posted, Accepted, Completed, Settled]);
    assert_eq!((story.recipients.len(), story.recipients[0].message.as_str()), (2, "Sure"));
    let story = server.favors(&eve).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await.unwrap().into_inner();
    let kinds: Vec<_> = story.events.iter().map(|e| e.kind()).collect();
    assert_eq!((kinds, story.recipients.len()), (vec![Posted, Completed, Settled], 1));
    assert!(story.events[1].actor.is_none(), "who helped is not eve's to know");

    let stats = server.profile(&ben).get_stats(GetStatsRequest::default()).await.unwrap().into_inner().stats.unwrap();
    assert_eq!((stats.favors_posted, stats.favors_helped, stats.friends), (0, 1, 1));
    assert_eq!((stats.earnings[0].currency(), stats.earnings[0].amount), (Currency::Usd, 12.5));
    let stats = server.profile(&ana).get_stats(GetStatsRequest::default()).await.unwrap().into_inner().stats.unwrap();
    assert_eq!((stats.favors_posted, stats.favors_completed, stats.favors_helped, stats.friends), (1, 1, 0, 2));
    assert_eq!(stats.earnings, []);
}

#[tokio::test]
async fn a_favor_does_not_exist_for_strangers_nor_a_draft_for_its_recipients() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) }).await.id;
    let posted = server.favor(&ana, asking(&[&ben])).await.id;
    for (who, id) in [(&ben, &draft), (&eve, &draft), (&eve, &posted)] {
        let id = id.clone();
        assert_eq!(refused(server.favors(who).get_favor(GetFavorRequest { id: id.clone() }).await).reason, "NOT_FOUND");
        assert_eq!(refused(server.favors(who).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await).reason, "NOT_FOUND");
        assert_eq!(refused(server.favors(who).delete_favor(DeleteFavorRequest { id: id.clone() }).await).reason, "NOT_FOUND");
        assert_eq!(server.answer(who, &id, FavorResponse::Accept, "").await.unwrap_err().reason, "NOT_FOUND");
        assert_eq!(update(&server, who, status(&id, FavorStatus::Draft)).await.unwrap_err().reason, "NOT_FOUND");
    }
    assert_eq!(received(&server, &ben, &[]).await, [posted]);
    assert_eq!(received(&server, &eve, &[]).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_wrong_side_and_the_wrong_moment_are_told_apart() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    assert_eq!(
        refused(server.favors(&ben).cancel_favor(CancelFavorRequest { id: id.clone(), ..Default::default() }).await).reason,
        "WRONG_PARTY"
    );
    assert_eq!(server.answer(&ana, &id, FavorResponse::Accept, "").await.unwrap_err().reason, "WRONG_PARTY");
    let early = refused(server.favors(&ana).complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() }).await);
    assert_eq!((early.reason.as_str(), early.message.as_str()), ("WRONG_STATE", "this favor is active"));
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap_err().reason, "WRONG_STATE");
    assert_eq!(server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap_err().reason, "WRONG_STATE");
    assert_eq!(
        refused(server.favors(&ben).settle_favor(SettleFavorRequest { id: id.clone(), ..Default::default() }).await).reason,
        "WRONG_PARTY"
    );
    assert_eq!(
        refused(server.favors(&eve).complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() }).await).reason,
        "WRONG_PARTY"
    );
    for asked in [FavorStatus::Draft, FavorStatus::Accepted, FavorStatus::Active] {
        assert_eq!(update(&server, &ana, status(&id, asked)).await.unwrap_err().reason, "WRONG_STATE");
    }
    let title = UpdateFavorRequest { id: id.clone(), title: Some("Late".into()), ..Default::default() };
    assert_eq!(update(&server, &ana, title.clone()).await.unwrap_err().reason, "WRONG_STATE");
    let both = UpdateFavorRequest { status: Some(FavorStatus::Settled.into()), ..title };
    assert_eq!(fields(&update(&server, &ana, both).await.unwrap_err()), ["status: CONFLICTING"]);
    assert_eq!(fields(&update(&server, &ana, status(&id, FavorStatus::Pending)).await.unwrap_err()), ["status: UNKNOWN_WORD"]);
    assert_eq!(server.seen(&ana, &id).await.status(), FavorStatus::Accepted);
}

#[tokio::test]
async fn an_edit_changes_what_it_names_and_tells_whom_it_concerns() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let favor = server.favor(&ana, CreateFavorRequest { location: "The park".into(), ..asking(&[&ben]) }).await;
    let request = UpdateFavorRequest {
        id: favor.id.clone(),
        title: Some("Walk the cat".into()),
        recipients: vec![eve.uid.clone()],
        start_date: Some(timestamp(START + Duration::days(3))),
        tip: Some(99.0),
        ..Default::default()
    };
    let request = masked(request, &["title", "recipients", "start_date", "location"]);
    let told = server.told(&ana).await.len();
    let edited = update(&server, &ana, request.clone()).await.unwrap();
    assert_eq!((edited.title.as_str(), edited.location.as_str(), edited.tip), ("Walk the cat", "", 12.5));
    assert_eq!((&edited.recipients[..], edited.confirmation_date), (&[eve.uid.clone()][..], edited.start_date));
    update(&server, &ana, request).await.unwrap();
    assert_eq!(server.told(&eve).await[..1], [Told::FavorRequest]);
    assert_eq!(server.told(&ben).await[..2], [Told::FavorCancelled, Told::FriendRequest], "he had not read that he was asked");
    assert_eq!((server.told(&ana).await.len(), server.told(&eve).await.len()), (told, 2), "the friendship, and the favor once");
    assert_eq!(refused(server.favors(&ben).get_favor(GetFavorRequest { id: favor.id.clone() }).await).reason, "NOT_FOUND");
    let clear = masked(UpdateFavorRequest { id: favor.id.clone(), ..Default::default() }, &["start_date", "recipients"]);
    assert_eq!(fields(&update(&server, &ana, clear).await.unwrap_err()), ["start_date: REQUIRED", "recipients: REQUIRED"]);
    let unknown = masked(UpdateFavorRequest { id: favor.id, ..Default::default() }, &["created_by"]);
    assert_eq!(fields(&update(&server, &ana, unknown).await.unwrap_err()), ["update_mask: UNKNOWN_WORD"]);
}

#[tokio::test]
async fn those_who_were_asked_are_told_of_the_end() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let cancelled = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    server.answer(&ben, &cancelled, FavorResponse::Accept, "").await.unwrap();
    for _ in 0..2 {
        server.favors(&ana).cancel_favor(CancelFavorRequest { id: cancelled.clone(), ..Default::default() }).await.unwrap();
    }
    assert_eq!(server.seen(&ben, &cancelled).await.status(), FavorStatus::Cancelled);
    let deleted = server.favor(&ana, asking(&[&ben])).await.id;
    server.favors(&ana).delete_favor(DeleteFavorRequest { id: deleted.clone() }).await.unwrap();
    assert_eq!(refused(server.favors(&ana).get_favor(GetFavorRequest { id: deleted }).await).reason, "NOT_FOUND");
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) }).await.id;
    server.favors(&ana).delete_favor(DeleteFavorRequest { id: draft }).await.unwrap();
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) }).await.id;
    server.favors(&ana).cancel_favor(CancelFavorRequest { id: draft.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(refused(server.favors(&ben).get_favor(GetFavorRequest { id: draft.clone() }).await).reason, "NOT_FOUND");
    assert_eq!(received(&server, &ben, &[FavorStatus::Cancelled]).await, std::slice::from_ref(&cancelled));
    // The second was called off before Ben had read of it: that he was asked is gone.
    assert_eq!(server.told(&ben).await[..3], [Told::FavorCancelled, Told::FavorCancelled, Told::FavorRequest]);
    assert_eq!(server.told(&eve).await[..3], [Told::FavorCancelled, Told::FavorResponse, Told::FriendRequest]);
    let list = server.favors(&ana).list_cancelled_favors(ListCancelledFavorsRequest::default()).await.unwrap().into_inner();
    assert_eq!(list.favors.iter().map(|f| f.id.clone()).collect::<HashSet<_>>(), HashSet::from([cancelled, draft]));
}

#[tokio::test]
async fn who_posts_and_calls_off_again_and_again_fills_nobody_s_list() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let before = server.told(&ben).await.len();
    for n in 0..12 {
        let id = server.favor(&ana, asking(&[&ben])).await.id;
        if n % 4 == 0 {
            server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap();
        }
        if n % 2 == 0 {
            server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
        } else {
            server.favors(&ana).delete_favor(DeleteFavorRequest { id }).await.unwrap();
        }
    }
    // Of the three that he answered, both; of all others one word.
    assert_eq!(server.told(&ben).await.len() - before, 7);
    let list = server.notifications(&ben).list_notifications(ListNotificationsRequest::default()).await.unwrap().into_inner();
    assert!(list.notifications.iter().all(|n| !n.action_required));
}

#[tokio::test]
async fn two_who_ask_and_accept_and_call_off_fill_nobody_s_list_either() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let before = server.told(&eve).await.len();
    let round = async || {
        let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
        server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
        server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
    };
    for _ in 0..6 {
        round().await;
    }
    assert_eq!(server.told(&eve).await[..2], [Told::FavorCancelled, Told::FavorResponse]);
    assert_eq!(server.told(&eve).await.len() - before, 2, "that the last was taken, and called off");
}

#[tokio::test]
async fn lists_stand_in_their_order_and_pages_join() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let undated = server.favor(&ana, drafting()).await.id;
    let mut by_due = vec![undated];
    for days in [3, 1, 2, 1] {
        server.clock.advance(Duration::SECOND);
        let request = CreateFavorRequest { start_date: Some(timestamp(START + Duration::days(days))), ..asking(&[&ben]) };
        by_due.push(server.favor(&ana, request).await.id);
    }
    let recent: Vec<_> = by_due.iter().rev().cloned().collect();
    by_due[1..].sort_by_key(|id| recent.iter().rev().position(|r| r == id).map(|i| ([0, 3, 1, 2, 1][i], id.clone())));
    for (order, expected) in [(FavorOrder::Unspecified, &by_due), (FavorOrder::Recent, &recent)] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let request = ListActiveFavorsRequest { limit: Some(2), cursor, order: order.into(), ..Default::default() };
            let page = server.favors(&ana).list_active_favors(request).await.unwrap().into_inner();
            assert_eq!(page.has_more, !page.cursor.is_empty());
            seen.extend(page.favors.into_iter().map(|f| f.id));
            cursor = page.cursor;
            if cursor.is_empty() {
                break;
            }
        }
        assert_eq!(&seen, expected);
    }
    assert_eq!(received(&server, &ben, &[]).await, by_due[1..]);
    assert_eq!(received(&server, &ben, &[FavorStatus::Active]).await, Vec::<String>::new());
    let request = ListReceivedFavorsRequest { limit: Some(3), ..Default::default() };
    let page = server.favors(&ben).list_received_favors(request).await.unwrap().into_inner();
    assert_eq!(page.favors.len(), 3);
    let next = ListReceivedFavorsRequest { cursor: page.cursor.clone(), ..Default::default() };
    let rest = server.favors(&ben).list_received_favors(next).await.unwrap().into_inner();
    assert_eq!(rest.favors.into_iter().map(|f| f.id).collect::<Vec<_>>(), by_due[4..]);
    let foreign = ListCompletedFavorsRequest { cursor: page.cursor, ..Default::default() };
    assert_eq!(refused(server.favors(&ben).list_completed_favors(foreign).await).reason, "INVALID_CURSOR");
}

#[tokio::test]
async fn a_create_that_is_sent_again_answers_the_same() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let keyed = |favor: CreateFavorRequest| {
        let mut request = Request::new(favor);
        request.metadata_mut().insert("idempotency-key", "k1".parse().unwrap());
        request
    };
    let first = server.favors(&ana).create_favor(keyed(asking(&[&ben]))).await.unwrap().into_inner();
    let again = server.favors(&ana).create_favor(keyed(asking(&[&ben]))).await.unwrap().into_inner();
    assert_eq!(first, again);
    let other = refused(server.favors(&ana).create_favor(keyed(drafting())).await);
    assert_eq!(other.reason, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(server.told(&ben).await[..2], [Told::FavorRequest, Told::FriendRequest]);
}

#[tokio::test]
async fn a_favor_for_a_hundred_costs_no_more_statements_than_one_for_two() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let mut beside = server.database.connect().await;
    let crowd = "INSERT INTO members
                     (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at, profile_changed_at)
                 SELECT gen_random_uuid(), n || '@example.com', n || '@example.com', 'Friend', 'Friend', '', 'confirmed', t, t, t, t
                 FROM generate_series(1, 98) AS n, (VALUES ('2026-01-01T00:00:00Z'::timestamptz)) AS v (t);
                 INSERT INTO friendships (member_id, friend_id, since)
                 SELECT a.id, f.id, f.created_at FROM members a, members f WHERE a.email = 'ana@example.org' AND f.email LIKE '%@example.com'";
    sqlx::raw_sql(crowd).execute(&mut beside).await.unwrap();
    let mut all = vec![ben.uid.clone(), eve.uid.clone()];
    let crowd = sqlx::query_scalar::<_, String>("SELECT id::text FROM members WHERE email LIKE '%@example.com'");
    all.extend(crowd.fetch_all(&mut beside).await.unwrap());
    let mut counts = Vec::new();
    for recipients in [all[..2].to_vec(), all] {
        let before = locks::statements_on("favors").len();
        let id = server.favor(&ana, CreateFavorRequest { recipients, ..asking(&[]) }).await.id;
        server.answer(&eve, &id, FavorResponse::AnotherTime, "At noon?").await.unwrap();
        server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
        server.favors(&ana).cancel_favor(CancelFavorRequest { id, ..Default::default() }).await.unwrap();
        // A span may close a moment after the answer.
        until("the four transactions are seen", async || locks::statements_on("favors").len() == before + 4).await;
        counts.push(locks::statements_on("favors")[before..].to_vec());
    }
    // One that is the first on its connection asks for the types of its values too.
    assert!(counts[0].iter().zip(&counts[1]).all(|(two, hundred)| two.abs_diff(*hundred) < 5), "{counts:?}");
}
