//! The HTTP side, against services that answer what a test tells them.

use crate::{
    auth::{Admitted, Caller, Gate, Tokens, Unfit},
    error::{Error, FieldReason, Reason, Result as OurResult},
    ids::{MemberId, SessionId},
    pb::{self, POOL},
    rest::{Transcoder, options, stream, template::Path},
};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, Method, Response, StatusCode},
};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use prost::Message as _;
use prost_reflect::DynamicMessage;
use serde_json::{Value as Json, json};
use std::{
    convert::Infallible,
    future::{Ready, ready},
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};
use tonic::Status;
use uuid::Uuid;

pub(super) const ANA: Uuid = Uuid::from_u128(7);

struct OneToken;

#[tonic::async_trait]
impl Tokens for OneToken {
    fn known(&self, _: &str) -> Option<OurResult<Caller>> {
        None
    }

    async fn check(&self, token: &str) -> OurResult<Caller> {
        let caller = Caller { member: MemberId(ANA), session: SessionId(ANA), expires_at_s: 0, signed_by: "".into() };
        if token == "ana" { Ok(caller) } else { Err(Error::unauthenticated()) }
    }
}

/// Keeps the last call, and answers with messages and a status.
#[derive(Clone)]
struct Services {
    answers: Arc<Vec<Vec<u8>>>,
    status: Arc<Status>,
    last: Arc<Mutex<Option<Call>>>,
}

pub(super) struct Call {
    path: String,
    pub(super) headers: HeaderMap,
    pub(super) caller: Option<MemberId>,
    wire: Bytes,
}

impl tower::Service<Request> for Services {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (mut head, body) = request.into_parts();
        if let Some(Unfit(status)) = head.extensions.remove() {
            return ready(Ok(status.into_http()));
        }
        let wire = futures_util::FutureExt::now_or_never(body.collect()).unwrap().unwrap().to_bytes().slice(5..);
        let caller = head.extensions.get::<Admitted>().unwrap().0.as_ref().map(|c| c.member);
        *self.last.lock().unwrap() = Some(Call { path: head.uri.path().to_owned(), headers: head.headers, caller, wire });
        let mut trailers = HeaderMap::new();
        self.status.add_header(&mut trailers).unwrap();
        let frames = self.answers.iter().map(|message| {
            let mut framed = vec![0; 5];
            framed.extend_from_slice(message);
            stream::frame(&mut framed).unwrap();
            Frame::data(Bytes::from(framed))
        });
        let frames: Vec<_> = frames.chain([Frame::trailers(trailers)]).map(Ok::<_, Infallible>).collect();
        let body = Body::new(StreamBody::new(futures_util::stream::iter(frames)));
        ready(Ok(Response::builder().header("set-cookie", "a=b").header("x-more", "1").body(body).unwrap()))
    }
}

pub(super) struct Answered {
    pub(super) status: StatusCode,
    headers: HeaderMap,
    pub(super) bytes: Bytes,
    pub(super) text: String,
    pub(super) call: Option<Call>,
}

impl Answered {
    pub(super) fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    /// The message that the service was called with.
    pub(super) fn called_with(&self) -> Json {
        let call = self.call.as_ref().unwrap();
        let method = pb::methods().find(|m| pb::rpc_path(m) == call.path).unwrap();
        let message = DynamicMessage::decode(method.input(), call.wire.clone()).unwrap();
        let names = prost_reflect::SerializeOptions::new().use_proto_field_name(true);
        message.serialize_with_options(serde_json::value::Serializer, &names).unwrap()
    }
}

/// One call to services that answer `answers` and then `status`; `None` when it is no REST call.
pub(super) async fn ask_services(answers: Vec<Vec<u8>>, status: Status, request: Request) -> Option<Answered> {
    let services = Services { answers: Arc::new(answers), status: Arc::new(status), last: Arc::default() };
    let transcoder = Transcoder::new(&POOL, Gate::new(Arc::new(OneToken)), services.clone(), 1000).unwrap();
    let (head, body) = transcoder.answer(request).await.ok()?.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let call = services.last.lock().unwrap().take();
    Some(Answered { status: head.status, headers: head.headers, bytes, text, call })
}

pub(super) async fn ask(request: Request) -> Answered {
    ask_services(vec![Vec::new()], Status::ok(""), request).await.unwrap()
}

pub(super) async fn ask_failing(error: Error, request: Request) -> Answered {
    ask_services(Vec::new(), error.into(), request).await.unwrap()
}

pub(super) fn stranger(method: Method, path: &str, body: &str) -> Request {
    let request = Request::builder().method(method).uri(path).header("x-request-id", "r1");
    request.header("content-type", "application/json").body(Body::from(body.to_owned())).unwrap()
}

