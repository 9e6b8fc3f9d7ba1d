//! Those who accept after the helper, who steps back, and who moves up; asking one more; a tip that did not arrive.

use super::{received, three};
use crate::{
    asking::{asking, fields, refused},
    harness::{Member, TestServer},
};
use goodturn::pb::{
    favors::{
        AskMemberRequest, CompleteFavorRequest, CreateFavorRequest, FavorAction, FavorEventKind, FavorResponse, FavorStatus,
        ReportMissingTipRequest, SettleFavorRequest,
    },
    identity::DeleteUserRequest,
    notifications::{MarkAllNotificationsReadRequest, NotificationType as Told, Target, TargetKind, WatchNotificationsRequest},
};

fn for_two(recipients: &[&Member]) -> CreateFavorRequest {
    CreateFavorRequest { max_responses: 2, ..asking(recipients) }
}

#[tokio::test]
async fn later_acceptances_are_back_ups_who_move_up_in_their_order() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let cleo = server.member("Cleo", "Marsh").await;
    server.befriend(&ana, &cleo).await;
    let id = server.favor(&ana, for_two(&[&cleo, &eve, &ben])).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    let asked = server.seen(&eve, &id).await;
    assert_eq!((asked.status(), asked.responses, asked.max_responses), (FavorStatus::Pending, 1, 2), "she may still help");
    assert_eq!(asked.allowed_actions().collect::<Vec<_>>(), [FavorAction::Accept, FavorAction::Decline]);
    assert_eq!(received(&server, &eve, &[]).await, std::slice::from_ref(&id));
    for _ in 0..2 {
        let second = server.answer(&eve, &id, FavorResponse::Accept, "If need be").await.unwrap();
        assert_eq!((second.status(), second.helper.clone(), second.back_ups.len()), (FavorStatus::Accepted, None, 1));
        assert_eq!(second.allowed_actions().collect::<Vec<_>>(), [FavorAction::Withdraw]);
    }
    assert_eq!(server.news(&ana).await[0].message, "Eve Stone will help you with “Walk the dog” if your helper can't. “If need be”");
    assert_eq!(server.news(&cleo).await[0].title, "Someone else is helping");
    assert_eq!(server.answer(&cleo, &id, FavorResponse::Accept, "").await.unwrap_err().message, "this favor is accepted");
    assert_eq!(received(&server, &cleo, &[]).await, Vec::<String>::new());
    let own = server.seen(&ana, &id).await;
    assert_eq!((own.responses, own.helper.unwrap().uid, own.back_ups[0].uid.clone()), (2, ben.uid.clone(), eve.uid.clone()));
    assert_eq!(own.recipients, [ben.uid.clone(), cleo.uid.clone(), eve.uid.clone()], "the helper stands first");

    let told = server.told(&ana).await.len();
    for _ in 0..2 {
        let gone = server.withdraw(&ben, &id, "I am ill").await.unwrap();
        assert_eq!((gone.status(), gone.responses), (FavorStatus::Declined, 1));
    }
    assert_eq!(server.told(&ana).await.len(), told, "one for one event, in the place of his unread answer");
    let stepped_back = "Ben Okafor can't help you with “Walk the dog” anymore. Your backup will help instead. “I am ill”";
    assert_eq!(server.news(&ana).await[0].message, stepped_back);
    assert_eq!(server.news(&eve).await[0].title, "You're the helper now");
    let own = server.seen(&ana, &id).await;
    assert_eq!((own.helper.unwrap().uid, own.back_ups.len(), own.recipients[0].clone()), (eve.uid.clone(), 0, eve.uid.clone()));
    // There is room for a back-up again.
    server.answer(&cleo, &id, FavorResponse::Accept, "").await.unwrap();
    server.withdraw(&cleo, &id, "").await.unwrap();
    assert_eq!(server.news(&ana).await[0].message, "Cleo Marsh is no longer a backup for “Walk the dog”.");
    use FavorEventKind::{Accepted, MovedUp, Posted, Withdrawn};
    assert_eq!(server.steps(&ana, &id).await, [Posted, Accepted, Accepted, Withdrawn, MovedUp, Accepted, Withdrawn]);
    assert_eq!(server.steps(&eve, &id).await, [Posted, Accepted, MovedUp]);
    server.favors(&eve).complete_favor(CompleteFavorRequest { id, ..Default::default() }).await.unwrap();
}

