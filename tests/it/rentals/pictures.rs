//! Pictures of hand-overs and returns.

use super::three;
use crate::{
    borrowing::wish,
    harness::{Member, Refused, TestServer, drawn},
};
use futures_util::future::join_all;
use goodturn::pb::{
    common::PictureFormat,
    identity::DeleteUserRequest,
    rentals::{
        CompleteRentalRequest, CreateRentalPictureUploadRequest, Rental, RentalAction as Action, RentalStatus, ReturnRentalRequest,
        StartRentalRequest,
    },
};
use image::ImageFormat;

async fn announces(server: &TestServer, who: &Member, id: &str, bytes: usize) -> Result<(String, String), Refused> {
    let request = CreateRentalPictureUploadRequest {
        request_id: id.into(),
        content_type: PictureFormat::Png.into(),
        file_size: i32::try_from(bytes).unwrap(),
        ..Default::default()
    };
    let told = server.rentals(who).create_rental_picture_upload(request).await?.into_inner();
    Ok((told.upload_url, told.key))
}

/// Uploads a picture for a rental: its key.
async fn shows(server: &TestServer, who: &Member, id: &str, bytes: Vec<u8>) -> String {
    let (url, key) = announces(server, who, id, bytes.len()).await.unwrap();
    assert_eq!(server.put_file(&url, "image/png", bytes).await, 200);
    key
}

async fn starts(server: &TestServer, who: &Member, id: &str, keys: &[String]) -> Result<Rental, Refused> {
    let request = StartRentalRequest { request_id: id.into(), note: "As new".into(), picture_keys: keys.to_vec(), ..Default::default() };
    Ok(server.rentals(who).start_rental(request).await?.into_inner().rental.unwrap())
}

async fn returns(server: &TestServer, who: &Member, id: &str, keys: &[String]) -> Result<Rental, Refused> {
    let request = ReturnRentalRequest { request_id: id.into(), picture_keys: keys.to_vec(), ..Default::default() };
    Ok(server.rentals(who).return_rental(request).await?.into_inner().rental.unwrap())
}

async fn confirms(server: &TestServer, who: &Member, id: &str, note: &str, keys: &[String]) -> Result<Rental, Refused> {
    let request = CompleteRentalRequest { request_id: id.into(), note: note.into(), picture_keys: keys.to_vec(), ..Default::default() };
    Ok(server.rentals(who).complete_rental(request).await?.into_inner().rental.unwrap())
}

const NOTED: &str = "this rental is active: this was already marked, and nothing can be added to it";

fn png() -> Vec<u8> {
    drawn(ImageFormat::Png, 40, 30)
}

