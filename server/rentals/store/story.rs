//! Statements on the story of a rental.

use crate::{
    error::Result,
    ids::{ItemId, MemberId, RentalId},
    money::Cents,
    rentals::{Event, EventKind},
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

/// Adds a step. Under the item's lock, which counts them.
pub async fn add_event(
    conn: &mut PgConnection,
    (item, id): (ItemId, RentalId),
    kind: EventKind,
    actor: MemberId,
    now: OffsetDateTime,
) -> Result<()> {
    add_events(conn, item, &[id], kind, Some(actor), now).await
}

/// Adds a step with the sum of a payment, or 0.
pub async fn add_step(
    conn: &mut PgConnection,
    (item, id): (ItemId, RentalId),
    (kind, amount): (EventKind, Cents),
    actor: MemberId,
    now: OffsetDateTime,
) -> Result<()> {
    add(conn, item, &[id], (kind, amount), Some(actor), now).await
}

/// Adds the same step to several rentals of an item; without an actor it is one that nobody made.
pub async fn add_events(
    conn: &mut PgConnection,
    item: ItemId,
    ids: &[RentalId],
    kind: EventKind,
    actor: Option<MemberId>,
    now: OffsetDateTime,
) -> Result<()> {
    add(conn, item, ids, (kind, Cents::from_cents(0)), actor, now).await
}

async fn add(
    conn: &mut PgConnection,
    item: ItemId,
    ids: &[RentalId],
    (kind, amount): (EventKind, Cents),
    actor: Option<MemberId>,
    now: OffsetDateTime,
) -> Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query!(
        "INSERT INTO rental_events (item_id, rental_id, step, kind, actor_id, at, amount_cents)
         SELECT $1, r.id, (SELECT coalesce(max(e.step), 0) + 1 FROM rental_events e WHERE e.item_id = $1 AND e.rental_id = r.id), $3, $4, $5, $6
         FROM unnest($2::uuid[]) AS r (id)",
        item.0,
        &ids,
        kind as EventKind,
        actor.map(|actor| actor.0),
        now,
        amount.cents(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The newest steps, the newest first.
pub async fn events(conn: &mut PgConnection, (item, id): (ItemId, RentalId), limit: i64) -> Result<Vec<Event>> {
    let rows = sqlx::query!(
        r#"SELECT e.kind AS "kind: EventKind", m.id AS "actor?", e.at, e.amount_cents
           FROM rental_events e
           LEFT JOIN members m ON m.id = e.actor_id AND m.status = 'confirmed'
           WHERE e.item_id = $1 AND e.rental_id = $2
           ORDER BY e.step DESC
           LIMIT $3"#,
        item.0,
        id.0,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let event = |kind, actor: Option<Uuid>, at, cents| Event { kind, actor: actor.map(MemberId), at, amount: Cents::from_cents(cents) };
    Ok(rows.into_iter().map(|row| event(row.kind, row.actor, row.at, row.amount_cents)).collect())
}
