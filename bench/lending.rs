//! What friends lend: the messages of the feed's calls, what their answers must be, and their SQL as the server sends it.

use crate::{
    asked::{All, PAGE, asked},
    calls::{Rpc, channel},
    people::Signer,
    pgbench::Scripts,
    recorded::record,
    servers::Server,
    tap::Tap,
};
use anyhow::{Result, ensure};
use goodturn::pb::items::{BrowseFeedRequest, BrowseFeedResponse, ItemCategory};
use std::sync::Arc;
use time::OffsetDateTime;
use tonic::Status;

pub const BROWSE_FEED: &str = "/goodturn.items.v1.ItemsService/BrowseFeed";
/// What every item has in its title.
const WORD: &str = "ladder";
/// What every item has in its description, with a typo.
const TYPO: &str = "aluminum";
/// The page that is far from the first, and how many items it has: of ten items of each of forty friends the last.
const DEEP: usize = 40;
const DEEP_PAGE: usize = 10;

/// The calls, with the SQL of each.
pub struct Feeds {
    pub first: Feed,
    pub deep: Feed,
    pub category: Feed,
    pub word: Feed,
    pub typo: Feed,
    pub crowd: Feed,
}

/// One kind of call.
pub struct Feed {
    pub asked: All<BrowseFeedRequest>,
    pub scripts: Arc<Scripts>,
}

impl Feed {
    /// The SQL of one call: the same for every member.
    pub fn statements(&self) -> impl Iterator<Item = &str> {
        self.scripts.calls.iter().take(1).flat_map(|(_, statements)| statements.iter().map(|statement| statement.sql.as_str()))
    }
}

impl Feeds {
    /// Calls each of them for every member and keeps the statements that it took. The hosts have many friends.
    ///
    /// # Errors
    /// When a call fails.
    pub async fn listen(
        tap: &Tap,
        server: &Server,
        database_url: &str,
        signers: &[Signer],
        hosts: &[Signer],
        since: OffsetDateTime,
    ) -> Result<Self> {
        let page = BrowseFeedRequest { limit: Some(i32::try_from(PAGE)?), ..Default::default() };
        let all = |request: BrowseFeedRequest| asked(signers, move |_| request.clone());
        let cursors = far(server, signers).await?;
        let deep = all(BrowseFeedRequest { limit: Some(i32::try_from(DEEP_PAGE)?), ..Default::default() })?;
        let deep =
            deep.iter().zip(cursors).map(|((request, token), cursor)| (BrowseFeedRequest { cursor, ..request.clone() }, token.clone()));
        let (word, typo) =
            (BrowseFeedRequest { query: WORD.to_owned(), ..page.clone() }, BrowseFeedRequest { query: TYPO.to_owned(), ..page.clone() });
        let category = BrowseFeedRequest { category: ItemCategory::Electronics.into(), ..page.clone() };
        let feed = async |table: &str, callers: &[Signer], asked: All<BrowseFeedRequest>, check| {
            let calls = record(tap, server, callers, BROWSE_FEED, &asked, check).await?;
            anyhow::Ok(Feed { asked, scripts: Arc::new(Scripts::write(database_url, table, &calls, since).await?) })
        };
        Ok(Self {
            crowd: feed("bench_feed_crowd", hosts, asked(hosts, |_| page.clone())?, a_page).await?,
            first: feed("bench_feed", signers, all(page)?, a_page).await?,
            deep: feed("bench_feed_deep", signers, deep.collect(), a_deep_page).await?,
            category: feed("bench_feed_category", signers, all(category)?, a_page).await?,
            word: feed("bench_feed_word", signers, all(word)?, a_page).await?,
            typo: feed("bench_feed_typo", signers, all(typo)?, a_page).await?,
        })
    }
}

/// Where the page begins for each member that is far from the first.
async fn far(server: &Server, signers: &[Signer]) -> Result<Vec<String>> {
    let limit = Some(i32::try_from(DEEP_PAGE)?);
    let first = asked(signers, |_| BrowseFeedRequest { limit, ..Default::default() })?;
    let mut rpc = Rpc::<BrowseFeedRequest, BrowseFeedResponse>::to(channel(&server.url).await?, BROWSE_FEED);
    let mut cursors = Vec::with_capacity(signers.len());
    for (request, token) in first.iter() {
        let mut cursor = String::new();
        for _ in 1..DEEP {
            let (answer, _) = rpc.send((BrowseFeedRequest { cursor, ..request.clone() }, token.clone())).await?;
            cursor = answer?.cursor;
        }
        ensure!(!cursor.is_empty(), "there are not so many pages");
        cursors.push(cursor);
    }
    Ok(cursors)
}

pub fn a_page(answer: Result<BrowseFeedResponse, Status>) -> Result<()> {
    has(answer, PAGE)
}

pub fn a_deep_page(answer: Result<BrowseFeedResponse, Status>) -> Result<()> {
    has(answer, DEEP_PAGE)
}

fn has(answer: Result<BrowseFeedResponse, Status>, expected: usize) -> Result<()> {
    let count = answer?.items.len();
    ensure!(count == expected, "{count} items");
    Ok(())
}
