//! What is promised or called off is what was seen: where it is otherwise by then, nothing is done.

use super::three;
use crate::{
    asking::{asking, asking_all, fields, refused},
    harness::{Member, Refused, START, TestServer},
};
use goodturn::pb::{
    favors::{ApplyToFavorRequest, CancelFavorRequest, Favor, FavorResponse, FavorStatus, RespondToFavorRequest, UpdateFavorRequest},
    timestamp,
};
use time::Duration;

async fn accepts(server: &TestServer, who: &Member, seen: &Favor) -> Result<Favor, Refused> {
    let request = RespondToFavorRequest {
        id: seen.id.clone(),
        response: FavorResponse::Accept.into(),
        terms: seen.terms.clone(),
        ..Default::default()
    };
    Ok(server.favors(who).respond_to_favor(request).await?.into_inner().favor.unwrap())
}

async fn cancels(server: &TestServer, who: &Member, seen: &Favor) -> Result<Favor, Refused> {
    let request = CancelFavorRequest { id: seen.id.clone(), known_status: seen.status };
    Ok(server.favors(who).cancel_favor(request).await?.into_inner().favor.unwrap())
}

async fn changes(server: &TestServer, who: &Member, change: UpdateFavorRequest) -> Result<(), Refused> {
    server.favors(who).update_favor(change).await?;
    Ok(())
}

#[tokio::test]
async fn help_is_promised_with_what_was_seen() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = three(&server).await;
    let id = server.favor(&ana, asking(&[&ben, &eve])).await.id;
    let mut seen = server.seen(&ben, &id).await;
    let of = |id: &str| UpdateFavorRequest { id: id.into(), ..Default::default() };
    for change in [
        UpdateFavorRequest { title: Some("Walk two dogs".into()), ..of(&id) },
        UpdateFavorRequest { description: Some("Around the lake".into()), ..of(&id) },
        UpdateFavorRequest { location: Some("By the lake".into()), ..of(&id) },
        UpdateFavorRequest { start_date: Some(timestamp(START + Duration::days(2))), ..of(&id) },
        UpdateFavorRequest { tip: Some(1.0), ..of(&id) },
    ] {
        changes(&server, &ana, change).await.unwrap();
        let refused = accepts(&server, &ben, &seen).await.unwrap_err();
        assert_eq!((refused.reason.as_str(), fields(&refused)), ("CONFLICT", vec!["terms: CONFLICTING".to_owned()]));
        seen = server.seen(&ben, &id).await;
    }
    // Who is asked besides, and what they answer, changes nothing of it.
    changes(&server, &ana, UpdateFavorRequest { max_responses: Some(2), ..of(&id) }).await.unwrap();
    server.answer(&eve, &id, FavorResponse::Accept, "").await.unwrap();
    for _ in 0..2 {
        let promised = accepts(&server, &ben, &seen).await.unwrap();
        assert_eq!((promised.status(), promised.terms), (FavorStatus::Accepted, seen.terms.clone()));
    }
    server.stop().await;
}

#[tokio::test]
async fn help_is_offered_with_what_was_seen() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let id = server.favor(&ana, asking_all()).await.id;
    let seen = server.seen(&ben, &id).await;
    changes(&server, &ana, UpdateFavorRequest { id: id.clone(), tip: Some(2.0), ..Default::default() }).await.unwrap();
    let offer = |terms: String| ApplyToFavorRequest { id: id.clone(), message: String::new(), terms };
    assert_eq!(refused(server.favors(&ben).apply_to_favor(offer(seen.terms)).await).reason, "CONFLICT");
    let now = server.seen(&ben, &id).await.terms;
    assert!(server.favors(&ben).apply_to_favor(offer(now)).await.is_ok());
    server.stop().await;
}

#[tokio::test]
async fn what_somebody_promised_meanwhile_is_not_called_off_as_if_nobody_had() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    let seen = server.favor(&ana, asking(&[&ben])).await;
    server.answer(&ben, &seen.id, FavorResponse::Accept, "").await.unwrap();
    let refused = cancels(&server, &ana, &seen).await.unwrap_err();
    assert_eq!((refused.reason.as_str(), refused.message.as_str()), ("WRONG_STATE", "this favor is accepted"));
    let of_others = Favor { status: FavorStatus::Pending.into(), ..seen.clone() };
    assert_eq!(cancels(&server, &ana, &of_others).await.unwrap_err().fields[0].0, "known_status");
    let now = server.seen(&ana, &seen.id).await;
    for seen in [&now, &seen] {
        assert_eq!(cancels(&server, &ana, seen).await.unwrap().status(), FavorStatus::Cancelled, "the second one does nothing");
    }
    server.stop().await;
}

#[tokio::test]
async fn at_the_same_moment_a_favor_is_promised_called_off_or_changed_and_never_two_of_them_unseen() {
    let server = TestServer::start().await;
    let (ana, ben, _) = three(&server).await;
    for n in 0..8 {
        let seen = server.favor(&ana, asking(&[&ben])).await;
        if n % 2 == 0 {
            let (promised, cancelled) = tokio::join!(accepts(&server, &ben, &seen), cancels(&server, &ana, &seen));
            assert!(promised.is_ok() != cancelled.is_ok(), "{promised:?} {cancelled:?}");
        } else {
            let later = Some(timestamp(START + Duration::days(3)));
            let change = UpdateFavorRequest { id: seen.id.clone(), start_date: later, ..Default::default() };
            let (promised, changed) = tokio::join!(accepts(&server, &ben, &seen), changes(&server, &ana, change));
            assert!(promised.is_ok() != changed.is_ok(), "{promised:?} {changed:?}");
        }
    }
    server.stop().await;
}
