//! Who is calling: the gate that every RPC passes, over whatever face it came.

use crate::{
    error::{Error, Reason, Result},
    ids::{MemberId, SessionId},
    pb,
};
use axum::http::{HeaderMap, header};
use std::{collections::HashSet, sync::Arc};
use tonic::{Request, Status};

/// RPCs that go without an access token; those of them that act for a member, or for who has a link, check the token in their body.
/// A test holds this list against the descriptors.
pub const PUBLIC: &[&str] = &[
    "/goodturn.identity.v1.IdentityService/SignUp",
    "/goodturn.identity.v1.IdentityService/ConfirmSignUp",
    "/goodturn.identity.v1.IdentityService/ResendConfirmationCode",
    "/goodturn.identity.v1.IdentityService/InitiateAuth",
    "/goodturn.identity.v1.IdentityService/RespondToAuthChallenge",
    "/goodturn.identity.v1.IdentityService/GetTokensFromRefreshToken",
    "/goodturn.identity.v1.IdentityService/GetUser",
    "/goodturn.identity.v1.IdentityService/GlobalSignOut",
    "/goodturn.identity.v1.IdentityService/RevokeToken",
    "/goodturn.identity.v1.IdentityService/ForgotPassword",
    "/goodturn.identity.v1.IdentityService/ConfirmForgotPassword",
    "/goodturn.identity.v1.IdentityService/ChangePassword",
    "/goodturn.identity.v1.IdentityService/UpdateUserAttributes",
    "/goodturn.identity.v1.IdentityService/DeleteUserAttributes",
    "/goodturn.identity.v1.IdentityService/GetUserAttributeVerificationCode",
    "/goodturn.identity.v1.IdentityService/VerifyUserAttribute",
    "/goodturn.identity.v1.IdentityService/DeleteUser",
    "/goodturn.identity.v1.IdentityService/CloseAccount",
    "/goodturn.identity.v1.IdentityService/SetUserSettings",
    "/goodturn.identity.v1.IdentityService/SetUserMfaPreference",
    "/goodturn.identity.v1.IdentityService/AssociateSoftwareToken",
    "/goodturn.identity.v1.IdentityService/VerifySoftwareToken",
    "/goodturn.identity.v1.IdentityService/CreateRecoveryCodes",
    "/goodturn.identity.v1.IdentityService/ConfirmDevice",
    "/goodturn.identity.v1.IdentityService/GetDevice",
    "/goodturn.identity.v1.IdentityService/ForgetDevice",
    "/goodturn.identity.v1.IdentityService/UpdateDeviceStatus",
    "/goodturn.identity.v1.IdentityService/ListDevices",
    "/goodturn.identity.v1.IdentityService/ListSessions",
    "/goodturn.identity.v1.IdentityService/EndSession",
    "/goodturn.identity.v1.IdentityService/UnlinkProvider",
    // Who is invited is nobody yet: they show the token of a link that was mailed to them.
    "/goodturn.friends.v1.FriendsService/GetInvitation",
    "/goodturn.friends.v1.FriendsService/DeclineInvitations",
    "/goodturn.friends.v1.FriendsService/AllowInvitations",
    // The token of a mail's link is what they go by: who gets a mail may end it, without signing in and by a program of their mailbox.
    "/goodturn.notifications.v1.NotificationsService/GetMailSubscription",
    "/goodturn.notifications.v1.NotificationsService/Unsubscribe",
];

/// Services of gRPC itself: whether the server serves, and what its contract is. They tell nothing of members.
pub const OPEN: &[&str] =
    &["/grpc.health.v1.Health/", "/grpc.reflection.v1.ServerReflection/", "/grpc.reflection.v1alpha.ServerReflection/"];

/// A member with a valid access token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The token's subject.
    pub member: MemberId,
    /// The session that the token belongs to (`origin_jti`).
    pub session: SessionId,
    /// When the token ends, in seconds since the epoch.
    pub expires_at_s: i64,
    /// The key that signed the token, by its name.
    pub signed_by: Arc<str>,
}

