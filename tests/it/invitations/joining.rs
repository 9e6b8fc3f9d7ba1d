//! A mailed link stands for the code of the address that it was mailed to.

use super::ZOE;
use crate::harness::{Refused, TestServer};
use futures_util::future::join_all;
use goodturn::pb::identity::{ConfirmSignUpRequest, DeleteUserRequest};

#[tokio::test]
async fn the_mailed_link_stands_for_the_code_of_its_address_once_and_of_no_other() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    for (email, invite) in [("other@example.org", Some(links.join.as_str())), (ZOE, Some("no link of ours")), (ZOE, None)] {
        let waits = server.signs_up(email, invite).await.unwrap();
        assert!(!waits.user_confirmed && waits.code_delivery_details.is_some(), "{email} {invite:?}");
    }
    let (code, mails) = (server.code_for(ZOE).await, server.mails(ZOE).await);
    let joined = server.signs_up(&ZOE.to_uppercase(), Some(&links.join)).await.unwrap();
    assert!(joined.user_confirmed && joined.code_delivery_details.is_none());
    let zoe = server.signs_in(ZOE, &joined.user_sub).await;
    assert_eq!((server.lists(&zoe).await.0.len(), server.mails(ZOE).await), (1, mails));
    // Other registrations of the address are gone, and so are their codes.
    let client_id = server.web_client_id.clone();
    let confirm = ConfirmSignUpRequest { client_id, username: ZOE.into(), confirmation_code: code, ..Default::default() };
    assert_eq!(Refused::from(server.identity(None).confirm_sign_up(confirm).await.unwrap_err()).reason, "NOT_AUTHORIZED");
    assert!(!server.signs_up(ZOE, Some(&links.join)).await.unwrap().user_confirmed, "the link was used: it proves nothing any more");
    let leave = DeleteUserRequest { access_token: zoe.token.clone() };
    server.identity(None).delete_user(leave).await.unwrap();
    assert!(!server.signs_up(ZOE, Some(&links.join)).await.unwrap().user_confirmed, "it was used");
    server.stop().await;
}

#[tokio::test]
async fn parallel_sign_ups_by_one_link_make_one_member() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    let answers = join_all((0..4).map(|_| server.signs_up(ZOE, Some(&links.join)))).await;
    let made = answers.iter().filter(|answer| answer.as_ref().is_ok_and(|account| account.user_confirmed));
    assert_eq!(made.count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.as_ref().map_or_else(|e| e.reason == "USERNAME_EXISTS", |_| true)), "{answers:?}");
    server.stop().await;
}
