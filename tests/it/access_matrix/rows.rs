//! The table of the access matrix: the requests of each RPC, and what each caller gets for them, by areas.

mod favors;
mod identity;
mod people;
mod sharing;

use crate::harness::Refused;
use tonic::Code::{self, AlreadyExists, FailedPrecondition, InvalidArgument, NotFound, PermissionDenied, Unauthenticated};

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
const NO_TOKEN: Cell = no(Unauthenticated, "UNAUTHENTICATED", "a valid access token is required");
/// The refusal of a path that is another member's.
pub const NOT_YOURS: Cell = no(PermissionDenied, "NOT_YOURS", "this belongs to another member");
const NO_FAVOR: Cell = no(NotFound, "NOT_FOUND", "favor not found");
const NO_REQUEST: Cell = no(NotFound, "NOT_FOUND", "friend request not found");
/// The refusal of a member of whom the caller may know nothing.
pub const NO_MEMBER: Cell = no(NotFound, "NOT_FOUND", "member not found");
const NO_NOTIFICATION: Cell = no(NotFound, "NOT_FOUND", "notification not found");
const WRONG_PARTY: Cell = no(FailedPrecondition, "WRONG_PARTY", "only the other side of this favor can do that");
const OWN_ITEM: Cell = no(FailedPrecondition, "WRONG_PARTY", "this is your own item");
const NO_RENTAL: Cell = no(NotFound, "NOT_FOUND", "rental not found");
const WRONG_SIDE: Cell = no(FailedPrecondition, "WRONG_PARTY", "only the other side of this rental can do that");
const IS_PENDING: Cell = no(FailedPrecondition, "WRONG_STATE", "this rental is pending");
const IS_LENT: Cell = no(FailedPrecondition, "WRONG_STATE", "this rental is active");
const NO_MORE_DAYS: Cell = no(FailedPrecondition, "WRONG_STATE", "this rental is active, and no more days are requested");
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
const NO_NUMBER: Cell = no(FailedPrecondition, "WRONG_STATE", "this profile has no phone number");
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
    message: "image_ids: must list each picture of the item exactly once",
    field: Some(("image_ids", "INVALID")),
});
const INVITED: Cell = no(AlreadyExists, "ALREADY_INVITED", "you have already invited this address");
/// The refusal of a cursor that was not written for this member and list.
pub const BAD_CURSOR: Cell = foreign("cursor: is not a cursor of this list", "cursor");
/// The same of a token to resume by.
pub const BAD_TOKEN_TO_RESUME: Cell = foreign("resume_token: is not a cursor of this list", "resume_token");
const TWICE: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "INVALID_ARGUMENT",
    message: "topics[1].topic: must not appear twice",
    field: Some(("topics[1].topic", "TWICE")),
});
const NO_LINK: Cell = Err(Refusal {
    code: InvalidArgument,
    reason: "INVALID_ARGUMENT",
    message: "token: is not from a link that we sent",
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

/// What an RPC has in the table.
pub fn of(rpc: &str) -> Rows {
    table().find(|(name, _)| *name == rpc).map_or(&[], |(_, rows)| *rows)
}

/// Every RPC.
pub fn table() -> impl Iterator<Item = &'static (&'static str, Rows)> {
    [identity::TABLE, people::TABLE, favors::TABLE, sharing::TABLE].into_iter().flatten()
}
