//! Friends: requests, answers, searches, and what each side may see.

use crate::{
    asking::refused,
    harness::{Member, START, TestServer, locks, until},
};
use goodturn::{
    budgets::{self, ASKS_OF_MEMBER, Spending, Subject},
    edge::limits::Rate,
    ids::MemberId,
    pb::{
        friends::{
            CancelFriendRequestRequest, ContactType, FindFriendRequest, FindFriendResponse, FriendRequest, FriendRequestAction,
            FriendRequestStatus, GetActiveRequest, ListFriendRequestsRequest, Relation, RemoveFriendRequest, RespondToFriendRequestRequest,
            RespondToFriendRequestResponse, SendFriendRequestRequest, SendFriendRequestResponse,
        },
        notifications::NotificationType,
        timestamp,
    },
    transact,
};
use prost_types::Timestamp;
use sqlx::Executor;
use time::Duration;
use tonic::{Code, Response, Status};

fn to(member: &Member) -> SendFriendRequestRequest {
    SendFriendRequestRequest { receiver_email: member.email.to_uppercase(), message: " It's me ".into(), ..Default::default() }
}

async fn ask(server: &TestServer, who: &Member, whom: &Member) -> SendFriendRequestResponse {
    server.friends(who).send_friend_request(to(whom)).await.unwrap().into_inner()
}

async fn respond(
    server: &TestServer,
    who: &Member,
    id: &str,
    action: FriendRequestAction,
) -> Result<Response<RespondToFriendRequestResponse>, Status> {
    let request = RespondToFriendRequestRequest { request_id: id.into(), action: action.into(), ..Default::default() };
    server.friends(who).respond_to_friend_request(request).await
}

async fn cancel(server: &TestServer, who: &Member, id: &str) -> Result<(), Status> {
    let request = CancelFriendRequestRequest { request_id: id.into(), ..Default::default() };
    server.friends(who).cancel_friend_request(request).await.map(|_| ())
}

/// Received and sent.
async fn lists(server: &TestServer, who: &Member) -> (Vec<FriendRequest>, Vec<FriendRequest>) {
    let lists = server.friends(who).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner();
    (lists.received, lists.sent)
}

async fn find(server: &TestServer, who: &Member, contact: &str) -> FindFriendResponse {
    let request = FindFriendRequest { contact: contact.into(), contact_type: ContactType::Unspecified.into(), ..Default::default() };
    server.friends(who).find_friend(request).await.unwrap().into_inner()
}

/// The names of a member's friends.
async fn circle(server: &TestServer, who: &Member) -> Vec<String> {
    let active = server.friends(who).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
    active.friends.unwrap().list.into_iter().map(|f| f.display_name).collect()
}

#[tokio::test]
async fn a_request_that_is_accepted_makes_friends_once() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let sent = ask(&server, &ana, &ben).await;
    assert_eq!(sent.status(), FriendRequestStatus::Pending);
    let (received, _) = lists(&server, &ben).await;
    assert_eq!((&received[0].friend_request, received[0].friend_request_date), (&sent.friend_request, Some(timestamp(START))));
    let asker = received[0].user.clone().unwrap();
    assert_eq!((asker.display_name, asker.email, received[0].message.as_str()), ("Ana Silva".into(), ana.email.clone(), "It's me"));
    let (_, hers) = lists(&server, &ana).await;
    assert_eq!((&hers[0].friend_request, hers[0].friend_request_date), (&sent.friend_request, Some(timestamp(START))));
    assert_eq!(hers[0].user.clone().unwrap().email, ben.email, "ana wrote to this address");
    for _ in 0..2 {
        let answer = respond(&server, &ben, &sent.friend_request, FriendRequestAction::Accept).await.unwrap().into_inner();
        assert_eq!(answer.status(), FriendRequestStatus::Accepted);
        assert_eq!(answer.friend.unwrap().uid, ana.uid);
    }
    assert_eq!((circle(&server, &ana).await, circle(&server, &ben).await), (vec!["Ben Okafor".into()], vec!["Ana Silva".into()]));
    assert_eq!(lists(&server, &ben).await, (vec![], vec![]));
    assert_eq!(server.told(&ben).await, [NotificationType::FriendRequest]);
    assert_eq!(server.told(&ana).await, [NotificationType::FriendAccepted]);
}

