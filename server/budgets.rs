//! Budgets: how often somebody may do something within any hour and any day. Counted in rows, so they hold over nodes and restarts.
//!
//! They are spent in the caller's transaction, where `db::LOCK_ORDER` has them; who spends several does so in one order, in all places.

use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
    jobs,
};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

/// How much of something there is for one subject. Without a number there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What it is for; the key of its rows.
    pub purpose: &'static str,
    /// The most in an hour; at least 1.
    pub per_hour: Option<i32>,
    /// The most in a day; at least 1.
    pub per_day: Option<i32>,
    /// Why the next one is refused; a reason of RESOURCE_EXHAUSTED.
    pub reason: Reason,
    /// The words of the refusal.
    pub text: &'static str,
}

const CODES: &str = "Attempt limit exceeded, please try after some time.";

/// Mails that somebody at a network has sent to addresses which are not theirs, as far as we know.
pub const MAILS_OF_NETWORK: Budget =
    Budget { purpose: "mails of network", per_hour: Some(20), per_day: None, reason: Reason::AttemptsExceeded, text: CODES };

/// Mails to an address that nobody has confirmed: those that are asked for at one network, and some times as many in all.
pub const MAILS_TO_ADDRESS: Budget =
    Budget { purpose: "mails to address", per_hour: Some(5), per_day: Some(10), reason: Reason::AttemptsExceeded, text: CODES };

/// Calls for such a mail from one network, by the name that they give, whether it is anybody's or not.
pub const MAILS_BY_NAME: Budget = Budget { purpose: "mails by name", ..MAILS_TO_ADDRESS };

/// Mails for a new password, apart from the others: who spends those shuts nobody out of these.
pub const RESETS_TO_ADDRESS: Budget = Budget { purpose: "resets to address", ..MAILS_TO_ADDRESS };

/// Calls for such a mail, by the name that they give.
pub const RESETS_BY_NAME: Budget = Budget { purpose: "resets by name", ..MAILS_TO_ADDRESS };

/// Codes for new addresses that a member asks for.
pub const ADDRESSES_OF_MEMBER: Budget = Budget { purpose: "addresses of member", ..MAILS_TO_ADDRESS };

/// Codes to an address that members want to be theirs.
pub const CHANGES_TO_ADDRESS: Budget = Budget { purpose: "changes to address", ..MAILS_TO_ADDRESS };

/// Codes for new numbers that a member asks for.
pub const NUMBERS_OF_MEMBER: Budget = Budget { purpose: "numbers of member", ..MAILS_TO_ADDRESS };

/// Codes to a number that members want to be theirs.
pub const SMS_TO_NUMBER: Budget = Budget { purpose: "sms to number", ..MAILS_TO_ADDRESS };

/// Exports of all that is kept of a member.
pub const EXPORTS_OF_MEMBER: Budget = Budget {
    purpose: "exports of member",
    per_hour: None,
    per_day: Some(5),
    reason: Reason::RateLimited,
    text: "you have exported your data too often today; try again later",
};

/// Mails with a code to sign in by, apart from the others.
pub const SIGN_INS_TO_ADDRESS: Budget = Budget { purpose: "sign-ins to address", ..MAILS_TO_ADDRESS };

/// Calls for such a mail, by the name that they give.
pub const SIGN_INS_BY_NAME: Budget = Budget { purpose: "sign-ins by name", ..MAILS_TO_ADDRESS };

/// SMS with a code to sign in by, to a member who has shown the password.
pub const SMS_OF_MEMBER: Budget =
    Budget { purpose: "sms of member", per_hour: Some(10), per_day: Some(30), reason: Reason::AttemptsExceeded, text: CODES };

/// Links to providers that a member makes. Each is told by mail, and so is its end: that is bounded with it, and never refused itself, for it
/// may be a stranger's that is taken away.
pub const LINKS_OF_MEMBER: Budget =
    Budget { purpose: "links of member", per_hour: None, per_day: Some(10), reason: Reason::AttemptsExceeded, text: CODES };

/// Changes of a member's second factors by who is in, each of which is told by mail; and wrong codes of them.
pub const FACTORS_OF_MEMBER: Budget =
    Budget { purpose: "factors of member", per_hour: Some(20), per_day: Some(50), reason: Reason::AttemptsExceeded, text: CODES };

/// Friend requests of a member, to anybody.
pub const ASKS_OF_MEMBER: Budget = Budget {
    purpose: "asks of member",
    per_hour: None,
    per_day: Some(100),
    reason: Reason::RateLimited,
    text: "you have sent too many friend requests; try again later",
};

