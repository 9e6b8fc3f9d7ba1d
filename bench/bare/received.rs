//! ListReceivedFavors of the bare service: the page with the caller's answers, then the people around it, what they helped with, and who
//! of them is a friend.

mod favor;

use super::{Rpc, connection, failed, member, people};
use favor::Row;
use goodturn::pb::favors::{ListReceivedFavorsRequest, ListReceivedFavorsResponse};
use sqlx::{PgConnection, PgPool};
use std::collections::{HashMap, HashSet};
use time::{OffsetDateTime, macros::datetime};
use tonic::{Request, Status};
use uuid::Uuid;

/// The page as the first release of the server read it, from where the places are now.
const PAGE: &str =
    "SELECT f.id, f.creator_id, f.title, f.description, f.category, f.status, f.start_at, f.confirm_at, f.tip_cents, f.currency,
            f.location, f.max_responses, f.responses, f.helper_id, f.created_at, f.updated_at, f.due_key,
            CASE WHEN f.creator_id = $1 THEN ARRAY(
                SELECT a.member_id
                FROM favor_recipients a
                WHERE a.favor_id = f.id
                ORDER BY a.member_id IS NOT DISTINCT FROM f.helper_id DESC, a.position
                LIMIT 100
            ) ELSE '{}' END,
            r.asked_at IS NOT NULL, r.answer, coalesce(r.message, ''), coalesce(r.changes, 0::smallint)
     FROM favors f
     LEFT JOIN favor_recipients r ON r.favor_id = f.id AND r.member_id = $1
     WHERE f.id IN (
         SELECT p.favor_id
         FROM unnest($2::text[]) AS w (place)
         CROSS JOIN LATERAL (
             SELECT l.favor_id
             FROM favor_places l
             WHERE l.member_id = $1 AND l.place = w.place AND (l.due_key, l.favor_id) > ($3, $4)
             ORDER BY l.due_key, l.favor_id
             LIMIT $5
         ) p
     )
     ORDER BY f.due_key, f.id
     LIMIT $5";
/// What waits for an answer or a time, and what the member helps with or would.
const PLACES: [&str; 4] = ["pending", "offered", "helping", "back_up"];
const FIRST: OffsetDateTime = datetime!(1969-12-31 00:00 UTC);

const HELPED: &str = "SELECT helper_id, count(*)
     FROM favors
     WHERE helper_id = ANY($1) AND status IN ('completed', 'settled')
     GROUP BY helper_id";
const FRIENDS: &str = "SELECT friend_id FROM friendships WHERE member_id = $1 AND friend_id = ANY($2)";

/// The RPC.
#[derive(Clone)]
pub struct ListReceived(pub PgPool);

/// What is known of the members around a page.
struct Around {
    members: HashMap<Uuid, people::Member>,
    helped: HashMap<Uuid, i64>,
    friends: HashSet<Uuid>,
}

impl Rpc for ListReceived {
    const SERVICE: &'static str = "goodturn.favors.v1.FavorsService";
    type Asked = ListReceivedFavorsRequest;
    type Answer = ListReceivedFavorsResponse;

    async fn answer(self, request: Request<ListReceivedFavorsRequest>) -> Result<ListReceivedFavorsResponse, Status> {
        let (me, limit) = (member(&request.get_ref().uid)?, i64::from(request.get_ref().limit()));
        let mut conn = connection(&self.0).await?;
        let query = sqlx::query_as(PAGE).bind(me).bind(PLACES).bind(FIRST).bind(Uuid::nil()).bind(limit + 1);
        let mut rows: Vec<Row> = query.fetch_all(&mut *conn).await.map_err(failed)?;
        let has_more = i64::try_from(rows.len()).is_ok_and(|count| count > limit);
        rows.truncate(usize::try_from(limit).unwrap_or_default());
        let around = around(&mut conn, me, &rows).await?;
        let cursor = rows.last().filter(|_| has_more).map(Row::cursor).unwrap_or_default();
        let favors = rows.into_iter().map(|row| row.favor(me, &around)).collect();
        Ok(ListReceivedFavorsResponse { favors, cursor, has_more })
    }
}

async fn around(conn: &mut PgConnection, me: Uuid, rows: &[Row]) -> Result<Around, Status> {
    let creators: HashSet<Uuid> = rows.iter().map(|r| r.creator_id).collect();
    let all: HashSet<Uuid> = creators.iter().copied().chain(rows.iter().filter_map(|r| r.helper_id)).collect();
    let (creators, all): (Vec<Uuid>, Vec<Uuid>) = (creators.into_iter().collect(), all.into_iter().collect());
    let members = people::members(conn, &all).await?;
    let helped: Vec<(Uuid, i64)> = sqlx::query_as(HELPED).bind(&creators).fetch_all(&mut *conn).await.map_err(failed)?;
    let friends: Vec<Uuid> = sqlx::query_scalar(FRIENDS).bind(me).bind(&creators).fetch_all(conn).await.map_err(failed)?;
    Ok(Around { members, helped: helped.into_iter().collect(), friends: friends.into_iter().collect() })
}