#[tokio::test]
async fn where_nobody_is_left_it_is_active_again_and_those_who_said_nothing_are_asked_again() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    assert_eq!(server.withdraw(&ben, &id, "").await.unwrap_err().reason, "WRONG_PARTY");
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.withdraw(&eve, &id, "").await.unwrap_err().reason, "WRONG_PARTY");
    assert_eq!(server.withdraw(&ana, &id, "").await.unwrap_err().reason, "WRONG_PARTY");
    assert_eq!(received(&server, &eve, &[]).await, Vec::<String>::new());
    server.withdraw(&ben, &id, "").await.unwrap();
    let own = server.seen(&ana, &id).await;
    assert_eq!((own.status(), own.responses, own.helper), (FavorStatus::Active, 0, None));
    let news = server.news(&ana).await.remove(0);
    assert_eq!(news.message, "Ben Okafor can't help you with “Walk the dog” anymore. Your favor is open again.");
    assert!(news.action_required);
    assert_eq!((server.told(&eve).await[0], received(&server, &eve, &[]).await), (Told::FavorRequest, vec![id.clone()]));
    // He may change his mind, but not for ever.
    for _ in 0..4 {
        server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
        server.withdraw(&ben, &id, "").await.unwrap();
    }
    let fickle = server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap_err();
    assert_eq!((fickle.reason.as_str(), fickle.message.as_str()), ("LIMIT_REACHED", "you can step back from a favor at most 5 times"));
    assert_eq!(server.propose(&ben, &id, 1).await.unwrap_err().reason, "LIMIT_REACHED", "a promise as well");
    server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap();
    server.favors(&eve).complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(server.withdraw(&eve, &id, "").await.unwrap_err().message, "this favor is completed");
}

/// Nobody who stepped back so often can promise anything; but who has promised already is not held to it.
#[tokio::test]
async fn a_helper_can_always_step_back() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    let often = "UPDATE favor_recipients SET withdrawn = 5 WHERE favor_id = $1::uuid";
    sqlx::query(often).bind(&id).execute(&mut server.database.connect().await).await.unwrap();
    assert_eq!(server.withdraw(&ben, &id, "").await.unwrap().status(), FavorStatus::Declined);
    assert_eq!(server.seen(&ana, &id).await.status(), FavorStatus::Active);
}

#[tokio::test]
async fn once_it_is_done_nobody_is_waited_for_as_a_back_up() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let waits = async || server.news(&eve).await.iter().any(|n| n.action_required);
    for read in [false, true] {
        for completed in [true, false] {
            let id = server.favor(&ana, for_two(&[&ben, &eve])).await.id;
            if read {
                server.notifications(&eve).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
            }
            server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
            assert!(waits().await, "there is room for her");
            if completed {
                server.favors(&ben).complete_favor(CompleteFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
                assert!(!waits().await, "it is completed");
            }
            server.favors(&ana).settle_favor(SettleFavorRequest { id, ..Default::default() }).await.unwrap();
            assert!(!waits().await, "it is settled");
        }
    }
    assert_eq!(server.told(&eve).await.iter().filter(|told| **told == Told::FavorRequest).count(), 2, "those that she read");
}

#[tokio::test]
async fn one_more_friend_is_asked_once_with_some_words() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let stranger = server.member("Max", "Stranger").await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    let ask = |whom: &Member| AskMemberRequest { id: id.clone(), member_id: whom.uid.clone(), message: " Please ".into() };
    let told = server.told(&eve).await.len();
    for _ in 0..2 {
        let asked = server.favors(&ana).ask_member(ask(&eve)).await.unwrap().into_inner().favor.unwrap();
        assert_eq!(asked.recipients, [ben.uid.clone(), eve.uid.clone()]);
    }
    assert_eq!(server.told(&eve).await.len(), told + 1);
    let news = server.news(&eve).await.remove(0);
    assert_eq!((news.message.as_str(), news.action_required), ("Ana Silva asked you for a favor: “Walk the dog”. “Please”", true));
    assert_eq!(server.seen(&eve, &id).await.status(), FavorStatus::Pending);
    assert_eq!(server.steps(&ana, &id).await, [FavorEventKind::Posted, FavorEventKind::Asked]);
    assert_eq!(fields(&refused(server.favors(&ana).ask_member(ask(&stranger)).await)), ["member_id: NOT_A_FRIEND"]);
    assert_eq!(refused(server.favors(&ben).ask_member(ask(&eve)).await).reason, "WRONG_PARTY");
    let draft = server.favor(&ana, CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) }).await.id;
    let of_draft = AskMemberRequest { id: draft, ..ask(&eve) };
    assert_eq!(refused(server.favors(&ana).ask_member(of_draft).await).message, "this favor is draft");
}

#[tokio::test]
async fn the_last_decline_says_that_nobody_is_left() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    server.answer(&ben, &id, FavorResponse::Decline, "").await.unwrap();
    assert_eq!(server.news(&ana).await[0].title, "A friend can't help");
    server.answer(&eve, &id, FavorResponse::Decline, "Sorry").await.unwrap();
    let last = server.news(&ana).await.remove(0);
    assert_eq!(last.title, "Nobody you asked can help");
    assert_eq!(last.message, "Eve Stone can't help you with “Walk the dog”. Ask someone else or cancel the favor. “Sorry”");
}

