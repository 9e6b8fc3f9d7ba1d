//! Public favors: who sees them, who offers help, and who is chosen.

use super::{lists, received, three, update};
use crate::{
    asking::{asking, asking_all, fields, refused},
    harness::{Member, START, TestServer},
};
use goodturn::pb::{
    favors::{
        AskMemberRequest, CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, FavorAction, FavorEventKind, FavorResponse,
        FavorStatus, GetFavorRequest, PublishFavorRequest, ReportMissingTipRequest, RequestType, SettleFavorRequest, UpdateFavorRequest,
    },
    identity::DeleteUserRequest,
    notifications::{NotificationType as Told, TargetKind},
    timestamp,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use time::Duration;

async fn is_unknown_to(server: &TestServer, who: &Member, id: &str) -> bool {
    let answer = server.favors(who).get_favor(GetFavorRequest { id: id.into() }).await;
    answer.is_err() && refused(answer).reason == "NOT_FOUND"
}

#[tokio::test]
async fn friends_see_a_public_favor_once_it_is_posted_and_strangers_never_do() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let stranger = server.member("Max", "Stranger").await;
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking_all() }).await;
    assert_eq!((draft.request_type(), draft.recipients.len()), (RequestType::Public, 0));
    assert!(draft.allowed_actions().any(|a| a == FavorAction::Publish), "it asks nobody by name");
    assert!(is_unknown_to(&server, &ben, &draft.id).await);
    let posted = PublishFavorRequest { id: draft.id.clone(), ..Default::default() };
    server.favors(&ana).publish_favor(posted).await.unwrap();
    for friend in [&ben, &eve] {
        let seen = server.seen(friend, &draft.id).await;
        assert_eq!((seen.status(), seen.recipients.len(), seen.applicants.len()), (FavorStatus::Open, 0, 0));
        assert_eq!(seen.allowed_actions().collect::<Vec<_>>(), [FavorAction::Apply]);
    }
    assert!(is_unknown_to(&server, &stranger, &draft.id).await);
    assert_eq!(server.apply(&stranger, &draft.id, "").await.unwrap_err().reason, "NOT_FOUND");
    assert_eq!(server.apply(&ana, &draft.id, "").await.unwrap_err().reason, "WRONG_PARTY");
    server.block(&ana, &eve).await.unwrap();
    assert!(is_unknown_to(&server, &eve, &draft.id).await);
    assert_eq!(server.apply(&eve, &draft.id, "").await.unwrap_err().reason, "NOT_FOUND");
    // A posted public favor stays public; a direct one may become it.
    let to = |id: &str, kind: RequestType| UpdateFavorRequest { id: id.into(), request_type: Some(kind.into()), ..Default::default() };
    let narrowed = update(&server, &ana, to(&draft.id, RequestType::Direct)).await.unwrap_err();
    assert_eq!(fields(&narrowed), ["request_type: CONFLICTING"]);
    let direct = server.favor(&ana, asking(&[&ben])).await.id;
    let cleo = server.member("Cleo", "Marsh").await;
    server.befriend(&ana, &cleo).await;
    assert!(is_unknown_to(&server, &cleo, &direct).await);
    assert_eq!(update(&server, &ana, to(&direct, RequestType::Public)).await.unwrap().request_type(), RequestType::Public);
    assert_eq!(server.seen(&cleo, &direct).await.status(), FavorStatus::Open);
    assert_eq!(server.seen(&ben, &direct).await.status(), FavorStatus::Pending, "he was asked");
    assert_eq!(server.apply(&ben, &direct, "").await.unwrap_err().reason, "WRONG_PARTY");
}

