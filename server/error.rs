//! The one error of the server, and how it becomes a gRPC status.

use crate::{call::Call, pb::common::ErrorReason};
use std::{borrow::Cow, collections::HashMap, fmt, time::Duration};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// Why a call failed, by name.
pub type Reason = ErrorReason;

/// What our functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The domain of every `google.rpc.ErrorInfo` that we send.
pub const DOMAIN: &str = "goodturn";

/// Why one field was refused: the `reason` of a field violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldReason {
    /// Missing or empty.
    Required,
    /// Fewer characters than the least.
    TooShort,
    /// More characters than the most.
    TooLong,
    /// More entries than the most.
    TooMany,
    /// The same entry twice.
    Twice,
    /// Not a UUID.
    NotAnId,
    /// Not an e-mail address.
    NotAnEmail,
    /// Not one of the words.
    UnknownWord,
    /// A number or date outside its bounds.
    OutOfRange,
    /// An amount with more than two places.
    TooPrecise,
    /// A start or deadline that is past.
    InPast,
    /// A confirmation deadline after the start.
    AfterStart,
    /// A member who is no friend.
    NotAFriend,
    /// Fields that do not go together.
    Conflicting,
    /// Breaks another rule, which the text names.
    Invalid,
}

impl FieldReason {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "REQUIRED",
            Self::TooShort => "TOO_SHORT",
            Self::TooLong => "TOO_LONG",
            Self::TooMany => "TOO_MANY",
            Self::Twice => "TWICE",
            Self::NotAnId => "NOT_AN_ID",
            Self::NotAnEmail => "NOT_AN_EMAIL",
            Self::UnknownWord => "UNKNOWN_WORD",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::TooPrecise => "TOO_PRECISE",
            Self::InPast => "IN_PAST",
            Self::AfterStart => "AFTER_START",
            Self::NotAFriend => "NOT_A_FRIEND",
            Self::Conflicting => "CONFLICTING",
            Self::Invalid => "INVALID",
        }
    }
}

#[derive(Debug)]
struct Violation {
    field: String,
    reason: FieldReason,
    text: Cow<'static, str>,
}

/// Any failure. The message may be shown to the caller; the cause never is.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    reason: Reason,
    message: Cow<'static, str>,
    violations: Vec<Violation>,
    retry_after: Option<Duration>,
    cause: Option<anyhow::Error>,
}

impl Error {
    /// A failure for a reason, with a text for the caller.
    pub fn new(reason: Reason, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { reason, message: message.into(), violations: Vec::new(), retry_after: None, cause: None }))
    }

    /// INVALID_ARGUMENT, to which fields are added.
    pub fn invalid_fields() -> Self {
        Self::new(Reason::InvalidArgument, "")
    }

    /// INVALID_ARGUMENT for one field, by its proto path.
    pub fn field(field: impl Into<String>, reason: FieldReason, text: impl Into<Cow<'static, str>>) -> Self {
        Self::invalid_fields().with_field(field, reason, text)
    }

    /// Adds a field violation. The first one makes the message when there is none yet.
    #[must_use]
    pub fn with_field(mut self, field: impl Into<String>, reason: FieldReason, text: impl Into<Cow<'static, str>>) -> Self {
        let (field, text) = (field.into(), text.into());
        if self.0.message.is_empty() {
            self.0.message = if field.is_empty() { text.clone() } else { format!("{field}: {text}").into() };
        }
        self.0.violations.push(Violation { field, reason, text });
        self
    }

    /// Says when to try again.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// Keeps what lies behind, for the log.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<anyhow::Error>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Says more of the cause, for the log.
    #[must_use]
    pub fn with_context(mut self, context: &'static str) -> Self {
        self.0.cause = self.0.cause.map(|c| c.context(context));
        self
    }

    /// A fault of ours: the caller learns nothing but the request id.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::new(Reason::Internal, "an internal error occurred").caused_by(cause)
    }

    /// There is no such thing, or the caller may not know of it.
    pub fn not_found(noun: &'static str) -> Self {
        Self::new(Reason::NotFound, format!("{noun} not found"))
    }

    /// No valid token came with the call. One text for every cause: it tells an attacker nothing.
    pub fn unauthenticated() -> Self {
        Self::new(Reason::Unauthenticated, "a valid access token is required")
    }

    /// The bytes are not what the call takes.
    pub fn malformed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Reason::MalformedJson, message)
    }

    /// Why it failed.
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// The text for the caller.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// How long to wait before trying again, if that is known.
    pub fn wait(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Whether trying the whole transaction again may succeed. It does not for a caller who knows an older version, which names its field.
    pub fn is_lost_race(&self) -> bool {
        self.0.reason == Reason::Conflict && self.0.violations.is_empty()
    }

    /// The fields that were refused: each with the reason and the text.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &'static str, &str)> {
        self.0.violations.iter().map(|v| (v.field.as_str(), v.reason.as_str(), v.text.as_ref()))
    }

    /// Logs the cause, if there is one: where the error leaves the server, and nowhere else.
    pub fn log(&self) {
        let Some(cause) = &self.0.cause else { return };
        let reason = reason_name(self.0.reason);
        let id = Call::current(|call| call.request_id.clone()).flatten();
        let request_id = id.as_ref().and_then(|id| id.to_str().ok());
        if self.code() == Code::Internal {
            tracing::error!(request_id, reason, cause = format!("{cause:#}"), "call failed");
        } else {
            tracing::warn!(request_id, reason, cause = format!("{cause:#}"), "call failed");
        }
    }

    /// The gRPC code of its reason.
    pub fn code(&self) -> Code {
        code_of(self.0.reason)
    }
}