/// What was accepted once is answered again by who missed the answer, and by nobody who is a friend no more.
#[tokio::test]
async fn a_former_friend_learns_nothing_by_the_old_request() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let id = ask(&server, &ana, &ben).await.friend_request;
    for _ in 0..2 {
        let friend = respond(&server, &ben, &id, FriendRequestAction::Accept).await.unwrap().into_inner().friend.unwrap();
        assert_eq!(friend.uid, ana.uid);
    }
    let request = RemoveFriendRequest { friend_id: ben.uid.clone(), ..Default::default() };
    server.friends(&ana).remove_friend(request).await.unwrap();
    let refused = respond(&server, &ben, &id, FriendRequestAction::Accept).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    server.stop().await;
}

#[tokio::test]
async fn asking_is_refused_twice_and_for_friends_oneself_and_nobody() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &eve).await;
    ask(&server, &ana, &ben).await;
    let again = refused(server.friends(&ana).send_friend_request(to(&ben)).await);
    assert_eq!((again.reason.as_str(), again.message.as_str()), ("ALREADY_SENT", "Friend request already sent"));
    assert_eq!(refused(server.friends(&ana).send_friend_request(to(&eve)).await).reason, "ALREADY_FRIENDS");
    assert_eq!(refused(server.friends(&ana).send_friend_request(to(&ana)).await).reason, "SELF_REQUEST");
    let nobody = SendFriendRequestRequest { receiver_email: "nobody@example.org".into(), ..Default::default() };
    assert_eq!(refused(server.friends(&ana).send_friend_request(nobody).await).reason, "NOT_FOUND");
    assert_eq!(server.told(&ben).await.len(), 1);
}

#[tokio::test]
async fn a_crossing_request_makes_friends() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let sent = ask(&server, &ana, &ben).await;
    let crossing = ask(&server, &ben, &ana).await;
    assert_eq!((crossing.status(), crossing.friend_request), (FriendRequestStatus::Accepted, sent.friend_request));
    assert_eq!(circle(&server, &ana).await, ["Ben Okafor"]);
    assert_eq!(server.told(&ana).await, [NotificationType::FriendAccepted]);
}

#[tokio::test]
async fn declining_is_silent_for_thirty_days() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let sent = ask(&server, &ana, &ben).await;
    let before = one_sent(&server, &ana, &ben).await;
    assert_eq!((&before.0, before.1, before.3), (&sent.friend_request, Some(timestamp(START)), Relation::Requested));
    server.clock.advance(Duration::minutes(1));
    let answer = respond(&server, &ben, &sent.friend_request, FriendRequestAction::Decline).await.unwrap().into_inner();
    assert_eq!((answer.status(), answer.friend), (FriendRequestStatus::Declined, None));
    assert_eq!(refused(respond(&server, &ben, &sent.friend_request, FriendRequestAction::Accept).await).reason, "WRONG_STATE");
    assert_eq!(lists(&server, &ben).await.0, []);
    assert_eq!(one_sent(&server, &ana, &ben).await, before, "it still looks pending");
    assert_eq!(refused(server.friends(&ana).send_friend_request(to(&ben)).await).reason, "ALREADY_SENT");
    assert_eq!(server.told(&ana).await, []);

    server.clock.advance(Duration::days(30));
    let (ana, ben) = (server.signed_in_again(&ana).await, server.signed_in_again(&ben).await);
    assert_eq!(lists(&server, &ana).await.1, []);
    let anew = ask(&server, &ana, &ben).await;
    assert_ne!(anew.friend_request, sent.friend_request);
    let heard = &lists(&server, &ben).await.0[0];
    let now = timestamp(START + Duration::minutes(1) + Duration::days(30));
    assert_eq!((&heard.friend_request, heard.friend_request_date), (&anew.friend_request, Some(now)));
}

