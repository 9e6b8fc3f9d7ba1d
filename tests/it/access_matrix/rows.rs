//! The table of the access matrix: the requests of each RPC, and what each caller gets for them.

use crate::harness::Refused;
use tonic::Code::{self, AlreadyExists, FailedPrecondition, InvalidArgument, NotFound, PermissionDenied, Unauthenticated, Unimplemented};

/// Where the stranger stands among those who call.
pub const STRANGER: usize = 2;
/// Who calls, in the order of the cells.
pub const CALLERS: [&str; 8] = [
    "nobody",
    "Ana's ended session",
    "Eve, a stranger",
    "Max, who was a friend of Ana",
    "Priya, a friend",
    "Ben, who was asked",
    "Cleo, who was asked and helps once a favor is accepted",
    "Ana, whose things they are",
];

/// A request is let in, or refused in exactly these words.
pub type Cell = Result<(), Refusal>;
/// What each caller gets.
pub type Cells = [Cell; CALLERS.len()];

/// A whole refusal. Two checks may share a code, hardly ever all of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    code: Code,
    reason: &'static str,
    message: &'static str,
    field: Option<(&'static str, &'static str)>,
}

impl From<Refusal> for Refused {
    fn from(Refusal { code, reason, message, field }: Refusal) -> Self {
        let fields = field.into_iter().map(|(name, reason)| (name.to_owned(), reason.to_owned())).collect();
        Self { code, reason: reason.to_owned(), message: message.to_owned(), fields }
    }
}

const fn no(code: Code, reason: &'static str, message: &'static str) -> Cell {
    Err(Refusal { code, reason, message, field: None })
}

const fn foreign(message: &'static str, field: &'static str) -> Cell {
    Err(Refusal { code: InvalidArgument, reason: "INVALID_CURSOR", message, field: Some((field, "INVALID")) })
}

const OK: Cell = Ok(());
const NO_TOKEN: Cell = no(Unauthenticated, "UNAUTHENTICATED", "a valid access token is needed");
/// The refusal of a path that is another member's.
pub const NOT_YOURS: Cell = no(PermissionDenied, "NOT_YOURS", "this is another member's");
const NO_FAVOR: Cell = no(NotFound, "NOT_FOUND", "favor not found");
const NO_REQUEST: Cell = no(NotFound, "NOT_FOUND", "friend request not found");
/// The refusal of a member of whom the caller may know nothing.
pub const NO_MEMBER: Cell = no(NotFound, "NOT_FOUND", "member not found");
const NO_NOTIFICATION: Cell = no(NotFound, "NOT_FOUND", "notification not found");
const WRONG_PARTY: Cell = no(FailedPrecondition, "WRONG_PARTY", "only the other side of this favor can do that");
const OWN_ITEM: Cell = no(FailedPrecondition, "WRONG_PARTY", "this item is your own");
const NO_RENTAL: Cell = no(NotFound, "NOT_FOUND", "rental not found");
const WRONG_SIDE: Cell = no(FailedPrecondition, "WRONG_PARTY", "only the other side of this rental can do that");
const IS_PENDING: Cell = no(FailedPrecondition, "WRONG_STATE", "this rental is pending");
const IS_LENT: Cell = no(FailedPrecondition, "WRONG_STATE", "this rental is active");
const NO_MORE_DAYS: Cell = no(FailedPrecondition, "WRONG_STATE", "this rental is active, and no more days are asked for");
const IS_ACTIVE: Cell = no(FailedPrecondition, "WRONG_STATE", "this favor is active");
const IS_ACCEPTED: Cell = no(FailedPrecondition, "WRONG_STATE", "this favor is accepted");
const IS_COMPLETED: Cell = no(FailedPrecondition, "WRONG_STATE", "this favor is completed");
const IS_DRAFT: Cell = no(FailedPrecondition, "WRONG_STATE", "this favor is draft");
const NO_APPLICANT: Cell = no(NotFound, "NOT_FOUND", "applicant not found");
const NO_RECIPIENT: Cell = no(NotFound, "NOT_FOUND", "recipient not found");
const NO_FRIEND_TO_ASK: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "NOT_A_FRIEND",
    message: "member_id: is not a friend of yours",
    field: Some(("member_id", "NOT_A_FRIEND")),
});
const NO_UPLOAD: Cell = no(NotFound, "NOT_FOUND", "upload not found");
const NO_NUMBER: Cell = no(FailedPrecondition, "WRONG_STATE", "there is no phone number in this profile");
const NO_FIRST_NAME: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "INVALID_ARGUMENT",
    message: "details.first_name: Please enter both first and last name.",
    field: Some(("details.first_name", "REQUIRED")),
});
const NO_FRIEND: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "NOT_A_FRIEND",
    message: "recipients[0]: is not a friend of yours",
    field: Some(("recipients[0]", "NOT_A_FRIEND")),
});
const NO_GROUP: Cell = no(NotFound, "NOT_FOUND", "group not found");
const NO_GROUP_TO_ASK: Cell = Err(Refusal {
    code: NotFound,
    reason: "NOT_FOUND",
    message: "group_ids[0]: is not a group of yours",
    field: Some(("group_ids[0]", "INVALID")),
});
const NO_FRIEND_IN_GROUP: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "NOT_A_FRIEND",
    message: "friend_ids[0]: is not a friend of yours",
    field: Some(("friend_ids[0]", "NOT_A_FRIEND")),
});
const NO_ITEM: Cell = no(NotFound, "NOT_FOUND", "item not found");
const FRIENDS_ONLY: Cell = no(
    PermissionDenied,
    "FRIENDS_ONLY",
    "This item is only available to friends. Send a friend request to the owner to access their items.",
);
const NO_ORDER: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "INVALID_ARGUMENT",
    message: "image_ids: must name each picture of the item, and no other",
    field: Some(("image_ids", "INVALID")),
});
const INVITED: Cell = no(AlreadyExists, "ALREADY_INVITED", "this address was already invited by you");
/// The refusal of a cursor that was not written for this member and list.
pub const BAD_CURSOR: Cell = foreign("cursor: is not one of this list", "cursor");
/// The same of a token to resume by.
pub const BAD_TOKEN_TO_RESUME: Cell = foreign("resume_token: is not one of this list", "resume_token");
const TWICE: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "INVALID_ARGUMENT",
    message: "topics[1].topic: stands there twice",
    field: Some(("topics[1].topic", "TWICE")),
});
const NO_LINK: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "INVALID_ARGUMENT",
    message: "token: is not of a link that we sent",
    field: Some(("token", "INVALID")),
});
/// The refusal of a client that is not registered.
pub const NO_CLIENT: Cell = no(NotFound, "RESOURCE_NOT_FOUND", "User pool client unknown does not exist.");
const BAD_CODE: Cell = no(InvalidArgument, "CODE_MISMATCH", "Invalid verification code provided, please try again.");
const CONFIRMED: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "User cannot be confirmed. Current status is CONFIRMED");
const BAD_PASSWORD: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "Incorrect username or password.");
const BAD_TOKEN: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "Invalid Access Token");
const ENDED_TOKEN: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "Access Token has been revoked");
const BAD_REFRESH: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "Invalid Refresh Token");
const ROTATES: Cell =
    no(InvalidArgument, "UNSUPPORTED_OPERATION", "Refresh token rotation is enabled for this client: use GetTokensFromRefreshToken");
