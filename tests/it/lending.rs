//! Items as tests make and read them.

use crate::harness::{Member, Refused, TestServer, drawn};
use goodturn::pb::{
    common::PictureFormat,
    items::{
        BrowseFeedRequest, BrowseFeedResponse, ConfirmImageRequest, CreateItemRequest, DayRange, DeleteItemRequest, GetItemRequest, Item,
        ItemCategory, ItemImage, ItemStatus, ListMyItemsRequest, ListMyItemsResponse, PresignImageRequest, PresignImageResponse,
        SetBlackoutDaysRequest, UpdateItemRequest, Visibility,
    },
};
use image::ImageFormat;

/// A draft with nothing but its texts and a category.
pub fn ladder() -> CreateItemRequest {
    CreateItemRequest {
        title: "Ladder".into(),
        description: "Three metres long".into(),
        category: ItemCategory::Tools.into(),
        ..Default::default()
    }
}

/// An item that is listed at once, for friends.
pub fn listed(title: &str) -> CreateItemRequest {
    CreateItemRequest { title: title.into(), status: ItemStatus::Listed.into(), ..ladder() }
}

/// The same for everybody.
pub fn public(title: &str) -> CreateItemRequest {
    CreateItemRequest { visibility: Visibility::Public.into(), ..listed(title) }
}

/// A change of an item's status alone.
pub fn to(status: ItemStatus, item: &Item) -> UpdateItemRequest {
    UpdateItemRequest { item_id: item.item_id.clone(), status: Some(status.into()), ..Default::default() }
}

/// A range of days.
pub fn days(first: &str, last: &str) -> DayRange {
    DayRange { start_date: first.into(), end_date: last.into() }
}

/// What items are called.
pub fn titles(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.title.as_str()).collect()
}

impl TestServer {
    /// Makes an item.
    pub async fn item(&self, owner: &Member, item: CreateItemRequest) -> Item {
        self.items(owner).create_item(item).await.unwrap().into_inner().item.unwrap()
    }

    /// An item with the eyes of a member.
    pub async fn item_seen(&self, viewer: &Member, item: &Item) -> Result<Item, Refused> {
        Ok(self.items(viewer).get_item(GetItemRequest { item_id: item.item_id.clone() }).await?.into_inner().item.unwrap())
    }

    /// Changes an item.
    pub async fn changes_item(&self, owner: &Member, change: UpdateItemRequest) -> Result<Item, Refused> {
        Ok(self.items(owner).update_item(change).await?.into_inner().item.unwrap())
    }

    /// Lists an item, or takes it off the list.
    pub async fn moves_item(&self, owner: &Member, item: &Item, status: ItemStatus) -> Item {
        self.changes_item(owner, to(status, item)).await.unwrap()
    }

    /// Removes an item.
    pub async fn removes_item(&self, owner: &Member, item: &Item) -> Result<(), Refused> {
        self.items(owner).delete_item(DeleteItemRequest { item_id: item.item_id.clone() }).await?;
        Ok(())
    }

    /// A page of what friends lend.
    pub async fn feed(&self, who: &Member, asked: BrowseFeedRequest) -> BrowseFeedResponse {
        self.items(who).browse_feed(asked).await.unwrap().into_inner()
    }

    /// What friends lend, by the titles.
    pub async fn lent_to(&self, who: &Member) -> Vec<String> {
        titles(&self.feed(who, BrowseFeedRequest::default()).await.items).into_iter().map(str::to_owned).collect()
    }

    /// A page of a member's own items.
    pub async fn own_items(&self, who: &Member, asked: ListMyItemsRequest) -> ListMyItemsResponse {
        self.items(who).list_my_items(asked).await.unwrap().into_inner()
    }

    /// Announces a PNG of an item.
    pub async fn announces_image(&self, who: &Member, item: &Item, bytes: usize) -> Result<PresignImageResponse, Refused> {
        let request = PresignImageRequest {
            item_id: item.item_id.clone(),
            content_type: PictureFormat::Png.into(),
            file_size: bytes.try_into().unwrap(),
        };
        Ok(self.items(who).presign_image(request).await?.into_inner())
    }

    /// Announces a PNG and puts it where it is to be.
    pub async fn uploads_image(&self, who: &Member, item: &Item) -> PresignImageResponse {
        let file = drawn(ImageFormat::Png, 40, 30);
        let told = self.announces_image(who, item, file.len()).await.unwrap();
        assert_eq!(self.put_file(&told.upload_url, "image/png", file).await, 200);
        told
    }

    /// Takes an upload.
    pub async fn confirms_image(&self, who: &Member, item: &Item, key: &str) -> Result<ItemImage, Refused> {
        let request = ConfirmImageRequest { item_id: item.item_id.clone(), key: key.into() };
        Ok(self.items(who).confirm_image(request).await?.into_inner().image.unwrap())
    }

    /// Adds a picture to an item.
    pub async fn adds_image(&self, who: &Member, item: &Item) -> ItemImage {
        let told = self.uploads_image(who, item).await;
        self.confirms_image(who, item, &told.key).await.unwrap()
    }

    /// Blacks out days of an item.
    pub async fn blacks_out(&self, who: &Member, item: &Item, ranges: &[DayRange]) -> Result<Vec<DayRange>, Refused> {
        let request = SetBlackoutDaysRequest { item_id: item.item_id.clone(), ranges: ranges.to_vec(), ..Default::default() };
        Ok(self.items(who).set_blackout_days(request).await?.into_inner().ranges)
    }
}
