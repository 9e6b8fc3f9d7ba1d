//! Members who are reported: kept once, bounded, mailed where somebody reads them, and never told to the one they are about.

use crate::{
    asking::asking,
    harness::{Member, Refused, START, TestServer, until},
};
use futures_util::future::join_all;
use goodturn::{
    adapters::{
        mail::{Mail, Mailer},
        reports,
    },
    clock::Clock,
    friends::MemberReports,
    jobs::{Handler, Sweep},
    pb::{
        favors::{FavorResponse, SettleFavorRequest},
        friends::ReportMemberRequest,
    },
    transact,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use time::Duration;
use tonic::Request;

const TO: &str = "help@goodturn.example";

async fn report(server: &TestServer, who: &Member, whom: &Member, reason: &str, key: Option<&str>) -> Result<String, Refused> {
    let mut request = Request::new(ReportMemberRequest { member_id: whom.uid.clone(), reason: reason.into(), ..Default::default() });
    if let Some(key) = key {
        request.metadata_mut().insert("idempotency-key", key.parse().unwrap());
    }
    Ok(server.friends(who).report_member(request).await?.into_inner().report_id)
}

async fn count(server: &TestServer) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM member_reports").fetch_one(&mut server.database.connect().await).await.unwrap()
}

/// Keeps what is sent.
#[derive(Default)]
struct Sent(Mutex<Vec<String>>);

#[tonic::async_trait]
impl Mailer for Sent {
    async fn send(&self, mail: Mail) -> anyhow::Result<()> {
        self.0.lock().unwrap().push(mail.body);
        Ok(())
    }
}

#[tokio::test]
async fn a_report_is_kept_once_and_mailed_to_the_operator() {
    let to = |c: &mut goodturn::config::Config| c.reports_to = Some(TO.parse().unwrap());
    let server = TestServer::start_with(Clock::fixed(START), to).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let told = server.told(&ben).await;
    let words = "  He shouts.\nAt night. ";
    let ids = join_all((0..5).map(|_| report(&server, &ana, &ben, words, Some("k1")))).await;
    let first = ids[0].clone().unwrap();
    assert!(ids.iter().all(|id| *id == Ok(first.clone())), "{ids:?}");
    assert_eq!(count(&server).await, 1);
    let mail = server.mail_to(TO, |body| body.contains("> He shouts.\n> At night.")).await;
    let body = mail["body"].as_str().unwrap();
    for said in [&ana.uid, &ana.email, &ana.name, &ben.uid, &ben.email, &ben.name, &first, "2026-06-16T09:00:00Z"] {
        assert!(body.contains(said), "{said} in {body}");
    }
    assert_eq!(report(&server, &ana, &ben, "Another", Some("k1")).await.unwrap_err().reason, "IDEMPOTENCY_KEY_REUSED");
    until("it is noted", async || {
        let sql = "SELECT count(*) FROM member_reports WHERE mailed_at IS NOT NULL";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut server.database.connect().await).await.unwrap() == 1
    })
    .await;
    assert_eq!(server.told(&ben).await, told, "nobody is told");
    server.stop().await;
}

#[tokio::test]
async fn a_job_mails_what_is_there_and_was_not_mailed() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    server.befriend(&ana, &eve).await;
    let of_ben = report(&server, &ana, &ben, "Of him", None).await.unwrap();
    let by_eve = report(&server, &eve, &ana, "Of her", None).await.unwrap();
    for gone in [&ben, &eve] {
        assert_eq!(server.target("DeleteUser", json!({"AccessToken": gone.token})).await.0, 200);
    }
    let sent = Arc::new(Sent::default());
    let job = reports::SendReport::<MemberReports>::new(server.node.deps.clone(), sent.clone(), TO);
    for report in [&of_ben, &of_ben, &by_eve] {
        job.run(&json!({ "report": report })).await.unwrap();
    }
    let mails = sent.0.lock().unwrap().clone();
    assert_eq!((mails.len(), count(&server).await), (1, 1), "hers went with her");
    assert!(mails[0].contains(&ben.uid) && mails[0].contains("they have left") && !mails[0].contains(&ben.email), "{}", mails[0]);
    server.stop().await;
}

#[tokio::test]
async fn reports_are_bounded_need_words_and_a_tie() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &ben).await;
    let empty = report(&server, &ana, &ben, "\u{200B}\u{2800}", None).await.unwrap_err();
    assert_eq!(empty.fields, [("reason".to_owned(), "REQUIRED".to_owned())]);
    let stranger = report(&server, &eve, &ana, "Rude", None).await.unwrap_err();
    assert_eq!((stranger.reason.as_str(), stranger.message.as_str()), ("NOT_FOUND", "member not found"));
    assert_eq!(report(&server, &ana, &ana, "Rude", None).await.unwrap_err().fields, [("member_id".to_owned(), "INVALID".to_owned())]);
    // Who has blocked may report still; to who was blocked there is nobody, but while one helps the other.
    let helped = server.favor(&ana, asking(&[&ben])).await.id;
    server.answer(&ben, &helped, FavorResponse::Accept, "").await.unwrap();
    server.block(&ben, &ana).await.unwrap();
    for (who, whom) in [(&ana, &ben), (&ben, &ana)] {
        report(&server, who, whom, "Rude", None).await.unwrap();
    }
    server.favors(&ana).settle_favor(SettleFavorRequest { id: helped, ..Default::default() }).await.unwrap();
    assert_eq!(report(&server, &ana, &ben, "Again", None).await.unwrap_err().reason, "NOT_FOUND");
    for _ in 0..4 {
        report(&server, &ben, &ana, "Again", None).await.unwrap();
    }
    assert_eq!(report(&server, &ben, &ana, "Again", None).await.unwrap_err().reason, "RATE_LIMITED");
    server.clock.advance(Duration::HOUR);
    let ben = server.signed_in_again(&ben).await;
    report(&server, &ben, &ana, "Again", None).await.unwrap();
    assert_eq!(count(&server).await, 7);
    server.stop().await;
}

#[tokio::test]
async fn reports_are_exported_to_who_wrote_them_and_go_after_half_a_year() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    report(&server, &ana, &ben, "It was loud", None).await.unwrap();
    let export = async |who: &Member| -> Value {
        let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", who.uid), who, None).await;
        serde_json::from_str(export["document"].as_str().unwrap()).unwrap()
    };
    let own = export(&ana).await["friends"]["memberReports"].clone();
    assert_eq!(own, json!([{"uid": ben.uid, "reason": "It was loud", "at": "2026-06-16T09:00:00Z"}]));
    assert!(!export(&ben).await.to_string().contains("loud"));
    let pool = &server.node.deps.pool;
    for (days, left) in [(180, 1), (181, 0)] {
        let swept: goodturn::error::Result<u64> =
            transact!(pool, |tx| reports::Sweep::<MemberReports>::default().sweep(tx, START + Duration::days(days)).await);
        assert_eq!((swept.unwrap(), count(&server).await), (u64::from(left == 0), left));
    }
    server.stop().await;
}