const BAD_SESSION: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "Invalid session for the user.");
const BAD_FIRST_CODE: Cell = no(InvalidArgument, "ENABLE_SOFTWARE_TOKEN_MFA", "Code mismatch and fail enable Software Token MFA");
const NO_AUTHENTICATOR: Cell = no(InvalidArgument, "INVALID_PARAMETER", "User has not verified software token mfa");
const NO_SESSION: Cell = no(NotFound, "RESOURCE_NOT_FOUND", "Session does not exist.");
const NO_IDENTITY: Cell = no(NotFound, "RESOURCE_NOT_FOUND", "Identity does not exist.");
const NO_DEVICE: Cell = no(NotFound, "RESOURCE_NOT_FOUND", "Device does not exist.");
const ENDED_REFRESH: Cell = no(Unauthenticated, "NOT_AUTHORIZED", "Refresh Token has been revoked");
const LATER: Cell = no(Unimplemented, "NOT_BUILT_YET", "this comes in a later release");

/// For everyone with a token, in the words of calls that may have it in their body.
const fn of_members(cell: Cell) -> Cells {
    [BAD_TOKEN, BAD_TOKEN, cell, cell, cell, cell, cell, cell]
}

/// The same for everyone, with a token or without.
pub const fn anybody(cell: Cell) -> Cells {
    [cell; CALLERS.len()]
}

/// The same for everyone with a token of an open session.
pub const fn members(cell: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, cell, cell, cell, cell, cell, cell]
}

/// Ana alone; the other members get the same refusal, friends or not.
const fn ana_alone(others: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, others, others, others, others, others, OK]
}

/// A group of Ana's: to all others there is no such group.
const fn group(ana: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, NO_GROUP, NO_GROUP, NO_GROUP, NO_GROUP, NO_GROUP, ana]
}

/// An item of Ana's, of which others may see something, and which she alone changes: to all others there is no such item then.
const fn item(ana: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, NO_ITEM, NO_ITEM, NO_ITEM, NO_ITEM, NO_ITEM, ana]
}

/// An item of Ana's that is narrowed to Ben and Cleo.
const OF_FEW: Cells = [NO_TOKEN, NO_TOKEN, NO_ITEM, NO_ITEM, NO_ITEM, OK, OK, OK];
/// An item that Ana lists for her friends.
const OF_FRIENDS: Cells = [NO_TOKEN, NO_TOKEN, FRIENDS_ONLY, FRIENDS_ONLY, OK, OK, OK, OK];
/// A list of Ben's.
const BENS_ALONE: Cells = [NO_TOKEN, NO_TOKEN, BAD_CURSOR, BAD_CURSOR, BAD_CURSOR, OK, BAD_CURSOR, BAD_CURSOR];

/// A favor of Ana's, for Ben, Cleo and Ana: to all others there is no such favor.
const fn favor(ben: Cell, cleo: Cell, ana: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, NO_FAVOR, NO_FAVOR, NO_FAVOR, ben, cleo, ana]
}

/// A public favor of Ana's, for which Priya offers help and Ben and Cleo are asked: to all others there is no such favor.
const fn public(priya: Cell, ben: Cell, cleo: Cell, ana: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, NO_FAVOR, NO_FAVOR, priya, ben, cleo, ana]
}

/// An item of Ana's that she has listed for her friends; for Ana herself.
const fn listed(friends: Cell, ana: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, FRIENDS_ONLY, FRIENDS_ONLY, friends, friends, friends, ana]
}

