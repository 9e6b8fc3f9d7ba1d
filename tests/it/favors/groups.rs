//! Groups as recipients: a draft keeps them, and who is in them is asked when it is posted.

use super::{masked, three, update};
use crate::{
    asking::{asking, drafting, fields, refused},
    harness::{Member, Refused, START, TestServer},
};
use goodturn::pb::{
    favors::{CreateFavorRequest, Favor, FavorStatus, GetFavorStoryRequest, PublishFavorRequest, UpdateFavorRequest},
    groups::Group,
    notifications::NotificationType as Told,
    timestamp,
};
use sqlx::Executor;
use time::Duration;

fn ids(groups: &[&Group]) -> Vec<String> {
    groups.iter().map(|g| g.group_id.clone()).collect()
}

/// A draft that lacks nothing to be posted but somebody to ask.
fn ready(groups: &[&Group]) -> CreateFavorRequest {
    CreateFavorRequest { start_date: Some(timestamp(START + Duration::DAY)), group_ids: ids(groups), ..drafting() }
}

async fn publish(server: &TestServer, who: &Member, id: &str) -> Result<Favor, Refused> {
    let request = PublishFavorRequest { id: id.into(), ..Default::default() };
    match server.favors(who).publish_favor(request).await {
        Ok(answer) => Ok(answer.into_inner().favor.unwrap()),
        Err(status) => Err(status.into()),
    }
}

async fn asked(server: &TestServer, who: &Member) -> usize {
    server.told(who).await.iter().filter(|told| **told == Told::FavorRequest).count()
}

#[tokio::test]
async fn a_draft_keeps_its_groups_and_asks_who_is_in_them_when_it_is_posted() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let cleo = server.member("Cleo", "Moreau").await;
    server.befriend(&ana, &cleo).await;
    let (street, club) = (server.group(&ana, "Street", &[&ben]).await, server.group(&ana, "Club", &[&ben, &eve]).await);
    let draft = server.favor(&ana, CreateFavorRequest { recipients: vec![eve.uid.clone()], ..ready(&[&street, &club]) }).await;
    assert_eq!((draft.recipients.as_slice(), &draft.group_ids), ([eve.uid.clone()].as_slice(), &ids(&[&street, &club])));
    assert_eq!(server.seen(&ana, &draft.id).await.group_ids, draft.group_ids);
    // Who is in them counts when it is posted.
    server.regroup(&ana, &street, "Street", &[&ben, &cleo]).await.unwrap();
    for _ in 0..2 {
        let posted = publish(&server, &ana, &draft.id).await.unwrap();
        assert_eq!((posted.status(), posted.group_ids.len()), (FavorStatus::Active, 0));
        assert_eq!(posted.recipients[0], eve.uid, "those who were chosen one by one come first");
        let mut all = posted.recipients;
        all.sort();
        let mut expected = [&ben, &cleo, &eve].map(|m| m.uid.clone());
        expected.sort();
        assert_eq!(all, expected, "each once");
    }
    for who in [&ben, &cleo, &eve] {
        assert_eq!(asked(&server, who).await, 1, "{}", who.name);
        assert_eq!(server.seen(who, &draft.id).await.status(), FavorStatus::Pending);
    }
    // Later changes of the groups are nothing to the favor.
    server.ungroup(&ana, &street).await.unwrap();
    assert_eq!(server.seen(&ana, &draft.id).await.recipients.len(), 3);
    let story = server.favors(&ana).get_favor_story(GetFavorStoryRequest { id: draft.id }).await.unwrap().into_inner();
    assert!(story.recipients.iter().all(|r| r.asked_at.is_some()));
    server.stop().await;
}

#[tokio::test]
async fn a_favor_is_posted_at_once_to_a_group() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let club = server.group(&ana, "Club", &[&ben, &eve]).await;
    let posted = server.favor(&ana, CreateFavorRequest { group_ids: ids(&[&club]), ..asking(&[&ben]) }).await;
    assert_eq!((posted.recipients.as_slice(), posted.group_ids.len()), ([ben.uid.clone(), eve.uid.clone()].as_slice(), 0));
    assert_eq!((asked(&server, &ben).await, asked(&server, &eve).await), (1, 1));
    server.stop().await;
}

#[tokio::test]
async fn who_is_no_friend_any_more_is_not_asked_and_a_group_of_nobody_is_nobody() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let (both, alone) = (server.group(&ana, "Both", &[&ben, &eve]).await, server.group(&ana, "Ben", &[&ben]).await);
    let draft = server.favor(&ana, ready(&[&both])).await.id;
    let lonely = server.favor(&ana, ready(&[&alone])).await.id;
    server.part(&ana, &ben).await;
    assert_eq!(publish(&server, &ana, &draft).await.unwrap().recipients, [eve.uid.as_str()]);
    assert_eq!(asked(&server, &ben).await, 0);
    assert_eq!(fields(&publish(&server, &ana, &lonely).await.unwrap_err()), ["recipients: REQUIRED"]);
    let kept = server.seen(&ana, &lonely).await;
    assert_eq!((kept.status(), kept.group_ids), (FavorStatus::Draft, ids(&[&alone])), "it waits for another choice");
    let at_once = CreateFavorRequest { group_ids: ids(&[&alone]), ..asking(&[]) };
    assert_eq!(fields(&refused(server.favors(&ana).create_favor(at_once).await)), ["recipients: REQUIRED"]);
    server.stop().await;
}

