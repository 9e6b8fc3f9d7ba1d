//! The access matrix: every RPC as nobody, a stranger, a friend, a recipient and the owner. The RPCs come from the descriptors, so one
//! without a row fails.

use crate::harness::{Bearer, Member, Refused, TestServer};
use bytes::{Buf, BufMut, Bytes};
use goodturn::pb::{self, favors as f, friends as fr, notifications as n};
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use tonic::{
    Code::{self, FailedPrecondition, InvalidArgument, NotFound, Ok, PermissionDenied, Unauthenticated, Unimplemented},
    Request, Status,
    client::Grpc,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    service::interceptor::InterceptedService,
};

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
        r#"{"AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","ClientId":"$client","AuthParameters":{"USERNAME":"nobody@example.org","PASSWORD":"wrong password"}}"#,
        BAD_CREDENTIALS,
    ),
    (
        "identity.v1.IdentityService/RespondToAuthChallenge",
        r#"{"ChallengeName":"CHALLENGE_NAME_PASSWORD_VERIFIER","ClientId":"$client"}"#,
        BAD_INPUT,
    ),
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
    let mut world = World::new().await;
    let (ends_all, mut methods): (Vec<_>, Vec<_>) = pb::methods().partition(|m| m.name() == "GlobalSignOut");
    methods.extend(ends_all);
    let mut wrong = Vec::new();
    for method in methods {
        wrong.extend(world.check(&method).await);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn every_rpc_answers_over_grpc_web() {
    let mut world = World::new().await;
    let (favor, draft) = world.favors().await;
    world.words.extend([("$favor", favor), ("$draft", draft)]);
    let [.., Some(ana)] = &world.callers else { panic!("Ana is there") };
    for method in pb::methods().filter(|m| !m.is_server_streaming() && m.name() != "GlobalSignOut") {
        let path = pb::rpc_path(&method);
        let Some((_, json, expected)) = ROWS.iter().find(|(rpc, ..)| path == format!("/goodturn.{rpc}")) else { continue };
        let request = world.message(&method, json);
        let nobody = code(world.server.grpc_web::<()>(&path, None, &request).await);
        let owner = code(world.server.grpc_web::<()>(&path, ana, &request).await);
        // One favor for all rows: what an earlier one did may have changed its state, but never who may know of it.
        let known = if json.contains("$favor") { matches!(owner, Ok | FailedPrecondition | NotFound) } else { owner == expected[4] };
        assert!(nobody == expected[0] && known, "{path}: nobody {nobody:?}, owner {owner:?}");
    }
}

fn code(answer: Result<(), Refused>) -> Code {
    answer.map_or_else(|refused| refused.code, |()| Ok)
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

/// The people of the matrix and the things of Ana, filled into the requests.
struct World {
    server: TestServer,
    callers: [Option<Member>; 5],
    words: Vec<(&'static str, String)>,
}

impl World {
    async fn new() -> Self {
        let server = TestServer::start().await;
        let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
        let (priya, dan) = (server.member("Priya", "Nair").await, server.member("Dan", "Hale").await);
        server.befriend(&ana, &ben).await;
        server.befriend(&ana, &priya).await;
        let request = ask(&server, &dan, &ana).await;
        let tom = server.member("Tom", "Baker").await;
        let sent = ask(&server, &ana, &tom).await;
        let told = server.notifications(&ana).list_notifications(n::ListNotificationsRequest::default()).await.unwrap().into_inner();
        let words = vec![
            ("$client", server.config.web_client_id.clone()),
            ("$ana", ana.uid.clone()),
            ("$request", request),
            ("$sent", sent),
            ("$notification", told.notifications[0].id.clone()),
        ];
        Self { server, callers: [None, Some(eve), Some(priya), Some(ben), Some(ana)], words }
    }

    /// What is wrong with a method's row, if anything. Each row has a favor and a draft of its own.
    async fn check(&mut self, method: &MethodDescriptor) -> Option<String> {
        let name = format!("{}/{}", method.parent_service().full_name().trim_start_matches("goodturn."), method.name());
        let row = ROWS.iter().find(|(rpc, ..)| *rpc == name);
        let (expected, json) = match (pb::is_later(method), row) {
            (true, None) => (later(&name), "{}"),
            (false, Some((_, json, expected))) => (*expected, *json),
            (true, Some(_)) => return Some(format!("{name} is of a later release and has a row")),
            (false, None) => return Some(format!("{name} has no row in the access matrix")),
        };
        if json.contains("$favor") || json.contains("$draft") {
            self.words.retain(|(word, _)| !matches!(*word, "$favor" | "$draft"));
            let (favor, draft) = self.favors().await;
            self.words.extend([("$favor", favor), ("$draft", draft)]);
        }
        let got = self.codes(method, json).await;
        (got != expected).then(|| format!("{name}: expected {expected:?}, got {got:?}"))
    }

    async fn favors(&self) -> (String, String) {
        let [.., Some(ben), Some(ana)] = &self.callers else { panic!("Ben and Ana are there") };
        let active = favor(&self.server, ana, ben, f::FavorStatus::Active).await;
        (active, favor(&self.server, ana, ben, f::FavorStatus::Draft).await)
    }

    /// The codes that the five get: those who may least go first, so that none of them changes what the next sees.
    async fn codes(&self, method: &MethodDescriptor, json: &str) -> Expected {
        let body: Bytes = self.message(method, json).encode_to_vec().into();
        let mut codes = [Code::Unknown; 5];
        for (code, caller) in codes.iter_mut().zip(&self.callers) {
            *code = self.call(method, caller.as_ref(), body.clone()).await;
        }
        codes
    }

    fn message(&self, method: &MethodDescriptor, json: &str) -> DynamicMessage {
        let json = self.words.iter().fold(json.to_owned(), |json, (word, value)| json.replace(word, value));
        let mut reader = serde_json::Deserializer::from_str(&json);
        DynamicMessage::deserialize(method.input(), &mut reader).unwrap()
    }

    async fn call(&self, method: &MethodDescriptor, caller: Option<&Member>, body: Bytes) -> Code {
        let bearer = Bearer::new(caller.map(|m| m.token.as_str()));
        let mut grpc = Grpc::new(InterceptedService::new(self.server.channel(), bearer));
        grpc.ready().await.unwrap();
        let path = pb::rpc_path(method).parse().unwrap();
        match grpc.server_streaming(Request::new(body), path, Raw).await {
            Err(status) => status.code(),
            Result::Ok(answers) => answers.into_inner().message().await.map_or_else(|status| status.code(), |_| Ok),
        }
    }
}

async fn favor(server: &TestServer, creator: &Member, recipient: &Member, status: f::FavorStatus) -> String {
    let start = server.clock.now() + time::Duration::days(1);
    let request = f::CreateFavorRequest {
        title: "Walk Biscuit".into(),
        description: "Round the park".into(),
        status: status.into(),
        start_date: Some(prost_types::Timestamp { seconds: start.unix_timestamp(), nanos: 0 }),
        recipients: vec![recipient.uid.clone()],
        ..Default::default()
    };
    server.favors(creator).create_favor(request).await.unwrap().into_inner().favor.unwrap().id
}

async fn ask(server: &TestServer, one: &Member, other: &Member) -> String {
    let request = fr::SendFriendRequestRequest { receiver_uid: other.uid.clone(), ..Default::default() };
    server.friends(one).send_friend_request(request).await.unwrap().into_inner().friend_request
}

/// Bytes in, bytes out: the matrix knows no types.
#[derive(Clone, Copy)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;
    fn encoder(&mut self) -> Self {
        *self
    }
    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;
    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Result::Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;
    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Result::Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
