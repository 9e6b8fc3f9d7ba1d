//! Friends who are removed, and members who are blocked: what ends, what is hidden, and that the other side cannot tell.

use crate::{
    asking::{asking, refused},
    favors::lists,
    harness::{Member, Refused, START, TestServer, locks, until},
};
use goodturn::pb::{
    favors::{
        CompleteFavorRequest, CreateFavorRequest, FavorResponse, FavorStatus, GetFavorRequest, GetFavorStoryRequest, SettleFavorRequest,
    },
    friends::{
        BlockMemberRequest, BlockedMember, CancelFriendRequestRequest, FindFriendRequest, FindFriendResponse, FriendRequest,
        FriendRequestAction, FriendRequestStatus, GetActiveRequest, ListBlockedMembersRequest, ListFriendRequestsRequest,
        RemoveFriendRequest, RespondToFriendRequestRequest, SendFriendRequestRequest, UnblockMemberRequest,
    },
    notifications::{NotificationType as Told, TargetKind, WatchNotificationsRequest},
    profile::GetProfileRequest,
    timestamp,
};
use serde_json::{Value, json};
use std::collections::HashSet;
use time::Duration;
use tonic::Request;

impl TestServer {
    /// Blocks a member.
    pub async fn block(&self, who: &Member, whom: &Member) -> Result<(), Refused> {
        let request = BlockMemberRequest { member_id: whom.uid.clone(), ..Default::default() };
        Ok(self.friends(who).block_member(request).await.map(drop)?)
    }

    /// Takes a block back.
    pub async fn unblock(&self, who: &Member, whom: &Member) -> Result<(), Refused> {
        let request = UnblockMemberRequest { member_id: whom.uid.clone(), ..Default::default() };
        Ok(self.friends(who).unblock_member(request).await.map(drop)?)
    }

    /// Ends a friendship.
    pub async fn remove(&self, who: &Member, whom: &Member) -> Result<(), Refused> {
        let request = RemoveFriendRequest { friend_id: whom.uid.clone(), ..Default::default() };
        Ok(self.friends(who).remove_friend(request).await.map(drop)?)
    }

    async fn blocked(&self, who: &Member) -> Vec<BlockedMember> {
        self.friends(who).list_blocked_members(ListBlockedMembersRequest::default()).await.unwrap().into_inner().blocked
    }

    async fn circle(&self, who: &Member) -> Vec<String> {
        let active = self.friends(who).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
        active.friends.unwrap().list.into_iter().map(|f| f.uid).collect()
    }

    /// Received and sent.
    async fn requests(&self, who: &Member) -> (Vec<FriendRequest>, Vec<FriendRequest>) {
        let lists = self.friends(who).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner();
        (lists.received, lists.sent)
    }

    async fn found(&self, who: &Member, contact: &str) -> FindFriendResponse {
        let request = FindFriendRequest { contact: contact.into(), ..Default::default() };
        self.friends(who).find_friend(request).await.unwrap().into_inner()
    }

    async fn asks(&self, who: &Member, whom: &Member) -> Result<(String, FriendRequestStatus), Refused> {
        let request = SendFriendRequestRequest { receiver_email: whom.email.clone(), message: "Hello".into(), ..Default::default() };
        let sent = self.friends(who).send_friend_request(request).await?.into_inner();
        Ok((sent.friend_request.clone(), sent.status()))
    }

    /// Whether a member may see the profile of another one.
    async fn sees(&self, who: &Member, whom: &Member) -> bool {
        match self.profile(who).get_profile(GetProfileRequest { uid: whom.uid.clone() }).await {
            Ok(_) => true,
            Err(status) => {
                let refused = Refused::from(status);
                assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("NOT_FOUND", "member not found"));
                false
            }
        }
    }

    async fn answers(&self, who: &Member, id: &str, action: FriendRequestAction) -> Result<(), Refused> {
        let request = RespondToFriendRequestRequest { request_id: id.into(), action: action.into(), ..Default::default() };
        Ok(self.friends(who).respond_to_friend_request(request).await.map(drop)?)
    }
}