pub(super) fn ana(method: Method, path: &str, body: &str) -> Request {
    with(stranger(method, path, body), "authorization", "Bearer ana")
}

pub(super) fn with(mut request: Request, name: &'static str, value: &str) -> Request {
    request.headers_mut().insert(name, value.parse().unwrap());
    request
}

fn target(operation: &str, body: &str) -> Request {
    let request = stranger(Method::POST, "/", body);
    let request = with(request, "content-type", "application/x-amz-json-1.1");
    with(request, "x-amz-target", &format!("AWSCognitoIdentityProviderService.{operation}"))
}

#[tokio::test]
async fn a_stranger_learns_nothing_of_a_bad_body() {
    for body in ["{", "[]", "{\"category\":\"x\"}"] {
        let answered = ask(stranger(Method::POST, "/favor/favor-create", body)).await;
        assert_eq!((answered.status, answered.json()["code"].as_str()), (StatusCode::UNAUTHORIZED, Some("UNAUTHENTICATED")));
        assert!(answered.call.is_none());
    }
    let answered = ask(ana(Method::POST, "/favor/favor-create", "{\"category\":\"x\"}")).await;
    assert_eq!(answered.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        answered.json(),
        json!({
            "code": "INVALID_ARGUMENT", "requestId": "r1", "message": "category: must be one of: general, errands, physical_help, pet_care",
            "details": [{"field": "category", "reason": "UNKNOWN_WORD", "message": "must be one of: general, errands, physical_help, pet_care"}],
        })
    );
}

#[tokio::test]
async fn another_method_is_405_with_allow() {
    let answered = ask(ana(Method::PUT, "/favor/active", "{}")).await;
    assert_eq!((answered.status, answered.json()["code"].as_str()), (StatusCode::METHOD_NOT_ALLOWED, Some("METHOD_NOT_ALLOWED")));
    assert_eq!(answered.header("allow"), "DELETE, GET, HEAD");
}

#[tokio::test]
async fn head_is_get_without_its_body() {
    let get = ask(ana(Method::GET, "/favor/active", "")).await;
    let head = ask(ana(Method::HEAD, "/favor/active", "")).await;
    assert_eq!((head.status, head.text.as_str(), head.header("content-length")), (StatusCode::OK, "", get.header("content-length")));
    assert_eq!(get.json(), json!({"favors": [], "cursor": "", "nextToken": "", "hasMore": false}));
}

