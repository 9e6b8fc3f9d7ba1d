//! What happens at once happens once.

mod groups;

use crate::{
    asking::{asking, asking_all, drafting, proposed},
    harness::{Member, Refused, TestServer},
};
use futures_util::future::join_all;
use goodturn::pb::{
    favors::{
        CancelFavorRequest, CreateFavorRequest, DeclineProposedTimeRequest, Favor, FavorEventKind, FavorResponse, FavorStatus,
        GetFavorStoryRequest, ListActiveFavorsRequest, PublishFavorRequest,
    },
    friends::{
        CancelFriendRequestRequest, FriendRequestAction, FriendRequestStatus, GetActiveRequest, ListFriendRequestsRequest,
        RespondToFriendRequestRequest, SendFriendRequestRequest,
    },
    notifications::NotificationType as Told,
    timestamp,
};
use sqlx::Executor;
use tonic::Request;

fn to(member: &Member) -> SendFriendRequestRequest {
    SendFriendRequestRequest { receiver_email: member.email.clone(), ..Default::default() }
}

fn count(told: &[Told], kind: Told) -> usize {
    told.iter().filter(|t| **t == kind).count()
}

/// Of fifty who accept at once, so many may: the creator, who they are, their answers, and the favor afterwards.
async fn fifty_accept(server: &TestServer, most: i32) -> (Member, Vec<Member>, Vec<Result<Favor, Refused>>, Favor) {
    let ana = server.ana().await;
    let mut helpers = Vec::new();
    for i in 0..50 {
        helpers.push(server.member(&format!("Helper{i}"), "Test").await);
    }
    befriend_all(server).await;
    let asked = CreateFavorRequest { max_responses: most, ..asking(&helpers.iter().collect::<Vec<_>>()) };
    let id = server.favor(&ana, asked).await.id;
    let answers = join_all(helpers.iter().map(|h| server.answer(h, &id, FavorResponse::Accept, ""))).await;
    assert_eq!(answers.iter().filter(|a| a.is_ok()).count(), usize::try_from(most).unwrap());
    assert!(answers.iter().filter_map(|a| a.as_ref().err()).all(|e| e.reason == "WRONG_STATE"), "{answers:?}");
    let seen = server.seen(&ana, &id).await;
    (ana, helpers, answers, seen)
}

#[tokio::test]
async fn of_fifty_acceptances_at_once_one_wins() {
    let server = TestServer::start().await;
    let (ana, helpers, answers, seen) = fifty_accept(&server, 1).await;
    assert_eq!((seen.status(), seen.responses), (FavorStatus::Accepted, 1));
    let winner = answers.iter().position(Result::is_ok).unwrap();
    assert_eq!(seen.helper.unwrap().uid, helpers[winner].uid);
    assert_eq!(server.told(&ana).await, [Told::FavorResponse]);
    for (i, helper) in helpers.iter().enumerate() {
        assert_eq!(count(&server.told(helper).await, Told::FavorResponse), usize::from(i != winner));
    }
}

#[tokio::test]
async fn of_fifty_acceptances_at_once_as_many_win_as_may() {
    let server = TestServer::start().await;
    let (ana, helpers, answers, seen) = fifty_accept(&server, 7).await;
    let id = &seen.id;
    assert_eq!((seen.status(), seen.responses, seen.back_ups.len()), (FavorStatus::Accepted, 7, 6));
    assert_eq!(server.told(&ana).await, [Told::FavorResponse; 7]);
    for (helper, answer) in helpers.iter().zip(&answers) {
        assert_eq!(count(&server.told(helper).await, Told::FavorResponse), usize::from(answer.is_err()), "told once that it is taken");
    }
    let line: Vec<_> = helpers.iter().zip(&answers).filter_map(|(helper, answer)| answer.as_ref().ok().map(|_| helper)).collect();
    let gone = join_all(line.iter().map(|h| server.withdraw(h, id, ""))).await;
    assert!(gone.iter().all(Result::is_ok), "{gone:?}");
    let seen = server.seen(&ana, id).await;
    assert_eq!((seen.status(), seen.responses, seen.helper, seen.back_ups.len()), (FavorStatus::Active, 0, None, 0));
}

