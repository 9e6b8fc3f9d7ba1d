//! Row 42: what one member or one network can do to others by trying ten thousand times, over two nodes of which one is restarted.

use crate::{
    calls::{Asked, CLIENT_ID, Rpc, bearer, channel},
    ground::{Ground, number, sign_in},
    node::Node,
    people::Signer,
    table::Row,
    traffic::{RESPOND, SEND},
};
use anyhow::{Context, Result};
use goodturn::pb::{
    favors::{FavorResponse, RespondToFavorRequest, RespondToFavorResponse},
    friends::{CancelFriendRequestRequest, CancelFriendRequestResponse, SendFriendRequestRequest, SendFriendRequestResponse},
};
use prost::Message;
use reqwest::Client;
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use std::{
    collections::HashSet,
    net::IpAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use uuid::Uuid;

const AT_ONCE: u32 = 16;
const STRANGERS_MAX: usize = 20;
const ONE_ADDRESS_MAX: usize = 10;
const UNREAD_MAX: i64 = 5;
/// Rows for ten thousand tries of each kind.
const ROWS_MAX: i64 = 1000;
const VICTIM: &str = "victim@ring.example";
const CANCEL: &str = "/goodturn.friends.v1.FriendsService/CancelFriendRequest";
const UNREAD: &str = "SELECT unread::bigint FROM notification_counters WHERE member_id = $1 LIMIT 1";
const ROWS: &str = "SELECT count(*) FROM budgets LIMIT 1";
const JOBS: &str = "SELECT count(*) FROM graphile_worker._private_jobs WHERE attempts < max_attempts LIMIT 1";
const STEPS: &str = "SELECT count(*) FROM favor_events LIMIT 1";
/// A favor of the first member that the second was asked for.
const FAVOR: &str = "WITH f AS (
    INSERT INTO favors (id, creator_id, title, description, category, status, start_at, tip_cents, currency, location, request_type,
                        max_responses, responses, created_at, updated_at, posted_at, found_by, located_by)
    VALUES ($1, $2, 'Carry a sofa', 'Two flights of stairs.', 'general', 'active', now() + interval '7 days', 0, 'USD', '', 'direct', 1, 0, now(),
            now(), now(), E'carry a sofa\\ntwo flights of stairs.', '')
    RETURNING id, due_key, updated_at),
    r AS (
    INSERT INTO favor_recipients (favor_id, member_id, position, asked_at, message)
    SELECT id, $3, 1, now(), '' FROM f)
    INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
    SELECT id, $2, 'own_open', due_key, updated_at FROM f
    UNION ALL
    SELECT id, $3, 'pending', due_key, NULL FROM f";

/// Two nodes on one database, and the mails of nodes that have ended.
struct Pair {
    nodes: [Node; 2],
    sent: HashSet<String>,
}

/// Who is in it.
struct People {
    asker: Signer,
    asked: Signer,
    creator: Signer,
    helper: Signer,
    favor: Uuid,
}

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let tries = ground.count(10_000, 100);
    let mut row = Row::new(
        42,
        format!(
            "{tries} tries each from one network: sign-up, resend to one address, ask and take back, another time; two nodes, one restarted"
        ),
        "mails to strangers ≤ 20 an hour a network; ≤ 10 a day an address; unread of a victim ≤ 5; rows bounded; restarts and nodes change nothing",
    );
    let database = ground.database("row42").await?;
    let dir = ground.dir("row42");
    let nodes = [Node::start(&dir, &database, &[]).await?, Node::start(&dir, &database, &[]).await?];
    let mut pair = Pair { nodes, sent: HashSet::new() };
    let people = people(&pair, &database).await?;
    let known = pair.mails().await?;

    sign_ups(&mut row, &mut pair, tries, known.len(), (&dir, &database)).await?;
    resends(&mut row, &mut pair, tries).await?;
    asks(&mut row, &pair, &people, tries, &database).await?;
    other_times(&mut row, &pair, &people, tries, &database).await?;
    let mut conn = PgConnection::connect(&database).await?;
    match number(&mut conn, ROWS).await {
        Ok(rows) => row.check(rows <= ROWS_MAX, format!("{rows} rows of budgets")),
        Err(cause) => row.check(false, format!("no budgets: {cause:#}")),
    }
    Ok(row)
}

async fn people(pair: &Pair, database: &str) -> Result<People> {
    let [node, _] = &pair.nodes;
    let signers: [Signer; 4] =
        sign_in(node, database, 4).await?.try_into().map_err(|_| anyhow::anyhow!("as many as were asked for signed up"))?;
    let [asker, asked, creator, helper] = signers;
    let favor = Uuid::from_u128(42);
    let mut conn = PgConnection::connect(database).await?;
    sqlx::query(FAVOR).bind(favor).bind(creator.id).bind(helper.id).execute(&mut conn).await?;
    Ok(People { asker, asked, creator, helper, favor })
}