/// The one table from reason to gRPC code.
pub fn code_of(reason: Reason) -> Code {
    use Reason as R;
    match reason {
        R::InvalidArgument
        | R::MalformedJson
        | R::InvalidCursor
        | R::IdempotencyKeyReused
        | R::SelfRequest
        | R::NotAFriend
        | R::InvalidParameter
        | R::InvalidPassword
        | R::CodeMismatch
        | R::ExpiredCode
        | R::ExpiredLink
        | R::StartInPast
        | R::UnsupportedType
        | R::EnableSoftwareTokenMfa
        | R::UnsupportedTokenType
        | R::UnsupportedOperation => Code::InvalidArgument,
        R::Unauthenticated | R::NotAuthorized => Code::Unauthenticated,
        R::NotYours | R::FriendsOnly => Code::PermissionDenied,
        R::NotFound | R::ResourceNotFound => Code::NotFound,
        R::WrongState | R::WrongParty | R::UserNotConfirmed | R::DaysTaken | R::ItemsOut | R::RefreshTokenReused => {
            Code::FailedPrecondition
        }
        R::Conflict => Code::Aborted,
        R::AlreadySent | R::AlreadyFriends | R::AlreadyInvited | R::UsernameExists | R::AliasExists | R::NameTaken => Code::AlreadyExists,
        R::RateLimited
        | R::TooLarge
        | R::LimitReached
        | R::AttemptsExceeded
        | R::PasswordAttemptsExceeded
        | R::Overloaded
        | R::StreamReplaced => Code::ResourceExhausted,
        R::DeadlineExceeded => Code::DeadlineExceeded,
        R::Unavailable => Code::Unavailable,
        R::MethodNotAllowed | R::UnknownRoute => Code::Unimplemented,
        R::Cancelled => Code::Cancelled,
        R::Internal | R::Unspecified => Code::Internal,
    }
}

/// The name of a reason on the wire, without the enum's prefix.
pub fn reason_name(reason: Reason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("ERROR_REASON_").unwrap_or(name)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", reason_name(self.0.reason), self.0.message)
    }
}

impl std::error::Error for Error {
    /// What lies behind, for who runs the server.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_ref().map(AsRef::as_ref)
    }
}

impl From<Error> for Status {
    /// Logs a cause, once, here at the edge.
    fn from(error: Error) -> Self {
        let code = error.code();
        error.log();
        let mut details = ErrorDetails::with_error_info(reason_name(error.0.reason), DOMAIN, HashMap::new());
        if !error.0.violations.is_empty() {
            details.set_bad_request(error.0.violations.iter().map(Violation::wire).collect::<Vec<_>>());
        }
        if let Some(wait) = error.0.retry_after {
            details.set_retry_info(Some(wait));
        }
        Status::with_error_details(code, error.0.message.into_owned(), details)
    }
}

impl Violation {
    fn wire(&self) -> FieldViolation {
        let mut violation = FieldViolation::new(self.field.clone(), self.text.clone());
        violation.reason = self.reason.as_str().to_owned();
        violation
    }
}

impl From<sqlx::Error> for Error {
    fn from(e: sqlx::Error) -> Self {
        let sqlstate = e.as_database_error().and_then(|d| d.code()).map(Cow::into_owned);
        let (reason, text) = match (&e, sqlstate.as_deref()) {
            // Deadlock, serialization failure, lock time-out: the whole transaction may be tried again.
            (_, Some("40P01" | "40001" | "55P03")) => (Reason::Conflict, "changed at the same time; try again"),
            // Statement time-out.
            (_, Some("57014")) => (Reason::DeadlineExceeded, "the database took too long"),
            // U+0000, which is text on the wire but none to the database.
            (_, Some("22021" | "22P05")) => (Reason::InvalidArgument, "text must not contain the character U+0000"),
            // Shut down, starting up, too many connections, read-only after a fail-over, connection failures.
            (_, Some("57P01" | "57P02" | "57P03" | "53300" | "25006")) => (Reason::Unavailable, "the database is not available"),
            (_, Some(code)) if code.starts_with("08") => (Reason::Unavailable, "the database is not available"),
            (
                sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed,
                _,
            ) => (Reason::Unavailable, "the database is not available"),
            _ => return Self::internal(e),
        };
        let error = Self::new(reason, text).caused_by(e);
        if reason == Reason::Unavailable {
            return error.retry_after(Duration::from_secs(1));
        }
        error
    }
}