#[tokio::test]
async fn a_helper_and_a_back_up_who_step_back_at_once_leave_who_is_left() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let cleo = server.member("Cleo", "Marsh").await;
    for friend in [&ben, &eve, &cleo] {
        server.befriend(&ana, friend).await;
    }
    for _ in 0..8 {
        let id = server.favor(&ana, CreateFavorRequest { max_responses: 3, ..asking(&[&ben, &eve, &cleo]) }).await.id;
        for who in [&ben, &eve, &cleo] {
            server.answer(who, &id, FavorResponse::Accept, "").await.unwrap();
        }
        let (one, other) = tokio::join!(server.withdraw(&ben, &id, ""), server.withdraw(&eve, &id, ""));
        one.unwrap();
        other.unwrap();
        let seen = server.seen(&ana, &id).await;
        assert_eq!((seen.status(), seen.responses, seen.helper.unwrap().uid), (FavorStatus::Accepted, 1, cleo.uid.clone()));
    }
}

#[tokio::test]
async fn of_two_choices_at_once_one_counts() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for friend in [&ben, &eve] {
        server.befriend(&ana, friend).await;
    }
    for _ in 0..8 {
        let id = server.favor(&ana, asking_all()).await.id;
        for who in [&ben, &eve] {
            server.apply(who, &id, "").await.unwrap();
        }
        let (one, other) = tokio::join!(server.choose(&ana, &id, &ben), server.choose(&ana, &id, &eve));
        let chosen = if one.is_ok() { &ben } else { &eve };
        assert_eq!([&one, &other].iter().filter(|a| a.as_ref().is_err_and(|e| e.reason == "WRONG_STATE")).count(), 1, "{one:?} {other:?}");
        let seen = server.seen(&ana, &id).await;
        assert_eq!((seen.responses, seen.helper.unwrap().uid), (1, chosen.uid.clone()));
    }
}

#[tokio::test]
async fn an_offer_of_help_and_a_cancellation_or_a_block_at_once_leave_nothing_that_waits() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for i in 0..10 {
        let friend = server.member(&format!("Friend{i}"), "Test").await;
        server.befriend(&ana, &friend).await;
        let id = server.favor(&ana, asking_all()).await.id;
        if i % 2 == 0 {
            let mut hers = server.favors(&ana);
            let (applied, cancelled) = tokio::join!(
                server.apply(&friend, &id, ""),
                hers.cancel_favor(CancelFavorRequest { id: id.clone(), ..Default::default() })
            );
            cancelled.unwrap();
            let told = count(&server.told(&friend).await, Told::FavorCancelled);
            assert_eq!(told, usize::from(applied.is_ok()), "who offered in time is told");
        } else {
            let (applied, blocked) = tokio::join!(server.apply(&friend, &id, ""), server.block(&ana, &friend));
            blocked.unwrap();
            assert!(applied.is_ok() || applied.is_err_and(|e| e.reason == "NOT_FOUND"));
            assert_eq!(server.seen(&ana, &id).await.applicants.len(), 0);
        }
        assert!(server.news(&ana).await.iter().all(|n| !n.action_required));
    }
}

#[tokio::test]
async fn a_proposed_start_that_changes_while_it_is_taken_is_taken_as_it_was_or_not_at_all() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for _ in 0..8 {
        let id = server.favor(&ana, asking(&[&ben])).await.id;
        server.propose(&ben, &id, 1).await.unwrap();
        let (taken, changed) = tokio::join!(server.accept_time(&ana, &id, &ben, 1), server.propose(&ben, &id, 2));
        let seen = server.seen(&ana, &id).await;
        match (taken, changed) {
            (Ok(_), Err(late)) => {
                assert_eq!((late.reason.as_str(), seen.status()), ("WRONG_STATE", FavorStatus::Accepted));
                assert_eq!(seen.start_date, Some(timestamp(proposed(1))));
            }
            (Err(late), Ok(_)) => assert_eq!((late.reason.as_str(), seen.status()), ("CONFLICT", FavorStatus::Active)),
            both => panic!("{both:?}"),
        }
    }
}

#[tokio::test]
async fn a_proposed_start_is_taken_or_declined_once() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for _ in 0..8 {
        let id = server.favor(&ana, asking(&[&ben])).await.id;
        server.propose(&ben, &id, 1).await.unwrap();
        let told = server.told(&ben).await.len();
        let (taken, declined, again) = tokio::join!(
            server.accept_time(&ana, &id, &ben, 1),
            server.decline_time(&ana, &id, &ben, ""),
            server.decline_time(&ana, &id, &ben, "")
        );
        let status = server.seen(&ana, &id).await.status();
        match (taken, declined, again) {
            (Ok(_), Err(late), Err(later)) => {
                assert_eq!((late.reason.as_str(), later.reason.as_str(), status), ("WRONG_STATE", "WRONG_STATE", FavorStatus::Accepted));
            }
            (Err(late), Ok(_), Ok(_)) => assert_eq!((late.reason.as_str(), status), ("CONFLICT", FavorStatus::Active)),
            all => panic!("{all:?}"),
        }
        assert_eq!(server.told(&ben).await.len(), told + 1);
        assert!(server.news(&ana).await.iter().all(|n| !n.action_required));
    }
}