#[tokio::test]
async fn path_query_and_defaults_make_the_message() {
    let limit = async |path: &str| ask(ana(Method::GET, path, "")).await.called_with()["limit"].clone();
    assert_eq!(limit("/favor/active").await, 100);
    assert_eq!(limit("/favor/active?limit=5&unknown=x&unknown=%ff&%ff=1").await, 5);
    assert_eq!(limit("/%66avor/active").await, 100);
    assert_eq!(limit("/favor/active?limit=").await, 100);
    assert_eq!(limit("/api/users/7/favors/active").await, Json::Null);
    let answered = ask(ana(Method::GET, "/api/users/a%2Fb/favors/active?uid=9&nextToken=a%2Bb+c&order=RECENT", "")).await;
    assert_eq!(answered.called_with(), json!({"uid": "a/b", "cursor": "a+b c", "order": "FAVOR_ORDER_RECENT"}));
    let answered = ask(ana(Method::GET, "/favor/active?order=x", "")).await;
    assert_eq!(answered.json()["details"][0]["reason"], "UNKNOWN_WORD");
    let answered = ask(ana(Method::GET, "/favor/active?cursor=%ff", "")).await;
    assert_eq!(answered.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_path_wins_and_the_mask_tells_what_the_body_has() {
    let body = r#"{"id":"9","title":"x","startDate":null,"recipients":[],"unknown":1,"update_mask":"tip"}"#;
    let answered = ask(ana(Method::POST, "/favor/5/favor-update", body)).await;
    assert_eq!(answered.called_with(), json!({"id": "5", "title": "x", "update_mask": "title,startDate,recipients"}));
    assert_eq!(answered.call.unwrap().caller, Some(MemberId(ANA)));
}

#[tokio::test]
async fn a_refusal_of_what_stands_behind_an_id_is_spelt_as_json_spells_it() {
    let refused =
        Error::field("start_date", FieldReason::Required, "is required").with_field("recipients[2]", FieldReason::NotAFriend, "is none");
    let answered = ask_failing(refused, ana(Method::POST, "/favor/5/publish", "")).await;
    assert_eq!(answered.json()["message"], "startDate: is required");
    let fields: Vec<_> = answered.json()["details"].as_array().unwrap().iter().map(|d| d["field"].clone()).collect();
    assert_eq!(fields, ["startDate", "recepients[2]"]);
}

#[tokio::test]
async fn a_verb_is_read_with_either_colon() {
    for path in ["/notifications/5:read", "/notifications/5%3Aread"] {
        assert_eq!(ask(ana(Method::POST, path, "")).await.called_with(), json!({"id": "5"}));
    }
    assert_eq!(ask(ana(Method::POST, "/notifications%3Aread-all", "{}")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn envelopes_are_as_documented() {
    let favor = pb::favors::GetFavorResponse { favor: Some(pb::favors::Favor { id: "5".into(), tip: 12.5, ..Default::default() }) };
    let answered = ask_services(vec![favor.encode_to_vec()], Status::ok(""), ana(Method::GET, "/api/favors/5", "")).await.unwrap();
    let json = answered.json();
    assert_eq!((&json["id"], &json["data"]["id"], &json["data"]["tip"]), (&"5".into(), &"5".into(), &12.5.into()));
    assert_eq!((json.get("helper"), &json["recepients"], &json["category"]), (None, &json!([]), &"".into()));

    let group = pb::groups::Group { group_id: "g".into(), group_name: "G".into(), ..Default::default() };
    let active = pb::friends::GetActiveResponse { friends: Some(Default::default()), groups: vec![group] };
    let answered = ask_services(vec![active.encode_to_vec()], Status::ok(""), ana(Method::GET, "/v2/users/7/active", "")).await.unwrap();
    let group = json!({"group_id": "g", "groupId": "g", "group_name": "G", "groupName": "G", "members": []});
    assert_eq!(
        answered.json(),
        json!({
            "friends": {"list": []}, "groups": [group], "data": {"friends": {"list": []}, "groups": [group], "friend_groups": [group]},
        })
    );
}

#[tokio::test]
async fn a_stream_is_lines_or_events_and_ends_with_its_error() {
    let event = |unread_count| pb::notifications::WatchNotificationsResponse { unread_count, ..Default::default() }.encode_to_vec();
    let down = || Status::from(Error::new(Reason::Unavailable, "stopping"));
    let lines = ask_services(vec![event(1), event(2)], down(), ana(Method::GET, "/notifications/stream", "")).await.unwrap();
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    let read: Vec<Json> = lines.text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(
        (&read[0]["unreadCount"], &read[1]["unreadCount"], &read[2]["error"]["code"]),
        (&1.into(), &2.into(), &"UNAVAILABLE".into())
    );

    let request = with(ana(Method::GET, "/notifications/stream", ""), "accept", "text/event-stream");
    let events = ask_services(vec![event(3)], Status::ok(""), request).await.unwrap();
    assert_eq!(events.header("content-type"), "text/event-stream");
    assert_eq!(events.text, "data: {\"unreadCount\":3,\"resumeToken\":\"\"}\n\n");
}

#[tokio::test]
async fn an_error_is_spelt_in_json_names() {
    let error = Error::field("recipients[2]", FieldReason::NotAFriend, "is no friend").retry_after(Duration::from_millis(1500));
    let answered = ask_failing(error, ana(Method::POST, "/favor/favor-create", "{}")).await;
    assert_eq!(
        answered.json(),
        json!({
            "code": "INVALID_ARGUMENT", "message": "recepients[2]: is no friend", "requestId": "r1",
            "details": [{"field": "recepients[2]", "reason": "NOT_A_FRIEND", "message": "is no friend"}],
        })
    );
    assert_eq!(answered.header("retry-after"), "2");
    let table = [(Reason::WrongState, 409), (Reason::AlreadySent, 409), (Reason::TooLarge, 413), (Reason::RateLimited, 429)];
    for (reason, http) in table {
        let answered = ask_failing(Error::new(reason, "x"), ana(Method::DELETE, "/favor/5", "")).await;
        assert_eq!(answered.status.as_u16(), http, "{reason:?}");
    }
    let answered = ask_services(Vec::new(), Status::internal("secret"), ana(Method::DELETE, "/favor/5", "")).await.unwrap();
    assert_eq!((answered.status.as_u16(), answered.text.contains("secret")), (500, false));
}

#[tokio::test]
async fn the_target_header_calls_an_operation() {
    let body = r#"{"AuthFlow":"USER_SRP_AUTH","ClientId":null,"AuthParameters":{"USERNAME":"ana","DEVICE_KEY":null}}"#;
    let answered = ask(target("InitiateAuth", body)).await;
    assert_eq!((answered.header("content-type"), answered.header("x-amzn-requestid")), ("application/x-amz-json-1.1", "r1"));
    assert_eq!(answered.json(), json!({"ChallengeParameters": {}}));
    let expected = json!({"auth_flow": "AUTH_FLOW_USER_SRP_AUTH", "auth_parameters": {"USERNAME": "ana"}});
    assert_eq!(answered.called_with(), expected);
}

#[tokio::test]
async fn errors_of_the_target_header_have_its_types() {
    let is = |answered: &Answered, http: u16, exception: &str| {
        let json = answered.json();
        assert_eq!((answered.status.as_u16(), json["__type"].as_str()), (http, Some(exception)), "{json}");
        assert_eq!((answered.header("x-amzn-errortype"), answered.header("x-amzn-requestid")), (exception, "r1"));
        assert!(json["message"].is_string());
    };
    is(&ask(target("Unknown", "{}")).await, 400, "UnknownOperationException");
    is(&ask(target("InitiateAuth", "{")).await, 400, "SerializationException");
    is(&ask(target("InitiateAuth", "{\"ClientId\":5}")).await, 400, "SerializationException");
    is(&ask(target("InitiateAuth", "{\"AuthFlow\":\"x\"}")).await, 400, "InvalidParameterException");
    let wrong = Error::new(Reason::NotAuthorized, "Incorrect username or password.");
    is(&ask_failing(wrong, target("InitiateAuth", "{}")).await, 400, "NotAuthorizedException");
    is(&ask_failing(Error::internal(anyhow::anyhow!("x")), target("InitiateAuth", "{}")).await, 500, "InternalErrorException");
    let mut other = target("x", "{}");
    other.headers_mut().insert("x-amz-target", "Other.Thing".parse().unwrap());
    is(&ask(other).await, 400, "UnknownOperationException");
}

#[tokio::test]
async fn only_json_of_a_bounded_size_is_read() {
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let answered = ask(with(ana(Method::POST, "/favor/favor-create", "{}"), "content-type", kind)).await;
        assert_eq!((answered.status.as_u16(), answered.json()["code"].as_str()), (415, Some("UNSUPPORTED_TYPE")));
        assert_eq!(answered.json()["details"][0]["field"], "content-type");
        assert!(answered.json()["message"].as_str().unwrap().contains(kind));
    }
    let answered = ask(with(ana(Method::POST, "/favor/favor-create", "{}"), "content-encoding", "gzip")).await;
    assert_eq!((answered.status.as_u16(), &answered.json()["details"][0]["field"]), (415, &json!("content-encoding")));
    let answered = ask(with(ana(Method::POST, "/favor/favor-create", "{}"), "content-type", "Application/JSON; charset=utf-8")).await;
    assert_eq!(answered.status, StatusCode::OK);
    let long = format!("{{\"title\":\"{}\"}}", "x".repeat(1000));
    for told in [true, false] {
        let mut request = ana(Method::POST, "/favor/favor-create", &long);
        if told {
            request.headers_mut().insert("content-length", long.len().into());
        }
        let answered = ask(request).await;
        assert_eq!((answered.status.as_u16(), answered.json()["code"].as_str(), answered.call.is_none()), (413, Some("TOO_LARGE"), true));
    }
}

#[tokio::test]
async fn metadata_goes_through_both_ways() {
    let mut request = ana(Method::POST, "/favor/favor-create", "{}");
    for (name, value) in
        [("idempotency-key", "k"), ("grpc-timeout", "2S"), ("grpc-encoding", "gzip"), ("connection", "close"), ("host", "h")]
    {
        request = with(request, name, value);
    }
    let answered = ask(request).await;
    assert_eq!((answered.header("set-cookie"), answered.header("x-more")), ("a=b", "1"));
    let headers = answered.call.unwrap().headers;
    for (name, value) in [("idempotency-key", "k"), ("grpc-timeout", "2S"), ("x-request-id", "r1"), ("content-type", "application/grpc")] {
        assert_eq!(headers.get(name).unwrap(), value);
    }
    for name in ["grpc-encoding", "connection", "host", "content-length"] {
        assert!(!headers.contains_key(name), "{name}");
    }
}

#[tokio::test]
async fn what_is_no_rest_call_goes_on() {
    for request in [stranger(Method::POST, "/", "{}"), stranger(Method::GET, "/nothing", "")] {
        assert!(ask_services(Vec::new(), Status::ok(""), request).await.is_none());
    }
}

#[test]
fn no_get_takes_a_path_of_the_web_app() {
    let bindings: Vec<_> = pb::methods().flat_map(|m| options::bindings(&m)).collect();
    assert!(bindings.len() > 60);
    let plans = crate::rest::plan::Plans::new(&POOL).unwrap();
    let routes = crate::rest::routes::Routes::new(&POOL, &plans).unwrap();
    for path in [
        "/",
        "/friends",
        "/favors",
        "/favors/5",
        "/share/5",
        "/inbox",
        "/settings",
        "/profile",
        "/join",
        "/auth/callback",
        "/login",
        "/assets/x.js",
    ] {
        assert!(matches!(routes.find(&Method::GET, &Path::split(path)), crate::rest::routes::Match::Nothing), "{path}");
    }
}
