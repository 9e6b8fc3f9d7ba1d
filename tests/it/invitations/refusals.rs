//! Addresses that want no invitations: nobody can tell, and it is taken back by the same link.

use super::ZOE;
use crate::harness::{START, TestServer, until};
use goodturn::{
    jobs::Handler,
    pb::{friends::InvitationLink, timestamp},
};
use serde_json::json;
use time::Duration;

#[tokio::test]
async fn who_refuses_gets_none_and_nobody_can_tell() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    let seen = server.looked_at(&links.refuse).await.unwrap();
    assert_eq!((seen.link(), seen.counts, seen.inviter_name.as_str(), seen.email.as_str()), (InvitationLink::Decline, true, "", ZOE));
    assert!(server.looked_at(&links.join).await.unwrap().counts, "looking changes nothing");
    assert_eq!(server.refuses(&links.join).await.unwrap_err().fields, [("token".to_owned(), "INVALID".to_owned())], "that is for joining");
    for _ in 0..2 {
        server.refuses(&links.refuse).await.unwrap();
    }
    assert!(!server.looked_at(&links.join).await.unwrap().counts);
    let mails = server.mails(ZOE).await;
    let answer = server.invites(&ben, "Zoe@Example.org", "").await.unwrap();
    assert_eq!(answer.expires_at, Some(timestamp(START + Duration::days(30))));
    assert_eq!(server.invites(&ana, ZOE, "").await.unwrap_err().reason, "ALREADY_INVITED");
    let (job, mailer) = server.mailing().await;
    job.run(&json!({ "invitation": answer.invitation })).await.unwrap();
    server.clock.advance(Duration::days(7));
    let ana = server.signed_in_again(&ana).await;
    let again = server.invites(&ana, ZOE, "").await.unwrap();
    job.run(&json!({ "invitation": again.invitation })).await.unwrap();
    assert_eq!((server.mails(ZOE).await, mailer.sent()), (mails, 0));
    let rows: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT address FROM invitation_refusals").fetch_all(&mut server.database.connect().await).await.unwrap();
    assert!(rows.len() == 1 && rows[0].len() == 32 && !String::from_utf8_lossy(&rows[0]).contains("zoe"));
    // Who joins all the same finds nobody waiting, whenever they invited.
    let zoe = server.joins(ZOE, None).await;
    assert!(server.lists(&zoe).await.0.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn what_was_sent_to_an_address_that_refused_counts_once_it_allows() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    server.refuses(&links.refuse).await.unwrap();
    server.invites(&ben, &ZOE.to_uppercase(), "").await.unwrap();
    server.allows(&links.refuse).await.unwrap();
    let zoe = server.joins(ZOE, None).await;
    assert_eq!(server.lists(&zoe).await.0.len(), 2);
    server.stop().await;
}

/// One address has one spelling but for letter case; with a plus sign it is another one, as it is for accounts.
#[tokio::test]
async fn one_address_refuses_in_any_letter_case_and_has_no_other_spelling() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.invites(&ana, ZOE, "").await.unwrap();
    server.refuses(&server.links(ZOE).await.refuse).await.unwrap();
    let (name, host) = ZOE.split_once('@').unwrap();
    for other in [format!("\"{name}\"@{host}"), format!("{name}@{host}."), format!("{name}(x)@{host}"), format!("z\u{f3}e@{host}")] {
        assert_eq!(server.invites(&ana, &other, "").await.unwrap_err().fields[0].0, "contact", "{other}");
    }
    let beside = format!("{name}+goodturn@{host}");
    server.invites(&ana, &beside, "").await.unwrap();
    assert!(!server.looked_at(&server.links(&beside).await.refuse).await.unwrap().declined);
    let zoe = server.joins(&ZOE.to_uppercase(), None).await;
    assert!(server.lists(&zoe).await.0.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn a_refusal_is_taken_back_by_the_same_link() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    let declined = async || server.looked_at(&links.refuse).await.unwrap().declined;
    assert!(!declined().await);
    server.allows(&links.refuse).await.unwrap();
    assert!(server.looked_at(&links.join).await.unwrap().counts, "what was not refused stands as it did");
    server.refuses(&links.refuse).await.unwrap();
    assert!(declined().await && !server.looked_at(&links.join).await.unwrap().counts);
    assert_eq!(server.allows(&links.join).await.unwrap_err().fields, [("token".to_owned(), "INVALID".to_owned())], "that is for joining");
    for _ in 0..2 {
        server.allows(&links.refuse).await.unwrap();
    }
    assert!(!declined().await && server.looked_at(&links.join).await.unwrap().counts);
    let mails = server.mails(ZOE).await;
    let answer = server.invites(&ben, ZOE, "").await.unwrap();
    let (job, mailer) = server.mailing().await;
    job.run(&json!({ "invitation": answer.invitation })).await.unwrap();
    until("it is mailed, by whichever job", async || server.mails(ZOE).await + mailer.sent() > mails).await;

    // Whatever comes at once, the address either refuses them all or none.
    for _ in 0..8 {
        let (refused, allowed) = tokio::join!(server.refuses(&links.refuse), server.allows(&links.refuse));
        refused.unwrap();
        allowed.unwrap();
        assert_eq!(declined().await, !server.looked_at(&links.join).await.unwrap().counts);
    }
    server.allows(&links.refuse).await.unwrap();
    let zoe = server.joins(ZOE, None).await;
    assert_eq!(server.lists(&zoe).await.0.len(), 2, "both wait for who joins");
    server.clock.advance(Duration::days(370));
    assert_eq!(server.allows(&links.refuse).await.unwrap_err().reason, "EXPIRED_LINK");
    server.stop().await;
}