#[tokio::test]
async fn a_friend_is_removed_once_and_again_is_a_no_op() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let favor = server.favor(&ana, asking(&[&ben])).await;
    let told = server.told(&ana).await;
    for _ in 0..2 {
        server.remove(&ben, &ana).await.unwrap();
    }
    server.remove(&ana, &ben).await.unwrap();
    assert!(server.circle(&ana).await.is_empty() && server.circle(&ben).await.is_empty());
    assert!(server.seen(&ana, &favor.id).await.recipients.is_empty(), "who parts is not asked any more");
    assert_eq!(server.told(&ana).await, told, "nobody is told");
    assert_eq!(server.remove(&ana, &eve).await.unwrap_err().reason, "NOT_FOUND", "she never was one");
    assert_eq!(server.remove(&ana, &ana).await.unwrap_err().fields, [("friend_id".to_owned(), "INVALID".to_owned())]);
    // They can be friends again.
    assert_eq!(server.asks(&ana, &ben).await.unwrap().1, FriendRequestStatus::Pending);
    assert_eq!(server.asks(&ben, &ana).await.unwrap().1, FriendRequestStatus::Accepted);
    server.stop().await;
}

#[tokio::test]
async fn a_block_ends_a_friendship_and_hides_each_from_the_other() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let unknown = server.found(&ben, "nobody@example.org").await;
    for _ in 0..2 {
        server.block(&ana, &ben).await.unwrap();
    }
    assert!(server.circle(&ana).await.is_empty() && server.circle(&ben).await.is_empty());
    for (one, other) in [(&ana, &ben), (&ben, &ana)] {
        assert!(!server.sees(one, other).await);
        assert_eq!(server.found(one, &other.email).await, unknown, "as of nobody");
    }
    let list = server.blocked(&ana).await;
    let user = list[0].user.clone().unwrap();
    assert_eq!((list.len(), list[0].since, user.uid, user.display_name), (1, Some(timestamp(START)), ben.uid.clone(), "Ben Okafor".into()));
    assert_eq!(user.email, "");
    assert!(server.blocked(&ben).await.is_empty());
    assert_eq!(server.told(&ben).await, [Told::FriendRequest], "nobody is told");

    // To who is blocked there is nobody to be blocked.
    assert_eq!(server.block(&ben, &ana).await.unwrap_err().reason, "NOT_FOUND");
    for _ in 0..2 {
        server.unblock(&ana, &ben).await.unwrap();
    }
    assert!(server.blocked(&ana).await.is_empty());
    assert!(server.circle(&ana).await.is_empty() && !server.sees(&ana, &ben).await, "nothing is restored");
    assert!(server.found(&ana, &ben.email).await.found);
    assert_eq!(server.asks(&ana, &ben).await.unwrap().1, FriendRequestStatus::Pending);
    assert_eq!(server.asks(&ben, &ana).await.unwrap().1, FriendRequestStatus::Accepted, "and all can begin anew");
    server.stop().await;
}

#[tokio::test]
async fn who_has_nothing_to_do_with_a_member_blocks_nobody() {
    let server = TestServer::start().await;
    let (ana, eve) = (server.ana().await, server.eve().await);
    for refused in [server.block(&eve, &ana).await, server.unblock(&eve, &ana).await] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("NOT_FOUND", "member not found"));
    }
    assert_eq!(server.block(&ana, &ana).await.unwrap_err().fields, [("member_id".to_owned(), "INVALID".to_owned())]);
    // Who was asked can, and still can when the other one has left.
    server.asks(&eve, &ana).await.unwrap();
    server.block(&ana, &eve).await.unwrap();
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": eve.token})).await.0, 200);
    let left = server.blocked(&ana).await;
    assert_eq!(left[0].user.as_ref().unwrap().display_name, "Former member", "hers, to be taken back");
    server.block(&ana, &eve).await.expect("once more is a no-op");
    server.unblock(&ana, &eve).await.unwrap();
    assert_eq!(server.unblock(&ana, &eve).await.unwrap_err().reason, "NOT_FOUND");
    let left: i64 = sqlx::query_scalar("SELECT (SELECT count(*) FROM blocks) + (SELECT count(*) FROM notification_silences)")
        .fetch_one(&mut server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(left, 0);
    server.stop().await;
}