/// Friend requests of a member to the same other one: more have been taken back.
pub const ASKS_OF_PAIR: Budget = Budget {
    purpose: "asks of pair",
    per_hour: None,
    per_day: Some(3),
    reason: Reason::RateLimited,
    text: "you have asked this member too often; try again later",
};

/// Invitations of a member, to anybody.
pub const INVITES_OF_MEMBER: Budget = Budget {
    purpose: "invites of member",
    per_hour: None,
    per_day: Some(20),
    reason: Reason::RateLimited,
    text: "you have sent too many invitations today; try again later",
};

/// Mails with invitations to one address, whoever sends them: those above it are not mailed, and nobody is told.
pub const INVITES_TO_ADDRESS: Budget = Budget { purpose: "invites to address", per_day: Some(3), ..INVITES_OF_MEMBER };

/// Mails about what a member is told as it happens: the rest waits for the morning. Nobody is refused by it.
pub const NEWS_TO_MEMBER: Budget = Budget {
    purpose: "news to member",
    per_hour: None,
    per_day: Some(20),
    reason: Reason::RateLimited,
    text: "too many emails were sent to this member today",
};

/// Problems that a member reports: who runs the server reads each.
pub const REPORTS_OF_MEMBER: Budget = Budget {
    purpose: "reports of member",
    per_hour: Some(5),
    per_day: Some(10),
    reason: Reason::RateLimited,
    text: "you have reported too many problems; try again later",
};

/// Members whom a member reports: who runs the server reads each.
pub const MEMBER_REPORTS_OF_MEMBER: Budget =
    Budget { purpose: "member reports of member", text: "you have reported too many members; try again later", ..REPORTS_OF_MEMBER };

/// Pictures that a member announces: each may leave a file in the store for a day, and has a second of computing.
pub const UPLOADS_OF_MEMBER: Budget = Budget {
    purpose: "uploads of member",
    per_hour: Some(20),
    per_day: Some(40),
    reason: Reason::RateLimited,
    text: "you have uploaded too many pictures; try again later",
};

/// Looks at what a member uploaded, each of which reads a file and may compute for a second: more than uploads, since a call is repeated whose
/// answer did not come.
pub const LOOKS_OF_MEMBER: Budget =
    Budget { purpose: "looks at uploads of member", per_hour: Some(60), per_day: Some(120), ..UPLOADS_OF_MEMBER };

/// Favors that a member makes or posts, and friends they ask one by one: each is kept, or told to others. The configuration says how many.
pub const FAVORS_OF_MEMBER: Budget = Budget {
    purpose: "favors of member",
    per_hour: None,
    per_day: None,
    reason: Reason::RateLimited,
    text: "you have asked for too many favors today; try again later",
};

/// Requests of a member to borrow something, of anybody.
pub const BORROWS_OF_MEMBER: Budget = Budget {
    purpose: "borrows of member",
    per_hour: None,
    per_day: Some(100),
    reason: Reason::RateLimited,
    text: "you have asked to borrow too often today; try again later",
};

/// Other days, or more of them, that a member asks for: each time the owner is told.
pub const DAYS_OF_MEMBER: Budget =
    Budget { purpose: "days of member", text: "you have changed dates too often today; try again later", ..BORROWS_OF_MEMBER };

/// Payments that a member records or corrects: each time the other side is told.
pub const PAYMENTS_OF_MEMBER: Budget =
    Budget { purpose: "payments of member", text: "you have recorded payments too often today; try again later", ..BORROWS_OF_MEMBER };

/// Pictures of items that a member announces: up to ten each.
pub const UPLOADS_FOR_ITEMS: Budget =
    Budget { purpose: "item uploads of member", per_hour: Some(100), per_day: Some(200), ..UPLOADS_OF_MEMBER };

/// Looks at those.
pub const LOOKS_FOR_ITEMS: Budget =
    Budget { purpose: "looks at item uploads of member", per_hour: Some(200), per_day: Some(400), ..UPLOADS_OF_MEMBER };

/// Items that a member makes.
pub const ITEMS_OF_MEMBER: Budget = Budget {
    purpose: "items of member",
    per_hour: None,
    per_day: Some(200),
    reason: Reason::RateLimited,
    text: "you have created too many items today; try again later",
};

impl Budget {
    /// With another number for an hour.
    #[must_use]
    pub const fn hourly(self, most: i32) -> Self {
        Self { per_hour: Some(most), ..self }
    }

    /// With so many times as much.
    #[must_use]
    pub fn times(self, n: i32) -> Self {
        let more = |most: Option<i32>| most.map(|most| most.saturating_mul(n));
        Self { per_hour: more(self.per_hour), per_day: more(self.per_day), ..self }
    }

