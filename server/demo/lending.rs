//! What the demo members lend: told through the same service that members call.

use super::{
    story::{Cast, by},
    things::{self, Thing},
};
use crate::{
    clock::Clock,
    ids::{ItemId, MemberId},
    items::{self, Service},
    pb::{
        groups::{ListGroupsRequest, groups_service_server::GroupsService},
        items::{CreateItemRequest, ItemCategory, ItemStatus, Location, UpdateItemRequest, Visibility, items_service_server::ItemsService},
    },
};
use anyhow::{Context, Result};
use time::Duration;

/// A thing to be lent: title, description, category, price of a day and deposit in USD, for how many days, and whether it is listed.
struct Lend(&'static str, &'static str, ItemCategory, f64, f64, i32, bool);

/// What Ana's friends find, and what she has herself; before all else, so that it can be borrowed in the story.
///
/// # Errors
/// As the service.
pub async fn begin(items: &Service, clock: &Clock, c: &Cast) -> Result<()> {
    let ladder = Lend(
        "Extension ladder",
        "Aluminum, tall enough for the gutters of a two-story house. It fits on a roof rack and is easy to carry with two people.",
        ItemCategory::Tools,
        5.0,
        20.0,
        7,
        true,
    );
    let bike = Lend(
        "Cargo bike",
        "Carries two kids or a week of groceries. Comes with a lock and a rain cover. The left brake squeaks when it's wet.",
        ItemCategory::Transportation,
        8.0,
        50.0,
        3,
        true,
    );
    let telescope = Lend(
        "Telescope for beginners",
        "Shows the rings of Saturn on a clear night. I'm happy to explain how to set it up and where to look this month.",
        ItemCategory::Electronics,
        0.0,
        40.0,
        14,
        true,
    );
    let mixer = Lend("Stand mixer", "Kneads bread for ten. Comes with three bowls and a whisk.", ItemCategory::Home, 3.0, 0.0, 4, true);
    let washer = Lend(
        "Pressure washer",
        "For patios, bikes and outdoor furniture. Please bring it back dry.",
        ItemCategory::Tools,
        6.5,
        30.0,
        2,
        true,
    );
    let machine = Lend(
        "Sewing machine",
        "Simple and sturdy: straight stitch, zigzag, and a buttonhole that works most of the time.",
        ItemCategory::Home,
        4.0,
        0.0,
        10,
        false,
    );
    let tent = Lend("Tent for four", "One of the poles is taped. I want to fix it first.", ItemCategory::Sports, 0.0, 0.0, 0, false);
    for (owner, lend, thing, everybody) in [
        (c.ana, ladder, Some(Thing::Ladder), false),
        (c.ben, bike, Some(Thing::CargoBike), false),
        (c.priya, telescope, Some(Thing::Telescope), true),
        (c.sofia, mixer, Some(Thing::Mixer), false),
        (c.marcus, washer, Some(Thing::Washer), true),
        (c.ana, machine, Some(Thing::SewingMachine), false),
        (c.ana, tent, None, false),
    ] {
        let id = make(items, owner, lend, everybody).await?;
        if let Some(thing) = thing {
            items::add_drawn(items, owner, id, things::drawn(thing)?).await?;
        }
        clock.advance(Duration::minutes(90));
    }
    Ok(())
}

async fn make(items: &Service, owner: MemberId, lend: Lend, everybody: bool) -> Result<ItemId> {
    let Lend(title, description, category, price_per_day, deposit, max_days, is_listed) = lend;
    let request = CreateItemRequest {
        title: title.to_owned(),
        description: description.to_owned(),
        category: category.into(),
        visibility: if everybody { Visibility::Public } else { Visibility::Friends }.into(),
        status: if is_listed { ItemStatus::Listed } else { ItemStatus::Draft }.into(),
        price_per_day,
        deposit,
        max_days,
        location: Some(Location { city: "Oakland".to_owned() }),
        ..Default::default()
    };
    let made = items.create_item(by(owner, request)).await?.into_inner().item.unwrap_or_default();
    Ok(ItemId::parse("item_id", &made.item_id)?)
}

/// At last Ana lists what she has left to one of her groups.
///
/// # Errors
/// As the services.
pub async fn narrow(items: &Service, groups: &impl GroupsService, ana: MemberId) -> Result<()> {
    let own = items.list_my_items(by(ana, Default::default())).await?.into_inner().items;
    let machine = own.into_iter().find(|item| item.title == "Sewing machine").context("she has it")?;
    let group = groups.list_groups(by(ana, ListGroupsRequest::default())).await?.into_inner().groups.into_iter().next();
    let request = UpdateItemRequest {
        item_id: machine.item_id,
        status: Some(ItemStatus::Listed.into()),
        group_ids: group.map(|group| group.group_id).into_iter().collect(),
        ..Default::default()
    };
    items.update_item(by(ana, request)).await?;
    Ok(())
}
