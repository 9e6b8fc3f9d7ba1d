//! The access matrix: every RPC as nobody, a stranger, a friend, a recipient and the owner. The RPCs come from the descriptors, so one
//! without a row fails.

use crate::harness::TestServer;
use goodturn::pb;
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use std::collections::BTreeMap;
use tonic::Code::{self, FailedPrecondition, InvalidArgument, NotFound, Ok, PermissionDenied, Unauthenticated, Unimplemented};

/// Nobody, Eve (a stranger), Priya (a friend of Ana), Ben (a friend, and the recipient of her favor), Ana.
type Expected = [Code; 5];

const OWN_PATH: Expected = [Unauthenticated, PermissionDenied, PermissionDenied, PermissionDenied, Ok];
const ANY_MEMBER: Expected = [Unauthenticated, Ok, Ok, Ok, Ok];
/// Identity operations look at their body alone.
const ANYBODY: Expected = [Ok; 5];
const BAD_INPUT: Expected = [InvalidArgument; 5];
const BAD_CREDENTIALS: Expected = [Unauthenticated; 5];
const CREATOR_AND_RECIPIENT: Expected = [Unauthenticated, NotFound, NotFound, Ok, Ok];
const CREATOR: Expected = [Unauthenticated, NotFound, NotFound, FailedPrecondition, Ok];
/// A state that does not allow it: those who know of the favor are told so.
const WRONG_STATE: Expected = [Unauthenticated, NotFound, NotFound, FailedPrecondition, FailedPrecondition];

