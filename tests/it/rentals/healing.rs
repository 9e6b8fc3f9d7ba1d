//! The constraint against double booking is built anew by an update, and not over an item that is promised twice.

use super::three;
use crate::{borrowing::wish, harness::TestServer};
use goodturn::{
    migrate::MIGRATIONS,
    pb::rentals::{RentalAction as Action, RentalStatus},
};
use sqlx::Executor;

#[tokio::test]
async fn an_item_that_is_promised_twice_is_named_before_the_constraint_is_built_anew() {
    let server = TestServer::start().await;
    let (ana, ben, eve, ladder) = three(&server).await;
    let one = server.agreed(&ana, &ben, wish(&ladder, 3, 5)).await;
    let other = server.agreed(&ana, &eve, wish(&ladder, 7, 8)).await;
    let mut beside = server.database.connect().await;
    // As if the index had not seen the one when the other was agreed.
    let unseen = "ALTER TABLE rentals DROP CONSTRAINT rentals_no_double_booking, ADD CONSTRAINT rentals_no_double_booking CHECK (true);
                  UPDATE rentals SET first_day = first_day - 2 WHERE first_day = (SELECT max(first_day) FROM rentals)";
    beside.execute(unseen).await.unwrap();
    let migration = MIGRATIONS.iter().find(|migration| migration.version == 77).unwrap();
    let refused = beside.execute(migration.sql.clone()).await.unwrap_err().to_string();
    assert!([&one, &other, &ladder].iter().all(|id| refused.contains(id.as_str())), "{refused}");

    server.does(&ana, &other, Action::Cancel).await.unwrap();
    beside.execute(migration.sql.clone()).await.unwrap();
    let again = server.wants(&eve, wish(&ladder, 5, 6)).await.unwrap_err();
    assert_eq!(again.reason, "DAYS_TAKEN");
    let kind: String = sqlx::query_scalar("SELECT contype::text FROM pg_constraint WHERE conname = 'rentals_no_double_booking'")
        .fetch_one(&mut beside)
        .await
        .unwrap();
    assert_eq!((kind.as_str(), server.rental(&ben, &one).await.unwrap().rental_status()), ("x", RentalStatus::Accepted));
    server.stop().await;
}
