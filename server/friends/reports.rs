//! Members whom others report: kept, and mailed to those who run the server where an address of theirs is set.

use super::{Report, Service, service::two, store};
use crate::{
    adapters::{
        letter::Letter,
        reports::{self, Reports},
    },
    auth::Caller,
    budgets::{self, Spending, Subject},
    error::{Error, FieldReason, Result},
    idempotency,
    identity::{Member, instant, store as members},
    ids::ReportId,
    pb::friends::{ReportMemberRequest, ReportMemberResponse},
    text, transact,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

impl Service {
    /// Keeps what a member says about another one, and has it mailed where somebody reads that. The other one is not told.
    /// To who is blocked by them there is nobody, here too: they can still write to those who run the server by a report of a problem.
    pub(super) async fn report(
        &self,
        caller: &Caller,
        key: Option<&idempotency::Use>,
        asked: &ReportMemberRequest,
    ) -> Result<ReportMemberResponse> {
        let (me, other) = two(caller, ("member_id", &asked.member_id))?;
        let (now, reason) = (self.deps.clock.now(), text::clean(&asked.reason));
        if reason.is_empty() {
            return Err(Error::field("reason", FieldReason::Required, "must say what happened"));
        }
        let spending = Spending { subject: Subject::member(me), budget: budgets::MEMBER_REPORTS_OF_MEMBER };
        transact!(self.deps.pool, |tx| {
            if let Some(answer) = idempotency::replay(tx, key, now).await? {
                return Ok(answer);
            }
            self.must_be_tied(tx, me, other).await?;
            budgets::spend(tx, now, &spending).await?;
            // Neither leaves while this is written.
            if members::share(tx, &[me, other]).await?.len() < 2 {
                return Err(Error::not_found("member"));
            }
            let report = Report { id: self.deps.ids.id(), member: me, reported: other, reason: reason.clone(), at: now };
            store::reports::add(tx, &report).await?;
            let answer = ReportMemberResponse { report_id: report.id.to_string() };
            idempotency::keep(tx, key, &answer).await?;
            if self.mails_reports {
                reports::mail::<MemberReports>(tx, report.id).await?;
            }
            Ok(answer)
        })
    }
}

/// What is reported of members.
pub struct MemberReports;

#[tonic::async_trait]
impl Reports for MemberReports {
    const TASK: &'static str = "send_member_report";
    const NAME: &'static str = "member reports";

    /// One who was reported and left does not get away by that.
    async fn letter(conn: &mut PgConnection, id: ReportId) -> Result<Option<Letter>> {
        let Some(report) = store::reports::unmailed(conn, id).await? else { return Ok(None) };
        let mut both = members::members(conn, &[report.member, report.reported]).await?;
        let reported = both.remove(&report.reported);
        Ok(both.remove(&report.member).map(|member| letter(&report, &member, reported.as_ref())))
    }

    async fn mailed(conn: &mut PgConnection, id: ReportId, now: OffsetDateTime) -> Result<()> {
        store::reports::mailed(conn, id, now).await
    }

    async fn remove_old(conn: &mut PgConnection, before: OffsetDateTime) -> Result<u64> {
        store::reports::remove_old(conn, before).await
    }
}

/// What members wrote comes last, and nothing of it looks like what comes before.
fn letter(report: &Report, member: &Member, reported: Option<&Member>) -> Letter {
    let named = |member: &Member| text::unlinked(&text::one_line(&member.display_name()));
    let address = reported.map_or("none (they have left)", |reported| &reported.email);
    let by = format!("Reported by: {}\nEmail: {}\nReport: {}, at {}", report.member, member.email, report.id, instant(report.at));
    let calls_themself = reported.map(|reported| format!("The reported member's name is {}.", named(reported)));
    let letter = Letter::new("A member was reported")
        .paragraph("A member reported another member.")
        .paragraph(format!("Reported: {}\nEmail: {address}", report.reported))
        .paragraph(by);
    let letter = calls_themself.into_iter().fold(letter, Letter::paragraph);
    letter.paragraph(format!("They were reported by {}, who wrote:", named(member))).quote(&report.reason)
}
