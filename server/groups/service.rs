//! The RPCs of groups. Those of one member change one after the other, under one lock.

use super::{
    Group,
    rules::{self, Wanted},
    store, wire,
};
use crate::{
    auth,
    db::Tx,
    deps::Deps,
    error::{Error, Result},
    friends::{self, Friend},
    idempotency,
    identity::store as identity,
    ids::{GroupId, MemberId},
    notifications,
    pb::{groups as pb, groups::groups_service_server::GroupsService, notifications::TargetKind},
    read, transact,
};
use sqlx::PgConnection;
use tonic::{Request, Response, Status};

const CREATE: &str = "groups.CreateGroup";

/// GroupsService.
#[derive(Clone)]
pub struct Service {
    deps: Deps,
}

impl Service {
    /// With what every service is given.
    pub fn new(deps: Deps) -> Self {
        Self { deps }
    }

    async fn create(&self, me: MemberId, key: Option<&idempotency::Use>, wanted: &Wanted) -> Result<pb::CreateGroupResponse> {
        transact!(self.deps.pool, |tx| {
            if let Some(answer) = idempotency::replay(tx, key, self.deps.clock.now()).await? {
                return Ok(answer);
            }
            // Nobody leaves while they sort their friends.
            identity::share(tx, &[me]).await?;
            let friends = friends::lock_friends(tx, me, &wanted.members).await?;
            store::lock_all_of(tx, me).await?;
            wanted.of_friends(&friends)?;
            let others = store::keys(tx, me).await?;
            rules::name_is_free(&wanted.name, None, &others)?;
            rules::one_more(&others)?;
            let id: GroupId = self.deps.ids.id();
            store::insert(tx, me, id, (&wanted.name, &rules::key(&wanted.name))).await?;
            let group = write_members(tx, me, id, wanted).await?;
            let answer = pb::CreateGroupResponse { group: Some(wire::group(group)) };
            idempotency::keep(tx, key, &answer).await?;
            Ok(answer)
        })
    }

    async fn update(&self, me: MemberId, id: GroupId, wanted: &Wanted) -> Result<pb::Group> {
        transact!(self.deps.pool, |tx| {
            // Before the groups, as everywhere: none of them is a friend no longer when this is committed.
            let friends = friends::lock_friends(tx, me, &wanted.members).await?;
            store::lock_all_of(tx, me).await?;
            let old = one(tx, me, id).await?;
            if wanted.is(&old) {
                return Ok(wire::group(old));
            }
            wanted.of_friends(&friends)?;
            rules::name_is_free(&wanted.name, Some(id), &store::keys(tx, me).await?)?;
            store::rename(tx, me, id, (&wanted.name, &rules::key(&wanted.name))).await?;
            write_members(tx, me, id, wanted).await.map(wire::group)
        })
    }

    async fn delete(&self, me: MemberId, id: GroupId) -> Result<()> {
        transact!(self.deps.pool, |tx| {
            store::lock_all_of(tx, me).await?;
            if !store::delete(tx, me, id).await? {
                return Err(not_found());
            }
            notifications::changed(tx, me, TargetKind::Group, id.0);
            Ok(())
        })
    }
}

/// Writes who is in a group, and hints at it. The group as it is then.
async fn write_members(tx: &mut Tx, me: MemberId, id: GroupId, wanted: &Wanted) -> Result<Group> {
    store::set_members(tx, me, id, &wanted.members).await?;
    notifications::changed(tx, me, TargetKind::Group, id.0);
    one(tx, me, id).await
}

/// A group of the member's. Another's does not exist for them.
async fn one(conn: &mut PgConnection, me: MemberId, id: GroupId) -> Result<Group> {
    store::named(conn, me, &[id]).await?.pop().ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::not_found("group")
}

/// Tells friends, whose answer of a member's circle holds the groups too, what those are.
pub struct Circle;

#[tonic::async_trait]
impl friends::Groups for Circle {
    async fn circle(&self, conn: &mut PgConnection, member: MemberId) -> Result<(Vec<Friend>, Vec<pb::Group>)> {
        let (friends, groups) = store::circle(conn, member).await?;
        Ok((friends, wire::groups(groups)))
    }
}

type Answered<T> = std::result::Result<Response<T>, Status>;

/// The caller, and the group that the request names.
fn on<T>(request: &Request<T>, id: &str) -> Result<(MemberId, GroupId)> {
    Ok((auth::caller(request)?.member, GroupId::parse("group_id", id)?))
}

#[tonic::async_trait]
impl GroupsService for Service {
    async fn list_groups(&self, request: Request<pb::ListGroupsRequest>) -> Answered<pb::ListGroupsResponse> {
        let me = auth::caller(&request)?.member;
        let groups = read!(self.deps.pool, |conn| store::all(conn, me).await)?;
        Ok(Response::new(pb::ListGroupsResponse { groups: wire::groups(groups) }))
    }

    async fn create_group(&self, request: Request<pb::CreateGroupRequest>) -> Answered<pb::CreateGroupResponse> {
        let me = auth::caller(&request)?.member;
        let key = idempotency::of(&request, me, CREATE)?;
        let asked = request.get_ref();
        let wanted = wire::wanted(&asked.group_name, &asked.friend_ids)?;
        Ok(Response::new(self.create(me, key.as_ref(), &wanted).await?))
    }

    async fn update_group(&self, request: Request<pb::UpdateGroupRequest>) -> Answered<pb::UpdateGroupResponse> {
        let asked = request.get_ref();
        let (me, id) = on(&request, &asked.group_id)?;
        let wanted = wire::wanted(&asked.group_name, &asked.friend_ids)?;
        Ok(Response::new(pb::UpdateGroupResponse { group: Some(self.update(me, id, &wanted).await?) }))
    }

    async fn delete_group(&self, request: Request<pb::DeleteGroupRequest>) -> Answered<pb::DeleteGroupResponse> {
        let (me, id) = on(&request, &request.get_ref().group_id)?;
        self.delete(me, id).await?;
        Ok(Response::new(pb::DeleteGroupResponse {}))
    }
}
