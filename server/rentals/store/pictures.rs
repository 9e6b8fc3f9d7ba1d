//! Pictures of hand-overs, returns and their confirmations.

use super::super::Moment;
use crate::{
    error::Result,
    ids::{ItemId, PictureId, RentalId},
};
use sqlx::PgConnection;
use std::collections::HashMap;
use uuid::Uuid;

/// Writes the pictures of one of them, in their order. Under the item's lock. Whether none of them is of this rental already.
pub async fn add_pictures(conn: &mut PgConnection, (item, id): (ItemId, RentalId), of: Moment, pictures: &[PictureId]) -> Result<bool> {
    let pictures: Vec<Uuid> = pictures.iter().map(|p| p.0).collect();
    let added = sqlx::query!(
        "INSERT INTO rental_pictures (item_id, rental_id, id, moment, position)
         SELECT $1, $2, p.id, $3, p.position
         FROM unnest($4::uuid[]) WITH ORDINALITY AS p (id, position)
         ON CONFLICT (item_id, rental_id, id) DO NOTHING",
        item.0,
        id.0,
        of as Moment,
        &pictures,
    )
    .execute(conn)
    .await?;
    Ok(usize::try_from(added.rows_affected()) == Ok(pictures.len()))
}

/// The pictures of some rentals: those of each moment, in their order.
pub async fn pictures(conn: &mut PgConnection, rentals: &[(ItemId, RentalId)]) -> Result<HashMap<(RentalId, Moment), Vec<PictureId>>> {
    let (items, ids): (Vec<Uuid>, Vec<Uuid>) = rentals.iter().map(|(item, id)| (item.0, id.0)).unzip();
    let rows = sqlx::query!(
        r#"SELECT p.rental_id, p.id, p.moment AS "moment: Moment"
           FROM unnest($1::uuid[], $2::uuid[]) AS w (item_id, rental_id)
           JOIN rental_pictures p ON p.item_id = w.item_id AND p.rental_id = w.rental_id
           ORDER BY p.rental_id, p.moment, p.position"#,
        &items,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    let mut pictures: HashMap<_, Vec<PictureId>> = HashMap::new();
    for row in rows {
        pictures.entry((RentalId(row.rental_id), row.moment)).or_default().push(PictureId(row.id));
    }
    Ok(pictures)
}