/// What a member sees of the request that they have sent to another one: its id, its date, its words and the relation.
async fn one_sent(server: &TestServer, who: &Member, whom: &Member) -> (String, Option<Timestamp>, String, Relation) {
    let sent = lists(server, who).await.1.into_iter().find(|r| r.user.as_ref().unwrap().uid == whom.uid).unwrap();
    (sent.friend_request, sent.friend_request_date, sent.message, find(server, who, &whom.email).await.relation())
}

#[tokio::test]
async fn a_request_asked_anew_is_a_new_one_whether_it_was_declined_or_not() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let mut first = Vec::new();
    for other in [&ben, &eve] {
        first.push(ask(&server, &ana, other).await.friend_request);
    }
    respond(&server, &ben, &first[0], FriendRequestAction::Decline).await.unwrap();
    let mut anew = Vec::new();
    for (other, first) in [&ben, &eve].into_iter().zip(&first) {
        cancel(&server, &ana, first).await.unwrap();
        cancel(&server, &ana, first).await.unwrap();
        assert_eq!(find(&server, &ana, &other.email).await.relation(), Relation::None);
    }
    assert_eq!(lists(&server, &ana).await.1, []);
    server.clock.advance(Duration::minutes(5));
    for (other, first) in [&ben, &eve].into_iter().zip(&first) {
        let again = SendFriendRequestRequest { receiver_uid: other.uid.clone(), message: "Still me".into(), ..Default::default() };
        let answer = server.friends(&ana).send_friend_request(again.clone()).await.unwrap().into_inner();
        assert_eq!(answer.status(), FriendRequestStatus::Pending);
        assert_eq!(refused(server.friends(&ana).send_friend_request(again).await).reason, "ALREADY_SENT");
        let old: crate::harness::Refused = cancel(&server, &ana, first).await.unwrap_err().into();
        assert_eq!(old.reason, "NOT_FOUND", "the old one is gone");
        let (id, date, message, relation) = one_sent(&server, &ana, other).await;
        assert_ne!(&id, first);
        assert_eq!((id, date), (answer.friend_request, Some(timestamp(START + Duration::minutes(5)))));
        anew.push((date, message, relation, lists(&server, &ana).await.1.last().unwrap().user.clone().unwrap().email));
    }
    assert_eq!(anew[0], anew[1]);
    assert_eq!((anew[0].1.as_str(), anew[0].2, anew[0].3.as_str()), ("Still me", Relation::Requested, ""));
    assert_eq!((lists(&server, &ben).await.0.len(), lists(&server, &eve).await.0.len()), (0, 1), "ben is left in peace");
    let to_ben = one_sent(&server, &ana, &ben).await.0;
    assert_eq!(refused(respond(&server, &ben, &to_ben, FriendRequestAction::Accept).await).reason, "NOT_FOUND", "ben never heard of it");
    assert_eq!(refused(respond(&server, &ben, &first[0], FriendRequestAction::Accept).await).reason, "WRONG_STATE");
    cancel(&server, &ana, &to_ben).await.unwrap();
    assert_eq!(find(&server, &ana, &ben.email).await.relation(), Relation::None);
}

#[tokio::test]
async fn nobody_becomes_a_friend_by_a_request_that_was_declined_and_taken_back() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let first = ask(&server, &ana, &ben).await.friend_request;
    respond(&server, &ben, &first, FriendRequestAction::Decline).await.unwrap();
    cancel(&server, &ana, &first).await.unwrap();
    let bens = ask(&server, &ben, &ana).await;
    assert_eq!(bens.status(), FriendRequestStatus::Pending);
    assert_eq!((circle(&server, &ana).await, circle(&server, &ben).await), (Vec::<String>::new(), Vec::<String>::new()));
    assert_eq!(find(&server, &ana, &ben.email).await.relation(), Relation::Received);
    assert_eq!(server.told(&ana).await, [NotificationType::FriendRequest]);
    let received = &lists(&server, &ana).await.0[0];
    assert_eq!((&received.friend_request, received.friend_request_date), (&bens.friend_request, Some(timestamp(START))));
    respond(&server, &ana, &bens.friend_request, FriendRequestAction::Accept).await.unwrap();
    assert_eq!(circle(&server, &ben).await, ["Ana Silva"]);
}