impl Pair {
    /// Everything that was mailed so far, by both nodes and by those before them: to whom, and what.
    async fn mails(&mut self) -> Result<HashSet<String>> {
        for node in &self.nodes {
            let url = format!("{}/dev/outbox.json", node.url);
            let outbox: Value = serde_json::from_str(&reqwest::get(url).await?.text().await?)?;
            let messages = outbox.pointer("/messages").and_then(Value::as_array).context("the outbox has no messages")?;
            // A node's own list tells two mails that are alike apart by their times.
            self.sent.extend(messages.iter().map(ToString::to_string));
        }
        Ok(self.sent.clone())
    }

    /// The same, when no job waits any more.
    async fn settled_mails(&mut self, database: &str) -> Result<HashSet<String>> {
        let mut conn = PgConnection::connect(database).await?;
        let done = async {
            while number(&mut conn, JOBS).await? > 0 {
                sleep(Duration::from_millis(100)).await;
            }
            Ok::<_, anyhow::Error>(())
        };
        // Of those that fail again and again nothing was sent.
        if let Ok(failed) = timeout(Duration::from_secs(20), done).await {
            failed?;
        }
        self.mails().await
    }

    fn clients(&self, from: IpAddr) -> Result<Vec<(String, Client)>> {
        let client = Client::builder().local_address(from).timeout(Duration::from_secs(20)).build()?;
        Ok(self.nodes.iter().map(|node| (node.url.clone(), client.clone())).collect())
    }
}

/// Calls an operation of the user pool, of this number; whether it was done.
async fn target(nodes: &[(String, Client)], n: u32, operation: &str, body: &Value) -> Option<bool> {
    let (url, client) = nodes.iter().cycle().nth(usize::try_from(n % 2).ok()?)?;
    let call = client.post(url).header("content-type", "application/x-amz-json-1.1");
    let call = call.header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}")).body(body.to_string());
    Some(call.send().await.ok()?.status().is_success())
}

