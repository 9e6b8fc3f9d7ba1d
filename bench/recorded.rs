//! The SQL of each kind of call, as the server sends it.

use crate::{
    accepts::Requests,
    asked::{self, All, BROWSE, CREATE, Check, GET_ACTIVE, INITIATE_AUTH, LIST_RECEIVED, RECIPIENTS, SEARCH},
    calls::{Rpc, channel},
    crowd::Crowd,
    lending::Feeds,
    load::Caller,
    people::Signer,
    pgbench::Scripts,
    repeat::Call,
    seed,
    servers::Server,
    tap::Tap,
    what::What,
};
use anyhow::{Context, Result};
use goodturn::{clock::Clock, pb::favors::CreateFavorRequest};
use prost::Message;
use std::sync::Arc;
use time::Duration;

/// The statements.
pub struct Recorded {
    pub sign_in: Arc<Scripts>,
    pub get_active: Arc<Scripts>,
    pub received: Arc<Scripts>,
    pub received_long: Arc<Scripts>,
    pub browse: Arc<Scripts>,
    pub search: Arc<Scripts>,
    pub search_typo: Arc<Scripts>,
    pub search_long: Arc<Scripts>,
    pub create: Arc<Scripts>,
    /// The favors that are made: whom they ask is looked up once.
    pub creates: All<CreateFavorRequest>,
    pub feeds: Feeds,
    pub accepts: Arc<Requests>,
}

impl Recorded {
    /// Calls each of them once for every member and keeps the statements that it took. What is done for a member once only, as reading
    /// their session, is done before.
    ///
    /// # Errors
    /// When a call fails.
    pub async fn listen(tap: &Tap, server: &Server, database_url: &str, signers: &[Signer], crowd: &Crowd) -> Result<Self> {
        let since = Clock::system().now();
        // Before anything else has told their borrowers something.
        let accepts = Requests::listen(tap, server, database_url, signers, since).await.context("accepting requests")?;
        let sign_in = record(tap, server, signers, INITIATE_AUTH, &asked::sign_ins(signers), asked::signed_in).await?;
        let get_active = record(tap, server, signers, GET_ACTIVE, &asked::actives(signers)?, asked::all_friends).await?;
        let received = record(tap, server, signers, LIST_RECEIVED, &asked::lists(signers)?, asked::a_page).await?;
        let hosts = &crowd.hosts;
        let received_long = record(tap, server, hosts, LIST_RECEIVED, &asked::lists(hosts)?, asked::a_page).await?;
        let browse = record(tap, server, signers, BROWSE, &asked::browses(signers)?, asked::a_browsed_page).await?;
        let search = record(tap, server, signers, SEARCH, &asked::searches(signers, asked::WORD)?, asked::a_found_page).await?;
        let search_typo = record(tap, server, signers, SEARCH, &asked::searches(signers, asked::TYPO)?, asked::a_found_page).await?;
        let search_long = record(tap, server, hosts, SEARCH, &asked::searches(hosts, asked::TYPO)?, asked::a_found_page).await?;
        let ids: Vec<_> = signers.iter().map(|s| s.id).collect();
        let friends = seed::friends_of(database_url, &ids, RECIPIENTS).await?;
        // Later than all that was filled in: no page of another call is changed.
        let creates = asked::creates(signers, &friends, Clock::system().now() + Duration::days(300))?;
        let create = record(tap, server, signers, CREATE, &creates, asked::a_favor).await?;
        Ok(Self {
            sign_in: Arc::new(Scripts::write(database_url, "bench_sign_in", &sign_in, since).await?),
            get_active: Arc::new(Scripts::write(database_url, "bench_get_active", &get_active, since).await?),
            received: Arc::new(Scripts::write(database_url, "bench_received", &received, since).await?),
            received_long: Arc::new(Scripts::write(database_url, "bench_received_long", &received_long, since).await?),
            browse: Arc::new(Scripts::write(database_url, "bench_browse", &browse, since).await?),
            search: Arc::new(Scripts::write(database_url, "bench_search", &search, since).await?),
            search_typo: Arc::new(Scripts::write(database_url, "bench_search_typo", &search_typo, since).await?),
            search_long: Arc::new(Scripts::write(database_url, "bench_search_long", &search_long, since).await?),
            create: Arc::new(Scripts::write(database_url, "bench_create", &create, since).await?),
            creates,
            feeds: Feeds::listen(tap, server, database_url, signers, &crowd.hosts, since).await?,
            accepts: Arc::new(accepts),
        })
    }

    /// How many statements each kind takes.
    pub fn counts(&self) -> [(What, usize); 16] {
        [
            (What::SignIn, self.sign_in.statements()),
            (What::GetActive, self.get_active.statements()),
            (What::Received, self.received.statements()),
            (What::ReceivedLong, self.received_long.statements()),
            (What::Browse, self.browse.statements()),
            (What::Search, self.search.statements()),
            (What::SearchTypo, self.search_typo.statements()),
            (What::SearchLong, self.search_long.statements()),
            (What::Create, self.create.statements()),
            (What::Feed, self.feeds.first.scripts.statements()),
            (What::FeedDeep, self.feeds.deep.scripts.statements()),
            (What::FeedCategory, self.feeds.category.scripts.statements()),
            (What::FeedWord, self.feeds.word.scripts.statements()),
            (What::FeedTypo, self.feeds.typo.scripts.statements()),
            (What::FeedCrowd, self.feeds.crowd.scripts.statements()),
            (What::Accept, self.accepts.scripts.statements()),
        ]
    }
}

/// Calls one RPC for every member, and keeps the statements of each.
///
/// # Errors
/// When a call fails.
pub async fn record<Q, A>(
    tap: &Tap,
    server: &Server,
    signers: &[Signer],
    path: &'static str,
    asked: &All<Q>,
    check: Check<A>,
) -> Result<Vec<Call>>
where
    Q: Message + Clone + 'static,
    A: Message + Default + 'static,
{
    let mut rpc = Rpc::new(0, channel(&server.url).await?, path, asked, check);
    for _ in signers {
        rpc.call().await?;
    }
    let mut calls = Vec::new();
    for signer in signers {
        tap.take()?;
        rpc.call().await?;
        calls.push((signer.id, tap.take()?));
    }
    Ok(calls)
}
