//! What becomes of favors when a member leaves, and what is kept of a member's.

use super::{
    Favor, Hooks, Place, news, rules,
    store::{self, Said},
    texts, timers, wire,
};
use crate::{
    db::Tx,
    error::Result,
    identity,
    ids::{FavorId, MemberId},
    jobs,
    notifications::{self, New, Settled, Target, Told},
    pb::notifications::{NotificationType as Kind, TargetKind},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::collections::HashSet;
use time::{OffsetDateTime, macros::datetime};
use uuid::Uuid;

/// How many rows are read at once.
const PAGE: i64 = 200;
/// Before every key: none is before the epoch.
const FIRST: (OffsetDateTime, Uuid) = (datetime!(1969-12-31 00:00 UTC), Uuid::nil());
/// Where a member's own favors stand, list by list.
const OWN: [&[Place]; 3] = [&[Place::OwnOpen], &[Place::OwnCompleted], &[Place::OwnCancelled]];
/// Where those of others do.
const OF_OTHERS: &[Place] = &[
    Place::Pending,
    Place::Offered,
    Place::Declined,
    Place::Applied,
    Place::NotChosen,
    Place::Helping,
    Place::BackUp,
    Place::Taken,
    Place::Lapsed,
    Place::Completed,
    Place::Settled,
    Place::Cancelled,
];

#[tonic::async_trait]
impl notifications::Leaving for Hooks {
    /// Drafts go, open favors are called off, open requests declined, and what the member was to help with waits for somebody else. What is
    /// past stays for the others, without the member's words, as long as there is one of them.
    async fn left(&self, tx: &mut Tx, member: MemberId) -> Result<Told> {
        let now = self.0.clock.now();
        store::lock_all_of(tx, member).await?;
        let mut told = Told::default();
        let mut changed = call_off(tx, member, now, &mut told).await?;
        changed.extend(hand_over(tx, member, now, &mut told).await?);
        let reopened = decline(tx, member, now, &mut told).await?;
        changed.extend(&reopened);
        for (favor, creator) in store::forget_offers(tx, member).await? {
            told.settled.push(Settled { actor: Some(member), ..over(creator, favor) });
            changed.push(favor);
        }
        changed.extend(store::forget_offers_to(tx, member).await?);
        store::forget_words(tx, member).await?;
        store::remove_lonely(tx, member).await?;
        store::leave_others(tx, member).await?;
        let again = store::set_places_of(tx, &changed).await?;
        let seers: HashSet<(MemberId, FavorId)> = told.settled.iter().map(|s| (s.member, FavorId(s.about))).collect();
        let heard: HashSet<(MemberId, FavorId)> = told.news.iter().map(|n| (n.member, FavorId(n.about))).collect();
        for (seer, favor) in seers.difference(&heard).filter(|(seer, _)| *seer != member) {
            notifications::changed(tx, *seer, TargetKind::Favor, favor.0);
        }
        // Nobody is reminded of what was called off, or waits for somebody else.
        let ends = |s: &&Settled| s.actor.is_none() || reopened.contains(&FavorId(s.about));
        let reminders: Vec<Settled> = told.settled.iter().filter(ends).map(|s| timers::not_ahead(s.member, FavorId(s.about))).collect();
        told.settled.extend(reminders);
        for again in again {
            told.settled.extend(news::not_taken(again.member, again.creator, again.favor));
            notifications::changed(tx, again.member, TargetKind::Favor, again.favor.0);
        }
        Ok(told)
    }
}

/// What the member asked for: all who had not declined are told. The favors that changed.
async fn call_off(tx: &mut Tx, member: MemberId, now: OffsetDateTime, told: &mut Told) -> Result<Vec<FavorId>> {
    let open = store::cancel_open(tx, member, now).await?;
    let favors: Vec<FavorId> = open.iter().map(|favor| favor.id).collect();
    for (favor, member) in store::offering(tx, &favors).await? {
        told.settled.push(over(member, favor));
        if let Some(left) = open.iter().find(|left| left.id == favor) {
            let gone = new(member, favor, Kind::FavorCancelled, texts::cancelled(texts::FORMER, &left.title), false);
            // Who was not asked sees it by the friendship, which is over.
            told.news.push(New { target: Target(TargetKind::Notifications, Uuid::nil()), ..gone });
        }
    }
    for asked in store::asked(tx, &favors).await? {
        told.settled.push(over(asked.member, asked.favor));
        if let Some(favor) = open.iter().find(|favor| favor.id == asked.favor && !asked.declined) {
            told.news.push(new(asked.member, favor.id, Kind::FavorCancelled, texts::cancelled(texts::FORMER, &favor.title), false));
        }
    }
    Ok(favors)
}

/// What the member had promised, where others have as well: the next one helps in their place, and the lines go on without them. The favors
/// in which that moved somebody.
async fn hand_over(tx: &mut Tx, member: MemberId, now: OffsetDateTime, told: &mut Told) -> Result<Vec<FavorId>> {
    let mut changed = Vec::new();
    // Before a favor is handed over: whoever was its helper is in its line until they are out of it.
    for left in store::leave_lines(tx, member, now).await? {
        let gone = texts::backs_up_no_more(texts::FORMER, &left.title, "");
        told.news.push(new(left.creator, left.id, Kind::FavorResponse, gone, false));
        told.settled.push(Settled { actor: Some(member), ..over(left.creator, left.id) });
        changed.push(left.id);
    }
    for handed_over in store::hand_over_all(tx, member, now).await? {
        let left = handed_over.favor;
        let gone = texts::stepped_back(texts::FORMER, true, &left.title, "");
        let moved_up = texts::moved_up(&handed_over.creator_name, &left.title);
        told.news.push(new(left.creator, left.id, Kind::FavorResponse, gone, false));
        told.news.push(New { actor: Some(left.creator), ..new(handed_over.heir, left.id, Kind::FavorResponse, moved_up, false) });
        told.jobs.push(timers::overdue(left.id, now));
        told.settled.push(Settled { actor: Some(member), ..over(left.creator, left.id) });
        changed.push(left.id);
    }
    Ok(changed)
}

/// What the member was asked for: its creator hears that they cannot, and who else was asked can help again where the member was to. The
/// favors that are open again; in the others nobody's place changed but the member's, who leaves them.
async fn decline(tx: &mut Tx, member: MemberId, now: OffsetDateTime, told: &mut Told) -> Result<Vec<FavorId>> {
    let reopened: Vec<FavorId> = store::reopen_helped(tx, member, now).await?;
    told.jobs.extend(reopened.iter().map(|favor| timers::overdue(*favor, now)));
    for favor in store::decline_open(tx, member, now).await? {
        let again = reopened.contains(&favor.id);
        told.settled.push(Settled { actor: Some(member), ..over(favor.creator, favor.id) });
        let text = if again { texts::helper_left(&favor.title) } else { texts::cannot(&favor.title) };
        told.news.push(new(favor.creator, favor.id, Kind::FavorResponse, text, again));
    }
    for asked in store::asked_again(tx, &reopened, now).await? {
        let text = texts::asked_again(&asked.creator_name, &asked.title, &timers::schedule::short(asked.start, Some(&asked.zone)));
        told.news.push(New { actor: Some(asked.creator), ..new(asked.member, asked.favor, Kind::FavorRequest, text, true) });
    }
    for offering in store::offering_again(tx, &reopened, now).await? {
        let text = texts::open_again(&offering.creator_name, &offering.title);
        told.news.push(New { actor: Some(offering.creator), ..new(offering.member, offering.favor, Kind::FavorResponse, text, false) });
    }
    Ok(reopened)
}

fn over(member: MemberId, favor: FavorId) -> Settled {
    Settled { member, about: favor.0, actor: None, called_off: true, seen: false }
}

/// News that names nobody.
fn new(member: MemberId, favor: FavorId, kind: Kind, (title, message): texts::Text, action_required: bool) -> New {
    let target = Target(TargetKind::Favor, favor.0);
    New { member, kind, title: title.to_owned(), message, actor: None, target, about: favor.0, about_unread: None, action_required }
}

#[tonic::async_trait]
impl identity::Hook for Hooks {
    async fn moved(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        jobs::Moved::<timers::Clocks>::enqueue(tx, member).await
    }

    async fn exported(&self, conn: &mut PgConnection, member: MemberId) -> Result<Option<(&'static str, Value)>> {
        let (mut asked, mut received) = (Vec::new(), Vec::new());
        for places in OWN {
            let mut after = FIRST;
            loop {
                let page = store::by_due(conn, member, places, after, PAGE).await?;
                let Some(last) = page.last() else { break };
                after = (last.key, last.id.0);
                asked.extend(page.into_iter().map(own));
            }
        }
        let mut after = FIRST;
        loop {
            let page = store::by_due(conn, member, OF_OTHERS, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = (last.key, last.id.0);
            received.extend(page.iter().map(|favor| foreign(favor, member)));
        }
        let (mut said, mut after) = (Vec::new(), (FavorId(Uuid::nil()), 0));
        loop {
            let page = store::said(conn, member, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = (last.favor, last.step);
            said.extend(page.into_iter().map(words));
        }
        Ok(Some(("favors", json!({ "asked": asked, "received": received, "said": said }))))
    }
}

/// What the member wrote.
fn own(favor: Favor) -> Value {
    let groups: Vec<String> = favor.groups.iter().map(ToString::to_string).collect();
    let (recipients, content) = (wire::recipients(&favor), favor.content);
    json!({
        "id": favor.id.to_string(),
        "title": content.title,
        "description": content.description,
        "category": format!("{:?}", content.category),
        "status": rules::word(favor.status),
        "startAt": content.start.map(identity::instant),
        "confirmAt": content.confirm.map(identity::instant),
        "tip": content.tip.units(),
        "currency": content.currency.code(),
        "location": content.location,
        "requestType": format!("{:?}", content.request_type),
        "maxResponses": content.max_responses,
        "recipients": recipients,
        "groups": groups,
        "createdAt": identity::instant(favor.created_at),
        "updatedAt": identity::instant(favor.updated_at),
    })
}

/// What the member was asked, and answered.
fn foreign(favor: &Favor, member: MemberId) -> Value {
    json!({
        "id": favor.id.to_string(),
        "title": favor.content.title,
        "status": rules::word(favor.status),
        "helped": favor.helper == Some(member),
        "applied": favor.applies,
        "answer": favor.answer.map(|answer| format!("{answer:?}")),
        "proposedStart": favor.proposed.map(identity::instant),
        "message": favor.words,
    })
}

/// What the member said with a step of a favor's story.
fn words(said: Said) -> Value {
    json!({
        "id": said.favor.to_string(),
        "step": format!("{:?}", said.event.kind),
        "at": identity::instant(said.event.at),
        "message": said.event.message,
    })
}