/// Tries something so often, some at once; how often it was done.
async fn try_all(tries: u32, tried: Arc<AtomicU32>, once: impl AsyncTry) -> Result<u32> {
    let tasks: Vec<JoinHandle<u32>> = (0..AT_ONCE)
        .map(|_| {
            let (tried, mut once) = (tried.clone(), once.clone());
            tokio::spawn(async move {
                let mut done = 0;
                loop {
                    let n = tried.fetch_add(1, Ordering::Relaxed);
                    if n >= tries {
                        return done;
                    }
                    done += u32::from(once.once(n).await);
                }
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += task.await?;
    }
    Ok(done)
}

/// Something that is tried.
trait AsyncTry: Clone + Send + 'static {
    fn once(&mut self, n: u32) -> impl Future<Output = bool> + Send;
}

/// An operation of the user pool, with a body of its number.
#[derive(Clone)]
struct Targeted {
    nodes: Vec<(String, Client)>,
    operation: &'static str,
    body: fn(u32) -> Value,
}

impl AsyncTry for Targeted {
    async fn once(&mut self, n: u32) -> bool {
        loop {
            // A node that restarts answers nobody: that was no try.
            match target(&self.nodes, n, self.operation, &(self.body)(n)).await {
                Some(done) => return done,
                None => sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

async fn sign_ups(row: &mut Row, pair: &mut Pair, tries: u32, known: usize, (dir, database): (&Path, &str)) -> Result<()> {
    let nodes = pair.clients(IpAddr::from([127, 10, 0, 1]))?;
    let tried = Arc::new(AtomicU32::new(0));
    let body = |n: u32| {
        let attributes = json!([{"Name": "name", "Value": "Sam Stranger"}]);
        json!({"ClientId": CLIENT_ID, "Username": format!("stranger{n}@away.example"), "Password": "Correct-horse-7", "UserAttributes": attributes})
    };
    let done = tokio::spawn(try_all(tries, tried.clone(), Targeted { nodes, operation: "SignUp", body }));
    // In the middle, the second node is restarted, at its own address.
    while tried.load(Ordering::Relaxed) < tries / 2 {
        sleep(Duration::from_millis(5)).await;
    }
    pair.mails().await?;
    let [_, second] = &mut pair.nodes;
    second.signal(Signal::TERM);
    second.end(Duration::from_secs(30)).await?;
    let address = second.address;
    *second = Node::again(dir, database, address).await?;
    let done = done.await??;
    let mails = pair.settled_mails(database).await?.len().saturating_sub(known);
    row.check(mails <= STRANGERS_MAX && mails > 0, format!("sign-up: {done} of {tries} done, {mails} mails to strangers"));
    Ok(())
}

async fn resends(row: &mut Row, pair: &mut Pair, tries: u32) -> Result<()> {
    let first = pair.clients(IpAddr::from([127, 20, 0, 1]))?;
    let attributes = json!([{"Name": "name", "Value": "Vic Victim"}]);
    let victim = json!({"ClientId": CLIENT_ID, "Username": VICTIM, "Password": "Correct-horse-7", "UserAttributes": attributes});
    let signed_up = target(&first, 0, "SignUp", &victim).await.unwrap_or(false);
    let body = |_: u32| json!({"ClientId": CLIENT_ID, "Username": VICTIM});
    let mut done = 0;
    // One network, and then others: the address is what is spared.
    for (network, share) in [(21, tries / 2), (22, tries / 4), (23, tries / 4)] {
        let nodes = pair.clients(IpAddr::from([127, network, 0, 1]))?;
        done += try_all(share, Arc::default(), Targeted { nodes, operation: "ResendConfirmationCode", body }).await?;
    }
    sleep(Duration::from_secs(2)).await;
    let mails = pair.mails().await?.iter().filter(|m| m.contains(VICTIM)).count();
    row.check(
        signed_up && mails <= ONE_ADDRESS_MAX && mails > 0,
        format!("resend: {done} of {tries} done from three networks, {mails} mails to the address"),
    );
    Ok(())
}

type Rpcs<Q, A> = Vec<Rpc<Q, A>>;

async fn rpcs<Q: Message + Clone + 'static, A: Message + Default + 'static>(pair: &Pair, path: &'static str) -> Result<Rpcs<Q, A>> {
    let mut rpcs = Vec::new();
    for node in &pair.nodes {
        rpcs.push(Rpc::to(channel(&node.url).await?, path));
    }
    Ok(rpcs)
}

fn asked<Q>(who: &Signer, message: Q) -> Result<Asked<Q>> {
    Ok((message, Some(bearer(&who.token)?)))
}

async fn asks(row: &mut Row, pair: &Pair, people: &People, tries: u32, database: &str) -> Result<()> {
    let mut send: Rpcs<_, SendFriendRequestResponse> = rpcs(pair, SEND).await?;
    let mut cancel: Rpcs<_, CancelFriendRequestResponse> = rpcs(pair, CANCEL).await?;
    let mut sent = 0;
    for _ in 0..tries / 2 {
        for (send, cancel) in send.iter_mut().zip(&mut cancel) {
            let ask = SendFriendRequestRequest { receiver_uid: people.asked.id.to_string(), ..Default::default() };
            let Ok(answer) = send.send(asked(&people.asker, ask)?).await?.0 else { continue };
            sent += 1;
            let back = CancelFriendRequestRequest { request_id: answer.friend_request, ..Default::default() };
            cancel.send(asked(&people.asker, back)?).await?.0?;
        }
    }
    let unread = unread(database, people.asked.id).await?;
    row.check(unread <= UNREAD_MAX && sent > 0, format!("ask and take back: {sent} of {tries} done, {unread} unread"));
    Ok(())
}

async fn other_times(row: &mut Row, pair: &Pair, people: &People, tries: u32, database: &str) -> Result<()> {
    let mut respond: Rpcs<_, RespondToFavorResponse> = rpcs(pair, RESPOND).await?;
    let mut done = 0;
    for n in 0..tries / 2 {
        for (node, respond) in respond.iter_mut().enumerate() {
            let answer = RespondToFavorRequest {
                id: people.favor.to_string(),
                response: FavorResponse::AnotherTime.into(),
                message: format!("at {n} past {node}"),
                ..Default::default()
            };
            done += u32::from(respond.send(asked(&people.helper, answer)?).await?.0.is_ok());
        }
    }
    let unread = unread(database, people.creator.id).await?;
    let steps = number(&mut PgConnection::connect(database).await?, STEPS).await?;
    row.check(
        unread <= UNREAD_MAX && done > 0,
        format!("another time: {done} of {tries} done, {unread} unread, {steps} steps in the story"),
    );
    Ok(())
}

async fn unread(database: &str, member: Uuid) -> Result<i64> {
    let mut conn = PgConnection::connect(database).await?;
    let unread: Option<i64> = sqlx::query_scalar(UNREAD).bind(member).fetch_optional(&mut conn).await?;
    Ok(unread.unwrap_or_default())
}
