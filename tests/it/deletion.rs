//! Accounts that are deleted: what is gone, what others keep, and who gets in no more.

use crate::{
    asking::{asking, drafting},
    favors::lists,
    harness::{Member, PASSWORD, TestServer, until},
};
use goodturn::pb::{
    favors::{CompleteFavorRequest, CreateFavorRequest, FavorResponse, FavorStatus, GetFavorStoryRequest},
    friends::SendFriendRequestRequest,
    identity::{DeleteUserRequest, GetTokensFromRefreshTokenRequest},
    notifications::WatchNotificationsRequest,
};
use serde_json::{Value, json};
use time::Duration;
use tonic::Code;

async fn delete(server: &TestServer, who: &Member) -> (u16, Value) {
    server.target("DeleteUser", json!({"AccessToken": who.token})).await
}

async fn enters(server: &TestServer, email: &str) -> (u16, Value) {
    let parameters = json!({"USERNAME": email, "PASSWORD": PASSWORD});
    let body = json!({"ClientId": server.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    server.target("InitiateAuth", body).await
}

async fn count(server: &TestServer, sql: &'static str, who: &Member) -> i64 {
    let id: uuid::Uuid = who.uid.parse().unwrap();
    sqlx::query_scalar(sql).bind(id).fetch_one(&mut server.database.connect().await).await.unwrap()
}

/// All that a member can read, as one text.
async fn all_of(server: &TestServer, who: &Member) -> String {
    let mut all = String::new();
    let me = &who.uid;
    for path in [
        format!("/v2/users/{me}/friend-requests"),
        format!("/v2/users/{me}/active"),
        "/favor/active".to_owned(),
        "/favor/completed".to_owned(),
        "/favor/cancelled".to_owned(),
        format!("/api/users/{me}/requests/received"),
        format!(
            "/api/users/{me}/requests/received?status=pending&status=declined&status=accepted&status=completed&status=settled&status=cancelled"
        ),
        "/notifications?limit=100".to_owned(),
        format!("/api/users/{me}/stats"),
        format!("/v2/users/{me}/export"),
    ] {
        let (status, answer) = server.rest("GET", &path, who, None).await;
        assert_eq!(status, 200, "{path}: {answer}");
        all.push_str(&answer.to_string());
    }
    all
}

#[tokio::test]
async fn an_account_is_closed_by_its_password_or_soon_after_a_sign_in() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let close = async |token: &str, password: &str| {
        let (status, answer) = server.target("CloseAccount", json!({"AccessToken": token, "Password": password})).await;
        (status, answer["message"].as_str().unwrap_or_default().to_owned())
    };
    let (wrong, stale) = ("Incorrect username or password.".to_owned(), "Sign in again to delete your account.".to_owned());
    assert_eq!(close(&ana.token, "wrong password").await, (400, wrong.clone()));
    server.clock.advance(Duration::minutes(11));
    assert_eq!(close(&ana.token, "").await, (400, stale.clone()));
    let refresh = json!({"ClientId": server.config.web_client_id, "RefreshToken": ana.refresh_token});
    let (_, refreshed) = server.target("GetTokensFromRefreshToken", refresh).await;
    let refreshed = refreshed["AuthenticationResult"]["AccessToken"].as_str().unwrap();
    assert_eq!(close(refreshed, "").await, (400, stale), "a refresh shows nothing");
    assert_eq!(close(&server.signed_in_again(&ana).await.token, "").await, (200, String::new()));
    assert_eq!(close(&ben.token, PASSWORD).await, (200, String::new()));
    for _ in 0..5 {
        assert_eq!(close(&eve.token, "wrong password").await, (400, wrong.clone()));
    }
    assert_eq!(close(&eve.token, PASSWORD).await, (400, "Attempt limit exceeded, please try after some time.".to_owned()));
    for who in [&ana, &ben] {
        assert_eq!(enters(&server, &who.email).await, enters(&server, "nobody@example.org").await);
    }
    assert_eq!(delete(&server, &eve).await, (200, json!({})), "the documented operation asks for the token alone");
}

#[tokio::test]
async fn who_is_deleted_gets_in_no_more_and_the_address_is_free() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let elsewhere = server.signed_in_again(&ana).await;
    let other = server.second_node().await;
    let watch = WatchNotificationsRequest::default();
    let mut stream = other.notifications(&elsewhere).watch_notifications(watch).await.unwrap().into_inner();
    stream.message().await.unwrap();
    let hosted = [
        "INSERT INTO authorization_codes (id, member_id, session_id, redirect_uri, expires_at)
         SELECT sha256(id::text::bytea), member_id, id, 'https://app.example/', now() FROM sessions WHERE member_id = $1::uuid",
        "INSERT INTO federated_sign_ins (id, browser, sealed, member_id, code, expires_at)
         VALUES (sha256('a'), sha256('b'), 'c', $1::uuid, gen_random_uuid(), now())",
    ];
    let mut beside = server.database.connect().await;
    for sql in hosted {
        sqlx::query(sql).bind(&ana.uid).execute(&mut beside).await.unwrap();
    }
    assert_eq!(delete(&server, &ana).await, (200, json!({})));
    for token in [&ana.token, &elsewhere.token] {
        let (status, answer) = server.target("GetUser", json!({"AccessToken": token})).await;
        assert_eq!((status, &answer["message"]), (400, &json!("Access Token has been revoked")));
    }
    assert_eq!(server.rest("GET", "/notifications", &elsewhere, None).await.0, 401);
    let refresh = GetTokensFromRefreshTokenRequest {
        refresh_token: elsewhere.refresh_token.clone(),
        client_id: server.web_client_id.clone(),
        ..Default::default()
    };
    assert_eq!(server.identity(None).get_tokens_from_refresh_token(refresh).await.unwrap_err().code(), Code::Unauthenticated);
    let ended = tokio::time::timeout(std::time::Duration::from_secs(5), stream.message()).await.expect("everywhere within seconds");
    assert_eq!(ended.unwrap_err().code(), Code::Unauthenticated);
    until("the other node refuses too", async || other.rest("GET", "/notifications", &elsewhere, None).await.0 == 401).await;
    let unknown = enters(&server, "nobody@example.org").await;
    assert_eq!(enters(&server, &ana.email).await, unknown, "as if there had been nobody");
    assert_eq!(delete(&server, &ana).await.0, 400);
    // Nothing of hers is left, but the id that others' past hangs on.
    let row: (String, String, String, String) =
        sqlx::query_as("SELECT status, email, given_name || ' ' || family_name, name FROM members WHERE id = $1::uuid")
            .bind(&ana.uid)
            .fetch_one(&mut beside)
            .await
            .unwrap();
    assert_eq!(row, ("deleted".into(), "deleted".into(), "Former member".into(), "Former member".into()));
    for table in [
        "SELECT count(*) FROM verifiers WHERE member_id = $1",
        "SELECT count(*) FROM codes WHERE member_id = $1",
        "SELECT count(*) FROM second_factors WHERE member_id = $1",
        "SELECT count(*) FROM devices WHERE member_id = $1",
        "SELECT count(*) FROM awaited_devices WHERE member_id = $1",
        "SELECT count(*) FROM authorization_codes WHERE member_id = $1",
        "SELECT count(*) FROM federated_sign_ins WHERE member_id = $1",
        "SELECT count(*) FROM browser_sessions WHERE member_id = $1",
        "SELECT count(*) FROM notifications WHERE member_id = $1",
        "SELECT count(*) FROM sessions WHERE member_id = $1 AND (ended_at IS NULL OR network IS NOT NULL)",
    ] {
        assert_eq!(count(&server, table, &ana).await, 0, "{table}");
    }
    let name = json!([{"Name": "name", "Value": "Ana Stone"}]);
    let body = json!({"ClientId": server.config.web_client_id, "Username": ana.email, "Password": PASSWORD, "UserAttributes": name});
    let (status, answer) = server.target("SignUp", body).await;
    assert_eq!(status, 200, "the address is free: {answer}");
    assert_ne!(answer["UserSub"], json!(ana.uid), "for somebody new");
    other.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn others_keep_what_they_had_a_part_in_without_a_name() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = (server.ana().await, server.ben().await, server.member("Cleo", "Moreau").await, server.eve().await);
    for (one, other) in [(&ana, &ben), (&ana, &cleo), (&ben, &cleo)] {
        server.befriend(one, other).await;
    }
    let ask = |to: &Member| SendFriendRequestRequest { receiver_uid: to.uid.clone(), ..Default::default() };
    server.friends(&ana).send_friend_request(ask(&eve)).await.unwrap();
    let located = CreateFavorRequest { location: "1 Ana Street".into(), ..asking(&[&ben]) };
    let done = server.favor(&ana, located).await.id;
    server.answer(&ben, &done, FavorResponse::Accept, "Gladly").await.unwrap();
    server.favors(&ana).complete_favor(CompleteFavorRequest { id: done.clone(), ..Default::default() }).await.unwrap();
    let open = server.favor(&ana, asking(&[&ben, &cleo])).await.id;
    server.answer(&ben, &open, FavorResponse::AnotherTime, "At noon?").await.unwrap();
    let helped = server.favor(&ben, asking(&[&ana, &cleo])).await.id;
    server.answer(&ana, &helped, FavorResponse::Accept, "Ana will come").await.unwrap();
    let waiting = server.favor(&ben, asking(&[&ana])).await.id;
    server.answer(&ana, &waiting, FavorResponse::AnotherTime, "Ana could on Friday").await.unwrap();
    let given = server.favor(&ben, asking(&[&ana])).await.id;
    server.answer(&ana, &given, FavorResponse::Accept, "").await.unwrap();
    server.favors(&ben).complete_favor(CompleteFavorRequest { id: given.clone(), ..Default::default() }).await.unwrap();
    server.favor(&ana, drafting()).await;
    assert!(all_of(&server, &ben).await.contains("Ana"));
    assert_eq!(delete(&server, &ana).await.0, 200);

    for who in [&ben, &cleo, &eve] {
        let all = all_of(&server, who).await;
        for trace in [ana.uid.as_str(), "Ana", "Silva", ana.email.as_str()] {
            assert!(!all.contains(trace), "{trace} in what {} reads: {all}", who.name);
        }
    }
    let seen = server.seen(&ben, &done).await;
    assert_eq!((seen.status(), seen.created_by.as_str(), seen.location.as_str()), (FavorStatus::Completed, "", ""));
    let compared = "SELECT coalesce(string_agg(located_by, ' '), '') FROM favors WHERE id = $1::uuid";
    let compared: String = sqlx::query_scalar(compared).bind(&done).fetch_one(&mut server.database.connect().await).await.unwrap();
    assert_eq!(compared, "", "nor is it kept in what it is compared by");
    assert_eq!((seen.requester.unwrap().name.as_str(), seen.title.as_str()), ("Former member", "Walk the dog"));
    assert_eq!(server.seen(&ben, &open).await.status(), FavorStatus::Cancelled);
    assert_eq!(server.seen(&cleo, &open).await.status(), FavorStatus::Cancelled);
    let seen = server.seen(&ben, &helped).await;
    assert_eq!((seen.status(), seen.helper.is_none(), seen.recipients), (FavorStatus::Active, true, vec![cleo.uid.clone()]));
    assert_eq!(server.seen(&cleo, &helped).await.status(), FavorStatus::Pending, "she can help now");
    let story = GetFavorStoryRequest { id: waiting.clone() };
    let story = server.favors(&ben).get_favor_story(story).await.unwrap().into_inner();
    let last = story.events.last().unwrap();
    assert_eq!((last.actor.as_ref().unwrap().display_name.as_str(), last.message.as_str()), ("Former member", ""));
    assert!(story.recipients.is_empty());
    let seen = server.seen(&ben, &given).await;
    let helper = seen.helper.unwrap();
    assert_eq!((helper.uid.as_str(), helper.display_name.as_str(), seen.recipients), ("", "Former member", vec![String::new()]));
    lists::agree(&server).await;
    // What waits of others stands as before, and nobody waits for her.
    assert_eq!(server.answer(&cleo, &helped, FavorResponse::Accept, "").await.unwrap().status(), FavorStatus::Accepted);
    assert!(server.news(&eve).await.is_empty(), "a request that nobody makes any more");
    assert!(server.news(&ben).await.iter().any(|n| n.message.contains("A former member can't help you with")));
    assert!(server.news(&cleo).await.iter().any(|n| n.message.contains("A former member cancelled")));
    for who in [&ben, &cleo, &eve] {
        let news = server.news(who).await;
        assert_eq!(usize::try_from(server.unread(who).await).unwrap(), news.iter().filter(|n| !n.read).count(), "{}", who.name);
    }
    let refused = server.friends(&ben).send_friend_request(ask(&ana)).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    // When all have left, nothing is left.
    for who in [&ben, &cleo] {
        assert_eq!(delete(&server, who).await.0, 200);
    }
    let mut beside = server.database.connect().await;
    for table in ["SELECT count(*) FROM favors", "SELECT count(*) FROM friend_requests", "SELECT count(*) FROM friendships"] {
        let rows: i64 = sqlx::query_scalar(table).fetch_one(&mut beside).await.unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    server.stop().await;
}

#[tokio::test]
async fn whatever_happens_at_the_moment_of_a_deletion_leaves_nothing_behind() {
    let server = TestServer::start().await;
    let (ben, eve) = (server.ben().await, server.eve().await);
    for round in 0..6 {
        let ana = server.member(&format!("Ana{round}"), "Silva").await;
        server.befriend(&ana, &ben).await;
        let hers = server.favor(&ana, asking(&[&ben])).await.id;
        let his = server.favor(&ben, asking(&[&ana])).await.id;
        let refresh = GetTokensFromRefreshTokenRequest {
            refresh_token: ana.refresh_token.clone(),
            client_id: server.web_client_id.clone(),
            ..Default::default()
        };
        let befriend = SendFriendRequestRequest { receiver_uid: ana.uid.clone(), ..Default::default() };
        let (mut identity, mut friends, mut hers_to_make, mut his_to_make) =
            (server.identity(None), server.friends(&eve), server.favors(&ana), server.favors(&ben));
        let (gone, again, ..) = tokio::join!(
            delete(&server, &ana),
            delete(&server, &ana),
            server.answer(&ben, &hers, FavorResponse::Accept, ""),
            server.answer(&ana, &his, FavorResponse::Accept, ""),
            enters(&server, &ana.email),
            identity.get_tokens_from_refresh_token(refresh),
            friends.send_friend_request(befriend),
            hers_to_make.create_favor(asking(&[&ben])),
            his_to_make.create_favor(asking(&[&ana])),
        );
        assert!(gone.0 == 200 || again.0 == 200, "{gone:?} {again:?}");
        for table in [
            "SELECT count(*) FROM members WHERE id = $1 AND status <> 'deleted'",
            "SELECT count(*) FROM sessions WHERE member_id = $1 AND ended_at IS NULL",
            "SELECT count(*) FROM friendships WHERE $1 IN (member_id, friend_id)",
            "SELECT count(*) FROM friend_requests WHERE $1 IN (member_id, other_id)",
            "SELECT count(*) FROM favors WHERE creator_id = $1 AND status NOT IN ('cancelled', 'completed', 'settled')",
            "SELECT count(*) FROM favors WHERE helper_id = $1 AND status = 'accepted'",
            "SELECT count(*) FROM favor_recipients WHERE member_id = $1",
            "SELECT count(*) FROM notifications WHERE member_id = $1",
        ] {
            assert_eq!(count(&server, table, &ana).await, 0, "round {round}: {table}");
        }
        let seen = server.seen(&ben, &his).await;
        assert_eq!((seen.status(), seen.helper.is_none()), (FavorStatus::Active, true));
    }
    server.stop().await;
}

#[tokio::test]
async fn jobs_to_one_who_left_do_nothing_and_two_friends_can_leave_at_once() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    for _ in 0..3 {
        server.favor(&ana, asking(&[&ben])).await;
        server.favor(&ben, asking(&[&ana])).await;
    }
    server.clock.advance(Duration::SECOND);
    let (one, other) = tokio::join!(delete(&server, &ana), delete(&server, &ben));
    assert_eq!((one.0, other.0), (200, 200));
    let forgot = json!({"ClientId": server.config.web_client_id, "Username": ana.email});
    assert_eq!(server.target("ForgotPassword", forgot).await.0, 200);
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    assert_eq!(outbox["messages"].as_array().unwrap().len(), 0, "no mail goes to deleted accounts");
    server.stop().await;
}

#[tokio::test]
async fn the_token_counts_and_nothing_else() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let (status, answer) = server.target("DeleteUser", json!({"AccessToken": "wrong"})).await;
    assert_eq!((status, &answer["__type"]), (400, &json!("NotAuthorizedException")));
    server.identity(&ana).delete_user(DeleteUserRequest::default()).await.unwrap();
    assert_eq!(enters(&server, &ana.email).await.0, 400);
    server.stop().await;
}