#[tokio::test]
async fn the_silence_outlasts_a_request_of_the_one_who_declined() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let first = ask(&server, &ana, &ben).await.friend_request;
    respond(&server, &ben, &first, FriendRequestAction::Decline).await.unwrap();
    cancel(&server, &ana, &first).await.unwrap();
    let bens = ask(&server, &ben, &ana).await.friend_request;
    cancel(&server, &ben, &bens).await.unwrap();
    assert_eq!(ask(&server, &ana, &ben).await.status(), FriendRequestStatus::Pending);
    assert_eq!(lists(&server, &ben).await, (vec![], vec![]));
    assert_eq!(server.told(&ben).await.len(), 1, "of the first alone");
    server.clock.advance(Duration::days(30));
    let (ana, ben) = (server.signed_in_again(&ana).await, server.signed_in_again(&ben).await);
    assert_eq!(lists(&server, &ana).await, (vec![], vec![]));
    ask(&server, &ana, &ben).await;
    assert_eq!(lists(&server, &ben).await.0.len(), 1);
}

#[tokio::test]
async fn one_who_declined_and_asks_befriends_what_still_stands_heard_or_not() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for other in [&ben, &eve] {
        let first = ask(&server, &ana, other).await.friend_request;
        respond(&server, other, &first, FriendRequestAction::Decline).await.unwrap();
    }
    let first = one_sent(&server, &ana, &eve).await.0;
    cancel(&server, &ana, &first).await.unwrap();
    ask(&server, &ana, &eve).await;
    for other in [&ben, &eve] {
        let (id, ..) = one_sent(&server, &ana, other).await;
        let crossing = ask(&server, other, &ana).await;
        assert_eq!((crossing.status(), &crossing.friend_request), (FriendRequestStatus::Accepted, &id));
        assert_eq!(circle(&server, other).await, ["Ana Silva"]);
        let accepted: crate::harness::Refused = cancel(&server, &ana, &id).await.unwrap_err().into();
        assert_eq!(accepted.reason, "WRONG_STATE");
    }
    assert_eq!(lists(&server, &ana).await, (vec![], vec![]));
}

#[tokio::test]
async fn the_same_pair_can_ask_and_take_back_three_times_a_day() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for _ in 0..3 {
        let id = ask(&server, &ana, &ben).await.friend_request;
        assert_eq!(refused(server.friends(&ana).send_friend_request(to(&ben)).await).reason, "ALREADY_SENT", "which spends nothing");
        cancel(&server, &ana, &id).await.unwrap();
    }
    let fourth = refused(server.friends(&ana).send_friend_request(to(&ben)).await);
    assert_eq!((fourth.code, fourth.reason.as_str()), (tonic::Code::ResourceExhausted, "RATE_LIMITED"));
    assert_eq!(lists(&server, &ben).await.0, []);
    ask(&server, &ana, &eve).await;
    // What makes friends is not refused.
    ask(&server, &ben, &ana).await;
    assert_eq!(ask(&server, &ana, &ben).await.status(), FriendRequestStatus::Accepted);
}

#[tokio::test]
async fn a_declined_request_is_counted_like_any_other() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    for n in 0..3 {
        let id = ask(&server, &ana, &ben).await.friend_request;
        if n == 0 {
            respond(&server, &ben, &id, FriendRequestAction::Decline).await.unwrap();
        }
        cancel(&server, &ana, &id).await.unwrap();
    }
    assert_eq!(refused(server.friends(&ana).send_friend_request(to(&ben)).await).reason, "RATE_LIMITED");
    server.clock.advance(Duration::DAY);
    let ana = server.signed_in_again(&ana).await;
    assert_eq!(ask(&server, &ana, &ben).await.status(), FriendRequestStatus::Pending);
}

