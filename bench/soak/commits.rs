//! Row 43: accepts, each of which wakes somebody, beside the same SQL from pgbench, which wakes nobody.

use crate::{
    calls::{Asked, Rpc, bearer, channel, channels},
    ground::Ground,
    node::Node,
    people::Signer,
    pgbench,
    table::Row,
    tap::{Statement, Tap, Value},
    traffic::RESPOND,
};
use anyhow::{Context, Result, bail, ensure};
use goodturn::pb::favors::{FavorResponse, RespondToFavorRequest, RespondToFavorResponse};
use sqlx::{Connection, Executor, PgConnection};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tokio::time::Instant;
use tonic::Code;
use uuid::Uuid;

const CALLERS: u32 = 64;
/// Of both, in turn.
const ROUNDS: u32 = 3;
const PART_MIN: f64 = 0.75;
const MUST: &str = "≥ 0.75 of pgbench with the same SQL and no NOTIFY, fsync on";
/// Ids that pgbench can say by their number. Every favor has a creator of its own, who has not been told anything yet.
const FAVOR: u128 = 0x0000_0001_0000_7000_8000_0000_0000_0000;
const CREATOR: u128 = 0x0000_0002_0000_4000_8000_0000_0000_0000;
const MEMBERS: &str =
    "INSERT INTO members (id, email, email_key, name, given_name, family_name, status, confirmed_at, created_at, updated_at,
                                           profile_changed_at)
    SELECT ('00000002-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'creator' || n || '@ring.example',
           'creator' || n || '@ring.example', 'Ana Silva', 'Ana', 'Silva', 'confirmed', now(), now(), now(), now()
    FROM generate_series(0, $1 - 1) AS n";
const FAVORS: &str = "INSERT INTO favors (id, creator_id, title, description, category, status, start_at, tip_cents, currency, location,
                                         request_type, max_responses, responses, created_at, updated_at, posted_at, found_by, located_by)
    SELECT ('00000001-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ('00000002-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
           'Carry a sofa', 'Two flights of stairs and a narrow door.', 'general', 'active', now() + interval '7 days', 500, 'USD',
           'Mill Lane', 'direct', 1, 0, now(), now(), now(), E'carry a sofa\\ntwo flights of stairs and a narrow door.', 'mill lane'
    FROM generate_series(0, $1 - 1) AS n";
const RECIPIENTS: &str = "INSERT INTO favor_recipients (favor_id, member_id, position, asked_at, message)
    SELECT f.id, ($1::uuid[])[1 + ('x' || right(f.id::text, 8))::bit(32)::int % cardinality($1::uuid[])], 1, now(), ''
    FROM favors f";
const PLACES: &str = "INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
    SELECT f.id, f.creator_id, 'own_open', f.due_key, f.updated_at FROM favors f
    UNION ALL
    SELECT f.id, r.member_id, 'pending', f.due_key, NULL FROM favor_recipients r JOIN favors f ON f.id = r.favor_id";
const EVENTS: &str = "INSERT INTO favor_events (favor_id, step, kind, actor_id, at, message)
    SELECT id, 1, 'posted', creator_id, posted_at, '' FROM favors";

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    let Some(program) = pgbench::find(ground.postgres.pid().await?) else {
        return Ok(Row::not_run(43, MUST, "there is no pgbench on this machine"));
    };
    let each = ground.count(60, 4);
    // What each round of either takes, and one to record.
    let favors = CALLERS * each * ROUNDS * 2 + CALLERS;
    let mut row = Row::new(
        43,
        format!("{ROUNDS} times {} accepts at {CALLERS} gRPC callers, in turn with pgbench at {CALLERS} clients", CALLERS * each),
        MUST,
    );
    let (database, node, signers) = ground.node("row43", &[], CALLERS).await?;
    drop(node);
    fill(&mut row, &database, &signers, favors).await?;
    let script = recorded(ground, &database, &signers).await?;
    row.note(format!("{} statements an accept", script.statements));

    let (mut ours, mut theirs, mut refused) = (Vec::new(), Vec::new(), 0);
    for round in 0..ROUNDS {
        let from = CALLERS + 2 * round * CALLERS * each;
        let node = Node::start(&ground.dir("row43"), &database, &[]).await?;
        let (rate, turned_away) = accepts(&node, &signers, from, each).await?;
        ours.push(rate);
        refused += turned_away;
        // Nothing of it shall stand beside pgbench.
        drop(node);
        theirs.push(script.run(&program, &database, from + CALLERS * each, each)?);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    row.check(ours / theirs >= PART_MIN, format!("{ours:.0}/s to {theirs:.0}/s: {:.2}", ours / theirs));
    row.note(format!("{refused} turned away as overloaded, who came again at once"));
    Ok(row)
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN)
}

