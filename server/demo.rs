//! Demo data of local mode: neighbours who know each other, favors in every status, things that are lent, and 45 USD earned by the first.

mod lending;
mod loans;
mod portraits;
mod present;
mod story;
mod things;

use crate::{
    app::{self, DEMO_EMAIL, Ends},
    clock::Clock,
    config::Config,
    deps::Deps,
    edge::limits::Rate,
    favors, friends, groups,
    identity::{self, SignUp, UserPool},
    ids::MemberId,
    notifications, profile, read, rentals, transact,
};
use anyhow::{Result, bail};
use loans::Loans;
use present::Present;
use std::sync::Arc;
use story::{Cast, Story};
use time::Duration;
use tokio_util::sync::CancellationToken;

/// The password of all demo members.
pub const PASSWORD: &str = "goodturn-demo";
/// Made last: when he is there, so are the others and their story.
const LAST: (&str, &str) = ("Olga", "Petrova");
const LAST_EMAIL: &str = "olga@goodturn.example";

/// How long ago the story begins.
const SPAN: Duration = Duration::days(21);

/// First name, last name; the address is the first name's.
const NEIGHBOURS: [(&str, &str); 7] =
    [("Ana", "Ruiz"), ("Ben", "Carter"), ("Marcus", "Hill"), ("Priya", "Nair"), ("Sofia", "Lind"), ("Lena", "Novak"), ("Tom", "Baker")];

/// Names and addresses of the demo members.
pub fn sign_ins() -> impl Iterator<Item = (String, String)> {
    NEIGHBOURS.into_iter().map(|(given, family)| (format!("{given} {family}"), email(given)))
}

fn email(given: &str) -> String {
    format!("{}@goodturn.example", given.to_lowercase())
}

/// Adds the demo data, once, without serving. Whether it was added.
///
/// # Errors
/// When an earlier run was cut off half way, or the database is away.
pub async fn seed(config: &Config, database_url: &str) -> Result<bool> {
    let now = Clock::system().now();
    let stop = CancellationToken::new();
    let _stops_at_the_end = stop.clone().drop_guard();
    let deps = app::deps(config, database_url, Clock::fixed(now - SPAN), &stop)?;
    app::Store::of(config, &deps.clock)?.make_ready(config)?;
    let pool = app::user_pool(config, &deps, &stop).await?;
    tell(&deps, &pool, &Present::here(now), &stop).await
}

async fn tell(deps: &Deps, pool: &Arc<UserPool>, present: &Present, stop: &CancellationToken) -> Result<bool> {
    let known = |email| async move { read!(deps.pool, |conn| identity::store::member_by_email(conn, email).await) };
    if known(LAST_EMAIL).await?.is_some() {
        return Ok(false);
    }
    if known(DEMO_EMAIL).await?.is_some() {
        bail!("the demo data is half there: an earlier run was cut off; remove the data directory and start again");
    }
    let mut members = Vec::new();
    for (given, family) in NEIGHBOURS {
        members.push(join(deps, pool, (given, family), present).await?);
    }
    let Ok([ana, ben, marcus, priya, sofia, lena, tom]) = <[MemberId; 7]>::try_from(members) else {
        bail!("the cast has another size");
    };
    let friends = friends::Service::new(deps.clone(), pool.clone(), Rate::new(1000, 1000), app::friends_hooks(deps));
    let (ends, ties) = (Arc::new(Ends(pool.clone())), Arc::new(friends.clone()));
    let (groups, items) = (groups::Service::new(deps.clone()), app::items_service(deps));
    let story = Story {
        clock: &deps.clock,
        present,
        friends: &friends,
        groups: &groups,
        favors: &favors::Service::new(deps.clone()),
        notifications: &notifications::Service::new(deps.clone(), (ends, ties), pool.mail_links(), 1, stop.clone()),
    };
    let cast = Cast { ana, ben, marcus, priya, sofia, lena, tom };
    lending::begin(&items, &deps.clock, &cast).await?;
    let rentals = rentals::Service::new(deps.clone());
    let loans = Loans { clock: &deps.clock, present, items: &items, rentals: &rentals };
    story.tell(&cast, &loans).await?;
    lending::narrow(&items, &groups, ana).await?;
    loans.asked(&cast).await?;
    join(deps, pool, LAST, present).await?;
    Ok(true)
}

async fn join(deps: &Deps, pool: &Arc<UserPool>, (given, family): (&str, &str), present: &Present) -> Result<MemberId> {
    // Random, as sign-up has it: ids of simulated accounts look the same.
    let id = MemberId(uuid::Builder::from_random_bytes(deps.ids.bytes()).into_uuid());
    let member = SignUp {
        email: email(given),
        password: PASSWORD.to_owned(),
        name: identity::rules::name("", given, family)?,
        time_zone: present.zone().to_owned(),
        invitation: None,
    };
    transact!(deps.pool, |tx| identity::seed_member(pool, tx, id, &member).await)?;
    // Who looks around is asked for nothing first.
    transact!(deps.pool, |tx| profile::skip_phone_step(tx, id, deps.clock.now()).await)?;
    if let Some(look) = portraits::look_of(given) {
        profile::set_drawn(deps, id, portraits::drawn(&look)?).await?;
    }
    Ok(id)
}