#[tokio::test]
async fn the_groups_of_a_draft_are_edited_and_one_that_is_deleted_goes() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let (street, club) = (server.group(&ana, "Street", &[&ben]).await, server.group(&ana, "Club", &[&eve]).await);
    let draft = server.favor(&ana, ready(&[&street])).await;
    let change = |groups: &[&Group]| UpdateFavorRequest { id: draft.id.clone(), group_ids: ids(groups), ..Default::default() };
    let both = update(&server, &ana, change(&[&club, &street])).await.unwrap();
    assert_eq!(both.group_ids, ids(&[&club, &street]));
    assert_ne!(both.etag, draft.etag);
    assert_eq!(update(&server, &ana, change(&[&street, &club])).await.unwrap(), both, "in another order they are the same");
    let titled = UpdateFavorRequest { id: draft.id.clone(), title: Some("Walk".into()), ..Default::default() };
    assert_eq!(update(&server, &ana, titled).await.unwrap().group_ids, both.group_ids, "what is not named stays");
    server.ungroup(&ana, &club).await.unwrap();
    assert_eq!(server.seen(&ana, &draft.id).await.group_ids, ids(&[&street]));
    let none = update(&server, &ana, masked(change(&[]), &["group_ids"])).await.unwrap();
    assert!(none.group_ids.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn an_active_favor_asks_at_once_who_is_in_a_group_and_was_not_asked() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let club = server.group(&ana, "Club", &[&ben, &eve]).await;
    let favor = server.favor(&ana, asking(&[&ben])).await;
    let change = UpdateFavorRequest { id: favor.id.clone(), group_ids: ids(&[&club]), ..Default::default() };
    for _ in 0..2 {
        let changed = update(&server, &ana, change.clone()).await.unwrap();
        assert_eq!((changed.recipients.as_slice(), changed.group_ids.len()), ([ben.uid.clone(), eve.uid.clone()].as_slice(), 0));
    }
    assert_eq!((asked(&server, &ben).await, asked(&server, &eve).await), (1, 1), "each once");
    server.stop().await;
}

#[tokio::test]
async fn anothers_group_does_not_exist() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    server.befriend(&ben, &eve).await;
    let (hers, his) = (server.group(&ana, "Hers", &[&ben]).await, server.group(&ben, "His", &[&eve]).await);
    for request in [ready(&[&hers, &his]), CreateFavorRequest { group_ids: ids(&[&hers, &his]), ..asking(&[&ben]) }] {
        let foreign = refused(server.favors(&ana).create_favor(request).await);
        assert_eq!((foreign.reason.as_str(), fields(&foreign)), ("NOT_FOUND", vec!["group_ids[1]: INVALID".into()]));
    }
    let active = server.favor(&ana, asking(&[&ben])).await;
    let change = UpdateFavorRequest { id: active.id, group_ids: ids(&[&his]), ..Default::default() };
    assert_eq!(update(&server, &ana, change).await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(asked(&server, &eve).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_hundred_are_asked_with_the_groups_and_no_more() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    // A hundred sign-ups would take longer than the test.
    let mut beside = server.database.connect().await;
    let people = "INSERT INTO members (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at,
                                       profile_changed_at)
                  SELECT gen_random_uuid(), 'n' || n || '@example.org', 'n' || n || '@example.org', 'N' || n || ' Test', 'N' || n, 'Test',
                         'confirmed', now(), now(), now(), now()
                  FROM generate_series(1, 101) AS n";
    beside.execute(people).await.unwrap();
    let befriend = "INSERT INTO friendships (member_id, friend_id, since)
                    SELECT a.id, b.id, a.created_at FROM members a, members b
                    WHERE (a.email = 'ana@example.org') <> (b.email = 'ana@example.org')";
    beside.execute(befriend).await.unwrap();
    let friends: Vec<uuid::Uuid> =
        sqlx::query_scalar("SELECT id FROM members WHERE email <> 'ana@example.org' ORDER BY id").fetch_all(&mut beside).await.unwrap();
    let friends: Vec<Member> = friends.iter().map(|id| Member { uid: id.to_string(), ..Default::default() }).collect();
    let friends: Vec<&Member> = friends.iter().collect();
    let (most, all) = (server.group(&ana, "Most", &friends[..100]).await, server.group(&ana, "All", &friends).await);
    let too_many = refused(server.favors(&ana).create_favor(CreateFavorRequest { group_ids: ids(&[&all]), ..asking(&[]) }).await);
    assert_eq!(fields(&too_many), ["group_ids: TOO_MANY"]);
    let draft = server.favor(&ana, ready(&[&all])).await.id;
    assert_eq!(fields(&publish(&server, &ana, &draft).await.unwrap_err()), ["group_ids: TOO_MANY"]);
    assert_eq!(server.seen(&ana, &draft).await.status(), FavorStatus::Draft);
    let posted = server.favor(&ana, CreateFavorRequest { group_ids: ids(&[&most]), ..asking(&[friends[0]]) }).await;
    assert_eq!(posted.recipients.len(), 100);
    let more = UpdateFavorRequest { id: posted.id, group_ids: ids(&[&all]), ..Default::default() };
    assert_eq!(fields(&update(&server, &ana, more).await.unwrap_err()), ["group_ids: TOO_MANY"]);
    server.stop().await;
}