#[tokio::test]
async fn the_creator_chooses_among_those_who_offer_help_and_the_others_are_told() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let cleo = server.member("Cleo", "Marsh").await;
    server.befriend(&ana, &cleo).await;
    let id = server.favor(&ana, asking_all()).await.id;
    let told = server.told(&ana).await.len();
    for _ in 0..2 {
        let applied = server.apply(&ben, &id, "I have time").await.unwrap();
        assert_eq!((applied.status(), applied.applicants.len()), (FavorStatus::Open, 1));
        assert_eq!(applied.allowed_actions().collect::<Vec<_>>(), [FavorAction::Withdraw]);
    }
    assert_eq!(server.told(&ana).await.len(), told + 1);
    server.apply(&ben, &id, "I have time, and a leash").await.unwrap();
    server.apply(&eve, &id, "").await.unwrap();
    server.apply(&cleo, &id, "Me too").await.unwrap();
    assert_eq!(received(&server, &eve, &[FavorStatus::Open]).await, std::slice::from_ref(&id));
    for _ in 0..2 {
        assert_eq!(server.withdraw(&cleo, &id, "No, sorry").await.unwrap().applicants.len(), 0);
    }
    let news = server.news(&ana).await;
    assert_eq!(news[0].message, "Cleo Marsh withdrew their offer to help you with “Walk the dog”. “No, sorry”");
    assert_eq!(news[2].message, "Ben Okafor offered to help you with “Walk the dog”. “I have time, and a leash”");
    assert_eq!(news.iter().filter(|n| n.action_required).count(), 2, "of those who offer help still");
    let own = server.seen(&ana, &id).await;
    let offers: Vec<_> = own.applicants.iter().map(|a| (a.person.as_ref().unwrap().uid.as_str(), a.message.as_str())).collect();
    assert_eq!(offers, [(ben.uid.as_str(), "I have time, and a leash"), (eve.uid.as_str(), "")]);
    assert_eq!(server.seen(&eve, &id).await.applicants.len(), 1, "herself alone");
    assert_eq!(server.choose(&ana, &id, &cleo).await.unwrap_err().message, "applicant not found");
    assert_eq!(server.choose(&ben, &id, &ben).await.unwrap_err().reason, "WRONG_PARTY");

    for _ in 0..2 {
        let chosen = server.choose(&ana, &id, &ben).await.unwrap();
        assert_eq!((chosen.status(), chosen.responses, chosen.applicants.len()), (FavorStatus::Accepted, 1, 0));
        assert_eq!((chosen.helper.unwrap().uid, chosen.recipients), (ben.uid.clone(), vec![ben.uid.clone()]));
    }
    assert_eq!(server.choose(&ana, &id, &eve).await.unwrap_err().message, "this favor is accepted");
    assert_eq!(server.news(&ben).await[0].title, "You were chosen to help");
    assert_eq!(server.news(&eve).await[0].title, "Someone else is helping");
    assert_eq!(server.told(&cleo).await, [Told::FriendRequest], "she has done with it");
    assert!(server.news(&ana).await.iter().all(|n| !n.action_required));
    assert_eq!(received(&server, &ben, &[]).await, std::slice::from_ref(&id));
    assert_eq!(server.seen(&cleo, &id).await.allowed_actions().count(), 0);
    // Ben goes: what Eve offered counts again.
    server.withdraw(&ben, &id, "").await.unwrap();
    assert_eq!(server.seen(&ana, &id).await.applicants.len(), 1);
    assert_eq!(server.news(&eve).await[0].title, "Help is needed again");
    server.favors(&ana).cancel_favor(CancelFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(server.told(&eve).await[0], Told::FavorCancelled);
    assert_eq!(server.apply(&cleo, &id, "").await.unwrap_err().message, "this favor is cancelled");
    use FavorEventKind::{Applied, Cancelled, Chosen, Posted, Withdrawn};
    let steps = [Posted, Applied, Applied, Applied, Withdrawn, Chosen, Withdrawn, Cancelled];
    assert_eq!(server.steps(&ana, &id).await, steps);
    assert_eq!(server.steps(&eve, &id).await, [Posted, Applied, Cancelled]);
}

#[tokio::test]
async fn who_is_chosen_is_one_of_a_hundred_at_most() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking_all()).await.id;
    server.apply(&ben, &id, "Me").await.unwrap();
    let mut beside = server.database.connect().await;
    let many = "WITH others AS (
                    INSERT INTO members (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at,
                                         profile_changed_at)
                    SELECT gen_random_uuid(), n || '@x', n || '@x', 'N', 'N', '', 'confirmed', now(), now(), now(), now()
                    FROM generate_series(1, 100) AS n
                    RETURNING id
                )
                INSERT INTO favor_recipients (favor_id, member_id, position, message, asked_at)
                SELECT $1::uuid, id, row_number() OVER (), '', now() FROM others";
    sqlx::query(many).bind(&id).execute(&mut beside).await.unwrap();
    let full = server.choose(&ana, &id, &ben).await.unwrap_err();
    assert_eq!((full.reason.as_str(), full.message.as_str()), ("LIMIT_REACHED", "a favor can ask at most 100 people"));
    let one_less = "DELETE FROM favor_recipients WHERE favor_id = $1::uuid AND position = 1";
    sqlx::query(one_less).bind(&id).execute(&mut beside).await.unwrap();
    assert_eq!(server.choose(&ana, &id, &ben).await.unwrap().recipients.len(), 100);
    lists::agree(&server).await;
}