#[tokio::test]
async fn a_member_sends_a_hundred_requests_a_day() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let spending = Spending { subject: Subject::member(MemberId(ana.uid.parse().unwrap())), budget: ASKS_OF_MEMBER };
    let now = server.clock.now();
    transact!(server.node.deps.pool, |tx| {
        for _ in 0..99 {
            budgets::spend(tx, now, &spending).await?;
        }
        Ok(())
    })
    .unwrap();
    let id = ask(&server, &ana, &ben).await.friend_request;
    cancel(&server, &ana, &id).await.unwrap();
    assert_eq!(refused(server.friends(&ana).send_friend_request(to(&ben)).await).reason, "RATE_LIMITED");
}

#[tokio::test]
async fn a_request_taken_back_cannot_be_accepted_and_may_be_sent_again() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let sent = ask(&server, &ana, &ben).await;
    let not_bens: crate::harness::Refused = cancel(&server, &ben, &sent.friend_request).await.unwrap_err().into();
    assert_eq!(not_bens.reason, "NOT_FOUND");
    for _ in 0..2 {
        cancel(&server, &ana, &sent.friend_request).await.unwrap();
    }
    assert_eq!(refused(respond(&server, &ben, &sent.friend_request, FriendRequestAction::Accept).await).reason, "WRONG_STATE");
    let second = ask(&server, &ana, &ben).await;
    assert_ne!(second.friend_request, sent.friend_request);
    assert_eq!(refused(respond(&server, &ben, &sent.friend_request, FriendRequestAction::Accept).await).reason, "NOT_FOUND");
    respond(&server, &ben, &second.friend_request, FriendRequestAction::Accept).await.unwrap();
    let accepted: crate::harness::Refused = cancel(&server, &ana, &second.friend_request).await.unwrap_err().into();
    assert_eq!(accepted.reason, "WRONG_STATE");
}

#[tokio::test]
async fn a_search_tells_an_exact_match_and_the_relation() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let found = find(&server, &ana, "BEN@example.org").await;
    assert_eq!((found.exists, found.found, found.invitable, found.relation()), (true, true, false, Relation::None));
    assert_eq!(found.user.unwrap().email, ben.email);
    assert_eq!(find(&server, &ana, &ana.email).await.relation(), Relation::Self_);
    ask(&server, &ana, &ben).await;
    assert_eq!(find(&server, &ana, &ben.email).await.relation(), Relation::Requested);
    assert_eq!(find(&server, &ben, &ana.email).await.relation(), Relation::Received);
    ask(&server, &ben, &ana).await;
    assert_eq!(find(&server, &ben, &ana.email).await.relation(), Relation::Friend);
    let unknown = find(&server, &ana, "be@example.org").await;
    assert_eq!((unknown.found, unknown.invitable, unknown.user), (false, true, None));
    let request = FindFriendRequest { contact: "not a contact".into(), ..Default::default() };
    assert_eq!(refused(server.friends(&ana).find_friend(request).await).reason, "INVALID_ARGUMENT");
}

#[tokio::test]
async fn a_search_by_phone_finds_verified_numbers_and_no_address() {
    let server = TestServer::start().await;
    let (ana, _ben) = (server.ana().await, server.ben().await);
    let mut beside = server.database.connect().await;
    beside.execute("UPDATE members SET phone_e164 = '+15551234567' WHERE email = 'ben@example.org'").await.unwrap();
    let unverified = find(&server, &ana, "(555) 123-4567").await;
    assert_eq!((unverified.found, unverified.invitable), (false, false));
    beside.execute("UPDATE members SET phone_verified_at = created_at WHERE email = 'ben@example.org'").await.unwrap();
    let found = find(&server, &ana, "(555) 123-4567").await.user.unwrap();
    assert_eq!((found.display_name.as_str(), found.email.as_str()), ("Ben Okafor", ""));
    let by_id = SendFriendRequestRequest { receiver_uid: found.uid, ..Default::default() };
    server.friends(&ana).send_friend_request(by_id).await.unwrap();
    assert_eq!(lists(&server, &ana).await.1[0].user.clone().unwrap().email, "", "ana never wrote to an address");
}