#[tokio::test]
async fn another_time_that_changes_while_it_is_declined_is_declined_as_it_was_or_not_at_all() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for _ in 0..8 {
        let id = server.favor(&ana, asking(&[&ben])).await.id;
        server.propose(&ben, &id, 1).await.unwrap();
        let proposed_start = Some(timestamp(proposed(1)));
        let request = DeclineProposedTimeRequest { id: id.clone(), uid: ben.uid.clone(), proposed_start, ..Default::default() };
        let mut hers = server.favors(&ana);
        let (declined, changed) = tokio::join!(hers.decline_proposed_time(request), server.propose(&ben, &id, 2));
        changed.unwrap();
        if let Err(late) = declined {
            assert_eq!(Refused::from(late).reason, "CONFLICT");
        }
        let start = server.accept_time(&ana, &id, &ben, 2).await.unwrap().start_date;
        assert_eq!(start, Some(timestamp(proposed(2))), "what she did not know of stands");
    }
    for _ in 0..8 {
        let id = server.favor(&ana, asking(&[&ben])).await.id;
        server.propose(&ben, &id, 1).await.unwrap();
        let (declined, accepted) =
            tokio::join!(server.decline_time(&ana, &id, &ben, ""), server.answer(&ben, &id, FavorResponse::Accept, ""));
        accepted.unwrap();
        assert!(declined.is_ok() || declined.is_err_and(|late| late.reason == "WRONG_STATE"));
        assert_eq!(server.seen(&ana, &id).await.helper.unwrap().uid, ben.uid);
        assert!(server.news(&ben).await.iter().all(|n| !n.action_required), "he has answered");
    }
}

/// Makes Ana a friend of all: requests and answers would take longer than the race.
async fn befriend_all(server: &TestServer) {
    let mut beside = server.database.connect().await;
    let befriend = "INSERT INTO friendships (member_id, friend_id, since)
                    SELECT a.id, b.id, a.created_at FROM members a, members b
                    WHERE (a.email = 'ana@example.org') <> (b.email = 'ana@example.org')";
    beside.execute(befriend).await.unwrap();
}

#[tokio::test]
async fn two_equal_friend_requests_at_once_are_one() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let answers = join_all((0..10).map(|_| async { server.friends(&ana).send_friend_request(to(&ben)).await })).await;
    let (sent, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!((sent.len(), refused.len()), (1, 9));
    assert!(refused.into_iter().all(|r| Refused::from(r.unwrap_err()).reason == "ALREADY_SENT"));
    let lists = server.friends(&ben).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner();
    assert_eq!(lists.received.len(), 1);
    assert_eq!(server.told(&ben).await, [Told::FriendRequest]);
}

#[tokio::test]
async fn requests_that_cross_at_once_make_friends_once() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for i in 0..10 {
        let other = server.member(&format!("Other{i}"), "Test").await;
        let (mut one, mut two) = (server.friends(&ana), server.friends(&other));
        let (a, b) = tokio::join!(one.send_friend_request(to(&other)), two.send_friend_request(to(&ana)));
        let mut statuses = [a.unwrap().into_inner().status(), b.unwrap().into_inner().status()];
        statuses.sort_unstable();
        assert_eq!(statuses, [FriendRequestStatus::Pending, FriendRequestStatus::Accepted]);
        let active = server.friends(&other).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
        assert_eq!(active.friends.unwrap().list.len(), 1);
        let told: Vec<_> = server.told(&other).await;
        assert_eq!(told.len(), 1, "one was asked, the other was accepted");
    }
    let told = server.told(&ana).await;
    assert_eq!((told.len(), count(&told, Told::FriendRequest) + count(&told, Told::FriendAccepted)), (10, 10));
}

