//! Booking histories driven at random: whoever does whatever at once, nothing is booked twice at any time, and only the moves of the table
//! happen, each once.

use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer},
};
use futures_util::future::join_all;
use goodturn::pb::rentals::{ListRentalsRequest, Rental, RentalAction as Action, RentalStatus, Side, StatusWord as Word};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sqlx::Row;
use std::collections::{BTreeMap, HashMap};
use time::Date;

const SEED: u64 = 11;
const CLIENTS: usize = 32;
/// So many of them lend something.
const OWNERS: usize = 8;
/// So many days pass, in each of which each client does so many things.
const DAYS: i64 = 12;
const STEPS: usize = 6;

const ACTIONS: [Action; 14] = [
    Action::Accept,
    Action::Decline,
    Action::Cancel,
    Action::Move,
    Action::Start,
    Action::Return,
    Action::Complete,
    Action::Extend,
    Action::AcceptExtension,
    Action::DeclineExtension,
    Action::WithdrawExtension,
    Action::MarkPaid,
    Action::ReceiveDeposit,
    Action::ReturnDeposit,
];

/// Actions that leave the status as it is and can be taken for most of a rental's life.
const PAYMENTS: [Action; 2] = [Action::MarkPaid, Action::ReceiveDeposit];

/// What ends something.
const ENDS: [Action; 4] = [Action::Cancel, Action::Decline, Action::DeclineExtension, Action::WithdrawExtension];

/// What may still go on.
const LIVE: [Word; 4] = [Word::Pending, Word::Accepted, Word::Active, Word::Returned];

/// Every version of every rental, in the order in which they were written: those of one item under its lock.
const WATCH: &str = "
    CREATE TABLE rental_versions (n bigserial PRIMARY KEY, item uuid, id uuid, status text, first date, held date);
    CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO rental_versions (item, id, status, first, held) VALUES (NEW.item_id, NEW.id, NEW.status, NEW.first_day, NEW.held_until);
        RETURN NULL;
    END $$;
    CREATE TRIGGER watch AFTER INSERT OR UPDATE ON rentals FOR EACH ROW EXECUTE FUNCTION watch();
";

struct Client<'a> {
    server: &'a TestServer,
    who: Member,
    /// The things of the others.
    items: Vec<String>,
    /// Whether they lend something themselves.
    lends: bool,
    random: StdRng,
    today: i64,
}

impl Client<'_> {
    async fn steps(&mut self) {
        for _ in 0..STEPS {
            self.step().await;
        }
    }

    async fn step(&mut self) {
        let (first, more) = (self.today + self.random.random_range(0..4), self.random.random_range(0..3));
        let mine = self.mine().await;
        if mine.is_empty() || self.random.random_range(0..6) == 0 {
            let item = self.items[self.random.random_range(0..self.items.len())].clone();
            let asked = self.server.wants(&self.who, wish(&item, first, first + more)).await;
            return self.fits(asked, &["DAYS_TAKEN", "ALREADY_SENT", "LIMIT_REACHED"]);
        }
        // What goes on is gone on with more often than chance would have it, and hardly ever called off.
        let running: Vec<&Rental> = mine.iter().filter(|rental| rental.rental_status() != RentalStatus::Pending).collect();
        let among = if running.is_empty() || self.random.random_range(0..3) == 0 { mine.iter().collect() } else { running };
        let waits = among.iter().find(|rental| rental.extension.is_some()).filter(|_| self.random.random_range(0..2) == 0);
        let rental = waits.unwrap_or(&among[self.random.random_range(0..among.len())]);
        let calm = self.random.random_range(0..5) > 0;
        let goes_on = |action: &Action| !(calm && ENDS.contains(action));
        let any = ACTIONS[self.random.random_range(0..ACTIONS.len())];
        let pays = self.random.random_range(0..5) == 0;
        let is_likely = |action: &Action| ACTIONS.contains(action) && goes_on(action) && (pays || !PAYMENTS.contains(action));
        let likely: Vec<Action> = rental.allowed_actions().filter(is_likely).collect();
        // Few rentals run at a time: borrowers ask for more days, or give the item back, more often than owners take it back.
        let side = if rental.owner.as_ref().is_some_and(|owner| owner.uid == self.who.uid) { Side::Owner } else { Side::Borrower };
        let extends = likely.contains(&Action::Extend) && self.random.random_range(0..4) == 0;
        let waits = side == Side::Owner && likely.contains(&Action::Return) && self.random.random_range(0..2) == 0;
        let action = match likely.len() {
            _ if extends => Action::Extend,
            _ if waits => any,
            n if n > 0 && self.random.random_range(0..6) > 0 => likely[self.random.random_range(0..n)],
            _ => any,
        };
        // More days are those after the ones that are agreed.
        let last = if action == Action::Extend { self.today + 3 } else { first + more };
        let done = self.server.does_with(&self.who, &rental.request_id, action, "", (first, last)).await;
        self.fits(done, &["DAYS_TAKEN", "ALREADY_SENT", "WRONG_STATE", "WRONG_PARTY", "INVALID_ARGUMENT"]);
    }

    /// What the client has to do with, on a side that chance says.
    async fn mine(&mut self) -> Vec<Rental> {
        let side = if self.lends && self.random.random_range(0..3) > 0 { Side::Owner } else { Side::Borrower };
        let live: &[Word] = if self.random.random_range(0..5) == 0 { &[] } else { &LIVE };
        let status = live.iter().map(|word| (*word).into()).collect();
        let request = ListRentalsRequest { side: side.into(), limit: Some(50), status, ..Default::default() };
        match self.server.rentals(&self.who).list_rentals(request).await {
            Ok(list) => list.into_inner().rentals,
            Err(status) => {
                self.fits(Err(status.into()), &[]);
                Vec::new()
            }
        }
    }

    /// A refusal is one of those that may come, or that there is too much to do at once.
    fn fits(&self, answer: Result<Rental, Refused>, reasons: &[&str]) {
        if let Err(refused) = answer {
            let busy = ["OVERLOADED", "UNAVAILABLE"].contains(&refused.reason.as_str());
            assert!(busy || reasons.contains(&refused.reason.as_str()), "{}: {refused:?}", self.who.name);
        }
    }
}

