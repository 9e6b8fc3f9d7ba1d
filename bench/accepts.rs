//! Owners who accept requests to borrow: each for an item of their own at the same time, and all at once for one. What is accepted is used up,
//! and put back before the next time.

use crate::{
    asked::{All, asked_by},
    calls::{Asked, Rpc, channel, channels},
    load::{self, Figures, Meter, Watched},
    people::Signer,
    pgbench::Scripts,
    servers::Server,
    tap::Tap,
    what::STEER,
};
use anyhow::{Context, Result, bail, ensure};
use futures_util::future::try_join_all;
use goodturn::pb::rentals::{AcceptRentalRequest, AcceptRentalResponse};
use sqlx::{Connection, PgConnection};
use std::{collections::HashMap, path::Path, sync::Arc};
use time::OffsetDateTime;
use tonic::{Code, Status};
use uuid::Uuid;

const ACCEPT: &str = "/goodturn.rentals.v1.RentalsService/AcceptRental";
/// Stretches of days for which each item is asked for: nobody else has them.
const STRETCHES: i32 = 5;

const TABLES: [&str; 3] = [
    "CREATE TABLE bench_requests (race boolean, n bigint, item_id uuid, id uuid PRIMARY KEY, owner_id uuid, borrower_id uuid, first_day date)",
    "CREATE TEMP TABLE borrowers AS SELECT row_number() OVER () - 1 AS n, id FROM members WHERE email LIKE 'm%@ring.example'",
    "CREATE TEMP TABLE lent (owner_id uuid, owner bigint, id uuid, n bigint)",
];
const LENT: &str = "INSERT INTO lent
     SELECT o.id, o.n, i.id, row_number() OVER (PARTITION BY o.id ORDER BY i.id)
     FROM unnest($1::uuid[]) WITH ORDINALITY o (id, n)
     JOIN items i ON i.owner_id = o.id";
/// Those of one item follow each other after those of all others, so that who goes through them in their order meets nobody at one item.
const EACH: &str = "INSERT INTO bench_requests
     SELECT false, l.n, l.id, gen_random_uuid(), l.owner_id, b.id, $1::date + 3 * l.stretch
     FROM (
         SELECT i.id, i.owner_id, s.stretch, row_number() OVER (ORDER BY s.stretch, i.n, i.owner) - 1 AS n
         FROM lent i
         CROSS JOIN generate_series(1, $2) s (stretch)
         WHERE i.n <= 10
     ) l
     JOIN borrowers b ON b.n = l.n % (SELECT count(*) FROM borrowers)";
const RACES: &str = "INSERT INTO bench_requests
     SELECT true, l.owner, l.id, gen_random_uuid(), l.owner_id, b.id, $1::date + 200
     FROM lent l
     CROSS JOIN generate_series(1, $2) s (n)
     JOIN borrowers b ON b.n = (l.owner * $2 + s.n) % (SELECT count(*) FROM borrowers)
     WHERE l.n = 1";
/// What was told, and will be mailed, of those of before goes with them: all begin where the first began.
const PUT_BACK: [&str; 7] = [
    "DELETE FROM rentals r USING bench_requests b WHERE r.id = b.id",
    "DELETE FROM notifications n USING bench_requests b WHERE n.target_id = b.id",
    "UPDATE notification_counters SET mail_at = NULL, digest_at = NULL WHERE mail_at IS NOT NULL OR digest_at IS NOT NULL",
    "DELETE FROM notification_counters c
     USING bench_requests b
     WHERE c.member_id = b.borrower_id AND NOT EXISTS (SELECT FROM notifications n WHERE n.member_id = c.member_id)",
    "DELETE FROM graphile_worker._private_jobs WHERE locked_at IS NULL AND run_at > now()",
    "INSERT INTO rentals (item_id, id, owner_id, borrower_id, status, first_day, last_day, held_until, price_cents, deposit_cents, total_cents,
                          currency, gratitude, message, asked_at, updated_at, timer_at, title)
     SELECT b.item_id, b.id, b.owner_id, b.borrower_id, 'pending', b.first_day, b.first_day + 1, b.first_day + 1, i.price_cents,
            i.deposit_cents, 2 * i.price_cents, i.currency, 0, 'For the gutter', now(), now(), b.first_day + 1, i.title
     FROM bench_requests b
     JOIN items i ON i.id = b.item_id",
    "INSERT INTO rental_events (item_id, rental_id, step, kind, actor_id, at)
     SELECT item_id, id, 1, 'asked', borrower_id, now() FROM bench_requests",
];
const WON: &str = "SELECT r.item_id, count(*) FILTER (WHERE r.status = 'accepted')
     FROM rentals r
     JOIN bench_requests b ON b.id = r.id AND b.race
     GROUP BY r.item_id";

/// The requests.
pub struct Requests {
    /// Those of an item each, in the order in which they are accepted.
    each: All<AcceptRentalRequest>,
    /// Those for the same days of one item, item by item.
    races: Arc<[Vec<Asked<AcceptRentalRequest>>]>,
    /// What accepting takes.
    pub scripts: Arc<Scripts>,
}