/// How a member looks to somebody who knows their address, their id, and the request that they sent them.
async fn sight(server: &TestServer, who: &Member, whom: &Member, request: &str) -> Vec<String> {
    let by_uid = SendFriendRequestRequest { receiver_uid: whom.uid.clone(), ..Default::default() };
    let by_uid = server.friends(who).send_friend_request(by_uid).await.map(drop).map_err(Refused::from);
    let cancel = CancelFriendRequestRequest { request_id: request.to_owned(), ..Default::default() };
    let cancelled = server.friends(who).cancel_friend_request(cancel).await.map(drop).map_err(Refused::from);
    let (asks, found) = (server.asks(who, whom).await.map(drop), server.found(who, &whom.email).await);
    let (lists, sees) = (server.requests(who).await, server.sees(who, whom).await);
    vec![format!("{found:?}"), format!("{asks:?}"), format!("{by_uid:?}"), format!("{cancelled:?}"), format!("{lists:?} {sees}")]
}

/// Whatever they had to do with each other before, and whoever blocks whom.
#[tokio::test]
async fn to_each_other_the_two_of_a_block_are_as_if_they_had_left() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let nobody = Member { uid: uuid::Uuid::from_u128(404).to_string(), email: "nobody@example.org".into(), ..server.eve().await };
    let unknown = sight(&server, &ana, &nobody, &nobody.uid).await;
    for (n, begun) in ["asked", "declined", "friends", "crossed"].into_iter().enumerate() {
        let (hides, leaves) = (server.member(&format!("Hides{n}"), "Test").await, server.member(&format!("Leaves{n}"), "Test").await);
        let mut requests = Vec::new();
        for other in [&hides, &leaves] {
            let (from, to) = if begun == "crossed" { (other, &ana) } else { (&ana, other) };
            let (request, _) = server.asks(from, to).await.unwrap();
            match begun {
                "declined" => server.answers(other, &request, FriendRequestAction::Decline).await.unwrap(),
                "friends" => server.answers(other, &request, FriendRequestAction::Accept).await.unwrap(),
                _ => {}
            }
            requests.push(request);
        }
        server.block(&hides, &ana).await.unwrap();
        assert_eq!(server.target("DeleteUser", json!({"AccessToken": leaves.token})).await.0, 200);
        let (hidden, left) = (sight(&server, &ana, &hides, &requests[0]).await, sight(&server, &ana, &leaves, &requests[1]).await);
        assert_eq!((&hidden, &left), (&unknown, &unknown), "{begun}");
        assert!(server.requests(&hides).await.0.is_empty(), "who blocks has nothing to answer");
        assert!(server.news(&hides).await.iter().all(|n| !n.action_required));
        let mut back = sight(&server, &hides, &ana, &requests[0]).await;
        back.truncate(4);
        assert_eq!(back, unknown[..4], "{begun}: neither finds the other");
        // With the block all of it is over, but for a silence that began before.
        server.unblock(&hides, &ana).await.unwrap();
        assert!(server.found(&ana, &hides.email).await.found);
        server.asks(&ana, &hides).await.unwrap();
        assert_eq!(server.requests(&hides).await.0.len(), usize::from(begun != "declined"), "{begun}");
        let request_id = server.requests(&ana).await.1[0].friend_request.clone();
        let cancel = CancelFriendRequestRequest { request_id, ..Default::default() };
        server.friends(&ana).cancel_friend_request(cancel).await.unwrap();
    }
    server.stop().await;
}

