//! The faces of the server: typed gRPC clients, gRPC-Web, REST and target-header calls.

use super::{Member, Seeder};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use goodturn::pb;
use prost::Message;
use reqwest::Method;
use serde_json::Value;
use std::collections::HashMap;
use tonic::{
    Code, Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Channel, Endpoint},
};
use tonic_types::StatusExt;

/// A channel that sends a token, or none.
pub type Client = InterceptedService<Channel, Bearer>;

/// Sends an access token with each call.
#[derive(Clone)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    /// With this token.
    pub fn new(token: Option<&str>) -> Self {
        Self(token.map(|t| format!("Bearer {t}").parse().unwrap()))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// Why a call was refused: what every face says in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The gRPC code.
    pub code: Code,
    /// The name of the reason, as NOT_YOURS.
    pub reason: String,
    /// The text.
    pub message: String,
    /// Each refused field with its reason, as (`title`, `TOO_LONG`).
    pub fields: Vec<(String, String)>,
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let reason = details.error_info().map(|i| i.reason.clone()).unwrap_or_default();
        let fields = details.bad_request().map(|b| b.field_violations.iter().map(|v| (v.field.clone(), v.reason.clone())).collect());
        Self { code: status.code(), reason, message: status.message().to_owned(), fields: fields.unwrap_or_default() }
    }
}

macro_rules! clients {
    ($($area:ident: $module:ident::$client:ident),* $(,)?) => {
        impl Faces {$(
            #[doc = concat!("The client of `", stringify!($area), "`, as this member or as nobody.")]
            pub fn $area<'m>(&self, who: impl Into<Option<&'m Member>>) -> pb::$area::$module::$client<Client> {
                pb::$area::$module::$client::with_interceptor(self.channel(), Bearer::new(who.into().map(|m| m.token.as_str())))
            }
        )*}
    };
}

clients! {
    identity: identity_service_client::IdentityServiceClient,
    friends: friends_service_client::FriendsServiceClient,
    groups: groups_service_client::GroupsServiceClient,
    favors: favors_service_client::FavorsServiceClient,
    items: items_service_client::ItemsServiceClient,
    notifications: notifications_service_client::NotificationsServiceClient,
    profile: profile_service_client::ProfileServiceClient,
    rentals: rentals_service_client::RentalsServiceClient,
}

/// A server as clients see it: in this process or in another.
pub struct Faces {
    /// Host and port.
    pub address: String,
    /// The client id of the web app.
    pub web_client_id: String,
    /// Makes members without a sign-up, for a server in this process.
    pub seeder: Option<Seeder>,
    http: reqwest::Client,
}

impl Faces {
    /// The server at an address, with the client id that the configuration of tests has.
    pub fn new(address: impl ToString) -> Self {
        let web_client_id = super::config().web_client_id;
        Self { address: address.to_string(), web_client_id, seeder: None, http: reqwest::Client::new() }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A channel for gRPC; it connects when it is used.
    pub fn channel(&self) -> Channel {
        Endpoint::from_shared(self.url("")).unwrap().connect_lazy()
    }

    /// A request for HTTP, for tests that need more than `rest`.
    pub fn http(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.url(path))
    }

    /// One REST call: the status and the body, `Null` when it is empty.
    pub async fn rest<'m>(
        &self,
        method: &str,
        path: &str,
        who: impl Into<Option<&'m Member>>,
        body: impl Into<Option<Value>>,
    ) -> (u16, Value) {
        let mut request = self.http(method.parse().unwrap(), path);
        if let Some(member) = who.into() {
            request = request.bearer_auth(&member.token);
        }
        if let Some(body) = body.into() {
            request = request.json(&body);
        }
        answer(request).await
    }

    /// One target-header call, as identity clients make it.
    pub async fn target(&self, operation: &str, body: Value) -> (u16, Value) {
        let request = self
            .http(Method::POST, "/")
            .header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"))
            .header("content-type", "application/x-amz-json-1.1")
            .body(body.to_string());
        answer(request).await
    }

    /// One unary call over gRPC-Web; `rpc` is `/package.Service/Method`.
    pub async fn grpc_web<'m, A: Message + Default>(
        &self,
        rpc: &str,
        who: impl Into<Option<&'m Member>>,
        message: &impl Message,
    ) -> Result<A, Refused> {
        let mut frame = BytesMut::new();
        frame.put_u8(0);
        frame.put_u32(message.encoded_len().try_into().unwrap());
        message.encode(&mut frame).unwrap();
        let mut request = self.http(Method::POST, rpc).header("content-type", "application/grpc-web+proto").body(frame.freeze());
        if let Some(member) = who.into() {
            request = request.bearer_auth(&member.token);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "gRPC-Web tells failures in trailers");
        if response.headers().contains_key("grpc-status") {
            return Err(Status::from_header_map(response.headers()).unwrap().into());
        }
        let (data, trailers) = frames(response.bytes().await.unwrap());
        let status = trailers.get("grpc-status").expect("an answer ends with its status");
        if status == "0" {
            return Ok(A::decode(data).unwrap());
        }
        let headers: HashMap<String, String> = trailers;
        Err(Status::from_header_map(&(&headers).try_into().unwrap()).unwrap().into())
    }
}

async fn answer(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body = response.bytes().await.unwrap();
    let json = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).expect("an answer is JSON") };
    (status, json)
}

/// The message and the trailers of a gRPC-Web body: each frame is a flag, a length and bytes.
fn frames(mut body: Bytes) -> (Bytes, HashMap<String, String>) {
    let (mut data, mut trailers) = (Bytes::new(), HashMap::new());
    while body.remaining() >= 5 {
        let (flag, length) = (body.get_u8(), body.get_u32());
        let bytes = body.split_to(length.try_into().unwrap());
        if flag & 0x80 == 0 {
            data = bytes;
            continue;
        }
        for line in std::str::from_utf8(&bytes).unwrap().lines() {
            let (name, value) = line.split_once(':').unwrap();
            trailers.insert(name.trim().to_owned(), value.trim().to_owned());
        }
    }
    (data, trailers)
}