    /// With another number for a day.
    #[must_use]
    pub const fn daily(self, most: i32) -> Self {
        Self { per_day: Some(most), ..self }
    }
}

/// Whose budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(Vec<u8>);

impl Subject {
    /// A member's.
    pub fn member(member: MemberId) -> Self {
        Self(member.0.as_bytes().to_vec())
    }

    /// A member's towards another one; the other has one of their own.
    pub fn pair(from: MemberId, to: MemberId) -> Self {
        Self([from.0.into_bytes(), to.0.into_bytes()].concat())
    }

    /// That of a network or an address: a hash under a key of the configuration, since neither may stand in a row.
    pub fn keyed(hash: [u8; 32]) -> Self {
        Self(hash.to_vec())
    }
}

/// One use of a budget.
#[derive(Clone, Debug)]
pub struct Spending {
    /// Whose.
    pub subject: Subject,
    /// Of what.
    pub budget: Budget,
}

/// Spends one in the caller's transaction: taken back when that is rolled back, and others who spend of the same wait for its end.
///
/// # Errors
/// The budget's reason when nothing is left, with the time to wait.
pub async fn spend(conn: &mut PgConnection, now: OffsetDateTime, spending: &Spending) -> Result<()> {
    try_spend(conn, now, spending).await?
}

/// The same, with the refusal as a value: nothing was spent then, and the transaction may go on.
///
/// # Errors
/// As the database.
pub async fn try_spend(conn: &mut PgConnection, now: OffsetDateTime, spending: &Spending) -> Result<Result<()>> {
    let Spending { subject, budget } = spending;
    let (hour, day) = (now - Duration::HOUR, now - Duration::DAY);
    let spent = sqlx::query!(
        "INSERT INTO budgets AS b (subject, purpose, spent, last_spent)
         VALUES ($1, $2, ARRAY[$3::timestamptz], $3)
         ON CONFLICT (subject, purpose) DO UPDATE
         SET spent = ARRAY(SELECT at FROM unnest(b.spent) AS at WHERE at > $4) || $3, last_spent = greatest(b.last_spent, $3)
         WHERE (SELECT count(*) FROM unnest(b.spent) AS at WHERE at > $5) < $6
           AND (SELECT count(*) FROM unnest(b.spent) AS at WHERE at > $4) < $7",
        subject.0,
        budget.purpose,
        now,
        if budget.per_day.is_some() { day } else { hour },
        hour,
        budget.per_hour.map_or(i64::MAX, i64::from),
        budget.per_day.map_or(i64::MAX, i64::from),
    )
    .execute(&mut *conn)
    .await?;
    if spent.rows_affected() == 1 {
        return Ok(Ok(()));
    }
    // What was not written is locked all the same: this is what was found too much.
    let mut spent = sqlx::query_scalar!(
        "SELECT spent
         FROM budgets
         WHERE subject = $1 AND purpose = $2
         LIMIT 1",
        subject.0,
        budget.purpose,
    )
    .fetch_one(conn)
    .await?;
    spent.sort_unstable();
    let in_hour = wait(&spent, budget.per_hour, Duration::HOUR, now);
    let in_day = wait(&spent, budget.per_day, Duration::DAY, now);
    let wait = in_hour.max(in_day).max(Duration::SECOND);
    Ok(Err(Error::new(budget.reason, budget.text).retry_after(wait.unsigned_abs())))
}

/// How long until fewer than `most` of these instants, the earliest first, are younger than `length`.
fn wait(spent: &[OffsetDateTime], most: Option<i32>, length: Duration, now: OffsetDateTime) -> Duration {
    let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let last_to_go = spent.len().checked_sub(most).and_then(|n| spent.get(n));
    last_to_go.map_or(Duration::ZERO, |at| *at + length - now)
}

/// Forgets budgets of which nothing counts any more.
pub struct Sweep;

#[tonic::async_trait]
impl jobs::Sweep for Sweep {
    fn name(&self) -> &'static str {
        "budgets"
    }

    async fn sweep(&self, conn: &mut PgConnection, now: OffsetDateTime) -> Result<u64> {
        // Passes over what is being spent: who spends has a row locked and may want another.
        let done = sqlx::query!(
            "DELETE FROM budgets
             WHERE (subject, purpose) IN (
                 SELECT subject, purpose
                 FROM budgets
                 WHERE last_spent <= $1
                 LIMIT 10000
                 FOR UPDATE SKIP LOCKED
             )",
            now - Duration::DAY,
        )
        .execute(conn)
        .await?;
        Ok(done.rows_affected())
    }
}