#[tokio::test]
async fn what_the_one_who_blocks_asked_is_taken_back() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (id, _) = server.asks(&ana, &ben).await.unwrap();
    let mut live = server.notifications(&ben).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();
    server.block(&ana, &ben).await.unwrap();
    assert_eq!((server.requests(&ana).await, server.requests(&ben).await), ((vec![], vec![]), (vec![], vec![])));
    assert!(server.told(&ben).await.is_empty(), "he had not read of it");
    let mut hinted = HashSet::new();
    while !hinted.contains(&(TargetKind::FriendRequest, String::new())) {
        hinted.extend(live.message().await.unwrap().unwrap().changed.map(|changed| (changed.kind(), changed.id)));
    }
    assert_eq!(server.answers(&ben, &id, FriendRequestAction::Accept).await.unwrap_err().reason, "NOT_FOUND");
    // While she hides from him, neither asks the other.
    for (one, other) in [(&ana, &ben), (&ben, &ana)] {
        assert_eq!(server.asks(one, other).await.unwrap_err().reason, "NOT_FOUND");
    }
    assert!(server.requests(&ana).await.0.is_empty() && server.requests(&ben).await.0.is_empty());
    assert!(server.told(&ana).await.is_empty() && server.told(&ben).await.is_empty());
    server.stop().await;
}

/// Time must not tell either: the statements of a refused request are as many, whether it is to nobody or to one who hides.
#[tokio::test]
async fn a_request_to_one_who_hides_takes_the_statements_of_one_to_nobody() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ben, &ana).await;
    server.block(&ben, &ana).await.unwrap();
    let counts = || locks::statements_on("idempotency_keys");
    // Once an hour.
    until("the keys were swept", async || counts().len() == 1).await;
    for (n, email) in ["nobody@example.org", &ben.email].into_iter().enumerate() {
        let mut request = Request::new(SendFriendRequestRequest { receiver_email: email.into(), ..Default::default() });
        // It is by the key that its transaction is known.
        request.metadata_mut().insert("idempotency-key", n.to_string().parse().unwrap());
        assert_eq!(refused(server.friends(&ana).send_friend_request(request).await).reason, "NOT_FOUND");
        until("the transaction is seen", async || counts().len() == n + 2).await;
    }
    let counts = counts();
    assert_eq!(counts[1], counts[2], "{counts:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_favor_that_somebody_helps_with_goes_on() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for (one, other) in [(&ana, &ben), (&ana, &eve)] {
        server.befriend(one, other).await;
    }
    let waiting = server.favor(&ana, asking(&[&ben, &eve])).await;
    let of_ben = server.favor(&ben, asking(&[&ana])).await;
    let helped = server.favor(&ana, asking(&[&ben])).await;
    let handle = json!({"data": {"paymentinfo": {"Venmo Username": "ben-pays"}}});
    assert_eq!(server.rest("PATCH", &format!("/api/users/{}", ben.uid), &ben, handle).await.0, 200);
    server.answer(&ben, &helped.id, FavorResponse::Accept, "").await.unwrap();
    server.block(&ana, &ben).await.unwrap();
    assert_eq!(server.seen(&ana, &waiting.id).await.recipients, [eve.uid.as_str()]);
    assert!(server.seen(&ben, &of_ben.id).await.recipients.is_empty());
    let gone = refused(server.favors(&ben).get_favor(GetFavorRequest { id: waiting.id.clone() }).await);
    assert_eq!(gone.reason, "NOT_FOUND");
    let going_on = server.seen(&ben, &helped.id).await;
    let requester = going_on.requester.clone().unwrap();
    assert_eq!((going_on.status(), going_on.helper.unwrap().uid), (FavorStatus::Accepted, ben.uid.clone()));
    // Whoever is blocked, the favor tells neither where the other reads mail by now.
    let helper = server.seen(&ana, &helped.id).await.helper.unwrap();
    assert_eq!(
        (helper.uid, helper.email, requester.name, requester.email),
        (ben.uid.clone(), String::new(), "Ana Silva".into(), String::new())
    );
    for (viewer, emails) in [(&ana, [""]), (&ben, [ben.email.as_str()])] {
        let story = server.favors(viewer).get_favor_story(GetFavorStoryRequest { id: helped.id.clone() }).await.unwrap().into_inner();
        let told: Vec<_> = story.recipients.into_iter().map(|r| r.person.unwrap().email).collect();
        assert_eq!(told, emails, "in the story as {} reads it", viewer.name);
    }
    // The favor shows who helps; of the profile there is what pays him, as long as that is not settled.
    let owed = server.rest("GET", &format!("/v2/users/{}", ben.uid), &ana, None).await.1;
    let (kept, handles) = (&owed["identities"], &owed["data"]["paymentinfo"]);
    assert_eq!((kept, &handles["Venmo Username"], &owed["relation"]), (&json!([]), &json!("ben-pays"), &json!("none")), "{owed}");
    assert!(!server.sees(&ben, &ana).await, "who helps owes nothing");

    // What he does causes her no notification, but is done; what she does he is told, as ever.
    let before = server.told(&ana).await;
    let complete = CompleteFavorRequest { id: helped.id.clone(), ..Default::default() };
    server.favors(&ben).complete_favor(complete).await.unwrap();
    assert_eq!(server.seen(&ana, &helped.id).await.status(), FavorStatus::Completed);
    assert!(server.sees(&ana, &ben).await, "now is when he is paid");
    assert_eq!(server.told(&ana).await, before);
    let (status, _) = server.rest("POST", &format!("/favor/{}/favor-update", helped.id), &ana, json!({"status": "settled"})).await;
    assert_eq!((status, server.told(&ben).await[0]), (200, Told::FavorSettled));
    assert!(!server.sees(&ana, &ben).await, "nothing is left between them");
    let told = server.news(&ben).await;
    assert!(told[0].message.starts_with("A former member "), "{told:?}");
    assert!(told.iter().all(|n| !n.message.contains("Ana")), "{told:?}");
    server.stop().await;
}