async fn fill(row: &mut Row, database: &str, signers: &[Signer], favors: u32) -> Result<()> {
    let mut conn = PgConnection::connect(database).await?;
    for name in ["fsync", "synchronous_commit"] {
        let value: String = sqlx::query_scalar("SELECT current_setting($1)").bind(name).fetch_one(&mut conn).await?;
        row.check(value == "on", format!("{name} {value}"));
    }
    for sql in [MEMBERS, FAVORS] {
        sqlx::query(sql).bind(i64::from(favors)).execute(&mut conn).await?;
    }
    let ids: Vec<Uuid> = signers.iter().map(|s| s.id).collect();
    sqlx::query(RECIPIENTS).bind(ids).execute(&mut conn).await?;
    for sql in [PLACES, EVENTS, "VACUUM (ANALYZE)", "CHECKPOINT"] {
        conn.execute(sql).await?;
    }
    Ok(())
}

fn favor(n: u32) -> Uuid {
    Uuid::from_u128(FAVOR + u128::from(n))
}

fn accept(n: u32, who: &Signer) -> Result<Asked<RespondToFavorRequest>> {
    let message = RespondToFavorRequest { id: favor(n).to_string(), response: FavorResponse::Accept.into(), ..Default::default() };
    Ok((message, Some(bearer(&who.token)?)))
}

/// So many accepts of each caller: how many a second, and how often one was turned away and came again.
async fn accepts(node: &Node, signers: &[Signer], from: u32, each: u32) -> Result<(f64, u32)> {
    let mut tasks = Vec::new();
    let began = Instant::now();
    for (caller, (channel, who)) in (0..).zip(channels(&node.url, signers.len()).await?.into_iter().zip(signers)) {
        let asked: Vec<_> = (0..each).map(|i| accept(from + caller + i * CALLERS, who)).collect::<Result<_>>()?;
        tasks.push(tokio::spawn(accept_all(Rpc::to(channel, RESPOND), asked)));
    }
    let mut refused = 0;
    for task in tasks {
        refused += task.await??;
    }
    Ok((f64::from(each * CALLERS) / began.elapsed().as_secs_f64(), refused))
}

async fn accept_all(mut rpc: Rpc<RespondToFavorRequest, RespondToFavorResponse>, all: Vec<Asked<RespondToFavorRequest>>) -> Result<u32> {
    let mut refused = 0;
    for asked in all {
        while let Err(status) = rpc.send(asked.clone()).await?.0 {
            ensure!(status.code() == Code::ResourceExhausted, "an accept: {status:?}");
            refused += 1;
        }
    }
    Ok(refused)
}

/// What pgbench repeats.
struct Script {
    text: String,
    helpers: String,
    statements: usize,
    dir: PathBuf,
}

/// Learns from a server behind the tap which SQL an accept takes.
async fn recorded(ground: &Ground, database: &str, signers: &[Signer]) -> Result<Script> {
    let dir = ground.dir("row43");
    let tap = Tap::open(&dir, database)?;
    let node = Node::start(&dir, tap.url(), &[]).await?;
    let mut rpc: Rpc<RespondToFavorRequest, RespondToFavorResponse> = Rpc::to(channel(&node.url).await?, RESPOND);
    let mut seen: HashMap<Vec<String>, (u32, usize, Vec<Statement>)> = HashMap::new();
    for (n, who) in (0..CALLERS).zip(signers) {
        tap.take()?;
        rpc.send(accept(n, who)?).await?.0?;
        let statements: Vec<Statement> = transaction(tap.take()?);
        let entry = seen.entry(statements.iter().map(|s| s.sql.clone()).collect()).or_insert((n, 0, statements));
        entry.1 += 1;
    }
    // What passed by chance, as the server looked after itself, is not in most of them.
    let (n, _, statements) = seen.into_values().max_by_key(|(_, count, _)| *count).context("nothing was recorded")?;
    ensure!(statements.len() > 5, "an accept makes more than {} statements", statements.len());
    let helper = signers.get(usize::try_from(n)?).context("nobody")?.id;
    let names = Names { favor: favor(n), creator: Uuid::from_u128(CREATOR + u128::from(n)), helper };
    let lines: Vec<String> = statements.iter().map(|s| names.line(s)).collect();
    let helpers: Vec<String> = (0..).zip(signers).map(|(n, s): (u32, _)| format!("({n}, '{}')", s.id)).collect();
    Ok(Script { text: lines.join("\n"), helpers: helpers.join(", "), statements: statements.len(), dir })
}

