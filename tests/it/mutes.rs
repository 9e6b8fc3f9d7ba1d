//! Members who are muted: they cause no notification, and all else goes on.

use crate::{
    asking::asking,
    harness::{Member, Refused, START, TestServer, locks},
};
use goodturn::{
    ids::MemberId,
    notifications::{self, Cause, New, Target},
    pb::{
        favors::FavorResponse,
        friends::{FriendRequestStatus, GetActiveRequest, SendFriendRequestRequest},
        notifications::{
            ListMutedMembersRequest, MuteMemberRequest, MutedMember, NotificationType as Told, TargetKind, UnmuteMemberRequest,
            WatchNotificationsRequest,
        },
        timestamp,
    },
    transact,
};
use serde_json::{Value, json};
use uuid::Uuid;

impl TestServer {
    async fn mute(&self, who: &Member, whom: &Member) -> Result<(), Refused> {
        Ok(self.notifications(who).mute_member(MuteMemberRequest { member_id: whom.uid.clone() }).await.map(drop)?)
    }

    async fn unmute(&self, who: &Member, whom: &Member) -> Result<(), Refused> {
        Ok(self.notifications(who).unmute_member(UnmuteMemberRequest { member_id: whom.uid.clone() }).await.map(drop)?)
    }

    async fn muted(&self, who: &Member) -> Vec<MutedMember> {
        self.notifications(who).list_muted_members(ListMutedMembersRequest::default()).await.unwrap().into_inner().muted
    }
}

#[tokio::test]
async fn who_is_muted_causes_nothing_and_is_heard_again_later() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for friend in [&ben, &eve] {
        server.befriend(&ana, friend).await;
    }
    let (before, unread) = (server.told(&ben).await, server.unread(&ben).await);
    for _ in 0..2 {
        server.mute(&ben, &ana).await.unwrap();
    }
    let favor = server.favor(&ana, asking(&[&ben, &eve])).await;
    assert_eq!(server.told(&ben).await, before);
    assert_eq!(server.told(&eve).await[0], Told::FavorRequest, "others hear of it");
    assert_eq!(server.unread(&ben).await, unread);
    server.answer(&ben, &favor.id, FavorResponse::Decline, "Sorry").await.unwrap();
    assert_eq!(server.told(&ana).await[0], Told::FavorResponse, "muting has one direction");

    let list = server.muted(&ben).await;
    let user = list[0].user.clone().unwrap();
    assert_eq!((list.len(), list[0].since, user.uid, user.email), (1, Some(timestamp(START)), ana.uid.clone(), String::new()));
    assert!(server.muted(&ana).await.is_empty());
    for _ in 0..2 {
        server.unmute(&ben, &ana).await.unwrap();
    }
    assert!(server.muted(&ben).await.is_empty());
    server.favor(&ana, asking(&[&ben])).await;
    assert_eq!(server.told(&ben).await[0], Told::FavorRequest);
    server.stop().await;
}

#[tokio::test]
async fn what_needs_an_answer_is_settled_and_open_clients_see_what_changes() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let asked = server.favor(&ana, asking(&[&ben])).await;
    assert!(server.news(&ben).await[0].action_required);
    server.mute(&ben, &ana).await.unwrap();
    let mut live = server.notifications(&ben).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    live.message().await.unwrap();
    let (status, _) = server.rest("POST", &format!("/favor/{}/favor-update", asked.id), &ana, json!({"status": "cancelled"})).await;
    assert_eq!(status, 200);
    let changed = loop {
        let event = live.message().await.unwrap().unwrap();
        assert!(event.notification.is_none(), "{event:?}");
        if let Some(changed) = event.changed.filter(|changed| changed.kind() == TargetKind::Favor) {
            break changed;
        }
    };
    assert_eq!(changed.id, asked.id);
    assert!(server.news(&ben).await.iter().all(|n| !n.action_required), "nothing waits for him any more");
    server.stop().await;
}