/// Of what is over. While one helps the other, they need each other's words.
#[tokio::test]
async fn a_story_tells_neither_of_a_block_what_the_other_said() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for (n, blocks_helper) in [true, false].into_iter().enumerate() {
        let helper = server.member(&format!("Helper{n}"), "Test").await;
        server.befriend(&ana, &helper).await;
        let over = server.favor(&ana, CreateFavorRequest { max_responses: 2, ..asking(&[&helper, &ben]) }).await.id;
        let declined = server.favor(&ana, asking(&[&helper, &ben])).await.id;
        let going_on = server.favor(&ana, asking(&[&helper])).await.id;
        server.answer(&helper, &over, FavorResponse::Accept, "Words of the helper").await.unwrap();
        server.answer(&ben, &over, FavorResponse::Accept, "Words of Ben").await.unwrap();
        server.answer(&helper, &declined, FavorResponse::Decline, "Words of the helper").await.unwrap();
        server.answer(&helper, &going_on, FavorResponse::Accept, "Words of the helper").await.unwrap();
        server.favors(&helper).complete_favor(CompleteFavorRequest { id: over.clone(), ..Default::default() }).await.unwrap();
        server.favors(&ana).settle_favor(SettleFavorRequest { id: over.clone(), ..Default::default() }).await.unwrap();
        let (who, whom) = if blocks_helper { (&ana, &helper) } else { (&helper, &ana) };
        server.block(who, whom).await.unwrap();
        let story = async |viewer: &Member, id: &String| {
            let request = GetFavorStoryRequest { id: id.clone() };
            format!("{:?}", server.favors(viewer).get_favor_story(request).await.unwrap().into_inner())
        };
        for id in [&over, &declined] {
            let told = story(&ana, id).await;
            assert!(!told.contains("Words of the helper") && !told.contains(&format!("Helper{n}")), "{n}: {told}");
            assert_eq!((told.contains("Words of Ben"), told.contains("Former member")), (id == &over, true), "{n}: all else stays: {told}");
        }
        let own = story(&helper, &over).await;
        assert!(own.contains("Words of the helper") && own.contains("Former member") && !own.contains("Ana"), "{n}: {own}");
        let seen = server.seen(&helper, &over).await;
        assert_eq!((seen.requester.unwrap().name.as_str(), seen.helper.unwrap().uid), ("Former member", helper.uid.clone()), "{n}");
        assert_eq!(server.seen(&ana, &over).await.helper.unwrap().display_name, "Former member", "{n}");
        assert!(story(&ana, &going_on).await.contains("Words of the helper"), "{n}: what goes on");
        server.unblock(who, whom).await.unwrap();
        assert!(story(&ana, &over).await.contains("Words of the helper"), "{n}: nothing is lost by it");
    }
    server.stop().await;
}

