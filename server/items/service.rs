//! The RPCs of items.

use super::{
    form::{self, Changes, New},
    hooks::{Hook, Reputation},
    lists::Wanted,
    wire,
};
use crate::{
    auth,
    deps::Deps,
    error::Result,
    idempotency,
    ids::{ItemId, MemberId, PictureId},
    keyed_mutex::{SEARCHES_AT_ONCE, Turns},
    pb::{items as pb, items::items_service_server::ItemsService},
    read,
};
use std::sync::Arc;
use tonic::{Request, Response, Status};

const CREATE: &str = "items.CreateItem";

/// ItemsService.
#[derive(Clone)]
pub struct Service {
    pub(super) deps: Deps,
    /// Who knows how owners did.
    pub(super) reputation: Arc<dyn Reputation>,
    /// Who is asked about items.
    pub(super) hooks: Arc<[Arc<dyn Hook>]>,
    pub(super) turns: Turns<MemberId>,
}

impl Service {
    /// With what every service is given, and the areas above that are asked.
    pub fn new(deps: Deps, reputation: Arc<dyn Reputation>, hooks: Vec<Arc<dyn Hook>>) -> Self {
        Self { deps, reputation, hooks: hooks.into(), turns: Turns::new(SEARCHES_AT_ONCE) }
    }
}

type Answered<T> = std::result::Result<Response<T>, Status>;

/// The caller, and the item that the request names.
fn on<T>(request: &Request<T>, id: &str) -> Result<(MemberId, ItemId)> {
    Ok((auth::caller(request)?.member, ItemId::parse("item_id", id)?))
}

#[tonic::async_trait]
impl ItemsService for Service {
    async fn create_item(&self, request: Request<pb::CreateItemRequest>) -> Answered<pb::CreateItemResponse> {
        let me = auth::caller(&request)?.member;
        let key = idempotency::of(&request, me, CREATE)?;
        let new: New = wire::create(request.get_ref())?;
        Ok(Response::new(self.create(me, key.as_ref(), &new).await?))
    }

    async fn update_item(&self, request: Request<pb::UpdateItemRequest>) -> Answered<pb::UpdateItemResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        let changes: Changes = wire::update(request.get_ref())?;
        Ok(Response::new(pb::UpdateItemResponse { item: Some(self.update(me, id, &changes).await?) }))
    }

    async fn delete_item(&self, request: Request<pb::DeleteItemRequest>) -> Answered<pb::DeleteItemResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        self.delete(me, id).await?;
        Ok(Response::new(pb::DeleteItemResponse {}))
    }

    async fn get_item(&self, request: Request<pb::GetItemRequest>) -> Answered<pb::GetItemResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        let item = read!(self.deps.pool, |conn| self.shown(conn, me, id).await)?;
        Ok(Response::new(pb::GetItemResponse { item: Some(item) }))
    }

    async fn list_my_items(&self, request: Request<pb::ListMyItemsRequest>) -> Answered<pb::ListMyItemsResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let wanted = Wanted::new(wire::statuses(asked.status()), wire::only(asked.category()), &asked.query);
        Ok(Response::new(self.mine(me, &wanted, asked.limit, &asked.cursor).await?))
    }

    async fn browse_feed(&self, request: Request<pb::BrowseFeedRequest>) -> Answered<pb::BrowseFeedResponse> {
        let (me, asked) = (auth::caller(&request)?.member, request.get_ref());
        let owner = Some(&asked.owner_id).filter(|id| !id.is_empty()).map(|id| MemberId::parse("owner_id", id)).transpose()?;
        let wanted = Wanted::new(None, wire::only(asked.category()), &asked.query).of(owner);
        Ok(Response::new(self.browse(me, &wanted, asked.limit, &asked.cursor).await?))
    }

    async fn presign_image(&self, request: Request<pb::PresignImageRequest>) -> Answered<pb::PresignImageResponse> {
        let me = auth::caller(&request)?.member;
        Ok(Response::new(self.announce(me, request.get_ref()).await?))
    }

    async fn confirm_image(&self, request: Request<pb::ConfirmImageRequest>) -> Answered<pb::ConfirmImageResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        Ok(Response::new(pb::ConfirmImageResponse { image: Some(self.confirm(me, id, &request.get_ref().key).await?) }))
    }

    async fn list_images(&self, request: Request<pb::ListImagesRequest>) -> Answered<pb::ListImagesResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        Ok(Response::new(pb::ListImagesResponse { images: self.images(me, id).await? }))
    }

    async fn delete_image(&self, request: Request<pb::DeleteImageRequest>) -> Answered<pb::DeleteImageResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        let image = PictureId::parse("image_id", &request.get_ref().image_id)?;
        self.take_away(me, id, image).await?;
        Ok(Response::new(pb::DeleteImageResponse {}))
    }

    async fn order_images(&self, request: Request<pb::OrderImagesRequest>) -> Answered<pb::OrderImagesResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        let wanted = wire::images(&request.get_ref().image_ids)?;
        Ok(Response::new(pb::OrderImagesResponse { images: self.order(me, id, &wanted).await? }))
    }

    async fn set_blackout_days(&self, request: Request<pb::SetBlackoutDaysRequest>) -> Answered<pb::SetBlackoutDaysResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        let pb::SetBlackoutDaysRequest { ranges, etag, .. } = request.get_ref();
        let days = self.black_out(me, id, &wire::ranges(ranges)?, etag).await?;
        Ok(Response::new(pb::SetBlackoutDaysResponse { ranges: wire::day_ranges(&days), etag: form::etag(&days) }))
    }

    async fn list_blackout_days(&self, request: Request<pb::ListBlackoutDaysRequest>) -> Answered<pb::ListBlackoutDaysResponse> {
        let (me, id) = on(&request, &request.get_ref().item_id)?;
        let days = self.blacked_out(me, id).await?;
        Ok(Response::new(pb::ListBlackoutDaysResponse { ranges: wire::day_ranges(&days), etag: form::etag(&days) }))
    }
}
