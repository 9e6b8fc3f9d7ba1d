//! What is called: the same things over every face, in the same run.

use crate::{
    calls::{Asked, CLIENT_ID, HttpCall, Rest, Rpc, Srp, bearer, channels},
    empty,
    load::{self, Caller, Figures, Watched},
    people::Signer,
    pgbench::Scripts,
    repeat::Repeater,
    servers::{Database, Server},
    tap::Tap,
};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use goodturn::pb::{
    favors::{ListReceivedFavorsRequest, ListReceivedFavorsResponse},
    friends::{GetActiveRequest, GetActiveResponse},
    identity::InitiateAuthResponse,
};
use prost::Message;
use reqwest::{Method, header::HeaderMap};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tonic::{Code, Status};

/// How many callers at once.
pub const AT_ONCE: [usize; 3] = [1, 16, 64];
/// Entries of a page of the received list.
const PAGE: i32 = 25;
const FRIENDS: usize = 40;

const INITIATE_AUTH: &str = "/goodturn.identity.v1.IdentityService/InitiateAuth";
const GET_ACTIVE: &str = "/goodturn.friends.v1.FriendsService/GetActive";
const LIST_RECEIVED: &str = "/goodturn.favors.v1.FavorsService/ListReceivedFavors";
/// It is of a later release: the call is authenticated, counted and logged, and then refused. No built RPC goes without the database.
const EMPTY: &str = "/goodturn.friends.v1.FriendsService/UnblockMember";

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Sign-in by the plain password.
    SignIn,
    /// Sign-in by SRP.
    SignInSrp,
    /// The circle of 40 friends.
    GetActive,
    /// 25 favors that the member was asked for.
    Received,
    /// A call that does nothing.
    Empty,
}

impl What {
    /// As the tables call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in, password",
            Self::SignInSrp => "sign-in, SRP",
            Self::GetActive => "GetActive, 40 friends",
            Self::Received => "received list, 25 favors",
            Self::Empty => "empty call",
        }
    }
}

/// How it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Goodturn over gRPC.
    Grpc,
    /// Goodturn over HTTP and JSON.
    Rest,
    /// pgbench: the SQL alone.
    Pgbench,
    /// The SQL alone, from this program: where there is no pgbench.
    Sqlx,
    /// A tonic server that does nothing else.
    Tonic,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What is called.
    pub what: What,
    /// How.
    pub face: Face,
    /// What came of it.
    pub figures: Figures,
}

/// The parts of a run.
pub struct Bench {
    /// The database.
    pub database: Database,
    /// The server on it.
    pub server: Server,
    /// The members who call.
    pub signers: Arc<[Signer]>,
    /// How long each figure is measured.
    pub lasting: Duration,
    /// pgbench, when there is one.
    pub pgbench: Option<PathBuf>,
    /// What was measured so far.
    pub rows: Vec<Row>,
}

/// The SQL of each kind of call.
pub struct Recorded {
    sign_in: Scripts,
    get_active: Scripts,
    received: Scripts,
}

impl Bench {
    /// Measures everything.
    ///
    /// # Errors
    /// When a call fails.
    pub async fn run(&mut self, recorded: &Recorded) -> Result<()> {
        let signers = self.signers.clone();
        self.grpc(What::SignIn, INITIATE_AUTH, &sign_ins(&signers), signed_in).await?;
        self.rest(What::SignIn, signers.iter().map(|s| self.target(s)).collect::<Result<_>>()?).await?;
        self.sql(What::SignIn, &recorded.sign_in).await?;
        let callers = |n, channel| Srp::new(n, channel, &signers);
        self.shared(What::SignInSrp, callers).await?;

        self.grpc(What::GetActive, GET_ACTIVE, &actives(&signers)?, forty_friends).await?;
        self.rest(What::GetActive, self.gets(|s| format!("/v2/users/{}/active", s.id))?).await?;
        self.sql(What::GetActive, &recorded.get_active).await?;
        self.grpc(What::Received, LIST_RECEIVED, &lists(&signers)?, a_page).await?;
        self.rest(What::Received, self.gets(|s| format!("/api/users/{}/requests/received?limit={PAGE}", s.id))?).await?;
        self.sql(What::Received, &recorded.received).await?;
        self.grpc(What::Empty, EMPTY, &empties(&signers)?, refused).await?;
        self.tonic().await
    }

    async fn grpc<Q, A>(
        &mut self,
        what: What,
        path: &'static str,
        asked: &Arc<[Asked<Q>]>,
        check: fn(Result<A, Status>) -> Result<()>,
    ) -> Result<()>
    where
        Q: Message + Clone + 'static,
        A: Message + Default + 'static,
    {
        self.shared(what, |n, channel| Rpc::new(n, channel, path, asked, check)).await
    }