/// Who answered may change their mind: with a creator who blocked them, or whom they blocked, they may not.
#[tokio::test]
async fn whoever_answered_a_favor_that_goes_on_has_done_with_it() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for (n, (by_creator, response)) in
        [(true, FavorResponse::Decline), (true, FavorResponse::AnotherTime), (false, FavorResponse::AnotherTime)].into_iter().enumerate()
    {
        let other = server.member(&format!("Other{n}"), "Test").await;
        server.befriend(&ana, &other).await;
        let open = server.favor(&ana, asking(&[&other])).await.id;
        let taken = server.favor(&ana, CreateFavorRequest { max_responses: 2, ..asking(&[&other, &ben]) }).await.id;
        for id in [&open, &taken] {
            match response {
                FavorResponse::Decline => server.answer(&other, id, response, "Sorry").await.unwrap(),
                _ => server.propose(&other, id, 1).await.unwrap(),
            };
        }
        server.answer(&ben, &taken, FavorResponse::Accept, "").await.unwrap();
        let (who, whom) = if by_creator { (&ana, &other) } else { (&other, &ana) };
        server.block(who, whom).await.unwrap();
        for id in [&open, &taken] {
            let accepts = server.answer(&other, id, FavorResponse::Accept, "").await.unwrap_err();
            assert_eq!(accepts.reason, "NOT_FOUND", "{n}");
            assert!(!server.seen(&ana, id).await.recipients.contains(&other.uid), "{n}");
        }
        let takes = server.accept_time(&ana, &open, &other, 1).await.unwrap_err();
        assert_eq!(takes.message, "recipient not found", "{n}");
        assert!(server.news(&ana).await.iter().all(|n| !n.action_required), "{n}: nothing waits for her");
    }
    lists::agree(&server).await;
}

#[tokio::test]
async fn a_helper_who_parted_and_steps_back_is_out_of_it() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for (one, other) in [(&ana, &ben), (&ana, &eve)] {
        server.befriend(one, other).await;
    }
    let alone = server.favor(&ana, asking(&[&ben])).await.id;
    let two = server.favor(&ana, CreateFavorRequest { max_responses: 2, ..asking(&[&ben, &eve]) }).await.id;
    for (who, id) in [(&ben, &alone), (&ben, &two), (&eve, &two)] {
        server.answer(who, id, FavorResponse::Accept, "").await.unwrap();
    }
    server.block(&ana, &ben).await.unwrap();
    for id in [&alone, &two] {
        assert_eq!(server.withdraw(&ben, id, "").await.unwrap().status(), FavorStatus::Declined);
        assert_eq!(server.withdraw(&ben, id, "").await.unwrap_err().reason, "NOT_FOUND");
        assert_eq!(server.answer(&ben, id, FavorResponse::Accept, "").await.unwrap_err().reason, "NOT_FOUND", "he may not begin anew");
    }
    let own = server.seen(&ana, &alone).await;
    assert_eq!((own.status(), own.recipients), (FavorStatus::Active, vec![]));
    let own = server.seen(&ana, &two).await;
    assert_eq!((own.helper.unwrap().uid, own.recipients), (eve.uid.clone(), vec![eve.uid.clone()]));
    for n in 0..4 {
        let other = server.member(&format!("Other{n}"), "Test").await;
        server.befriend(&ana, &other).await;
        let id = server.favor(&ana, asking(&[&other])).await.id;
        server.answer(&other, &id, FavorResponse::Accept, "").await.unwrap();
        let (stepped_back, blocked) = tokio::join!(server.withdraw(&other, &id, ""), server.block(&ana, &other));
        stepped_back.and(blocked).unwrap();
        assert_eq!(server.answer(&other, &id, FavorResponse::Accept, "").await.unwrap_err().reason, "NOT_FOUND", "whichever came first");
    }
    lists::agree(&server).await;
}

