//! A look before anything is measured: whether what answers does the work that it is measured for.

use crate::{
    asked::{self, All, Check, GET_ACTIVE, GET_USER, INITIATE_AUTH, LIST_RECEIVED, PAGE},
    calls::{Asked, HttpCall, Rpc, Srp, channel},
    lending::BROWSE_FEED,
    load::Caller,
    people::Signer,
    seed,
    servers::Server,
    what::What,
};
use anyhow::{Result, ensure};
use goodturn::pb::{
    favors::ListReceivedFavorsResponse,
    friends::GetActiveResponse,
    items::{BrowseFeedRequest, BrowseFeedResponse},
};
use prost::Message;
use std::sync::Arc;
use tonic::Status;

/// How much longer or shorter the bare service's answer may be than ours, in percent: cursors are written in other ways.
const DIFFERS_BY: usize = 3;

/// Bytes of an answer, of all members together: ours, and the bare service's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lengths {
    pub ours: usize,
    pub bare: usize,
}

/// Calls a server once in every way.
///
/// # Errors
/// When it does not answer as it must.
pub async fn serves(url: &str, signers: &[Signer]) -> Result<()> {
    once(url, GET_ACTIVE, &asked::actives(signers)?, asked::all_friends).await?;
    once(url, LIST_RECEIVED, &asked::lists(signers)?, asked::a_page).await?;
    once(url, LIST_RECEIVED, &asked::empties(signers)?, asked::nothing).await?;
    once(url, asked::REFUSED, &asked::unnamed(signers)?, asked::refused).await?;
    once(url, INITIATE_AUTH, &asked::refreshes(signers), asked::signed_in).await?;
    once(url, GET_USER, &asked::users(signers), asked::a_user).await?;
    once(url, LIST_RECEIVED, &asked::forged(signers)?, asked::a_stranger).await?;
    Srp::new(0, channel(url).await?, &Arc::from(signers)).call().await?;
    for signer in signers.iter().take(1) {
        rest(What::SignIn, &asked::post_sign_in(url, signer)?).await?;
        rest(What::GetActive, &asked::get_active(url, signer)?).await?;
        rest(What::Received, &asked::get_received(url, signer)?).await?;
    }
    Ok(())
}

async fn once<Q, A>(url: &str, path: &'static str, asked: &All<Q>, check: Check<A>) -> Result<()>
where
    Q: Message + Clone + 'static,
    A: Message + Default + 'static,
{
    Rpc::new(0, channel(url).await?, path, asked, check).call().await.map(|_| ())
}

/// Calls one path; how many bytes the answer has.
///
/// # Errors
/// When it does not say what it must.
pub async fn rest(what: What, call: &HttpCall) -> Result<usize> {
    let call = call.clone();
    let request = reqwest::Client::new().request(call.method, call.url.clone()).headers(call.headers).body(call.body);
    let (text, url) = (request.send().await?.error_for_status()?.text().await?, call.url);
    let answer: serde_json::Value = serde_json::from_str(&text)?;
    let count = |pointer: &str| answer.pointer(pointer).and_then(|v| v.as_array()).map_or(0, Vec::len);
    let whole = match what {
        What::GetActive => i64::try_from(count("/friends/list"))? == seed::FRIENDS,
        What::Received => count("/favors") == PAGE,
        What::SignIn => answer.pointer("/AuthenticationResult/AccessToken").is_some(),
        What::SignInSrp
        | What::Refresh
        | What::GetUser
        | What::Forged
        | What::GetCrowd
        | What::Profile
        | What::ReceivedLong
        | What::Browse
        | What::Search
        | What::SearchTypo
        | What::SearchLong
        | What::Create
        | What::Feed
        | What::FeedDeep
        | What::FeedCategory
        | What::FeedWord
        | What::FeedTypo
        | What::FeedCrowd
        | What::Accept
        | What::AcceptOne
        | What::Empty
        | What::Unread
        | What::Refused => true,
    };
    ensure!(whole, "{url} does not answer what is measured: {text:.300}");
    Ok(text.len())
}

/// Asks our server and the bare service the same, for every member.
///
/// # Errors
/// When an answer of the bare service has not as many entries as ours, or another length: it would do another work.
pub async fn alike(server: &Server, bare: &Server, signers: &[Signer], feed: &[Asked<BrowseFeedRequest>]) -> Result<[(What, Lengths); 3]> {
    let friends = |answer: &GetActiveResponse| answer.friends.as_ref().map_or(0, |f| f.list.len());
    let favors = |answer: &ListReceivedFavorsResponse| answer.favors.len();
    Ok([
        (What::GetActive, compare(server, bare, GET_ACTIVE, &asked::actives(signers)?, friends).await?),
        (What::Received, compare(server, bare, LIST_RECEIVED, &asked::lists(signers)?, favors).await?),
        (What::Feed, compare(server, bare, BROWSE_FEED, feed, |answer: &BrowseFeedResponse| answer.items.len()).await?),
    ])
}

async fn compare<Q, A>(
    server: &Server,
    bare: &Server,
    path: &'static str,
    asked: &[Asked<Q>],
    entries: impl Fn(&A) -> usize,
) -> Result<Lengths>
where
    Q: Message + Clone + 'static,
    A: Message + Default + 'static,
{
    let mut rpcs: [Rpc<Q, A>; 2] = [Rpc::to(channel(&server.url).await?, path), Rpc::to(channel(&bare.url).await?, path)];
    let mut all = Lengths::default();
    for asked in asked {
        let mut answers = Vec::new();
        for rpc in &mut rpcs {
            let (answer, _): (Result<A, Status>, _) = rpc.send(asked.clone()).await?;
            let answer = answer?;
            answers.push((entries(&answer), answer.encoded_len()));
        }
        if let [(our_entries, ours), (bare_entries, bare)] = answers[..] {
            ensure!(our_entries == bare_entries, "{path}: the bare service answers {bare_entries} entries, and ours {our_entries}");
            let same = ours.abs_diff(bare) * 100 <= ours * DIFFERS_BY;
            ensure!(same, "{path}: the bare service answers {bare} bytes, and ours {ours}: they would not do the same work");
            all = Lengths { ours: all.ours + ours, bare: all.bare + bare };
        }
    }
    Ok(all)
}