    async fn shared<C: Caller>(&mut self, what: What, caller: impl Fn(usize, tonic::transport::Channel) -> C) -> Result<()> {
        for at_once in AT_ONCE {
            let channels = channels(&self.server.url, at_once).await?;
            let callers = channels.into_iter().enumerate().map(|(n, c)| caller(n, c)).collect();
            self.measure(what, Face::Grpc, callers).await?;
        }
        Ok(())
    }

    async fn rest(&mut self, what: What, mut calls: Vec<HttpCall>) -> Result<()> {
        for call in &mut calls {
            call.bytes_min = self.probe(what, call).await?;
        }
        let calls: Arc<[HttpCall]> = calls.into();
        for at_once in AT_ONCE {
            let callers = (0..at_once).map(|n| Rest::new(n, &calls)).collect::<Result<_>>()?;
            self.measure(what, Face::Rest, callers).await?;
        }
        Ok(())
    }

    async fn tonic(&mut self) -> Result<()> {
        let peer = Server::empty()?;
        let watched = Watched { server: peer.pid(), postgres: None };
        for at_once in AT_ONCE {
            let channels = channels(&peer.url, at_once).await?;
            let asked: Arc<[Asked<()>]> = Arc::from([((), None)]);
            let caller = |(n, c)| Rpc::<(), ()>::new(n, c, empty::PATH, &asked, |answer| Ok(answer?));
            let callers = channels.into_iter().enumerate().map(caller).collect();
            let figures = load::run(watched, callers, self.lasting).await?;
            self.add(What::Empty, Face::Tonic, figures);
        }
        Ok(())
    }

    async fn measure<C: Caller>(&mut self, what: What, face: Face, callers: Vec<C>) -> Result<()> {
        let watched = Watched { server: self.server.pid(), postgres: self.database.postgres };
        let figures = load::run(watched, callers, self.lasting).await.with_context(|| format!("{}, {face:?}", what.name()))?;
        self.add(what, face, figures);
        Ok(())
    }

    /// The SQL alone.
    async fn sql(&mut self, what: What, scripts: &Scripts) -> Result<()> {
        let (url, postgres) = (self.database.url.clone(), self.database.postgres);
        for at_once in AT_ONCE {
            if let Some(program) = &self.pgbench {
                let figures = scripts.run(program, &url, postgres, at_once, self.lasting)?;
                self.add(what, Face::Pgbench, figures);
                continue;
            }
            let mut callers = Vec::new();
            for n in 0..at_once {
                callers.push(Repeater::new(n, &url, &scripts.calls).await?);
            }
            // There is no server in this: the process that is watched is this one.
            let watched = Watched { server: std::process::id(), postgres };
            let figures = load::run(watched, callers, self.lasting).await?;
            self.add(what, Face::Sqlx, Figures { server_ms: None, memory_mb: None, ..figures });
        }
        Ok(())
    }

    fn add(&mut self, what: What, face: Face, figures: Figures) {
        eprintln!("{} {face:?} at {}: {:.0}/s", what.name(), figures.at_once, figures.rate);
        self.rows.push(Row { what, face, figures });
    }

    /// One call before the others, whose answer is read: what such an answer weighs at least.
    async fn probe(&self, what: What, call: &HttpCall) -> Result<usize> {
        let call = call.clone();
        let request = reqwest::Client::new().request(call.method, call.url.clone()).headers(call.headers).body(call.body);
        let (text, url) = (request.send().await?.error_for_status()?.text().await?, call.url);
        let answer: serde_json::Value = serde_json::from_str(&text)?;
        let count = |pointer: &str| answer.pointer(pointer).and_then(|v| v.as_array()).map_or(0, Vec::len);
        let whole = match what {
            What::GetActive => count("/friends/list") == FRIENDS,
            What::Received => count("/favors") == usize::try_from(PAGE)?,
            What::SignIn => answer.pointer("/AuthenticationResult/AccessToken").is_some(),
            What::SignInSrp | What::Empty => true,
        };
        ensure!(whole, "{url} does not answer what is measured: {text:.300}");
        Ok(text.len() / 2)
    }

    fn gets(&self, path: impl Fn(&Signer) -> String) -> Result<Vec<HttpCall>> {
        let get = |signer: &Signer| {
            let mut headers = HeaderMap::new();
            headers.insert("authorization", format!("Bearer {}", signer.token).parse()?);
            let url = format!("{}{}", self.server.url, path(signer)).parse()?;
            Ok(HttpCall { method: Method::GET, url, headers, body: Bytes::new(), bytes_min: 0 })
        };
        self.signers.iter().map(get).collect()
    }

