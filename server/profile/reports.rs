//! Problems that members report: kept, and mailed to those who run the server where an address of theirs is set.

use super::{Report, store};
use crate::{
    budgets::{self, Spending},
    deps::Deps,
    error::{Error, FieldReason, Result},
    idempotency,
    identity::{Member, instant, store as members},
    ids::{MemberId, ReportId},
    jobs,
    outside::{letter::Letter, mail::Mailer},
    pb::profile::{ReportProblemRequest, ReportProblemResponse},
    read, text, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::sync::Arc;
use time::{Duration, OffsetDateTime};

/// How long a report is kept.
const KEPT_FOR: Duration = Duration::days(180);
const TASK: &str = "send_problem_report";

/// Keeps what a member reports, and has it mailed where somebody reads that.
///
/// # Errors
/// INVALID_ARGUMENT for words of which nothing can be seen; RATE_LIMITED.
pub async fn report(
    deps: &Deps,
    mails: bool,
    member: MemberId,
    key: Option<&idempotency::Use>,
    asked: &ReportProblemRequest,
) -> Result<ReportProblemResponse> {
    let (now, message) = (deps.clock.now(), text::clean(&asked.message));
    if message.is_empty() {
        return Err(Error::field("message", FieldReason::Required, "must say what happened"));
    }
    let spending = Spending { subject: budgets::Subject::member(member), budget: budgets::REPORTS_OF_MEMBER };
    transact!(deps.pool, |tx| {
        if let Some(answer) = idempotency::replay(tx, key, now).await? {
            return Ok(answer);
        }
        budgets::spend(tx, now, &spending).await?;
        // Who is leaving at this moment takes what they wrote along.
        if members::share(tx, &[member]).await?.is_empty() {
            return Err(Error::unauthenticated());
        }
        let report = Report { id: deps.ids.id(), member, message: message.clone(), at: now };
        store::reports::add(tx, &report).await?;
        let answer = ReportProblemResponse { report_id: report.id.to_string() };
        idempotency::keep(tx, key, &answer).await?;
        if mails {
            jobs::enqueue(tx, &jobs::Job::new(jobs::Class::Mail, TASK, json!(Payload { report: report.id }))).await?;
        }
        Ok(answer)
    })
}

/// Mails reports.
pub struct SendReport {
    /// Where they are.
    pub deps: Deps,
    /// How.
    pub mailer: Arc<dyn Mailer>,
    /// Whereto.
    pub to: String,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    report: ReportId,
}

#[tonic::async_trait]
impl jobs::Handler for SendReport {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// Mails it, unless it was mailed or its member left since.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { report } = Payload::deserialize(payload)?;
        let found = read!(self.deps.pool, |conn| {
            let Some(report) = store::reports::unmailed(conn, report).await? else { return Ok(None) };
            Ok(members::member(conn, report.member).await?.map(|member| (report, member)))
        })?;
        let Some((report, member)) = found else { return Ok(()) };
        self.mailer.send(letter(&report, &member).to(self.to.clone())).await?;
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| store::reports::mailed(tx, report.id, now).await)?;
        Ok(())
    }
}

/// What the member wrote comes last, and nothing of it looks like what comes before.
fn letter(report: &Report, member: &Member) -> Letter {
    let about = format!("Member {}\nAddress {}\nReport {}, at {}", report.member, member.email, report.id, instant(report.at));
    Letter::new("A problem with Goodturn")
        .paragraph("A member reports a problem.")
        .paragraph(about)
        .paragraph(format!("They call themselves {}, and write:", text::unlinked(&text::one_line(&member.display_name()))))
        .words(&report.message)
}

/// Deletes reports that are too old.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "problem reports"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        store::reports::remove_old(conn, now - KEPT_FOR).await
    }
}