#[tokio::test]
async fn who_is_asked_need_not_offer_help_and_who_offers_again_and_again_is_refused() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking_all()).await.id;
    server.apply(&ben, &id, "Me").await.unwrap();
    let ask = AskMemberRequest { id: id.clone(), member_id: ben.uid.clone(), message: String::new() };
    let asked = server.favors(&ana).ask_member(ask).await.unwrap().into_inner().favor.unwrap();
    assert_eq!((asked.applicants.len(), asked.recipients), (0, vec![ben.uid.clone()]));
    assert_eq!(server.seen(&ben, &id).await.status(), FavorStatus::Pending);
    for _ in 0..5 {
        server.apply(&eve, &id, "Me").await.unwrap();
        server.withdraw(&eve, &id, "").await.unwrap();
    }
    let fickle = server.apply(&eve, &id, "Me").await.unwrap_err();
    assert_eq!((fickle.reason.as_str(), fickle.message.as_str()), ("LIMIT_REACHED", "you can step back from a favor at most 5 times"));
    assert_eq!(server.seen(&eve, &id).await.allowed_actions().count(), 0);
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.apply(&eve, &id, "").await.unwrap_err().message, "this favor is accepted");
}

#[tokio::test]
async fn offers_and_back_ups_go_with_the_friendship_and_with_the_account() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let cleo = server.member("Cleo", "Marsh").await;
    server.befriend(&ana, &cleo).await;
    let public = server.favor(&ana, asking_all()).await.id;
    let two = server.favor(&ana, CreateFavorRequest { max_responses: 3, ..asking(&[&ben, &eve, &cleo]) }).await.id;
    for who in [&ben, &eve, &cleo] {
        server.apply(who, &public, "Me").await.unwrap();
        server.answer(who, &two, FavorResponse::Accept, "").await.unwrap();
    }
    let applied = export(&server, &eve).await;
    let applied = applied["favors"]["received"].as_array().unwrap().iter().find(|f| f["id"] == json!(public)).unwrap().clone();
    assert_eq!((&applied["message"], &applied["applied"]), (&json!("Me"), &json!(true)));

    server.block(&ana, &eve).await.unwrap();
    let own = server.seen(&ana, &two).await;
    assert_eq!((own.responses, own.back_ups.len(), server.seen(&ana, &public).await.applicants.len()), (2, 1, 2));
    let expected = server.news(&ana).await.iter().filter(|n| n.action_required).count();
    assert_eq!(expected, 2, "nobody waits for eve's offer");
    assert!(is_unknown_to(&server, &eve, &two).await && is_unknown_to(&server, &eve, &public).await);

    // Where another was chosen, those who offered help keep it in their lists.
    let past = server.favor(&ana, asking_all()).await.id;
    for who in [&ben, &cleo] {
        server.apply(who, &past, "Me").await.unwrap();
    }
    let kept = server.favor(&ana, asking_all()).await.id;
    server.apply(&cleo, &kept, "Me").await.unwrap();
    server.apply(&ben, &kept, "Me").await.unwrap();
    server.choose(&ana, &past, &ben).await.unwrap();
    server.choose(&ana, &kept, &cleo).await.unwrap();
    for id in [&past, &kept] {
        server.favors(&ana).complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    }
    assert_eq!((places(&server, &ben, "not_chosen").await, places(&server, &cleo, "not_chosen").await), (1, 1));

    let leave = DeleteUserRequest { access_token: ben.token.clone() };
    server.identity(None).delete_user(leave).await.unwrap();
    assert_eq!((places(&server, &ben, "applied").await, places(&server, &ben, "not_chosen").await), (0, 0));
    let own = server.seen(&ana, &two).await;
    assert_eq!((own.status(), own.responses, own.helper.unwrap().uid), (FavorStatus::Accepted, 1, cleo.uid.clone()));
    assert_eq!(server.seen(&ana, &public).await.applicants.len(), 1);
    assert_eq!(server.news(&cleo).await[0].title, "You're the helper now");
    assert!(
        server
            .news(&ana)
            .await
            .iter()
            .any(|n| n.message == "A former member can't help you with “Walk the dog” anymore. Your backup will help instead.")
    );

    let leave = DeleteUserRequest { access_token: ana.token.clone() };
    server.identity(None).delete_user(leave).await.unwrap();
    assert_eq!(server.told(&cleo).await[..2], [Told::FavorCancelled, Told::FavorCancelled], "who offered help is told too");
    for told in server.news(&cleo).await.iter().filter(|n| n.r#type() == Told::FavorCancelled) {
        let target = told.target.as_ref().unwrap();
        match target.kind() {
            TargetKind::Favor => assert_eq!((&target.id, server.seen(&cleo, &two).await.status()), (&two, FavorStatus::Cancelled)),
            kind => assert_eq!(kind, TargetKind::Notifications, "what was public is seen by friends alone"),
        }
    }
    // Nothing stands in her lists that she cannot open.
    let listed: Vec<String> =
        sqlx::query_scalar("SELECT favor_id::text FROM favor_places WHERE member_id = $1::uuid ORDER BY favor_id LIMIT 100")
            .bind(&cleo.uid)
            .fetch_all(&mut server.database.connect().await)
            .await
            .unwrap();
    assert_eq!(listed.iter().collect::<HashSet<_>>(), HashSet::from([&two, &kept]));
}