#[tokio::test]
async fn the_helper_says_once_that_the_tip_did_not_arrive() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    let report = || ReportMissingTipRequest { id: id.clone(), message: "Nothing yet".into() };
    assert_eq!(refused(server.favors(&ben).report_missing_tip(report()).await).message, "this favor is accepted");
    server.favors(&ana).settle_favor(SettleFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(server.seen(&ben, &id).await.allowed_actions().collect::<Vec<_>>(), [FavorAction::ReportMissingTip]);
    let told = server.told(&ana).await.len();
    for _ in 0..2 {
        let reported = server.favors(&ben).report_missing_tip(report()).await.unwrap().into_inner().favor.unwrap();
        assert_eq!((reported.status(), reported.allowed_actions().count()), (FavorStatus::Settled, 0));
    }
    assert_eq!(server.told(&ana).await.len(), told + 1);
    assert_eq!(server.news(&ana).await[0].message, "Ben Okafor didn't get the tip for “Walk the dog”. “Nothing yet”");
    assert_eq!(refused(server.favors(&eve).report_missing_tip(report()).await).reason, "WRONG_PARTY");
    assert_eq!(*server.steps(&ana, &id).await.last().unwrap(), FavorEventKind::TipMissing);
    let free = server.favor(&ana, CreateFavorRequest { tip: 0.0, ..asking(&[&ben]) }).await.id;
    server.answer(&ben, &free, FavorResponse::Accept, "").await.unwrap();
    server.favors(&ana).settle_favor(SettleFavorRequest { id: free.clone(), ..Default::default() }).await.unwrap();
    let none = server.favors(&ben).report_missing_tip(ReportMissingTipRequest { id: free, ..report() }).await;
    assert_eq!(refused(none).message, "this favor has no tip");
}

#[tokio::test]
async fn that_somebody_else_helps_is_taken_back_when_it_is_not_true_any_more() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let (cleo, dan) = (server.member("Cleo", "Marsh").await, server.member("Dan", "Moss").await);
    server.befriend(&ana, &cleo).await;
    server.befriend(&ana, &dan).await;
    let heard_of_another = async |who: &Member| server.news(who).await.iter().any(|n| n.title == "Someone else is helping");
    let id = server.favor(&ana, asking(&[&ben, &eve, &cleo, &dan])).await.id;
    server.notifications(&dan).mark_all_notifications_read(MarkAllNotificationsReadRequest::default()).await.unwrap();
    server.answer(&cleo, &id, FavorResponse::AnotherTime, "At noon?").await.unwrap();
    server.answer(&ben, &id, FavorResponse::Accept, "").await.unwrap();
    for who in [&eve, &cleo, &dan] {
        assert!(heard_of_another(who).await, "{}", who.name);
    }
    server.withdraw(&ben, &id, "").await.unwrap();
    for (who, told) in [(&eve, "Help is needed again"), (&dan, "Help is needed again"), (&cleo, "Help is needed again")] {
        let news = server.news(who).await;
        assert!(!heard_of_another(who).await, "{}", who.name);
        assert_eq!(news[0].title, told, "{}", who.name);
        assert_eq!(usize::try_from(server.unread(who).await).unwrap(), news.iter().filter(|n| !n.read).count(), "{}", who.name);
    }

    // A back-up goes: there is room for one, of which those who were not needed are told nothing but that it changed.
    let id = server.favor(&ana, for_two(&[&ben, &eve, &cleo, &dan])).await.id;
    for who in [&ben, &eve] {
        server.answer(who, &id, FavorResponse::Accept, "").await.unwrap();
    }
    assert!(heard_of_another(&cleo).await);
    let mut live = server.notifications(&cleo).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    server.withdraw(&eve, &id, "").await.unwrap();
    assert!(!heard_of_another(&cleo).await);
    assert!(received(&server, &cleo, &[]).await.contains(&id));
    let is_hint = |changed: Target| changed.kind() == TargetKind::Favor && changed.id == id;
    while !live.message().await.unwrap().unwrap().changed.is_some_and(is_hint) {}
    // Another parts from the creator.
    server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap();
    assert!(heard_of_another(&cleo).await);
    server.remove(&eve, &ana).await.unwrap();
    assert!(!heard_of_another(&cleo).await);
    // And one leaves.
    server.answer(&cleo, &id, FavorResponse::Accept, "").await.unwrap();
    assert!(heard_of_another(&dan).await);
    server.identity(None).delete_user(DeleteUserRequest { access_token: cleo.token.clone() }).await.unwrap();
    assert!(!heard_of_another(&dan).await);
    assert!(received(&server, &dan, &[]).await.contains(&id));
}
