//! Problems that members report: kept, and mailed to those who run the server where an address of theirs is set.

use super::{Report, store};
use crate::{
    adapters::{
        letter::Letter,
        reports::{self, Reports},
    },
    budgets::{self, Spending},
    deps::Deps,
    error::{Error, FieldReason, Result},
    idempotency,
    identity::{Member, instant, store as members},
    ids::{MemberId, ReportId},
    pb::profile::{ReportProblemRequest, ReportProblemResponse},
    text, transact,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

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
            reports::mail::<ProblemReports>(tx, report.id).await?;
        }
        Ok(answer)
    })
}

/// Problems that were reported.
pub struct ProblemReports;

#[tonic::async_trait]
impl Reports for ProblemReports {
    const TASK: &'static str = "send_problem_report";
    const NAME: &'static str = "problem reports";

    async fn letter(conn: &mut PgConnection, id: ReportId) -> Result<Option<Letter>> {
        let Some(report) = store::reports::unmailed(conn, id).await? else { return Ok(None) };
        Ok(members::member(conn, report.member).await?.map(|member| letter(&report, &member)))
    }

    async fn mailed(conn: &mut PgConnection, id: ReportId, now: OffsetDateTime) -> Result<()> {
        store::reports::mailed(conn, id, now).await
    }

    async fn remove_old(conn: &mut PgConnection, before: OffsetDateTime) -> Result<u64> {
        store::reports::remove_old(conn, before).await
    }
}

/// What the member wrote comes last, and nothing of it looks like what comes before.
fn letter(report: &Report, member: &Member) -> Letter {
    let about = format!("Member: {}\nEmail: {}\nReport: {}, at {}", report.member, member.email, report.id, instant(report.at));
    Letter::new("A problem with Goodturn")
        .paragraph("A member reported a problem.")
        .paragraph(about)
        .paragraph(format!("Their name is {}. They wrote:", text::unlinked(&text::one_line(&member.display_name()))))
        .quote(&report.message)
}