impl Caller {
    /// Refuses a path that is another member's own. An empty id means the caller.
    ///
    /// # Errors
    /// NOT_YOURS, without a look-up.
    pub fn must_be(&self, uid: &str) -> Result<()> {
        if uid.is_empty() || uuid::Uuid::parse_str(uid) == Ok(self.member.0) {
            return Ok(());
        }
        Err(Error::new(Reason::NotYours, "this belongs to another member"))
    }
}

/// The caller of a request that passed the gate.
///
/// # Errors
/// UNAUTHENTICATED when the RPC is a public one and no token came with it.
pub fn caller<T>(request: &Request<T>) -> Result<Caller> {
    request.extensions().get::<Caller>().cloned().ok_or_else(Error::unauthenticated)
}

/// Checks access tokens. Identity is the real one.
#[tonic::async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// The member of a valid token whose session has not ended.
    ///
    /// # Errors
    /// UNAUTHENTICATED for every flaw alike; UNAVAILABLE when the session cannot be looked up.
    async fn check(&self, token: &str) -> Result<Caller>;

    /// The same, when nothing has to be asked for it; `None` when something has.
    fn known(&self, token: &str) -> Option<Result<Caller>>;
}

/// Decides which calls go on.
#[derive(Clone)]
pub struct Gate {
    tokens: Arc<dyn Tokens>,
    rpcs: Arc<Rpcs>,
}

struct Rpcs {
    /// The paths of all.
    paths: HashSet<String>,
    public: HashSet<&'static str>,
}

impl Gate {
    /// The gate for every RPC of the contract.
    pub fn new(tokens: Arc<dyn Tokens>) -> Self {
        let paths = pb::methods().map(|m| pb::rpc_path(&m)).collect();
        let rpcs = Rpcs { paths, public: PUBLIC.iter().copied().collect() };
        Self { tokens, rpcs: Arc::new(rpcs) }
    }

    /// Nearly always it is known at once: the future of asking is large, and not made for that.
    async fn check(&self, token: &str) -> Result<Caller> {
        match self.tokens.known(token) {
            Some(known) => known,
            None => self.tokens.check(token).await,
        }
    }

    /// Lets a call to an RPC path go on: who calls, if the call needs one.
    ///
    /// # Errors
    /// UNAUTHENTICATED. UNKNOWN_ROUTE for a path that is no RPC. UNAVAILABLE when a token cannot be checked.
    pub async fn admit(&self, path: &str, headers: &HeaderMap) -> Result<Option<Caller>> {
        if !self.rpcs.paths.contains(path) {
            return Err(no_such_rpc());
        }
        if self.rpcs.public.contains(path) {
            // Optional there: GetUser and GlobalSignOut take the token from here when the body has none. A flaw of the token is let be;
            // an outage is none.
            let Some(token) = bearer(headers) else { return Ok(None) };
            return match self.check(token).await {
                Ok(caller) => Ok(Some(caller)),
                Err(e) if e.reason() == Reason::Unauthenticated => Ok(None),
                Err(e) => Err(e),
            };
        }
        let token = bearer(headers).ok_or_else(Error::unauthenticated)?;
        Ok(Some(self.check(token).await?))
    }
}

/// The refusal of a path that is none.
pub fn no_such_rpc() -> Error {
    Error::new(Reason::UnknownRoute, "no such RPC")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Stands in the extensions of a call that cannot be made, beside who makes it, if that is known: it is counted and logged as any other,
/// and then refused with this.
#[derive(Clone, Debug)]
pub struct Unfit(pub Status);

/// Stands in the extensions of a call that has passed the gate already: the transcoder asks before it reads a body.
#[derive(Clone, Debug)]
pub struct Admitted(pub Option<Caller>);