/// RPC, request as JSON (with `$ana`, `$favor`, `$draft`, `$request`, `$notification` filled in), expected codes.
const ROWS: &[(&str, &str, Expected)] = &[
    ("identity.v1.IdentityService/SignUp", r#"{"ClientId":"$client","Username":"new@example.org","Password":"short"}"#, BAD_INPUT),
    (
        "identity.v1.IdentityService/ConfirmSignUp",
        r#"{"ClientId":"$client","Username":"ana@example.org","ConfirmationCode":"12"}"#,
        BAD_CREDENTIALS,
    ),
    ("identity.v1.IdentityService/ResendConfirmationCode", r#"{"ClientId":"$client","Username":"nobody@example.org"}"#, ANYBODY),
    (
        "identity.v1.IdentityService/InitiateAuth",
        r#"{"AuthFlow":"USER_PASSWORD_AUTH","ClientId":"$client","AuthParameters":{"USERNAME":"nobody@example.org","PASSWORD":"wrong password"}}"#,
        BAD_CREDENTIALS,
    ),
    ("identity.v1.IdentityService/RespondToAuthChallenge", r#"{"ChallengeName":"PASSWORD_VERIFIER","ClientId":"$client"}"#, BAD_INPUT),
    ("identity.v1.IdentityService/GetTokensFromRefreshToken", r#"{"ClientId":"$client","RefreshToken":"wrong"}"#, BAD_CREDENTIALS),
    ("identity.v1.IdentityService/GetUser", "{}", ANY_MEMBER),
    ("identity.v1.IdentityService/GlobalSignOut", "{}", ANY_MEMBER),
    ("identity.v1.IdentityService/RevokeToken", r#"{"ClientId":"$client","Token":"wrong"}"#, ANYBODY),
    ("friends.v1.FriendsService/ListFriendRequests", r#"{"uid":"$ana"}"#, OWN_PATH),
    ("friends.v1.FriendsService/GetActive", r#"{"uid":"$ana"}"#, OWN_PATH),
    (
        "friends.v1.FriendsService/RespondToFriendRequest",
        r#"{"requestId":"$request","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#,
        [Unauthenticated, NotFound, NotFound, NotFound, Ok],
    ),
    ("friends.v1.FriendsService/CancelFriendRequest", r#"{"uid":"$ana","requestId":"$sent"}"#, OWN_PATH),
    ("friends.v1.FriendsService/FindFriend", r#"{"uid":"$ana","contact":"ben@example.org"}"#, OWN_PATH),
    ("friends.v1.FriendsService/SendFriendRequest", r#"{"uid":"$ana","receiverEmail":"eve@example.org"}"#, OWN_PATH),
    ("favors.v1.FavorsService/CreateFavor", r#"{"title":"A","description":"B"}"#, ANY_MEMBER),
    ("favors.v1.FavorsService/ListActiveFavors", r#"{"uid":"$ana"}"#, OWN_PATH),
    ("favors.v1.FavorsService/ListCompletedFavors", r#"{"uid":"$ana"}"#, OWN_PATH),
    ("favors.v1.FavorsService/ListCancelledFavors", r#"{"uid":"$ana"}"#, OWN_PATH),
    ("favors.v1.FavorsService/ListReceivedFavors", r#"{"uid":"$ana"}"#, OWN_PATH),
    ("favors.v1.FavorsService/GetFavor", r#"{"id":"$favor"}"#, CREATOR_AND_RECIPIENT),
    ("favors.v1.FavorsService/GetFavorStory", r#"{"id":"$favor"}"#, CREATOR_AND_RECIPIENT),
    ("favors.v1.FavorsService/UpdateFavor", r#"{"id":"$favor","title":"C"}"#, CREATOR),
    ("favors.v1.FavorsService/PublishFavor", r#"{"id":"$draft"}"#, [Unauthenticated, NotFound, NotFound, NotFound, Ok]),
    (
        "favors.v1.FavorsService/RespondToFavor",
        r#"{"id":"$favor","response":"FAVOR_RESPONSE_ACCEPT"}"#,
        [Unauthenticated, NotFound, NotFound, Ok, FailedPrecondition],
    ),
    ("favors.v1.FavorsService/CompleteFavor", r#"{"id":"$favor"}"#, WRONG_STATE),
    ("favors.v1.FavorsService/SettleFavor", r#"{"id":"$favor"}"#, WRONG_STATE),
    ("favors.v1.FavorsService/CancelFavor", r#"{"id":"$favor"}"#, CREATOR),
    ("favors.v1.FavorsService/DeleteFavor", r#"{"id":"$favor"}"#, CREATOR),
    ("notifications.v1.NotificationsService/ListNotifications", "{}", ANY_MEMBER),
    (
        "notifications.v1.NotificationsService/MarkNotificationRead",
        r#"{"id":"$notification"}"#,
        [Unauthenticated, NotFound, NotFound, NotFound, Ok],
    ),
    ("notifications.v1.NotificationsService/MarkAllNotificationsRead", "{}", ANY_MEMBER),
    ("notifications.v1.NotificationsService/WatchNotifications", "{}", ANY_MEMBER),
    ("profile.v1.ProfileService/GetStats", r#"{"uid":"$ana"}"#, OWN_PATH),
];

#[tokio::test]
async fn every_rpc_admits_whom_it_should() {
    let mut wrong = Vec::new();
    for method in pb::methods() {
        let name = format!("{}/{}", method.parent_service().full_name().trim_start_matches("goodturn."), method.name());
        let row = ROWS.iter().find(|(rpc, ..)| *rpc == name);
        let (json, expected) = match (pb::is_later(&method), row) {
            (true, None) => ("{}", later(&name)),
            (false, Some((_, json, expected))) => (*json, *expected),
            (true, Some(_)) => panic!("{name} is of a later release and has a row"),
            (false, None) => panic!("{name} has no row in the access matrix"),
        };
        let got = codes(&method, json).await;
        if got != expected {
            wrong.push(format!("{name}: expected {expected:?}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_is_an_rpc() {
    let all: Vec<_> = pb::methods().map(|m| pb::rpc_path(&m)).collect();
    for (name, ..) in ROWS {
        assert!(all.contains(&format!("/goodturn.{name}")), "{name} is no RPC");
    }
}

fn later(name: &str) -> Expected {
    if name.starts_with("identity.") {
        return [Unimplemented; 5];
    }
    [Unauthenticated, Unimplemented, Unimplemented, Unimplemented, Unimplemented]
}