/// From BEGIN to COMMIT, without what other connections said meanwhile.
fn transaction(all: Vec<Statement>) -> Vec<Statement> {
    let begins = all.iter().position(|s| s.sql.starts_with("BEGIN")).unwrap_or_default();
    let ends = all.iter().rposition(|s| s.sql.starts_with("COMMIT")).map_or(0, |i| i + 1);
    let inside = all.into_iter().take(ends).skip(begins);
    inside.filter(|s| !["pg_notify", "graphile_worker", "SELECT 1"].iter().any(|word| s.sql.contains(word))).collect()
}

impl Script {
    /// So many transactions of each client, from this favor on; how many a second.
    fn run(&self, pgbench: &Path, database: &str, from: u32, each: u32) -> Result<f64> {
        let choice = format!("SELECT h AS helper FROM (VALUES {}) AS c (n, h) WHERE n = :client_id \\gset", self.helpers);
        let number = format!("\\set n {from} + :client_id + {CALLERS} * :turn");
        let head = ["\\if :chosen = 0", "\\set chosen 1", &choice, "\\endif", &number, "\\set turn :turn + 1"].join("\n");
        let file = self.dir.join("accept.sql");
        fs::write(&file, format!("{head}\n{}\n", self.text))?;
        let mut command = Command::new(pgbench);
        command.args(["--no-vacuum", "--protocol=prepared", "--define=chosen=0", "--define=turn=0", "--jobs=2"]);
        command.arg(format!("--client={CALLERS}")).arg(format!("--transactions={each}")).arg(format!("--file={}", file.display()));
        let output = command.arg(database).output().context("running pgbench")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            bail!("pgbench: {}", said.lines().next().unwrap_or_default());
        }
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let all = CALLERS * each;
        ensure!(said.contains(&format!("processed: {all}/{all}")), "pgbench did not do all: {said}");
        said.lines().find_map(|l| l.strip_prefix("tps = ")?.split(' ').next()?.parse().ok()).context("pgbench told no rate")
    }
}

/// What stands for whom in the recorded accept.
struct Names {
    favor: Uuid,
    creator: Uuid,
    helper: Uuid,
}

impl Names {
    /// A statement with its values written out; ids follow the favor's number, and new rows get new ids.
    fn line(&self, statement: &Statement) -> String {
        let mut out = String::new();
        let mut rest = statement.sql.as_str();
        while let Some((ahead, after)) = rest.split_once('$') {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = after.split_at(digits);
            let value = number.parse::<usize>().ok().and_then(|n| statement.values.get(n.wrapping_sub(1)));
            out.push_str(ahead);
            out.push_str(&value.map_or_else(|| format!("${number}"), |v| format!("({})::{}", self.value(v), v.kind)));
            rest = after;
        }
        format!("{};", [&out, rest].concat().replace('\n', " "))
    }

    fn value(&self, value: &Value) -> String {
        let Some(text) = &value.text else { return "NULL".to_owned() };
        if let Ok(id) = Uuid::parse_str(text) {
            return self.id(id);
        }
        if value.kind == "uuid[]" {
            let ids = text.split(['{', '}', '"', ',']).filter_map(|part| Uuid::parse_str(part).ok()).map(|id| self.id(id));
            return format!("ARRAY[{}]", ids.collect::<Vec<_>>().join(", "));
        }
        if value.kind == "timestamptz" {
            return "now()".to_owned();
        }
        // pgbench would take a colon for a variable, even in a text.
        format!("'{}'", text.replace('\'', "''").replace(':', "' || chr(58) || '"))
    }

    fn id(&self, id: Uuid) -> String {
        let numbered = |head: &str| format!("('{head}' || lpad(to_hex(:n::bigint), 12, '0'))::uuid");
        match id {
            id if id == self.favor => numbered("00000001-0000-7000-8000-"),
            id if id == self.creator => numbered("00000002-0000-4000-8000-"),
            id if id == self.helper => ":helper::uuid".to_owned(),
            id if id.is_nil() => format!("'{id}'::uuid"),
            _ => "gen_random_uuid()".to_owned(),
        }
    }
}
