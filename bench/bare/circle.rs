//! GetActive of the bare service: the friendships of the member, then the members by their ids.

use super::{Rpc, connection, failed, member, people};
use goodturn::pb::{
    friends::{Friend, FriendList, GetActiveRequest, GetActiveResponse},
    timestamp,
};
use sqlx::PgPool;
use time::OffsetDateTime;
use tonic::{Request, Status};
use uuid::Uuid;

const FRIENDSHIPS: &str = "SELECT friend_id, since FROM friendships WHERE member_id = $1 LIMIT 1000";

/// The RPC.
#[derive(Clone)]
pub struct GetActive(pub PgPool);

impl Rpc for GetActive {
    const SERVICE: &'static str = "goodturn.friends.v1.FriendsService";
    type Asked = GetActiveRequest;
    type Answer = GetActiveResponse;

    async fn answer(self, request: Request<GetActiveRequest>) -> Result<GetActiveResponse, Status> {
        let mut conn = connection(&self.0).await?;
        let query = sqlx::query_as(FRIENDSHIPS).bind(member(&request.get_ref().uid)?);
        let friendships: Vec<(Uuid, OffsetDateTime)> = query.fetch_all(&mut *conn).await.map_err(failed)?;
        let ids: Vec<Uuid> = friendships.iter().map(|f| f.0).collect();
        let members = people::members(&mut conn, &ids).await?;
        let friends = friendships.iter().filter_map(|(id, since)| Some(friend(members.get(id)?, *since)));
        let mut list: Vec<Friend> = friends.collect();
        list.sort_by_cached_key(|f| f.display_name.to_lowercase());
        Ok(GetActiveResponse { friends: Some(FriendList { list }), groups: Vec::new() })
    }
}

fn friend(member: &people::Member, since: OffsetDateTime) -> Friend {
    Friend {
        uid: member.id.to_string(),
        display_name: member.name(),
        email: member.email.clone(),
        first_name: member.given_name.clone(),
        last_name: member.family_name.clone(),
        profile_picture_url: member.picture(),
        accepted_at: Some(timestamp(since)),
    }
}