/// A ladder of Ana's that Ben borrows: to all others there is no such rental.
const fn rental(ben: Cell, ana: Cell) -> Cells {
    [NO_TOKEN, NO_TOKEN, NO_RENTAL, NO_RENTAL, NO_RENTAL, ben, NO_RENTAL, ana]
}

/// A path of Ana's: whose it is decides, before anything that it names is looked up.
pub const OWN_PATH: Cells = ana_alone(NOT_YOURS);
const ANY_MEMBER: Cells = members(OK);
/// Identity operations look at the credentials in their body.
const ANYBODY: Cells = anybody(OK);
const OF_A_WRONG_PASSWORD: Cells =
    [BAD_TOKEN, BAD_TOKEN, BAD_PASSWORD, BAD_PASSWORD, BAD_PASSWORD, BAD_PASSWORD, BAD_PASSWORD, BAD_PASSWORD];
const OF_A_WRONG_CODE: Cells = of_members(BAD_CODE);
const OF_THE_CALLER: Cells = of_members(OK);

/// The rows of one RPC: a request as JSON, and its cells. `"$me"` is the caller's own id, and none at all; `world.rs` has the other words.
pub type Rows = &'static [(&'static str, Cells)];

const LATER_FOR_ANYBODY: Rows = &[("{}", anybody(LATER))];
const LATER_FOR_MEMBERS: Rows = &[("{}", members(LATER))];

/// What an RPC has in the table.
pub fn of(rpc: &str, is_later: bool) -> Rows {
    if is_later {
        return if rpc.starts_with("identity.") { LATER_FOR_ANYBODY } else { LATER_FOR_MEMBERS };
    }
    TABLE.iter().find(|(name, _)| *name == rpc).map_or(&[], |(_, rows)| *rows)
}