/// What asks the creator for something is about the favor, which is open again: it needs no name of who hides.
#[tokio::test]
async fn who_steps_back_and_hides_is_named_nowhere_whichever_comes_first() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for helper in [&ben, &eve] {
        server.befriend(&ana, helper).await;
        let favor = server.favor(&ana, asking(&[helper])).await.id;
        let goes_on = server.favor(&ana, asking(&[helper])).await.id;
        for id in [&favor, &goes_on] {
            server.answer(helper, id, FavorResponse::Accept, "").await.unwrap();
        }
        server.favors(helper).complete_favor(CompleteFavorRequest { id: goes_on.clone(), ..Default::default() }).await.unwrap();
        if helper.uid == ben.uid {
            server.block(helper, &ana).await.unwrap();
            server.withdraw(helper, &favor, "Secret words").await.unwrap();
        } else {
            server.withdraw(helper, &favor, "Secret words").await.unwrap();
            server.block(helper, &ana).await.unwrap();
        }
        let told = server.news(&ana).await;
        let of = |id: &str| told.iter().find(|n| n.target.as_ref().is_some_and(|t| t.id == id) && n.action_required).unwrap();
        let (open, done) = (of(&favor), of(&goes_on));
        assert!(open.message.starts_with("A former member ") && !open.message.contains("Secret"), "{open:?}");
        assert_eq!(open.actor.as_ref().map_or("", |actor| &actor.uid), "");
        assert!(done.message.starts_with(&helper.name), "what goes on, and waits for her, is of whom it is: {done:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_thousand_can_be_blocked_and_the_list_is_the_callers_own() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let mut beside = server.database.connect().await;
    let many = "WITH others AS (
                    INSERT INTO members (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at,
                                         profile_changed_at)
                    SELECT gen_random_uuid(), n || '@x', n || '@x', 'N', 'N', '', 'confirmed', now(), now(), now(), now()
                    FROM generate_series(1, 1000) AS n
                    RETURNING id
                )
                INSERT INTO blocks (member_id, other_id, since) SELECT $1::uuid, id, now() FROM others";
    sqlx::query(many).bind(&ana.uid).execute(&mut beside).await.unwrap();
    assert_eq!(server.block(&ana, &ben).await.unwrap_err().reason, "LIMIT_REACHED");
    assert_eq!((server.circle(&ana).await.len(), server.blocked(&ana).await.len()), (1, 1000));
    sqlx::query("DELETE FROM blocks WHERE other_id = (SELECT other_id FROM blocks LIMIT 1)").execute(&mut beside).await.unwrap();
    server.clock.advance(Duration::MINUTE);
    server.block(&ana, &ben).await.unwrap();
    let path = format!("/v2/users/{}/blocks", ana.uid);
    let (status, answer) = server.rest("GET", &path, &ana, None).await;
    assert_eq!((status, answer["data"]["blocked"].as_array().unwrap().len()), (200, 1000));
    assert_eq!(server.rest("GET", &path, &ben, None).await.0, 403);
    let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    let all: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    let exported = all["friends"]["blocked"].as_array().unwrap();
    assert!(exported.len() == 1000 && exported.iter().any(|b| b["uid"] == json!(ben.uid)));
    server.stop().await;
}
