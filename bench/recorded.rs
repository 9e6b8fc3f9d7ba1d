//! The SQL of each kind of call, as the server sends it.

use crate::{
    asked::{self, All, Check, GET_ACTIVE, INITIATE_AUTH, LIST_RECEIVED},
    calls::{Rpc, channel},
    load::Caller,
    people::Signer,
    pgbench::Scripts,
    repeat::Call,
    servers::Server,
    tap::Tap,
    what::What,
};
use anyhow::Result;
use prost::Message;
use std::sync::Arc;

/// The statements.
pub struct Recorded {
    pub sign_in: Arc<Scripts>,
    pub get_active: Arc<Scripts>,
    pub received: Arc<Scripts>,
}

impl Recorded {
    /// Calls each of them once for every member and keeps the statements that it took. What is done for a member once only, as reading
    /// their session, is done before.
    ///
    /// # Errors
    /// When a call fails.
    pub async fn listen(tap: &Tap, server: &Server, database_url: &str, signers: &[Signer]) -> Result<Self> {
        let sign_in = record(tap, server, signers, INITIATE_AUTH, &asked::sign_ins(signers), asked::signed_in).await?;
        let get_active = record(tap, server, signers, GET_ACTIVE, &asked::actives(signers)?, asked::all_friends).await?;
        let received = record(tap, server, signers, LIST_RECEIVED, &asked::lists(signers)?, asked::a_page).await?;
        Ok(Self {
            sign_in: Arc::new(Scripts::write(database_url, "bench_sign_in", &sign_in).await?),
            get_active: Arc::new(Scripts::write(database_url, "bench_get_active", &get_active).await?),
            received: Arc::new(Scripts::write(database_url, "bench_received", &received).await?),
        })
    }

    /// How many statements each kind takes.
    pub fn counts(&self) -> [(What, usize); 3] {
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
