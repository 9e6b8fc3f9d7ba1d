//! One call after the other, over gRPC or REST, each checked.

use crate::{
    answers::{AsItCame, Checked},
    load::Caller,
    people::Signer,
    srp,
};
use anyhow::{Context, Result, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use goodturn::{
    clock::Clock,
    pb::identity::{
        AuthFlow, ChallengeName, InitiateAuthRequest, InitiateAuthResponse, RespondToAuthChallengeRequest, RespondToAuthChallengeResponse,
    },
};
use prost::Message;
use reqwest::{Method, StatusCode, Url, header::HeaderMap};
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};
use time::macros::format_description;
use tonic::{
    Request, Status,
    client::Grpc,
    codegen::http::uri::PathAndQuery,
    metadata::{Ascii, MetadataValue},
    transport::{Channel, Endpoint},
};

/// Connections that gRPC callers share.
const CHANNELS_MAX: usize = 8;
/// The application that the members sign in with.
pub const CLIENT_ID: &str = "goodturncli";
/// The name of the user pool in SRP, as the configuration has it when nothing is said.
const POOL_NAME: &str = "Goodturn1";

/// Opens a connection.
///
/// # Errors
/// When the server does not answer.
pub async fn channel(url: &str) -> Result<Channel> {
    Ok(Endpoint::from_shared(url.to_owned())?.tcp_nodelay(true).connect().await?)
}

/// Opens connections for so many callers at once.
///
/// # Errors
/// When the server does not answer.
pub async fn channels(url: &str, at_once: usize) -> Result<Vec<Channel>> {
    let mut channels = Vec::new();
    for _ in 0..at_once.min(CHANNELS_MAX) {
        channels.push(channel(url).await?);
    }
    // A caller each, on the connections in turn.
    Ok(channels.into_iter().cycle().take(at_once).collect())
}

/// The value of the authorization header.
///
/// # Errors
/// When the token is no text.
pub fn bearer(token: &str) -> Result<MetadataValue<Ascii>> {
    Ok(format!("Bearer {token}").parse()?)
}

/// A message and the token that goes with it.
pub type Asked<Q> = (Q, Option<MetadataValue<Ascii>>);

/// Calls one RPC, for one member after the other.
pub struct Rpc<Q, A> {
    client: Grpc<Channel>,
    path: PathAndQuery,
    asked: Arc<[Asked<Q>]>,
    next: usize,
    check: fn(Result<A, Status>) -> Result<()>,
    checked: Checked,
}

impl<Q: Message + Clone + 'static, A: Message + Default + 'static> Rpc<Q, A> {
    /// The caller of this number.
    pub fn new(
        n: usize,
        channel: Channel,
        path: &'static str,
        asked: &Arc<[Asked<Q>]>,
        check: fn(Result<A, Status>) -> Result<()>,
    ) -> Self {
        let (client, path, checked) = (Grpc::new(channel), PathAndQuery::from_static(path), Checked::new(asked.len()));
        Self { client, path, asked: asked.clone(), next: n, check, checked }
    }

    /// A caller for each channel. What one of them checked, the others need not check again.
    pub fn crowd(
        channels: Vec<Channel>,
        path: &'static str,
        asked: &Arc<[Asked<Q>]>,
        check: fn(Result<A, Status>) -> Result<()>,
    ) -> Vec<Self> {
        let checked = Checked::new(asked.len());
        let caller = |(n, channel)| Self { checked: checked.clone(), ..Self::new(n, channel, path, asked, check) };
        channels.into_iter().enumerate().map(caller).collect()
    }

    /// One that has no messages of its own: each is given to `send`.
    pub fn to(channel: Channel, path: &'static str) -> Self {
        Self::new(0, channel, path, &Arc::from([]), |_| Ok(()))
    }

    /// One call with this message.
    pub async fn send(&mut self, asked: Asked<Q>) -> Result<(Result<A, Status>, Duration)> {
        let (answer, took) = self.ask(asked).await?;
        Ok((answer.and_then(read), took))
    }

    async fn ask(&mut self, (message, token): Asked<Q>) -> Result<(Result<Bytes, Status>, Duration)> {
        let mut request = Request::new(message);
        if let Some(token) = token {
            request.metadata_mut().insert("authorization", token);
        }
        let began = Instant::now();
        self.client.ready().await?;
        let answer = self.client.unary(request, self.path.clone(), AsItCame::default()).await;
        Ok((answer.map(tonic::Response::into_inner), began.elapsed()))
    }
}

fn read<A: Message + Default>(answer: Bytes) -> Result<A, Status> {
    A::decode(answer).map_err(|e| Status::internal(e.to_string()))
}

impl<Q: Message + Clone + 'static, A: Message + Default + 'static> Caller for Rpc<Q, A> {
    async fn call(&mut self) -> Result<Duration> {
        let question = self.next % self.asked.len();
        let asked = self.asked.get(question).context("nobody asks")?.clone();
        self.next += 1;
        let (answer, took) = self.ask(asked).await?;
        let checked = match answer {
            Ok(answer) => self.checked.check(question, &answer.clone(), || (self.check)(read(answer))),
            Err(status) => (self.check)(Err(status)),
        };
        checked.with_context(|| self.path.to_string())?;
        Ok(took)
    }
}