#[tokio::test]
async fn one_mutes_whom_one_has_to_do_with_alone() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for refused in [server.mute(&eve, &ana).await, server.unmute(&eve, &ana).await] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("NOT_FOUND", "member not found"));
    }
    assert_eq!(server.mute(&ana, &ana).await.unwrap_err().fields, [("member_id".to_owned(), "INVALID".to_owned())]);
    // Who asks is muted without an answer; muted or not, they can become a friend.
    let ask = |whom: &Member| SendFriendRequestRequest { receiver_uid: whom.uid.clone(), ..Default::default() };
    server.friends(&eve).send_friend_request(ask(&ana)).await.unwrap();
    server.mute(&ana, &eve).await.unwrap();
    let answer = server.friends(&ana).send_friend_request(ask(&eve)).await.unwrap().into_inner();
    assert_eq!(answer.status(), FriendRequestStatus::Accepted);
    // Blocking and muting are two things: the end of one leaves the other.
    server.befriend(&ana, &ben).await;
    server.mute(&ben, &ana).await.unwrap();
    server.block(&ben, &ana).await.unwrap();
    server.unblock(&ben, &ana).await.unwrap();
    assert_eq!(server.muted(&ben).await.len(), 1);
    server.befriend(&ana, &ben).await;
    let told = server.told(&ben).await;
    server.favor(&ana, asking(&[&ben])).await;
    assert_eq!(server.told(&ben).await, told, "muted still");
    let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", ben.uid), &ben, None).await;
    let all: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    assert_eq!(all["friends"]["muted"][0]["uid"], json!(ana.uid));
    // What was said of a member who leaves is without a name, and is taken back.
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    assert_eq!(server.muted(&ben).await[0].user.as_ref().unwrap().display_name, "Former member");
    server.mute(&ben, &ana).await.expect("once more is a no-op");
    server.unmute(&ben, &ana).await.unwrap();
    assert_eq!(server.unmute(&ben, &ana).await.unwrap_err().reason, "NOT_FOUND");
    let active = server.friends(&ben).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
    assert!(active.friends.unwrap().list.is_empty());
    server.stop().await;
}

/// Who is muted is found in a statement that is there anyway.
#[tokio::test]
async fn silences_cost_no_statement_and_are_told_apart() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let ids = [&ana, &ben, &eve].map(|m| MemberId(m.uid.parse().unwrap()));
    let [_, to_ben, to_eve] = ids;
    let deps = &server.node.deps;
    let new = |member: MemberId, actor: Option<usize>| New {
        member,
        kind: Told::System,
        title: "News".into(),
        message: "Look.".into(),
        actor: actor.map(|n| ids[n]),
        target: Target(TargetKind::Unspecified, Uuid::nil()),
        about: Uuid::from_u128(actor.unwrap_or(9) as u128),
        about_unread: None,
        action_required: false,
    };
    let news = [new(to_ben, Some(0)), new(to_ben, Some(2)), new(to_ben, None), new(to_eve, Some(0)), new(to_eve, Some(1))];
    let mut counts = Vec::new();
    for causes in [&[][..], &[Cause::Muted], &[Cause::Blocked]] {
        for cause in causes {
            let done: goodturn::error::Result<()> =
                transact!(deps.pool, |tx| notifications::silence(tx, to_ben, ids[0], *cause, START).await);
            done.unwrap();
        }
        let before = (server.unread(&ben).await, server.unread(&eve).await);
        let done: goodturn::error::Result<()> = transact!(deps.pool, |tx| notifications::push(tx, deps, &news).await);
        done.unwrap();
        counts.push(*locks::statements_on("notification_counters").last().unwrap());
        let told = (server.unread(&ben).await - before.0, server.unread(&eve).await - before.1);
        // What has an actor takes the place of the unread one.
        assert_eq!(told, if causes.is_empty() { (3, 2) } else { (1, 0) }, "{causes:?}");
    }
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    server.stop().await;
}