#[tokio::test]
async fn a_hand_over_and_a_return_are_shown_to_both_sides_and_only_once_each() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.wants(&ben, wish(&ladder, 0, 2)).await.unwrap().request_id;
    let pending = announces(&server, &ben, &id, 10).await.unwrap_err();
    assert_eq!((pending.reason.as_str(), pending.message.as_str()), ("WRONG_STATE", "this rental is pending"));
    server.does(&ana, &id, Action::Accept).await.unwrap();
    let keys = [shows(&server, &ben, &id, png()).await, shows(&server, &ben, &id, png()).await];
    let of_others = starts(&server, &ana, &id, &keys).await.unwrap_err();
    assert_eq!((of_others.reason.as_str(), of_others.message.as_str()), ("NOT_FOUND", "upload not found"));
    let started = starts(&server, &ben, &id, &keys).await.unwrap().started.unwrap();
    assert_eq!(started.picture_urls.len(), 2);
    for url in &started.picture_urls {
        assert_eq!(server.gives(url).await.status(), 200);
    }
    // Again, by whom it was noted, or with nothing to add.
    let nothing = server.does(&ana, &id, Action::Start).await.unwrap();
    assert_eq!(nothing.rental_status(), RentalStatus::Active);
    for keys in [&keys[..], &keys[1..], &[]] {
        let again = starts(&server, &ben, &id, keys).await.unwrap().started.unwrap();
        assert_eq!((again.picture_urls, again.noted_by), (started.picture_urls.clone(), ben.uid.clone()));
    }
    // What the other side would show along with it is not lost without a word: it can be shown at the return.
    let more = shows(&server, &ana, &id, png()).await;
    for keys in [std::slice::from_ref(&more), &keys] {
        let late = starts(&server, &ana, &id, keys).await.unwrap_err();
        assert_eq!((late.reason.as_str(), late.message.as_str()), ("WRONG_STATE", NOTED));
    }
    let used = returns(&server, &ben, &id, &keys).await.unwrap_err();
    assert_eq!(used.message, "upload not found", "they show something else");
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Active);
    let returned = returns(&server, &ana, &id, &[more]).await.unwrap();
    assert_eq!((returned.rental_status(), returned.returned.unwrap().picture_urls.len()), (RentalStatus::Completed, 1));
    let seen = server.rental(&ben, &id).await.unwrap();
    assert_eq!((seen.started.unwrap().picture_urls, seen.returned.unwrap().picture_urls.len()), (started.picture_urls, 1));
    assert_eq!(announces(&server, &ben, &id, 10).await.unwrap_err().message, "this rental is completed");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_picture_is_refused_and_nothing_is_noted() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.agreed(&ana, &ben, wish(&ladder, 0, 2)).await;
    let (good, bad) = (shows(&server, &ben, &id, png()).await, shows(&server, &ben, &id, b"no picture at all".to_vec()).await);
    let refused = starts(&server, &ben, &id, &[good.clone(), bad.clone()]).await.unwrap_err();
    assert_eq!(refused.fields[0].0, "picture_keys");
    assert_eq!(starts(&server, &ben, &id, &[bad]).await.unwrap_err().reason, "NOT_FOUND", "it was removed");
    let twice = starts(&server, &ben, &id, &[good.clone(), good.to_uppercase()]).await.unwrap_err();
    assert_eq!(twice.fields[0].0, "picture_keys[1]", "one upload in two spellings");
    let (_, nothing) = announces(&server, &ben, &id, 10).await.unwrap();
    assert_eq!(starts(&server, &ben, &id, &[good.clone(), nothing]).await.unwrap_err().reason, "NOT_FOUND", "nothing was put there");
    assert_eq!(server.rental(&ana, &id).await.unwrap().rental_status(), RentalStatus::Accepted);
    let other = server.agreed(&ana, &ben, wish(&ladder, 4, 5)).await;
    assert_eq!(announces(&server, &ben, &other, 10).await.unwrap_err().reason, "WRONG_STATE", "its days have not begun");
    assert_eq!(starts(&server, &ben, &id, &[good]).await.unwrap().started.unwrap().picture_urls.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn of_two_returns_at_once_each_with_pictures_one_is_shown() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    let (his, hers) = (shows(&server, &ben, &id, png()).await, shows(&server, &ana, &id, png()).await);
    let calls = [(&ben, &his), (&ana, &hers), (&ben, &his), (&ana, &hers)];
    let outcomes = join_all(calls.map(|(who, key)| returns(&server, who, &id, std::slice::from_ref(key)))).await;
    for outcome in &outcomes {
        // Ben's word is not repeated by who confirmed it: where hers came second, it confirmed his.
        assert!(outcome.as_ref().map_or_else(|refused| refused.reason == "WRONG_STATE", |_| true), "{outcome:?}");
    }
    let returned = server.rental(&ben, &id).await.unwrap().returned.unwrap();
    assert_eq!(returned.picture_urls.len(), 1, "of who was first");
    let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM pictures WHERE purpose = 'rental' AND status = 'taken'")
        .fetch_one(&mut server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(rows, 1);
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_takes_their_pictures_and_words_along() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.agreed(&ana, &ben, wish(&ladder, 0, 2)).await;
    let key = shows(&server, &ben, &id, png()).await;
    let url = starts(&server, &ben, &id, &[key]).await.unwrap().started.unwrap().picture_urls.remove(0);
    let held = Refused::from(server.identity(&ben).delete_user(DeleteUserRequest::default()).await.unwrap_err());
    assert_eq!(held.reason, "ITEMS_OUT");
    let key = shows(&server, &ana, &id, png()).await;
    returns(&server, &ana, &id, &[key]).await.unwrap();
    server.identity(&ben).delete_user(DeleteUserRequest::default()).await.unwrap();
    let left = server.rental(&ana, &id).await.unwrap();
    let (started, returned) = (left.started.unwrap(), left.returned.unwrap());
    assert_eq!((started.picture_urls.len(), started.note.as_str(), started.noted_by.as_str()), (0, "", ""));
    assert_eq!((returned.picture_urls.len(), returned.noted_by), (1, ana.uid.clone()));
    crate::harness::until("the file is gone", async || server.gives(&url).await.status() == 404).await;
    server.stop().await;
}

#[tokio::test]
async fn a_confirmation_has_words_and_pictures_of_its_own_beside_those_of_the_return() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    let his = shows(&server, &ben, &id, png()).await;
    let returned = returns(&server, &ben, &id, std::slice::from_ref(&his)).await.unwrap();
    assert!(returned.completed.is_none());
    assert_eq!(announces(&server, &ben, &id, 10).await.unwrap_err().message, "this rental is returned", "it is hers to confirm");
    let hers = shows(&server, &ana, &id, png()).await;
    let of_others = confirms(&server, &ana, &id, "", &[his]).await.unwrap_err();
    assert_eq!((of_others.reason.as_str(), of_others.message.as_str()), ("NOT_FOUND", "upload not found"));
    let wrong = confirms(&server, &ben, &id, "Mine", &[]).await.unwrap_err();
    assert_eq!(wrong.reason, "WRONG_PARTY");
    let long = confirms(&server, &ana, &id, &"w".repeat(501), &[]).await.unwrap_err();
    assert_eq!(long.fields[0].0, "note");
    let calls = [("A step is loose", std::slice::from_ref(&hers)), ("A step is loose", &[]), ("", &[])];
    for (words, keys) in calls {
        let confirmed = confirms(&server, &ana, &id, words, keys).await.unwrap();
        assert_eq!(confirmed.rental_status(), RentalStatus::Completed);
        for who in [&ana, &ben] {
            let seen = server.rental(who, &id).await.unwrap();
            let (returned, completed) = (seen.returned.unwrap(), seen.completed.unwrap());
            assert_eq!((returned.noted_by, returned.note.as_str(), returned.picture_urls.len()), (ben.uid.clone(), "", 1));
            assert_eq!((completed.noted_by, completed.note.as_str()), (ana.uid.clone(), "A step is loose"));
            assert_eq!(completed.picture_urls.len(), 1);
            assert_eq!(server.gives(&completed.picture_urls[0]).await.status(), 200);
        }
    }
    assert_eq!(confirms(&server, &ana, &id, "Something else", &[]).await.unwrap_err().reason, "WRONG_STATE", "the first word counts");
    let told = &server.news(&ben).await[0].message;
    assert_eq!(told, "Ana Silva confirmed the return of “Ladder”. “A step is loose”");
    // With her account her words go, and his stay.
    let url = server.rental(&ben, &id).await.unwrap().completed.unwrap().picture_urls.remove(0);
    server.identity(&ana).delete_user(DeleteUserRequest::default()).await.unwrap();
    let left = server.rental(&ben, &id).await.unwrap();
    let (returned, completed) = (left.returned.unwrap(), left.completed.unwrap());
    assert_eq!((returned.picture_urls.len(), returned.noted_by), (1, ben.uid.clone()));
    assert_eq!((completed.note.as_str(), completed.noted_by.as_str(), completed.picture_urls.len()), ("", "", 0));
    crate::harness::until("the file is gone", async || server.gives(&url).await.status() == 404).await;
    server.stop().await;
}

#[tokio::test]
async fn an_owner_who_noted_the_return_has_said_all_with_it() {
    let server = TestServer::start().await;
    let (ana, ben, _, ladder) = three(&server).await;
    let id = server.out(&ana, &ben, wish(&ladder, 0, 2)).await;
    server.does_with(&ana, &id, Action::Return, "As new", (0, 0)).await.unwrap();
    assert_eq!(confirms(&server, &ana, &id, "Once more", &[]).await.unwrap_err().reason, "WRONG_STATE");
    let confirmed = confirms(&server, &ana, &id, "", &[]).await.unwrap();
    assert_eq!((confirmed.returned.unwrap().note.as_str(), confirmed.completed), ("As new", None));
    server.stop().await;
}