/// A REST call.
#[derive(Clone)]
pub struct HttpCall {
    /// GET or POST.
    pub method: Method,
    /// Where.
    pub url: Url,
    /// With the token.
    pub headers: HeaderMap,
    /// JSON, or nothing.
    pub body: Bytes,
    /// What the answer has at least, in bytes.
    pub bytes_min: usize,
}

/// Calls one path, for one member after the other, on a connection of its own.
pub struct Rest {
    client: reqwest::Client,
    calls: Arc<[HttpCall]>,
    next: usize,
}

impl Rest {
    /// The caller of this number.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn new(n: usize, calls: &Arc<[HttpCall]>) -> Result<Self> {
        Ok(Self { client: reqwest::Client::builder().http1_only().build()?, calls: calls.clone(), next: n })
    }
}

impl Caller for Rest {
    async fn call(&mut self) -> Result<Duration> {
        let call = self.calls.get(self.next % self.calls.len()).context("nobody asks")?.clone();
        self.next += 1;
        let request = self.client.request(call.method, call.url.clone()).headers(call.headers).body(call.body);
        let began = Instant::now();
        let response = request.send().await?;
        let (status, body) = (response.status(), response.bytes().await?);
        let took = began.elapsed();
        if status == StatusCode::TOO_MANY_REQUESTS {
            // As the same refusal comes over gRPC.
            return Err(Status::resource_exhausted(call.url).into());
        }
        ensure!(status.is_success() && body.len() >= call.bytes_min, "{}: {status} {}", call.url, String::from_utf8_lossy(&body));
        Ok(took)
    }
}

/// Signs one member in after the other by SRP: two calls, and arithmetic of the client that does not count.
pub struct Srp {
    begin: Rpc<InitiateAuthRequest, InitiateAuthResponse>,
    prove: Rpc<RespondToAuthChallengeRequest, RespondToAuthChallengeResponse>,
    client: srp::Client,
    signers: Arc<[Signer]>,
    next: usize,
}

impl Srp {
    /// The caller of this number.
    pub fn new(n: usize, channel: Channel, signers: &Arc<[Signer]>) -> Self {
        Self {
            begin: Rpc::to(channel.clone(), "/goodturn.identity.v1.IdentityService/InitiateAuth"),
            prove: Rpc::to(channel, "/goodturn.identity.v1.IdentityService/RespondToAuthChallenge"),
            client: srp::Client::new(),
            signers: signers.clone(),
            next: n,
        }
    }

    fn proof(&self, challenge: &HashMap<String, String>, password: &str) -> Result<RespondToAuthChallengeRequest> {
        let get = |name: &str| challenge.get(name).map(String::as_str).with_context(|| format!("the challenge has no {name}"));
        let user = get("USER_ID_FOR_SRP")?;
        let identity = format!("{POOL_NAME}{user}:{password}");
        let key = self.client.key(get("SRP_B")?, get("SALT")?, &identity).context("the challenge is not hexadecimal")?;
        let format = format_description!("[weekday repr:short] [month repr:short] [day padding:none] [hour]:[minute]:[second] UTC [year]");
        let at = Clock::system().now().format(format)?;
        let block = STANDARD.decode(get("SECRET_BLOCK")?)?;
        let signature = srp::sign(&key, &[POOL_NAME.as_bytes(), user.as_bytes(), &block, at.as_bytes()]);
        Ok(RespondToAuthChallengeRequest {
            challenge_name: ChallengeName::PasswordVerifier.into(),
            client_id: CLIENT_ID.to_owned(),
            challenge_responses: HashMap::from([
                ("USERNAME".to_owned(), user.to_owned()),
                ("PASSWORD_CLAIM_SECRET_BLOCK".to_owned(), get("SECRET_BLOCK")?.to_owned()),
                ("PASSWORD_CLAIM_SIGNATURE".to_owned(), STANDARD.encode(signature)),
                ("TIMESTAMP".to_owned(), at),
            ]),
            ..Default::default()
        })
    }
}

impl Caller for Srp {
    async fn call(&mut self) -> Result<Duration> {
        let signer = self.signers.get(self.next % self.signers.len()).context("nobody signs in")?.clone();
        self.next += 1;
        let begin = InitiateAuthRequest {
            auth_flow: AuthFlow::UserSrpAuth.into(),
            client_id: CLIENT_ID.to_owned(),
            auth_parameters: HashMap::from([("USERNAME".to_owned(), signer.email), ("SRP_A".to_owned(), self.client.offer())]),
            ..Default::default()
        };
        let (challenge, first) = self.begin.send((begin, None)).await?;
        let proof = self.proof(&challenge?.challenge_parameters, &signer.password)?;
        let (answer, second) = self.prove.send((proof, None)).await?;
        answer?.authentication_result.context("no tokens were given")?;
        Ok(first + second)
    }
}
