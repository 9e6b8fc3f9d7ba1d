//! Invitations that a member sent: listed, and taken back.

use super::ZOE;
use crate::harness::{Member, TestServer};
use goodturn::pb::friends::{CancelInvitationRequest, ListInvitationsRequest, SendFriendRequestRequest};
use time::Duration;

#[tokio::test]
async fn sent_invitations_are_listed_for_their_inviter_and_can_be_taken_back() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.invites(&ana, ZOE, "Join us!").await.unwrap();
    server.clock.advance(Duration::SECOND);
    server.invites(&ana, &ben.email, "").await.unwrap();
    let listed = async |who: &Member| {
        let list = server.friends(who).list_invitations(ListInvitationsRequest::default()).await.unwrap().into_inner().invitations;
        list.into_iter().map(|invitation| (invitation.email, invitation.message, invitation.id)).collect::<Vec<_>>()
    };
    let sent = listed(&ana).await;
    let told: Vec<_> = sent.iter().map(|(email, message, _)| (email.as_str(), message.as_str())).collect();
    assert_eq!(told, [(ben.email.as_str(), ""), (ZOE, "Join us!")], "the last one first, and a member's address like any other");
    assert_eq!(listed(&ben).await, []);
    let links = server.links(ZOE).await;
    let take_back = async |who: &Member, id: &str| {
        let request = CancelInvitationRequest { invitation_id: id.into(), ..Default::default() };
        server.friends(who).cancel_invitation(request).await.unwrap();
    };
    let id = &sent[1].2;
    take_back(&ben, id).await;
    assert!(server.looked_at(&links.join).await.unwrap().counts, "it is not his");
    for _ in 0..2 {
        take_back(&ana, id).await;
    }
    assert!(!server.looked_at(&links.join).await.unwrap().counts);
    assert_eq!(listed(&ana).await.len(), 1);
    assert!(!server.signs_up(ZOE, Some(&links.join)).await.unwrap().user_confirmed, "the link proves nothing any more");
    assert_eq!(server.invites(&ana, ZOE, "").await.unwrap_err().reason, "ALREADY_INVITED", "within a week");
    let asks = SendFriendRequestRequest { receiver_uid: ana.uid.clone(), ..Default::default() };
    server.friends(&ben).send_friend_request(asks).await.unwrap();
    assert_eq!(listed(&ana).await, [], "a friend is invited no more");
    server.stop().await;
}

#[tokio::test]
async fn an_invitation_that_is_taken_back_while_somebody_joins_by_it_is_used_or_gone() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let id = server.invites(&ana, ZOE, "").await.unwrap().invitation;
    let links = server.links(ZOE).await;
    let request = CancelInvitationRequest { invitation_id: id, ..Default::default() };
    let mut friends = server.friends(&ana);
    let (taken_back, joined) = tokio::join!(friends.cancel_invitation(request), server.signs_up(ZOE, Some(&links.join)));
    taken_back.unwrap();
    let joined = joined.unwrap();
    let requests = server.lists(&ana).await.1.len();
    assert!(requests <= usize::from(joined.user_confirmed), "nobody is asked but whoever joined by it");
    server.stop().await;
}