#[tokio::test]
async fn a_request_that_crosses_one_being_taken_back_makes_friends_or_a_request_to_answer() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for i in 0..8 {
        let other = server.member(&format!("Other{i}"), "Test").await;
        let request_id = server.friends(&ana).send_friend_request(to(&other)).await.unwrap().into_inner().friend_request;
        let declines = i % 2 == 1;
        if declines {
            let action = FriendRequestAction::Decline.into();
            let decline = RespondToFriendRequestRequest { request_id: request_id.clone(), action, ..Default::default() };
            server.friends(&other).respond_to_friend_request(decline).await.unwrap();
        }
        let (mut hers, mut theirs) = (server.friends(&ana), server.friends(&other));
        let cancel = CancelFriendRequestRequest { request_id, ..Default::default() };
        let (taken_back, asked) = tokio::join!(hers.cancel_friend_request(cancel), theirs.send_friend_request(to(&ana)));
        let friends = asked.unwrap().into_inner().status() == FriendRequestStatus::Accepted;
        let active = server.friends(&other).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
        assert_eq!(active.friends.unwrap().list.len(), usize::from(friends));
        let lists = server.friends(&ana).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner();
        let waiting = lists.received.iter().filter(|r| r.user.as_ref().unwrap().uid == other.uid).count();
        assert_eq!((waiting, lists.sent.len()), (usize::from(!friends), 0));
        match taken_back {
            Ok(_) => assert!(!friends, "taken back, so it made nobody friends"),
            Err(late) => assert_eq!((friends, Refused::from(late).reason.as_str()), (true, "WRONG_STATE")),
        }
    }
}

#[tokio::test]
async fn one_idempotency_key_fifty_times_is_one_favor() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let create = || async {
        let mut request = Request::new(drafting());
        request.metadata_mut().insert("idempotency-key", "the-same".parse().unwrap());
        server.favors(&ana).create_favor(request).await.unwrap().into_inner()
    };
    let answers = join_all((0..50).map(|_| create())).await;
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    let list = server.favors(&ana).list_active_favors(ListActiveFavorsRequest::default()).await.unwrap().into_inner();
    assert_eq!(list.favors.len(), 1);
}

#[tokio::test]
async fn publishing_twice_at_once_tells_once() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let draft = CreateFavorRequest { status: FavorStatus::Draft.into(), ..asking(&[&ben]) };
    let id = server.favor(&ana, draft).await.id;
    let publish =
        || async { server.favors(&ana).publish_favor(PublishFavorRequest { id: id.clone(), ..Default::default() }).await.unwrap() };
    join_all((0..10).map(|_| publish())).await;
    assert_eq!(count(&server.told(&ben).await, Told::FavorRequest), 1);
}

#[tokio::test]
async fn answers_of_one_recipient_at_once_are_counted_and_the_last_one_stands() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let other = server.second_node().await;
    let id = server.favor(&ana, asking(&[&ben])).await.id;
    let words: Vec<_> = (0..30).map(|n| format!("At {n}?")).collect();
    let answers = words.iter().enumerate().map(|(n, words)| {
        let (place, response) = if n % 2 == 0 { (&server, FavorResponse::AnotherTime) } else { (&other, FavorResponse::Decline) };
        place.answer(&ben, &id, response, words)
    });
    let (written, refused): (Vec<_>, Vec<_>) = join_all(answers).await.into_iter().partition(Result::is_ok);
    assert_eq!((written.len(), refused.len()), (21, 9), "the first answer and twenty changes");
    assert!(refused.iter().filter_map(|r| r.as_ref().err()).all(|e| e.reason == "LIMIT_REACHED"), "{refused:?}");
    let story = server.favors(&ana).get_favor_story(GetFavorStoryRequest { id: id.clone() }).await.unwrap().into_inner();
    let (last, asked) = (&story.events[1], &story.recipients[0]);
    assert_eq!((story.events.len(), &last.message), (2, &asked.message), "one step, of the answer that stands");
    assert_eq!(last.kind() == FavorEventKind::Declined, asked.response() == FavorResponse::Decline);
    assert_eq!(count(&server.told(&ana).await, Told::FavorResponse), 1);
    assert!(server.news(&ana).await[0].message.contains(&asked.message));
    other.stop().await;
}