impl Requests {
    /// Makes them, and accepts each once to keep the statements that it took.
    ///
    /// # Errors
    /// When the database refuses a row, or the server a call.
    pub async fn listen(tap: &Tap, server: &Server, url: &str, owners: &[Signer], since: OffsetDateTime) -> Result<Self> {
        let (each, races) = make(url, owners, since).await?;
        put_back(url).await?;
        let mut rpc = Rpc::to(channel(&server.url).await?, ACCEPT);
        let mut calls = Vec::with_capacity(each.len());
        for asked in each.iter() {
            tap.take()?;
            accepted(rpc.send(asked.clone()).await?.0)?;
            calls.push((Uuid::nil(), tap.take()?));
        }
        let scripts = Arc::new(Scripts::write_once(url, "bench_accept", &calls, since).await?);
        Ok(Self { each, races, scripts })
    }

    /// Lets the owners accept all of an item each.
    ///
    /// # Errors
    /// When a call fails.
    pub async fn accept(&self, url: &str, database_url: &str, watched: Watched) -> Result<Figures> {
        put_back(database_url).await?;
        let own = |n| -> All<AcceptRentalRequest> { self.each.iter().skip(n).step_by(STEER).cloned().collect() };
        let channels = channels(url, STEER).await?.into_iter().enumerate();
        let callers = channels.map(|(n, channel)| Rpc::new(0, channel, ACCEPT, &own(n), accepted)).collect();
        load::run_off(watched, callers, self.each.len() / STEER).await
    }

    /// The same by pgbench.
    ///
    /// # Errors
    /// When it fails.
    pub async fn repeat(&self, pgbench: &Path, url: &str, postgres: Option<u32>) -> Result<Figures> {
        put_back(url).await?;
        let (pgbench, url, scripts) = (pgbench.to_owned(), url.to_owned(), self.scripts.clone());
        tokio::task::spawn_blocking(move || scripts.run_off(&pgbench, &url, postgres, STEER)).await?
    }

    /// Accepts all requests for one item at once, item after item: one wins of each, and the others hear that the days are taken.
    ///
    /// # Errors
    /// When none or several win, or a call fails otherwise.
    pub async fn race(&self, url: &str, database_url: &str, watched: Watched) -> Result<Figures> {
        put_back(database_url).await?;
        let mut callers: Vec<Rpc<_, AcceptRentalResponse>> =
            channels(url, STEER).await?.into_iter().map(|channel| Rpc::to(channel, ACCEPT)).collect();
        let (meter, mut times) = (Meter::begin(watched), Vec::new());
        for race in self.races.iter() {
            let answers = try_join_all(callers.iter_mut().zip(race).map(|(caller, asked)| caller.send(asked.clone()))).await?;
            let mut won = 0;
            for (answer, took) in answers {
                won += usize::from(wins(answer)?);
                times.push(took);
            }
            ensure!(won == 1, "{won} of {STEER} requests for the same days were accepted");
        }
        let figures = meter.read(times)?;
        let stored: Vec<(Uuid, i64)> = sqlx::query_as(WON).fetch_all(&mut PgConnection::connect(database_url).await?).await?;
        ensure!(stored.len() == self.races.len() && stored.iter().all(|(_, won)| *won == 1), "of each item one is accepted: {stored:?}");
        Ok(figures)
    }
}

type Made = (All<AcceptRentalRequest>, Arc<[Vec<Asked<AcceptRentalRequest>>]>);

async fn make(url: &str, owners: &[Signer], now: OffsetDateTime) -> Result<Made> {
    let conn = &mut PgConnection::connect(url).await?;
    let (ids, at_once): (Vec<Uuid>, _) = (owners.iter().map(|o| o.id).collect(), i32::try_from(STEER)?);
    for sql in TABLES {
        sqlx::query(sql).execute(&mut *conn).await?;
    }
    sqlx::query(LENT).bind(&ids).execute(&mut *conn).await?;
    sqlx::query(EACH).bind(now.date()).bind(STRETCHES).execute(&mut *conn).await?;
    sqlx::query(RACES).bind(now.date()).bind(at_once).execute(&mut *conn).await?;
    let select = "SELECT owner_id, item_id, id FROM bench_requests WHERE race = $1 ORDER BY n";
    let each: Vec<(Uuid, Uuid, Uuid)> = sqlx::query_as(select).bind(false).fetch_all(&mut *conn).await?;
    let races: Vec<(Uuid, Uuid, Uuid)> = sqlx::query_as(select).bind(true).fetch_all(conn).await?;
    let by_id: HashMap<Uuid, &Signer> = owners.iter().map(|o| (o.id, o)).collect();
    let request = |(owner, item, id): &(Uuid, Uuid, Uuid)| {
        let asked = AcceptRentalRequest { item_id: item.to_string(), request_id: id.to_string(), ..Default::default() };
        asked_by(by_id.get(owner).context("a request has no owner")?, asked)
    };
    let races: Vec<Asked<AcceptRentalRequest>> = races.iter().map(request).collect::<Result<_>>()?;
    Ok((each.iter().map(request).collect::<Result<_>>()?, races.chunks(STEER).map(<[_]>::to_vec).collect()))
}

async fn put_back(url: &str) -> Result<()> {
    let conn = &mut PgConnection::connect(url).await?;
    for sql in PUT_BACK {
        sqlx::query(sql).execute(&mut *conn).await.context("putting requests back")?;
    }
    Ok(())
}

fn accepted(answer: Result<AcceptRentalResponse, Status>) -> Result<()> {
    answer?.rental.map(|_| ()).context("nothing is told of the rental")
}

/// Whether it was accepted; `false` when the days were taken by then.
fn wins(answer: Result<AcceptRentalResponse, Status>) -> Result<bool> {
    match answer {
        Err(status) if status.code() == Code::FailedPrecondition => Ok(false),
        Err(status) => bail!(status),
        won => accepted(won).map(|()| true),
    }
}