    /// A sign-in as identity clients make it over HTTP.
    fn target(&self, signer: &Signer) -> Result<HttpCall> {
        let mut headers = HeaderMap::new();
        headers.insert("x-amz-target", "AWSCognitoIdentityProviderService.InitiateAuth".parse()?);
        headers.insert("content-type", "application/x-amz-json-1.1".parse()?);
        let body = serde_json::json!({
            "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": CLIENT_ID,
            "AuthParameters": { "USERNAME": signer.email, "PASSWORD": signer.password },
        });
        Ok(HttpCall { method: Method::POST, url: self.server.url.parse()?, headers, body: body.to_string().into(), bytes_min: 0 })
    }
}

impl Recorded {
    /// Calls each of them once for every member and keeps the statements that it took. What is done for a member once only, as reading
    /// their session, is done before.
    ///
    /// # Errors
    /// When a call fails.
    pub async fn listen(tap: &Tap, server: &Server, signers: &[Signer]) -> Result<Self> {
        Ok(Self {
            sign_in: record(tap, server, signers, INITIATE_AUTH, &sign_ins(signers), signed_in).await?,
            get_active: record(tap, server, signers, GET_ACTIVE, &actives(signers)?, forty_friends).await?,
            received: record(tap, server, signers, LIST_RECEIVED, &lists(signers)?, a_page).await?,
        })
    }

    /// How many statements each kind takes.
    pub fn statements(&self) -> [(What, usize); 3] {
        [
            (What::SignIn, self.sign_in.statements()),
            (What::GetActive, self.get_active.statements()),
            (What::Received, self.received.statements()),
        ]
    }
}

async fn record<Q, A>(
    tap: &Tap,
    server: &Server,
    signers: &[Signer],
    path: &'static str,
    asked: &Arc<[Asked<Q>]>,
    check: fn(Result<A, Status>) -> Result<()>,
) -> Result<Scripts>
where
    Q: Message + Clone + 'static,
    A: Message + Default + 'static,
{
    let channel = channels(&server.url, 1).await?.pop().context("no connection")?;
    let mut rpc = Rpc::new(0, channel, path, asked, check);
    for _ in signers {
        rpc.call().await?;
    }
    let mut calls = Vec::new();
    for signer in signers {
        tap.take()?;
        rpc.call().await?;
        calls.push((signer.id, tap.take()?));
    }
    Scripts::write(&calls).with_context(|| path.to_owned())
}

fn sign_ins(signers: &[Signer]) -> Arc<[Asked<goodturn::pb::identity::InitiateAuthRequest>]> {
    signers.iter().map(|s| (s.sign_in(), None)).collect()
}

fn actives(signers: &[Signer]) -> Result<Arc<[Asked<GetActiveRequest>]>> {
    asked(signers, |s| GetActiveRequest { uid: s.id.to_string() })
}

fn lists(signers: &[Signer]) -> Result<Arc<[Asked<ListReceivedFavorsRequest>]>> {
    asked(signers, |s| ListReceivedFavorsRequest { uid: s.id.to_string(), limit: Some(PAGE), ..Default::default() })
}

fn empties(signers: &[Signer]) -> Result<Arc<[Asked<()>]>> {
    asked(signers, |_| ())
}

fn asked<Q>(signers: &[Signer], message: impl Fn(&Signer) -> Q) -> Result<Arc<[Asked<Q>]>> {
    signers.iter().map(|s| Ok((message(s), Some(bearer(&s.token)?)))).collect()
}

fn signed_in(answer: Result<InitiateAuthResponse, Status>) -> Result<()> {
    answer?.authentication_result.map(|_| ()).context("no tokens were given")
}

fn forty_friends(answer: Result<GetActiveResponse, Status>) -> Result<()> {
    let count = answer?.friends.map_or(0, |f| f.list.len());
    ensure!(count == FRIENDS, "{count} friends");
    Ok(())
}

fn a_page(answer: Result<ListReceivedFavorsResponse, Status>) -> Result<()> {
    let count = answer?.favors.len();
    ensure!(count == usize::try_from(PAGE)?, "{count} favors");
    Ok(())
}

fn refused(answer: Result<(), Status>) -> Result<()> {
    match answer {
        Err(status) if status.code() == Code::Unimplemented => Ok(()),
        other => Err(anyhow::anyhow!("expected a refusal after authentication, not {other:?}")),
    }
}