#[tokio::test]
async fn who_parts_leaves_what_is_open_however_much_was_offered_before() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let past = "WITH past AS (
                    INSERT INTO favors (id, creator_id, title, description, category, status, start_at, tip_cents, currency, location,
                                        request_type, max_responses, responses, created_at, updated_at, posted_at, cancelled_at,
                                        found_by, located_by)
                    SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid, 'Past', 'Past', 'general', 'cancelled',
                           now(), 0, 'USD', '', 'public', 1, 0, now(), now(), now(), now(), 'past', ''
                    FROM generate_series(1, 2100) AS n
                    RETURNING id
                )
                INSERT INTO favor_applicants (favor_id, member_id, turn, applied_at, message)
                SELECT id, $2::uuid, 1, now(), ''
                FROM past";
    sqlx::query(past).bind(&ana.uid).bind(&ben.uid).execute(&mut server.database.connect().await).await.unwrap();
    let open = server.favor(&ana, asking(&[&ben])).await.id;
    server.remove(&ana, &ben).await.unwrap();
    assert!(is_unknown_to(&server, &ben, &open).await);
    assert!(server.seen(&ana, &open).await.recipients.is_empty());
}

/// How many favors stand in a place of a member's.
async fn places(server: &TestServer, who: &Member, place: &str) -> i64 {
    let sql = "SELECT count(*) FROM favor_places WHERE member_id = $1::uuid AND place = $2";
    sqlx::query_scalar(sql).bind(&who.uid).bind(place).fetch_one(&mut server.database.connect().await).await.unwrap()
}

#[tokio::test]
async fn an_offer_counts_again_before_the_start_and_who_helps_later_reads_of_themselves() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let start = START + Duration::minutes(10);
    let asked = CreateFavorRequest { start_date: Some(timestamp(start)), confirmation_date: Some(timestamp(start)), ..asking_all() };
    let id = server.favor(&ana, CreateFavorRequest { max_responses: 2, ..asked }).await.id;
    for who in [&ben, &eve] {
        server.apply(who, &id, "").await.unwrap();
    }
    server.choose(&ana, &id, &ben).await.unwrap();
    use FavorEventKind::{Accepted, Applied, Asked, Chosen, Posted, Withdrawn};
    assert_eq!(server.steps(&ben, &id).await, [Posted, Applied, Chosen]);
    server.withdraw(&ben, &id, "").await.unwrap();
    assert_eq!(server.steps(&ben, &id).await, [Posted, Applied, Withdrawn]);
    let ask = AskMemberRequest { id: id.clone(), member_id: eve.uid.clone(), message: String::new() };
    server.favors(&ana).ask_member(ask).await.unwrap();
    server.clock.advance(Duration::SECOND);
    server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.steps(&eve, &id).await, [Posted, Applied, Accepted], "not that another was chosen before");
    assert_eq!(server.steps(&ana, &id).await, [Posted, Applied, Applied, Chosen, Withdrawn, Asked, Accepted]);

    let late = server.favor(&ana, CreateFavorRequest { start_date: Some(timestamp(start)), ..asking_all() }).await.id;
    for who in [&ben, &eve] {
        server.apply(who, &late, "").await.unwrap();
    }
    server.choose(&ana, &late, &ben).await.unwrap();
    server.clock.advance(Duration::minutes(11));
    server.withdraw(&ben, &late, "").await.unwrap();
    let again = server.news(&eve).await.iter().filter(|n| n.title == "Help is needed again").count();
    assert_eq!(again, 1, "of the first: the other has begun without her");
}

async fn export(server: &TestServer, who: &Member) -> Value {
    let (status, answer) = server.rest("GET", &format!("/v2/users/{}/export", who.uid), who, None).await;
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(answer["document"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn friends_who_look_on_do_not_see_that_a_tip_is_missing() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, CreateFavorRequest { tip: 20.0, ..asking_all() }).await.id;
    server.apply(&ben, &id, "").await.unwrap();
    server.choose(&ana, &id, &ben).await.unwrap();
    server.favors(&ana).settle_favor(SettleFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    let before = server.seen(&eve, &id).await;
    server.clock.advance(Duration::minutes(10));
    server.favors(&ben).report_missing_tip(ReportMissingTipRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(server.seen(&eve, &id).await, before);
    assert_eq!(server.told(&ana).await[0], Told::FavorSettled);
}