#[tokio::test]
async fn a_request_and_a_block_at_once_leave_nothing_that_waits() {
    let server = TestServer::start().await;
    let (ana, mut others) = (server.ana().await, Vec::new());
    for i in 0..8 {
        others.push(server.member(&format!("Other{i}"), "Test").await);
    }
    let node = server.second_node().await;
    for (i, other) in others.into_iter().enumerate() {
        // Something was between them once, or nothing but a favor's end.
        server.befriend(&ana, &other).await;
        server.remove(&ana, &other).await.unwrap();
        if i % 2 == 0 {
            sqlx::query("DELETE FROM friend_requests WHERE $1::uuid IN (member_id, other_id) AND member_id <> $2::uuid")
                .bind(&other.uid)
                .bind(&ana.uid)
                .execute(&mut server.database.connect().await)
                .await
                .unwrap();
        }
        let before = server.told(&ana).await.len();
        let mut theirs = node.friends(&other);
        let (blocked, asked) = tokio::join!(server.block(&ana, &other), theirs.send_friend_request(to(&ana)));
        blocked.unwrap();
        match asked {
            Ok(sent) => assert_eq!(sent.into_inner().status(), FriendRequestStatus::Pending),
            Err(refused) => assert_eq!(Refused::from(refused).reason, "NOT_FOUND"),
        }
        let lists = server.friends(&ana).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner();
        assert!(lists.received.is_empty(), "{lists:?}");
        let sent = server.friends(&other).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner().sent;
        assert!(sent.is_empty(), "whichever came first: {sent:?}");
        let waits = server.news(&ana).await.iter().filter(|n| n.action_required).count();
        assert!(waits == 0 && server.told(&ana).await.len() <= before + 1);
    }
    node.stop().await;
}

#[tokio::test]
async fn an_acceptance_and_a_removal_or_a_block_at_once_leave_both_sides_alike() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for i in 0..8 {
        let other = server.member(&format!("Other{i}"), "Test").await;
        let request_id = server.friends(&ana).send_friend_request(to(&other)).await.unwrap().into_inner().friend_request;
        let accept = RespondToFriendRequestRequest { request_id, action: FriendRequestAction::Accept.into(), ..Default::default() };
        let mut theirs = server.friends(&other);
        let blocks = i % 2 == 0;
        let parting = async { if blocks { server.block(&ana, &other).await } else { server.remove(&ana, &other).await } };
        let (accepted, parted) = tokio::join!(theirs.respond_to_friend_request(accept), parting);
        parted.unwrap();
        let friends = |of: &Member| {
            let (mut friends, other) = (server.friends(of), if of.uid == ana.uid { other.uid.clone() } else { ana.uid.clone() });
            async move {
                let active = friends.get_active(GetActiveRequest::default()).await.unwrap().into_inner();
                active.friends.unwrap().list.iter().any(|friend| friend.uid == other)
            }
        };
        let (hers, others) = (friends(&ana).await, friends(&other).await);
        assert_eq!(hers, others);
        assert!(!(blocks && hers), "who is blocked is no friend");
        if let Err(refused) = accepted {
            assert_eq!((blocks, Refused::from(refused).reason.as_str()), (true, "NOT_FOUND"));
        }
    }
}

#[tokio::test]
async fn of_an_acceptance_of_a_favor_and_a_block_at_once_one_comes_first() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for i in 0..8 {
        let other = server.member(&format!("Other{i}"), "Test").await;
        server.befriend(&ana, &other).await;
        let id = server.favor(&ana, asking(&[&other])).await.id;
        let blocks = async { if i % 2 == 0 { server.block(&ana, &other).await } else { server.block(&other, &ana).await } };
        let (answered, blocked) = tokio::join!(server.answer(&other, &id, FavorResponse::Accept, ""), blocks);
        blocked.unwrap();
        let seen = server.seen(&ana, &id).await;
        assert_eq!(seen.helper.map(|h| h.uid), answered.is_ok().then(|| other.uid.clone()), "{:?}", answered.err());
        assert_eq!(seen.recipients.len(), usize::from(answered.is_ok()));
    }
}

#[tokio::test]
async fn of_blocks_of_each_other_many_times_the_first_counts_and_once() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let blocks = join_all((0..12).map(|n| if n % 2 == 0 { server.block(&ana, &ben) } else { server.block(&ben, &ana) })).await;
    // To who was too late the other one is as gone.
    let of = |side: usize| {
        blocks.iter().skip(side).step_by(2).map(|b| b.as_ref().err().map(|refused| refused.reason.as_str())).collect::<Vec<_>>()
    };
    let sides = [of(0), of(1)];
    assert!(sides.contains(&vec![None; 6]) && sides.contains(&vec![Some("NOT_FOUND"); 6]), "{sides:?}");
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM blocks").fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(count, 1);
}
