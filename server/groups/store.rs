//! Every SQL statement on groups and group_members.

use super::Group;
use crate::{
    error::{Error, Reason, Result},
    friends::Friend,
    identity::Shown,
    ids::{GroupId, MemberId},
};
use sqlx::PgConnection;
use uuid::Uuid;

struct Row {
    id: Uuid,
    name: String,
    members: Vec<Uuid>,
}

impl From<Row> for Group {
    fn from(row: Row) -> Self {
        Self { id: GroupId(row.id), name: row.name, members: row.members.into_iter().map(MemberId).collect() }
    }
}

/// Locks all groups of a member, those too that are not there yet: a name that is free now, and a number of them, still are at the commit.
pub async fn lock_all_of(conn: &mut PgConnection, owner: MemberId) -> Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('goodturn groups of ' || $1, 0))", owner.to_string()).execute(conn).await?;
    Ok(())
}

/// The groups of a member, at most 100.
pub async fn all(conn: &mut PgConnection, owner: MemberId) -> Result<Vec<Group>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT g.id, g.name,
                  ARRAY(
                      SELECT m.member_id
                      FROM group_members m
                      WHERE m.owner_id = $1 AND m.group_id = g.id
                      ORDER BY m.member_id
                      LIMIT 1000
                  ) AS "members!"
           FROM groups g
           WHERE g.owner_id = $1
           LIMIT 100"#,
        owner.0,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Group::from).collect())
}

/// The friends of a member, at most 1000, and their groups, at most 100, in one statement.
pub async fn circle(conn: &mut PgConnection, owner: MemberId) -> Result<(Vec<Friend>, Vec<Group>)> {
    let rows = sqlx::query!(
        r#"(
               SELECT f.friend_id AS "id!", f.since AS "since?", m.email AS "email?", m.given_name AS "given_name?",
                      m.family_name AS "family_name?", m.display_name AS "name?", m.picture AS "picture?", NULL::uuid[] AS "members?"
               FROM friendships f
               JOIN members m ON m.id = f.friend_id AND m.status = 'confirmed'
               WHERE f.member_id = $1
               LIMIT 1000
           )
           UNION ALL
           (
               SELECT g.id, NULL, NULL, NULL, NULL, g.name, NULL,
                      ARRAY(
                          SELECT m.member_id
                          FROM group_members m
                          WHERE m.owner_id = $1 AND m.group_id = g.id
                          ORDER BY m.member_id
                          LIMIT 1000
                      )
               FROM groups g
               WHERE g.owner_id = $1
               LIMIT 100
           )"#,
        owner.0,
    )
    .fetch_all(conn)
    .await?;
    let (mut friends, mut groups) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        match (row.members, row.since, row.email, row.given_name, row.family_name) {
            (Some(members), ..) => groups.push(Row { id: row.id, name: row.name.unwrap_or_default(), members }.into()),
            (None, Some(since), Some(email), Some(given_name), Some(family_name)) => {
                let shown = Shown::kept(row.id, email, (given_name, family_name), row.name, row.picture.as_deref());
                friends.push(Friend { shown, since });
            }
            (None, ..) => return Err(Error::internal(anyhow::anyhow!("a friend has no name"))),
        }
    }
    Ok((friends, groups))
}

/// Those of these groups that are a member's, in the order in which they are named.
///
/// # Errors
/// As the database.
pub async fn named(conn: &mut PgConnection, owner: MemberId, groups: &[GroupId]) -> Result<Vec<Group>> {
    let ids: Vec<Uuid> = groups.iter().map(|g| g.0).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT g.id, g.name,
                  ARRAY(
                      SELECT m.member_id
                      FROM group_members m
                      WHERE m.owner_id = $1 AND m.group_id = g.id
                      ORDER BY m.member_id
                      LIMIT 1000
                  ) AS "members!"
           FROM groups g
           WHERE g.owner_id = $1 AND g.id = ANY($2)
           ORDER BY array_position($2, g.id)
           LIMIT 100"#,
        owner.0,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Group::from).collect())
}

/// What the names of a member's groups are compared by.
pub async fn keys(conn: &mut PgConnection, owner: MemberId) -> Result<Vec<(GroupId, String)>> {
    let rows = sqlx::query!("SELECT id, name_key FROM groups WHERE owner_id = $1 LIMIT 100", owner.0).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|row| (GroupId(row.id), row.name_key)).collect())
}

/// Writes a new group, without members.
pub async fn insert(conn: &mut PgConnection, owner: MemberId, id: GroupId, (name, key): (&str, &str)) -> Result<()> {
    sqlx::query!("INSERT INTO groups (owner_id, id, name, name_key) VALUES ($1, $2, $3, $4)", owner.0, id.0, name, key)
        .execute(conn)
        .await?;
    Ok(())
}

/// Gives a group another name.
pub async fn rename(conn: &mut PgConnection, owner: MemberId, id: GroupId, (name, key): (&str, &str)) -> Result<()> {
    let renamed = sqlx::query!("UPDATE groups SET name = $3, name_key = $4 WHERE owner_id = $1 AND id = $2", owner.0, id.0, name, key)
        .execute(conn)
        .await?;
    one(renamed.rows_affected())
}

/// Brings the members of a group to these, who are friends of the owner and stay so until the transaction ends.
pub async fn set_members(conn: &mut PgConnection, owner: MemberId, id: GroupId, members: &[MemberId]) -> Result<()> {
    let members: Vec<Uuid> = members.iter().map(|m| m.0).collect();
    sqlx::query!(
        "DELETE FROM group_members
         WHERE owner_id = $1 AND group_id = $2 AND member_id <> ALL($3)",
        owner.0,
        id.0,
        &members,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO group_members (owner_id, group_id, member_id)
         SELECT $1, $2, m.member_id
         FROM unnest($3::uuid[]) AS m (member_id)
         ORDER BY m.member_id
         ON CONFLICT DO NOTHING",
        owner.0,
        id.0,
        &members,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a group. `false` when there was none.
pub async fn delete(conn: &mut PgConnection, owner: MemberId, id: GroupId) -> Result<bool> {
    let gone = sqlx::query!("DELETE FROM groups WHERE owner_id = $1 AND id = $2", owner.0, id.0).execute(conn).await?;
    Ok(gone.rows_affected() > 0)
}

/// Removes every group of a member.
pub async fn delete_all_of(conn: &mut PgConnection, owner: MemberId) -> Result<()> {
    sqlx::query!("DELETE FROM groups WHERE owner_id = $1", owner.0).execute(conn).await?;
    Ok(())
}

fn one(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(Error::new(Reason::Conflict, "changed at the same time; try again")) }
}
