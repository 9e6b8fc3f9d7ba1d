//! Statements on factor_news: news about second steps that wait to be mailed.

use crate::{error::Result, identity::factor_news::News, ids::MemberId};
use sqlx::PgConnection;
use time::OffsetDateTime;

/// When the first of the news happened that wait for a member.
pub async fn since(conn: &mut PgConnection, member: MemberId) -> Result<Option<OffsetDateTime>> {
    let first = sqlx::query_scalar!("SELECT min(at) FROM factor_news WHERE member_id = $1 LIMIT 1", member.0).fetch_one(conn).await?;
    Ok(first)
}

/// Adds what happened, for the address that the member has now.
pub async fn add(conn: &mut PgConnection, member: MemberId, news: &[News], now: OffsetDateTime) -> Result<()> {
    let words: Vec<String> = news.iter().map(|one| one.word().to_owned()).collect();
    sqlx::query!(
        "INSERT INTO factor_news (member_id, email, news, at)
         SELECT id, email, unnest($2::text[]), $3
         FROM members
         WHERE id = $1",
        member.0,
        &words,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// News that wait.
pub struct Waiting {
    /// Its id.
    pub id: i64,
    /// The address that the member had when it happened.
    pub email: String,
    /// The news.
    pub news: News,
}

/// The news that wait for a member, the first first.
pub async fn waiting(conn: &mut PgConnection, member: MemberId) -> Result<Vec<Waiting>> {
    let rows = sqlx::query_as!(
        Waiting,
        r#"SELECT id, email, news AS "news: News"
           FROM factor_news
           WHERE member_id = $1
           ORDER BY id
           LIMIT 100"#,
        member.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// Removes news that were mailed.
pub async fn remove(conn: &mut PgConnection, ids: &[i64]) -> Result<()> {
    sqlx::query!("DELETE FROM factor_news WHERE id = ANY($1)", ids).execute(conn).await?;
    Ok(())
}
