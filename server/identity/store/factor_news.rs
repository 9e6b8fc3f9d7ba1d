//! Statements on factor_news: what members are still to be told about their second step.

use crate::{error::Result, identity::factor_news::News, ids::MemberId};
use sqlx::PgConnection;

/// Adds what happened.
pub async fn add(conn: &mut PgConnection, member: MemberId, news: &[News]) -> Result<()> {
    let words: Vec<String> = news.iter().map(|one| one.word().to_owned()).collect();
    sqlx::query!("INSERT INTO factor_news (member_id, news) SELECT $1, unnest($2::text[])", member.0, &words).execute(conn).await?;
    Ok(())
}

/// What a member is still to be told, the first first, each with its id.
pub async fn waiting(conn: &mut PgConnection, member: MemberId) -> Result<Vec<(i64, News)>> {
    let rows = sqlx::query!(
        r#"SELECT id, news AS "news: News"
           FROM factor_news
           WHERE member_id = $1
           ORDER BY id
           LIMIT 100"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.news)).collect())
}

/// Removes what a member was told.
pub async fn remove(conn: &mut PgConnection, ids: &[i64]) -> Result<()> {
    sqlx::query!("DELETE FROM factor_news WHERE id = ANY($1)", ids).execute(conn).await?;
    Ok(())
}