/// Every RPC that is built.
// A row is a line, so that the cells of one RPC can be compared.
#[rustfmt::skip]
pub const TABLE: &[(&str, Rows)] = &[
    ("identity.v1.IdentityService/SignUp", &[
        (r#"{"ClientId":"$client","Username":"$address","Password":"$password","UserAttributes":[{"Name":"name","Value":"A"}]}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/ConfirmSignUp", &[
        (r#"{"ClientId":"$client","Username":"$newcomer","ConfirmationCode":"$code"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$newcomer","ConfirmationCode":"12"}"#, anybody(BAD_CODE)),
        (r#"{"ClientId":"$client","Username":"$address","ConfirmationCode":"$code"}"#, anybody(BAD_CODE)),
        (r#"{"ClientId":"$client","Username":"ana@example.org","ConfirmationCode":"$code"}"#, anybody(CONFIRMED)),
    ]),
    ("identity.v1.IdentityService/ResendConfirmationCode", &[
        (r#"{"ClientId":"$client","Username":"$newcomer"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$address"}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/InitiateAuth", &[
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","AuthParameters":"$login"}"#, ANYBODY),
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","AuthParameters":"$wrong_login"}"#, anybody(BAD_PASSWORD)),
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","AuthParameters":"$unknown_login"}"#, anybody(BAD_PASSWORD)),
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_REFRESH_TOKEN_AUTH","AuthParameters":{"REFRESH_TOKEN":"$refresh"}}"#, anybody(ROTATES)),
        (r#"{"ClientId":"goodturncli","AuthFlow":"AUTH_FLOW_REFRESH_TOKEN_AUTH","AuthParameters":{"REFRESH_TOKEN":"$refresh"}}"#,
            anybody(BAD_REFRESH)),
    ]),
    ("identity.v1.IdentityService/RespondToAuthChallenge", &[
        (r#"{"ClientId":"$client","ChallengeName":"CHALLENGE_NAME_PASSWORD_VERIFIER","ChallengeResponses":"$proof"}"#, ANYBODY),
        (r#"{"ClientId":"$client","ChallengeName":"CHALLENGE_NAME_PASSWORD_VERIFIER","ChallengeResponses":"$wrong_proof"}"#,
            anybody(BAD_PASSWORD)),
    ]),
    ("identity.v1.IdentityService/GetTokensFromRefreshToken", &[
        (r#"{"ClientId":"$client","RefreshToken":"$refresh"}"#, ANYBODY),
        (r#"{"ClientId":"$client","RefreshToken":"$ended_refresh"}"#, anybody(ENDED_REFRESH)),
        (r#"{"ClientId":"$client","RefreshToken":"wrong"}"#, anybody(BAD_REFRESH)),
    ]),
    ("identity.v1.IdentityService/GetUser", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/GlobalSignOut", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/RevokeToken", &[
        (r#"{"ClientId":"$client","Token":"$refresh"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Token":"wrong"}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/ForgotPassword", &[
        (r#"{"ClientId":"$client","Username":"$forgetful"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$address"}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/ConfirmForgotPassword", &[
        (r#"{"ClientId":"$client","Username":"$forgetful","ConfirmationCode":"$reset_code","Password":"$password"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$forgetful","ConfirmationCode":"12","Password":"$password"}"#, anybody(BAD_CODE)),
        (r#"{"ClientId":"$client","Username":"$address","ConfirmationCode":"$reset_code","Password":"$password"}"#, anybody(BAD_CODE)),
    ]),
    ("identity.v1.IdentityService/ChangePassword", &[
        (r#"{"PreviousPassword":"wrong","ProposedPassword":"$password"}"#, OF_A_WRONG_PASSWORD),
        (r#"{"PreviousPassword":"$password","ProposedPassword":"$password","AccessToken":"$another_token"}"#, ANYBODY),
        (r#"{"PreviousPassword":"$password","ProposedPassword":"$password","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"PreviousPassword":"$password","ProposedPassword":"$password","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/UpdateUserAttributes", &[
        (r#"{"UserAttributes":[{"Name":"zoneinfo","Value":"UTC"}]}"#, OF_THE_CALLER),
        (r#"{"UserAttributes":[{"Name":"email","Value":"$address"}],"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"UserAttributes":[{"Name":"email","Value":"$address"}],"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"UserAttributes":[{"Name":"email","Value":"$address"}],"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/DeleteUserAttributes", &[
        (r#"{"UserAttributeNames":["zoneinfo"]}"#, OF_THE_CALLER),
        (r#"{"UserAttributeNames":["zoneinfo"],"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"UserAttributeNames":["zoneinfo"],"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"UserAttributeNames":["zoneinfo"],"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/DeleteUser", &[
        (r#"{"AccessToken":"$another_token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/GetUserAttributeVerificationCode", &[
        (r#"{"AttributeName":"email"}"#, OF_THE_CALLER),
        (r#"{"AttributeName":"email","AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AttributeName":"email","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AttributeName":"email","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/VerifyUserAttribute", &[
        (r#"{"AttributeName":"email","Code":"12"}"#, OF_A_WRONG_CODE),
        (r#"{"AttributeName":"email","Code":"12","AccessToken":"$token"}"#, anybody(BAD_CODE)),
        (r#"{"AttributeName":"email","Code":"12","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AttributeName":"email","Code":"12","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ExportUserData", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("identity.v1.IdentityService/SetUserSettings", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/SetUserMfaPreference", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/AssociateSoftwareToken", &[
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        // In the end each has made the one that waits for its first code.
        ("{}", OF_THE_CALLER),
        (r#"{"Session":"that is no session of ours"}"#, anybody(BAD_SESSION)),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/VerifySoftwareToken", &[
        (r#"{"UserCode":"12"}"#, of_members(BAD_FIRST_CODE)),
        (r#"{"UserCode":"12","Session":"that is no session of ours"}"#, anybody(BAD_SESSION)),
        (r#"{"UserCode":"12","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"UserCode":"12","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/CreateRecoveryCodes", &[
        ("{}", of_members(NO_AUTHENTICATOR)),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ConfirmDevice", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","DeviceSecretVerifierConfig":{"Salt":"AQ==","PasswordVerifier":"Ag=="}}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/GetDevice", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001"}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ForgetDevice", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001"}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/UpdateDeviceStatus", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","DeviceRememberedStatus":"DEVICE_REMEMBERED_STATUS_REMEMBERED"}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ListDevices", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ListSessions", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/EndSession", &[
        (r#"{"SessionId":"00000000-0000-0000-0000-000000000001"}"#, of_members(NO_SESSION)),
        (r#"{"SessionId":"00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"SessionId":"00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/UnlinkProvider", &[
        (r#"{"ProviderName":"Google","UserId":"1"}"#, of_members(NO_IDENTITY)),
        (r#"{"ProviderName":"Google","UserId":"1","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"ProviderName":"Google","UserId":"1","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("friends.v1.FriendsService/ListFriendRequests", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/GetActive", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/RespondToFriendRequest", &[
        (r#"{"uid":"$ana","requestId":"$received","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#, OWN_PATH),
        (r#"{"uid":"$me","requestId":"$received","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#, ana_alone(NO_REQUEST)),
        (r#"{"uid":"$me","requestId":"$received","action":"FRIEND_REQUEST_ACTION_DECLINE"}"#, ana_alone(NO_REQUEST)),
        (r#"{"uid":"$me","requestId":"$sent","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#, members(NO_REQUEST)),
    ]),
    ("friends.v1.FriendsService/CancelFriendRequest", &[
        (r#"{"uid":"$ana","requestId":"$sent"}"#, OWN_PATH),
        (r#"{"uid":"$me","requestId":"$sent"}"#, ana_alone(NO_REQUEST)),
        (r#"{"uid":"$me","requestId":"$received"}"#, members(NO_REQUEST)),
    ]),
    ("friends.v1.FriendsService/FindFriend", &[
        (r#"{"uid":"$ana","contact":"ben@example.org"}"#, OWN_PATH),
        (r#"{"uid":"$me","contact":"ben@example.org"}"#, ANY_MEMBER),
    ]),
    ("friends.v1.FriendsService/SendFriendRequest", &[
        (r#"{"uid":"$ana","userId":"$another"}"#, OWN_PATH),
        (r#"{"uid":"$me","userId":"$another"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","receiverEmail":"$newcomer"}"#, members(NO_MEMBER)),
        (r#"{"uid":"$me","receiverEmail":"$address"}"#, members(NO_MEMBER)),
        (r#"{"uid":"$me","userId":"$unknown"}"#, members(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/SendInvite", &[
        (r#"{"uid":"$ana","contact":"$address"}"#, OWN_PATH),
        (r#"{"uid":"$me","contact":"$address"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","contact":"$invited"}"#, [NO_TOKEN, NO_TOKEN, OK, OK, OK, OK, OK, INVITED]),
    ]),
    ("friends.v1.FriendsService/GetInvitation", &[
        (r#"{"token":"$join_token"}"#, ANYBODY),
        (r#"{"token":"$refuse_token"}"#, ANYBODY),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("friends.v1.FriendsService/DeclineInvitations", &[
        (r#"{"token":"$refuse_token"}"#, ANYBODY),
        (r#"{"token":"$join_token"}"#, anybody(NO_LINK)),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("friends.v1.FriendsService/AllowInvitations", &[
        (r#"{"token":"$refuse_token"}"#, ANYBODY),
        (r#"{"token":"$join_token"}"#, anybody(NO_LINK)),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("friends.v1.FriendsService/RemoveFriend", &[
        (r#"{"uid":"$ana","friendId":"$friend"}"#, OWN_PATH),
        (r#"{"uid":"$me","friendId":"$friend"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","friendId":"$blocked"}"#, ana_alone(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/BlockMember", &[
        (r#"{"uid":"$ana","memberId":"$friend"}"#, OWN_PATH),
        (r#"{"uid":"$me","memberId":"$friend"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$blocked"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$another"}"#, members(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/UnblockMember", &[
        (r#"{"uid":"$ana","memberId":"$blocked"}"#, OWN_PATH),
        (r#"{"uid":"$me","memberId":"$blocked"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$friend"}"#, ana_alone(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/ListBlockedMembers", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/ReportMember", &[
        (r#"{"uid":"$ana","memberId":"$friend","reason":"Rude"}"#, OWN_PATH),
        (r#"{"uid":"$me","memberId":"$friend","reason":"Rude"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$blocked","reason":"Rude"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$another","reason":"Rude"}"#, members(NO_MEMBER)),
    ]),
    ("groups.v1.GroupsService/ListGroups", &[("{}", ANY_MEMBER)]),
    ("groups.v1.GroupsService/CreateGroup", &[
        (r#"{"group_name":"A","friend_ids":["$ben"]}"#, ana_alone(NO_FRIEND_IN_GROUP)),
        (r#"{"group_name":"B","friend_ids":["$max"]}"#, members(NO_FRIEND_IN_GROUP)),
        (r#"{"group_name":"B","friend_ids":["$unknown"]}"#, members(NO_FRIEND_IN_GROUP)),
    ]),
    ("groups.v1.GroupsService/UpdateGroup", &[
        (r#"{"group_id":"$group","group_name":"C","friend_ids":["$ben"]}"#, group(OK)),
        (r#"{"group_id":"$group","group_name":"D","friend_ids":["$max"]}"#, group(NO_FRIEND_IN_GROUP)),
        (r#"{"group_id":"$group","group_name":"D","friend_ids":["$unknown"]}"#, group(NO_FRIEND_IN_GROUP)),
    ]),
    ("groups.v1.GroupsService/DeleteGroup", &[(r#"{"group_id":"$group"}"#, group(OK))]),
    ("items.v1.ItemsService/CreateItem", &[
        (r#"{"title":"A","description":"B"}"#, ANY_MEMBER),
        (r#"{"title":"A","description":"B","groupIds":["$unknown"]}"#, members(NO_GROUP_TO_ASK)),
        (r#"{"title":"A","description":"B","groupIds":["$group"]}"#, ana_alone(NO_GROUP_TO_ASK)),
    ]),
    ("items.v1.ItemsService/UpdateItem", &[
        (r#"{"item_id":"$item","title":"C"}"#, item(OK)),
        (r#"{"item_id":"$item","status":"ITEM_STATUS_UNLISTED"}"#, item(OK)),
        (r#"{"item_id":"$item","groupIds":["$group"]}"#, item(OK)),
        (r#"{"item_id":"$item","groupIds":["$unknown"]}"#, item(NO_GROUP_TO_ASK)),
        (r#"{"item_id":"$public_item","title":"C"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/DeleteItem", &[
        (r#"{"item_id":"$item"}"#, item(OK)),
        (r#"{"item_id":"$public_item"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/GetItem", &[
        (r#"{"item_id":"$few_item"}"#, OF_FEW),
        (r#"{"item_id":"$own_item"}"#, item(OK)),
        (r#"{"item_id":"$item"}"#, OF_FRIENDS),
        (r#"{"item_id":"$public_item"}"#, ANY_MEMBER),
    ]),
    ("items.v1.ItemsService/ListMyItems", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$items_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("items.v1.ItemsService/BrowseFeed", &[
        ("{}", ANY_MEMBER),
        (r#"{"q":"ladder"}"#, ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$feed_cursor"}"#, BENS_ALONE),
    ]),
    ("items.v1.ItemsService/PresignImage", &[
        (r#"{"item_id":"$item","contentType":"PICTURE_FORMAT_PNG","fileSize":1000}"#, item(OK)),
        (r#"{"item_id":"$public_item","contentType":"PICTURE_FORMAT_PNG"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/ConfirmImage", &[
        (r#"{"item_id":"$uploading","key":"$item_key"}"#, item(OK)),
        (r#"{"item_id":"$item","key":"$unknown"}"#, item(NO_UPLOAD)),
        (r#"{"item_id":"$item","key":"$upload"}"#, item(NO_UPLOAD)),
    ]),
    ("items.v1.ItemsService/ListImages", &[
        (r#"{"item_id":"$few_item"}"#, OF_FEW),
        (r#"{"item_id":"$pictured"}"#, OF_FRIENDS),
        (r#"{"item_id":"$public_item"}"#, ANY_MEMBER),
    ]),
    ("items.v1.ItemsService/DeleteImage", &[
        (r#"{"item_id":"$pictured","image_id":"$image"}"#, item(OK)),
        (r#"{"item_id":"$pictured","image_id":"$unknown"}"#, item(OK)),
        (r#"{"item_id":"$public_item","image_id":"$image"}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/OrderImages", &[
        (r#"{"item_id":"$pictured","image_ids":["$image"]}"#, item(OK)),
        (r#"{"item_id":"$pictured","image_ids":["$unknown"]}"#, item(NO_ORDER)),
        (r#"{"item_id":"$public_item","image_ids":["$image"]}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/SetBlackoutDays", &[
        (r#"{"item_id":"$item","ranges":[{"startDate":"2026-07-01","endDate":"2026-07-02"}]}"#, item(OK)),
        (r#"{"item_id":"$public_item","ranges":[]}"#, members(NO_ITEM)),
    ]),
    ("items.v1.ItemsService/ListBlackoutDays", &[
        (r#"{"item_id":"$item"}"#, item(OK)),
        (r#"{"item_id":"$public_item"}"#, members(NO_ITEM)),
    ]),
    ("favors.v1.FavorsService/CreateFavor", &[
        (r#"{"title":"A","description":"B"}"#, ANY_MEMBER),
        (r#"{"title":"A","description":"B","recipients":["$ben"]}"#, ana_alone(NO_FRIEND)),
        (r#"{"title":"A","description":"B","recipients":["$max"]}"#, members(NO_FRIEND)),
        (r#"{"title":"A","description":"B","recipients":["$unknown"]}"#, members(NO_FRIEND)),
        (r#"{"title":"A","description":"B","groupIds":["$unknown"]}"#, members(NO_GROUP_TO_ASK)),
        (r#"{"title":"A","description":"B","groupIds":["$group"]}"#, ana_alone(NO_GROUP_TO_ASK)),
    ]),
    ("favors.v1.FavorsService/ListActiveFavors", &[
        (r#"{"uid":"$ana"}"#, OWN_PATH),
        (r#"{"uid":"$me"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","limit":1,"cursor":"$favors_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("favors.v1.FavorsService/ListCompletedFavors", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("favors.v1.FavorsService/ListCancelledFavors", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("favors.v1.FavorsService/ListReceivedFavors", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("favors.v1.FavorsService/GetFavor", &[
        (r#"{"id":"$active"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$accepted"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$public"}"#, public(OK, OK, OK, OK)),
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
    ]),
    ("favors.v1.FavorsService/GetFavorStory", &[
        (r#"{"id":"$active"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$accepted"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$public"}"#, public(OK, OK, OK, OK)),
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
    ]),
    ("favors.v1.FavorsService/UpdateFavor", &[
        (r#"{"id":"$active","title":"C"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$draft","title":"C"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$accepted","title":"C"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
        (r#"{"id":"$accepted","status":"FAVOR_STATUS_COMPLETED"}"#, favor(WRONG_PARTY, OK, OK)),
        (r#"{"id":"$draft","recipients":["$max"]}"#, favor(NO_FAVOR, NO_FAVOR, NO_FRIEND)),
        (r#"{"id":"$draft","recipients":["$unknown"]}"#, favor(NO_FAVOR, NO_FAVOR, NO_FRIEND)),
        (r#"{"id":"$draft","groupIds":["$group"]}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$draft","groupIds":["$unknown"]}"#, favor(NO_FAVOR, NO_FAVOR, NO_GROUP_TO_ASK)),
    ]),
    ("favors.v1.FavorsService/PublishFavor", &[
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/RespondToFavor", &[
        (r#"{"id":"$active","response":"FAVOR_RESPONSE_ACCEPT"}"#, favor(OK, OK, WRONG_PARTY)),
        (r#"{"id":"$active","response":"FAVOR_RESPONSE_DECLINE"}"#, favor(OK, OK, WRONG_PARTY)),
        (r#"{"id":"$active","response":"FAVOR_RESPONSE_ANOTHER_TIME","message":"On Friday?"}"#, favor(OK, OK, WRONG_PARTY)),
        (r#"{"id":"$accepted","response":"FAVOR_RESPONSE_ACCEPT"}"#, favor(IS_ACCEPTED, OK, WRONG_PARTY)),
        (r#"{"id":"$draft","response":"FAVOR_RESPONSE_ACCEPT"}"#, favor(NO_FAVOR, NO_FAVOR, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/CompleteFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, OK, OK)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACTIVE)),
    ]),
    ("favors.v1.FavorsService/SettleFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACTIVE)),
    ]),
    ("favors.v1.FavorsService/CancelFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$completed"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_COMPLETED)),
    ]),
    ("favors.v1.FavorsService/AskMember", &[
        (r#"{"id":"$active","member_id":"$friend"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$active","member_id":"$ben"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$active","member_id":"$max"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_FRIEND_TO_ASK)),
        (r#"{"id":"$active","member_id":"$unknown"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_FRIEND_TO_ASK)),
        (r#"{"id":"$draft","member_id":"$friend"}"#, favor(NO_FAVOR, NO_FAVOR, IS_DRAFT)),
        (r#"{"id":"$accepted","member_id":"$friend"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/ApplyToFavor", &[
        (r#"{"id":"$public"}"#, public(OK, WRONG_PARTY, WRONG_PARTY, WRONG_PARTY)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/WithdrawFromFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, OK, WRONG_PARTY)),
        (r#"{"id":"$completed"}"#, favor(WRONG_PARTY, IS_COMPLETED, WRONG_PARTY)),
        (r#"{"id":"$public"}"#, public(OK, WRONG_PARTY, WRONG_PARTY, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/ChooseApplicant", &[
        (r#"{"id":"$public","uid":"$priya"}"#, public(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$public","uid":"$ben"}"#, public(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY, NO_APPLICANT)),
        (r#"{"id":"$public","uid":"$unknown"}"#, public(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY, NO_APPLICANT)),
        (r#"{"id":"$accepted","uid":"$priya"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/AcceptProposedTime", &[
        (r#"{"id":"$offered","uid":"$ben","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$offered","uid":"$priya","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_RECIPIENT)),
        (r#"{"id":"$offered","uid":"$unknown","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_RECIPIENT)),
        (r#"{"id":"$accepted","uid":"$ben","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/ReportMissingTip", &[
        (r#"{"id":"$settled"}"#, favor(WRONG_PARTY, OK, WRONG_PARTY)),
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, IS_ACCEPTED, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/DeleteFavor", &[
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/BrowseFavors", &[
        (r#"{"uid":"$ana"}"#, OWN_PATH),
        (r#"{"uid":"$me"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","limit":1,"cursor":"$favors_cursor"}"#, members(BAD_CURSOR)),
    ]),
    ("favors.v1.FavorsService/SearchFavors", &[
        (r#"{"uid":"$ana","searchTerm":"dog"}"#, OWN_PATH),
        (r#"{"uid":"$me","searchTerm":"dog"}"#, ANY_MEMBER),
    ]),
    ("favors.v1.FavorsService/ListFavorsByCategory", &[
        (r#"{"uid":"$ana","category":"FAVOR_CATEGORY_GENERAL"}"#, OWN_PATH),
        (r#"{"uid":"$me","category":"FAVOR_CATEGORY_GENERAL"}"#, ANY_MEMBER),
    ]),
    ("favors.v1.FavorsService/ListFavorsByLocation", &[
        (r#"{"uid":"$ana","location":"lane"}"#, OWN_PATH),
        (r#"{"uid":"$me","location":"lane"}"#, ANY_MEMBER),
    ]),
    ("notifications.v1.NotificationsService/ListNotifications", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$notifications_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("notifications.v1.NotificationsService/MarkNotificationRead", &[(r#"{"id":"$notification"}"#, ana_alone(NO_NOTIFICATION))]),
    ("notifications.v1.NotificationsService/MarkAllNotificationsRead", &[
        ("{}", ANY_MEMBER),
        (r#"{"upToId":"$notification"}"#, ana_alone(NO_NOTIFICATION)),
        (r#"{"upToId":"$unknown"}"#, members(NO_NOTIFICATION)),
    ]),
    ("notifications.v1.NotificationsService/GetNotificationSettings", &[("{}", ANY_MEMBER)]),
    ("notifications.v1.NotificationsService/UpdateNotificationSettings", &[
        ("{}", ANY_MEMBER),
        (r#"{"topics":[{"topic":"NOTIFICATION_TYPE_SYSTEM","mail":"MAIL_FREQUENCY_OFF"}]}"#, ANY_MEMBER),
        (r#"{"topics":[{"topic":"NOTIFICATION_TYPE_SYSTEM"},{"topic":"NOTIFICATION_TYPE_SYSTEM"}]}"#, members(TWICE)),
    ]),
    ("notifications.v1.NotificationsService/GetMailSubscription", &[
        (r#"{"token":"$mail_token"}"#, ANYBODY),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("notifications.v1.NotificationsService/Unsubscribe", &[
        (r#"{"token":"$mail_token"}"#, ANYBODY),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("notifications.v1.NotificationsService/MuteMember", &[
        (r#"{"memberId":"$friend"}"#, ana_alone(NO_MEMBER)),
        (r#"{"memberId":"$another"}"#, members(NO_MEMBER)),
    ]),
    ("notifications.v1.NotificationsService/UnmuteMember", &[
        (r#"{"memberId":"$muted"}"#, ana_alone(NO_MEMBER)),
        (r#"{"memberId":"$another"}"#, members(NO_MEMBER)),
    ]),
    ("notifications.v1.NotificationsService/ListMutedMembers", &[("{}", ANY_MEMBER)]),
    ("notifications.v1.NotificationsService/WatchNotifications", &[
        ("{}", ANY_MEMBER),
        (r#"{"resumeToken":"$resume_token"}"#, ana_alone(BAD_TOKEN_TO_RESUME)),
    ]),
    ("profile.v1.ProfileService/GetProfile", &[
        (r#"{"uid":"$ana"}"#, [NO_TOKEN, NO_TOKEN, NO_MEMBER, NO_MEMBER, OK, OK, OK, OK]),
        (r#"{"uid":"$me"}"#, ANY_MEMBER),
        (r#"{"uid":"$unknown"}"#, members(NO_MEMBER)),
    ]),
    ("profile.v1.ProfileService/UpdateProfile", &[
        (r#"{"uid":"$ana","details":{"time_zone":"UTC"}}"#, OWN_PATH),
        (r#"{"uid":"$me","details":{"time_zone":"UTC"}}"#, ANY_MEMBER),
        (r#"{"uid":"$me","whole":true}"#, members(NO_FIRST_NAME)),
    ]),
    ("profile.v1.ProfileService/CreatePictureUpload", &[
        (r#"{"uid":"$ana","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, OWN_PATH),
        (r#"{"uid":"$me","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, ANY_MEMBER),
    ]),
    ("profile.v1.ProfileService/SetPicture", &[
        (r#"{"uid":"$ana","key":"$upload"}"#, OWN_PATH),
        (r#"{"uid":"$me","key":"$upload"}"#, ana_alone(NO_UPLOAD)),
        (r#"{"uid":"$me","key":"$unknown"}"#, members(NO_UPLOAD)),
    ]),
    ("profile.v1.ProfileService/DeletePicture", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/SkipPhoneStep", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/StartPhoneVerification", &[("{}", members(NO_NUMBER))]),
    ("profile.v1.ProfileService/VerifyPhone", &[(r#"{"code":"000000"}"#, members(BAD_CODE))]),
    ("profile.v1.ProfileService/GetDashboard", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/ListTrendingCategories", &[("{}", ANY_MEMBER)]),
    ("profile.v1.ProfileService/ReportProblem", &[(r#"{"message":"It is slow"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/GetStats", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("rentals.v1.RentalsService/CheckAvailability", &[
        (r#"{"item_id":"$own_item"}"#, ana_alone(NO_ITEM)),
        (r#"{"item_id":"$item"}"#, listed(OK, OK)),
        (r#"{"item_id":"$item","start_date":"2026-06-20","end_date":"2026-06-21"}"#, listed(OK, OK)),
    ]),
    ("rentals.v1.RentalsService/RequestRental", &[
        (r#"{"item_id":"$own_item","startDate":"2026-06-20","endDate":"2026-06-21"}"#, item(OWN_ITEM)),
        (r#"{"item_id":"$item","startDate":"2026-06-20","endDate":"2026-06-21"}"#, listed(OK, OWN_ITEM)),
    ]),
    ("rentals.v1.RentalsService/ListItemRentals", &[
        (r#"{"item_id":"$item"}"#, ana_alone(NO_ITEM)),
    ]),
    ("rentals.v1.RentalsService/GetRental", &[
        (r#"{"request_id":"$asked"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked","item_id":"$unknown"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/ListSentRentals", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$rentals_cursor"}"#, members(BAD_CURSOR)),
    ]),
    ("rentals.v1.RentalsService/ListReceivedRentals", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$rentals_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("rentals.v1.RentalsService/ListRentals", &[
        ("{}", ANY_MEMBER),
        (r#"{"side":"SIDE_OWNER"}"#, ANY_MEMBER),
        (r#"{"side":"SIDE_BORROWER"}"#, ANY_MEMBER),
        (r#"{"side":"SIDE_OWNER","limit":1,"cursor":"$rentals_cursor"}"#, members(BAD_CURSOR)),
    ]),
    ("rentals.v1.RentalsService/AcceptRental", &[
        (r#"{"request_id":"$asked"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$asked"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/DeclineRental", &[
        (r#"{"request_id":"$asked"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$asked"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/CancelRental", &[
        (r#"{"request_id":"$asked"}"#, rental(OK, WRONG_SIDE)),
        (r#"{"request_id":"$agreed"}"#, rental(OK, OK)),
        (r#"{"request_id":"$lent"}"#, rental(IS_LENT, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$asked"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/StartRental", &[
        (r#"{"request_id":"$agreed"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$agreed"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/ReturnRental", &[
        (r#"{"request_id":"$lent"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$lent"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/CompleteRental", &[
        (r#"{"request_id":"$given_back"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$given_back"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/MoveRental", &[
        (r#"{"request_id":"$asked","startDate":"2026-06-20","endDate":"2026-06-21"}"#, rental(OK, WRONG_SIDE)),
        (r#"{"request_id":"$lent","startDate":"2026-06-20","endDate":"2026-06-21"}"#, rental(IS_LENT, WRONG_SIDE)),
        (r#"{"item_id":"$unknown","request_id":"$asked","startDate":"2026-06-20","endDate":"2026-06-21"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/ExtendRental", &[
        (r#"{"request_id":"$lent","endDate":"2026-06-21"}"#, rental(OK, WRONG_SIDE)),
        (r#"{"request_id":"$asked","endDate":"2026-06-21"}"#, rental(IS_PENDING, WRONG_SIDE)),
        (r#"{"item_id":"$unknown","request_id":"$lent","endDate":"2026-06-21"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/AcceptExtension", &[
        (r#"{"request_id":"$longer"}"#, rental(WRONG_SIDE, OK)),
        (r#"{"request_id":"$lent"}"#, rental(WRONG_SIDE, NO_MORE_DAYS)),
        (r#"{"item_id":"$unknown","request_id":"$longer"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/DeclineExtension", &[
        (r#"{"request_id":"$longer"}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked"}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$longer"}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/RateRental", &[
        (r#"{"request_id":"$done","rating":5}"#, rental(OK, OK)),
        (r#"{"request_id":"$lent","rating":5}"#, rental(IS_LENT, IS_LENT)),
        (r#"{"item_id":"$unknown","request_id":"$done","rating":5}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/CreateRentalPictureUpload", &[
        (r#"{"request_id":"$agreed","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, rental(OK, OK)),
        (r#"{"request_id":"$asked","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, rental(IS_PENDING, IS_PENDING)),
        (r#"{"item_id":"$unknown","request_id":"$agreed","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, rental(NO_RENTAL, NO_RENTAL)),
    ]),
    ("rentals.v1.RentalsService/GetItemStats", &[
        (r#"{"item_id":"$own_item"}"#, item(OK)),
        (r#"{"item_id":"$item"}"#, ana_alone(NO_ITEM)),
    ]),
];