#[tokio::test]
async fn searches_and_requests_share_one_rate() {
    let server =
        TestServer::start_with(goodturn::clock::Clock::fixed(crate::harness::START), |c| c.rate_find_friend = Rate::new(1, 2)).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    find(&server, &ana, &ben.email).await;
    ask(&server, &ana, &ben).await;
    let request = FindFriendRequest { contact: ben.email.clone(), ..Default::default() };
    assert_eq!(refused(server.friends(&ana).find_friend(request).await).reason, "RATE_LIMITED");
    find(&server, &ben, &ana.email).await;
}

#[tokio::test]
async fn a_thousand_friends_are_the_most() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let sent = ask(&server, &ben, &ana).await;
    let mut beside = server.database.connect().await;
    beside
        .execute(
            "INSERT INTO members (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at,
                                  profile_changed_at)
             SELECT gen_random_uuid(), n || '@example.com', n || '@example.com', 'Friend', 'Friend', '', 'confirmed', t, t, t, t
             FROM generate_series(1, 1000) AS n, (VALUES ('2026-01-01T00:00:00Z'::timestamptz)) AS v (t);
             INSERT INTO friendships (member_id, friend_id, since)
             SELECT a.id, f.id, f.created_at FROM members a, members f WHERE a.email = 'ana@example.org' AND f.email LIKE '%@example.com'",
        )
        .await
        .unwrap();
    assert_eq!(refused(respond(&server, &ana, &sent.friend_request, FriendRequestAction::Accept).await).reason, "LIMIT_REACHED");
    assert_eq!(circle(&server, &ana).await.len(), 1000);
    assert_eq!(circle(&server, &ben).await, Vec::<String>::new());
}

/// How many statements the transaction had that a call makes on requests.
async fn statements<T>(call: impl Future<Output = T>) -> (T, usize) {
    let before = locks::statements_on("friend_requests").len();
    let answer = call.await;
    until("the transaction is seen", async || locks::statements_on("friend_requests").len() == before + 1).await;
    (answer, locks::statements_on("friend_requests")[before])
}

#[tokio::test]
async fn who_was_declined_causes_as_many_statements_as_who_was_not() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let mut counts = Vec::new();
    for other in [&ben, &eve] {
        let sent = ask(&server, &ana, other).await;
        if other.uid == eve.uid {
            respond(&server, other, &sent.friend_request, FriendRequestAction::Decline).await.unwrap();
        }
        let (cancelled, taking_back) = statements(cancel(&server, &ana, &sent.friend_request)).await;
        cancelled.unwrap();
        let (_, asking_anew) = statements(ask(&server, &ana, other)).await;
        counts.push((taking_back, asking_anew));
    }
    assert_eq!(counts[0], counts[1], "the declined one's are the second");
}

#[tokio::test]
async fn asking_and_taking_back_fills_nobody_s_list() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let mut sent = 0;
    for _ in 0..30 {
        // There is a bound on how often one may; below it the list must not fill either.
        let Ok(request) = server.friends(&ana).send_friend_request(to(&ben)).await else { break };
        assert!(server.news(&ben).await[0].action_required);
        cancel(&server, &ana, &request.into_inner().friend_request).await.unwrap();
        sent += 1;
        assert_eq!((server.news(&ben).await.len(), server.unread(&ben).await), (0, 0), "nothing is left to read");
    }
    assert!(sent >= 3, "{sent}");
}

#[tokio::test]
async fn a_request_that_was_answered_expects_nothing_any_more() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for action in [FriendRequestAction::Accept, FriendRequestAction::Decline] {
        let asker = if action == FriendRequestAction::Accept { &ben } else { &eve };
        let sent = ask(&server, asker, &ana).await;
        assert!(server.news(&ana).await[0].action_required);
        respond(&server, &ana, &sent.friend_request, action).await.unwrap();
        assert!(!server.news(&ana).await[0].action_required, "{action:?}");
    }
    ask(&server, &ben, &eve).await;
    ask(&server, &eve, &ben).await;
    assert!(!server.news(&eve).await[0].action_required, "a request that crosses is an answer");
}
