//! A few members with as many friends and groups as anybody has and 5,000 favors that they were asked for, and a hundred of those friends, who sign in as well.

use crate::people::{self, Signer};
use anyhow::{Context, Result};
use sqlx::{Connection, PgConnection};
use time::OffsetDateTime;
use uuid::Uuid;

/// Friends of each host.
pub const FRIENDS: i64 = 500;
/// Favors that each host was asked for.
pub const ASKED: i64 = 5000;
/// Groups of each host, of ten friends each.
pub const GROUPS: i64 = 50;
const HOSTS: usize = 4;
/// Everybody whom one favor asks.
const GUESTS: usize = 100;

const FRIENDSHIPS: &str = "INSERT INTO friendships (member_id, friend_id, since)
     SELECT side.member_id, side.friend_id, $4
     FROM unnest($1::uuid[]) host (id)
     CROSS JOIN (
         SELECT id FROM unnest($2::uuid[]) guest (id)
         UNION ALL
         (SELECT id FROM members WHERE email LIKE 'm%@ring.example' ORDER BY id LIMIT $3 - cardinality($2::uuid[]))
     ) friend
     CROSS JOIN LATERAL (VALUES (host.id, friend.id), (friend.id, host.id)) side (member_id, friend_id)";
const OF_GROUPS: &str = "INSERT INTO groups (owner_id, id, name, name_key)
     SELECT host.id, gen_random_uuid(), 'Neighbors ' || n, 'neighbors ' || n
     FROM unnest($1::uuid[]) host (id)
     CROSS JOIN generate_series(1, $2) n";
const MEMBERSHIPS: &str = "INSERT INTO group_members (owner_id, group_id, member_id)
     SELECT g.owner_id, g.id, f.friend_id
     FROM (SELECT owner_id, id, row_number() OVER (PARTITION BY owner_id ORDER BY id) AS n FROM groups) g
     JOIN (SELECT member_id, friend_id, row_number() OVER (PARTITION BY member_id ORDER BY friend_id) AS n FROM friendships
           WHERE member_id = ANY($1)) f ON f.member_id = g.owner_id AND f.n % $2 = g.n % $2";

/// Each host is asked for the same favors, of anybody: who waits for how many answers is what a list meets.
const RECEIVED: &str = "INSERT INTO favor_recipients (favor_id, member_id, position, asked_at, message)
     SELECT f.id, host.id, 5 + host.n, f.posted_at, ''
     FROM (SELECT id, posted_at FROM favors WHERE status = 'active' ORDER BY id LIMIT $2) f
     CROSS JOIN unnest($1::uuid[]) WITH ORDINALITY host (id, n)";
const PLACES: &str = "INSERT INTO favor_places (favor_id, member_id, place, due_key)
     SELECT f.id, r.member_id, 'pending', f.due_key
     FROM favor_recipients r
     JOIN favors f ON f.id = r.favor_id
     WHERE r.member_id = ANY($1)";

/// They.
pub struct Crowd {
    /// Those with many friends.
    pub hosts: Vec<Signer>,
    /// Friends of all hosts.
    pub guests: Vec<Signer>,
}

impl Crowd {
    /// Signs them up. Their addresses are still to be confirmed.
    ///
    /// # Errors
    /// When the server refuses one.
    pub async fn sign_up(url: &str) -> Result<Self> {
        let hosts = people::sign_up(url, "host", HOSTS).await.context("signing hosts up")?;
        Ok(Self { hosts, guests: people::sign_up(url, "guest", GUESTS).await.context("signing guests up")? })
    }

    /// Makes friends of them, once they are members, and groups of the friends.
    ///
    /// # Errors
    /// When the database refuses a row.
    pub async fn fill(&self, url: &str, now: OffsetDateTime) -> Result<()> {
        let ids = |signers: &[Signer]| signers.iter().map(|s| s.id).collect::<Vec<Uuid>>();
        let (hosts, guests) = (ids(&self.hosts), ids(&self.guests));
        let conn = &mut PgConnection::connect(url).await?;
        sqlx::query(FRIENDSHIPS).bind(&hosts).bind(&guests).bind(FRIENDS).bind(now).execute(&mut *conn).await?;
        sqlx::query(OF_GROUPS).bind(&hosts).bind(GROUPS).execute(&mut *conn).await?;
        sqlx::query(MEMBERSHIPS).bind(&hosts).bind(GROUPS).execute(&mut *conn).await?;
        sqlx::query(RECEIVED).bind(&hosts).bind(ASKED).execute(&mut *conn).await?;
        sqlx::query(PLACES).bind(&hosts).execute(conn).await?;
        Ok(())
    }

    /// Signs them in.
    ///
    /// # Errors
    /// When the server refuses one.
    pub async fn sign_in(&mut self, url: &str) -> Result<()> {
        people::sign_in(url, &mut self.hosts).await?;
        people::sign_in(url, &mut self.guests).await
    }
}
