//! Problems that members report: kept once, bounded, mailed where somebody reads them, and gone with their member.

use crate::harness::{Member, Refused, START, TestServer, until};
use futures_util::future::join_all;
use goodturn::{
    adapters::{
        mail::{Mail, Mailer},
        reports,
    },
    clock::Clock,
    jobs::{Handler, Sweep},
    pb::profile::ReportProblemRequest,
    profile::ProblemReports,
    transact,
};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use time::Duration;
use tonic::Request;

const TO: &str = "help@goodturn.example";

async fn report(server: &TestServer, who: &Member, message: &str, key: Option<&str>) -> Result<String, Refused> {
    let mut request = Request::new(ReportProblemRequest { message: message.into() });
    if let Some(key) = key {
        request.metadata_mut().insert("idempotency-key", key.parse().unwrap());
    }
    Ok(server.profile(who).report_problem(request).await?.into_inner().report_id)
}

async fn count(server: &TestServer) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM problem_reports").fetch_one(&mut server.database.connect().await).await.unwrap()
}

/// Counts what is sent.
#[derive(Default)]
struct Counting(AtomicUsize);

#[tonic::async_trait]
impl Mailer for Counting {
    async fn send(&self, _: Mail) -> anyhow::Result<()> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

#[tokio::test]
async fn a_report_is_kept_once_and_mailed_to_the_operator() {
    let to = |c: &mut goodturn::config::Config| c.reports_to = Some(TO.parse().unwrap());
    let server = TestServer::start_with(Clock::fixed(START), to).await;
    let ana = server.ana().await;
    let ids = join_all((0..5).map(|_| report(&server, &ana, "  The calendar is empty.\nOn Mondays. ", Some("k1")))).await;
    let first = ids[0].clone().unwrap();
    assert!(ids.iter().all(|id| *id == Ok(first.clone())), "{ids:?}");
    assert_eq!(count(&server).await, 1);
    let mail = server.mail_to(TO, |body| body.contains("> The calendar is empty.\n> On Mondays.\n")).await;
    let body = mail["body"].as_str().unwrap();
    let head =
        format!("A member reported a problem.\n\nMember: {}\nEmail: ana@example.org\nReport: {first}, at 2026-06-16T09:00:00Z\n", ana.uid);
    assert!(body.starts_with(&head) && body.contains("Their name is Ana Silva. They wrote:"), "{body}");
    assert_eq!(report(&server, &ana, "Another", Some("k1")).await.unwrap_err().reason, "IDEMPOTENCY_KEY_REUSED");
    until("it is noted", async || {
        let sql = "SELECT count(*) FROM problem_reports WHERE mailed_at IS NOT NULL";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut server.database.connect().await).await.unwrap() == 1
    })
    .await;
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    assert_eq!(outbox["messages"].as_array().unwrap().iter().filter(|m| m["to"] == TO).count(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_job_mails_what_is_there_and_was_not_mailed() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (hers, his) = (report(&server, &ana, "Hers", None).await.unwrap(), report(&server, &ben, "His", None).await.unwrap());
    let (_, outbox) = server.rest("GET", "/dev/outbox.json", None, None).await;
    assert!(!outbox.to_string().contains("A problem with Goodturn"), "no address is set");
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ben.token})).await.0, 200);
    let sent = Arc::new(Counting::default());
    let job = reports::SendReport::<ProblemReports>::new(server.node.deps.clone(), sent.clone(), TO);
    for (report, in_all) in [(&hers, 1), (&hers, 1), (&his, 1)] {
        job.run(&json!({ "report": report })).await.unwrap();
        assert_eq!(sent.0.load(Ordering::SeqCst), in_all);
    }
    assert_eq!(count(&server).await, 1, "his went with him");
    server.stop().await;
}

#[tokio::test]
async fn reports_are_bounded_and_need_words() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let empty = report(&server, &ana, "\u{200B}\u{2800}", None).await.unwrap_err();
    assert_eq!(empty.fields, [("message".to_owned(), "REQUIRED".to_owned())]);
    for _ in 0..5 {
        report(&server, &ana, "Again", None).await.unwrap();
    }
    assert_eq!(report(&server, &ana, "Again", None).await.unwrap_err().reason, "RATE_LIMITED");
    report(&server, &ben, "Mine", None).await.unwrap();
    server.clock.advance(Duration::HOUR);
    let ana = server.signed_in_again(&ana).await;
    report(&server, &ana, "Again", None).await.unwrap();
    assert_eq!(count(&server).await, 7);
    server.stop().await;
}

#[tokio::test]
async fn reports_are_exported_and_go_with_their_member_or_after_half_a_year() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    for who in [&ana, &ben] {
        report(&server, who, "It is slow", None).await.unwrap();
    }
    let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    let all: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    assert_eq!(all["profile"]["problemReports"], json!([{"message": "It is slow", "at": "2026-06-16T09:00:00Z"}]));
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    assert_eq!(count(&server).await, 1);
    let pool = &server.node.deps.pool;
    for (days, left) in [(180, 1), (181, 0)] {
        let swept: goodturn::error::Result<u64> =
            transact!(pool, |tx| reports::Sweep::<ProblemReports>::default().sweep(tx, START + Duration::days(days)).await);
        assert_eq!((swept.unwrap(), count(&server).await), (u64::from(left == 0), left));
    }
    server.stop().await;
}