#[tokio::test]
async fn random_histories_of_many_clients_book_nothing_twice() {
    let server = TestServer::start().await;
    server.rewrites(WATCH).await;
    let (mut people, mut items) = (Vec::new(), Vec::new());
    for n in 0..CLIENTS {
        let member = server.member(&format!("Client{n}"), "Test").await;
        if n < OWNERS {
            let item = server.lends(&member, &format!("Thing {n}")).await;
            server.item_is(&item, "visibility = 'public'").await;
            items.push((member.uid.clone(), item));
        }
        people.push(member);
    }
    let of_others = |who: &Member| items.iter().filter(|(owner, _)| *owner != who.uid).map(|(_, item)| item.clone()).collect();
    let mut clients: Vec<Client> = people
        .into_iter()
        .zip(SEED..)
        .map(|(who, seed)| Client {
            server: &server,
            items: of_others(&who),
            lends: items.iter().any(|(owner, _)| *owner == who.uid),
            who,
            random: StdRng::seed_from_u64(seed),
            today: 0,
        })
        .collect();
    for today in 0..DAYS {
        join_all(clients.iter_mut().map(|client| client.steps())).await;
        server.days_pass(1, &mut clients.iter_mut().map(|client| &mut client.who).collect::<Vec<_>>()).await;
        clients.iter_mut().for_each(|client| client.today = today + 1);
    }
    check(&server).await;
    server.stop().await;
}

/// A rental as it was last written.
type Version = (String, Date, Date);

async fn check(server: &TestServer) {
    let mut beside = server.database.connect().await;
    let rows = sqlx::query("SELECT item::text, id::text, status, first, held FROM rental_versions ORDER BY n").fetch_all(&mut beside).await;
    let mut now: HashMap<String, BTreeMap<String, Version>> = HashMap::new();
    let mut reached: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows.unwrap() {
        let (item, id, status): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        let rentals = now.entry(item).or_default();
        let before = rentals.insert(id.clone(), (status.clone(), row.get(3), row.get(4)));
        let from = before.as_ref().map_or("", |(status, ..)| status.as_str());
        assert!(leads(from, &status), "{id} went from {from} to {status}");
        if from != status {
            *reached.entry(status).or_default() += 1;
        }
        apart(rentals);
    }
    for status in ["accepted", "declined", "cancelled", "active", "returned", "completed"] {
        assert!(reached.get(status).is_some_and(|n| *n > 2), "hardly any was ever {status}: {reached:?}");
    }
    let told = sqlx::query("SELECT kind, count(*) FROM rental_events GROUP BY kind").fetch_all(&mut beside).await.unwrap();
    let steps: HashMap<String, i64> = told.iter().map(|row| (row.get(0), row.get(1))).collect();
    for (kind, status) in [
        ("asked", "pending"),
        ("accepted", "accepted"),
        ("declined", "declined"),
        ("cancelled", "cancelled"),
        ("started", "active"),
        ("completed", "completed"),
    ] {
        let times = i64::try_from(reached[status]).unwrap();
        assert_eq!(steps.get(kind), Some(&times), "each move is in the story once: {kind}");
    }
    for kind in ["moved", "extension_asked", "paid", "deposit_received", "deposit_returned"] {
        assert!(steps.contains_key(kind), "nobody ever {kind}: {steps:?}");
    }
}

/// The table of the design once more. A row is also written without a move: other days, and when it is looked at next.
fn leads(from: &str, to: &str) -> bool {
    from == to
        || matches!(
            (from, to),
            ("", "pending")
                | ("pending", "accepted" | "declined" | "cancelled")
                | ("accepted", "cancelled" | "active")
                | ("active", "returned" | "completed")
                | ("returned", "completed")
        )
}

/// No two rentals of an item hold the same day, and one at most is out.
fn apart(rentals: &BTreeMap<String, Version>) {
    let held: Vec<_> = rentals.values().filter(|(status, ..)| ["accepted", "active", "returned"].contains(&status.as_str())).collect();
    for (n, (_, first, last)) in held.iter().enumerate() {
        assert!(held[..n].iter().all(|(_, other, until)| other > last || until < first), "booked twice: {held:?}");
    }
    assert!(held.iter().filter(|(status, ..)| status == "active").count() <= 1, "out twice: {held:?}");
}
