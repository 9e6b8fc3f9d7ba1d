//! What is called, and over what.

/// How many callers at once the figures to steer by are of.
pub const STEER: usize = 16;
/// Few enough that nothing waits: what one call takes.
pub const ALONE: usize = 1;
/// More than there are connections to the database.
pub const CROWD: usize = 64;

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Sign-in by the plain password.
    SignIn,
    /// Sign-in by SRP.
    SignInSrp,
    /// A refresh, by a client whose tokens do not rotate.
    Refresh,
    /// Who somebody is, by a token in the body.
    GetUser,
    /// A call with a token that only its signature tells to be forged: nothing of it is ever remembered.
    Forged,
    /// The circle of 40 friends.
    GetActive,
    /// The circle of 500 friends and 50 groups.
    GetCrowd,
    /// One's own profile.
    Profile,
    /// 25 favors that the member was asked for.
    Received,
    /// 25 favors of the 5,000 that a member was asked for.
    ReceivedLong,
    /// 25 favors that 40 friends ask of everybody, or of the member.
    Browse,
    /// 25 favors of those that a member may see, by a word that all of them have.
    Search,
    /// The same by a word with a typo: each is compared by its trigrams.
    SearchTypo,
    /// The same of one who was asked for 5,000.
    SearchLong,
    /// A favor that asks 20 friends.
    Create,
    /// The 25 newest items of the 400 that 40 friends list.
    Feed,
    /// The 40th page of 10 of the same: the last.
    FeedDeep,
    /// The 25 newest of one category.
    FeedCategory,
    /// Those by a word that all of them have.
    FeedWord,
    /// The same by a word with a typo: each is compared by its trigrams.
    FeedTypo,
    /// The 25 newest items of the 4,000 that 500 friends list.
    FeedCrowd,
    /// An owner accepts a request for one of their items; no two of those at once are about the same.
    Accept,
    /// An owner accepts 16 requests for the same days of one item at once: one of them wins.
    AcceptOne,
    /// A call that does nothing.
    Empty,
    /// The same of the bare service, which is sent a token and does not look at it.
    Unread,
    /// A call that is refused, by an error.
    Refused,
}

impl What {
    /// As the tables call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in, password",
            Self::SignInSrp => "sign-in, SRP",
            Self::Refresh => "refresh",
            Self::GetUser => "GetUser, token in the body",
            Self::Forged => "forged token",
            Self::GetActive => "GetActive, 40 friends",
            Self::GetCrowd => "GetActive, 500 friends and 50 groups",
            Self::Profile => "GetProfile, one's own",
            Self::Received => "received list, 25 favors",
            Self::ReceivedLong => "received list, 25 favors of 5,000",
            Self::Browse => "browse, 40 friends, 25 favors",
            Self::Search => "search, a word, 25 favors",
            Self::SearchTypo => "search, a typo, 25 favors",
            Self::SearchLong => "search, a typo, 25 favors of 5,000",
            Self::Create => "CreateFavor, 20 recipients",
            Self::Feed => "feed, 40 friends, 25 items",
            Self::FeedDeep => "feed, page 40 of 10 items",
            Self::FeedCategory => "feed, a category, 25 items",
            Self::FeedWord => "feed, a word, 25 items",
            Self::FeedTypo => "feed, a typo, 25 items",
            Self::FeedCrowd => "feed, 500 friends, 25 items",
            Self::Accept => "AcceptRental, an item each",
            Self::AcceptOne => "AcceptRental, one item for all",
            Self::Empty => "empty call",
            Self::Unread => "empty call, a token unread",
            Self::Refused => "refused call",
        }
    }
}

/// Which build of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// What stands here.
    This,
    /// An earlier one, beside it.
    Before,
}

/// How it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Goodturn over gRPC.
    Grpc(Build),
    /// Goodturn over HTTP and JSON.
    Rest(Build),
    /// Plain tonic and sqlx.
    Bare,
    /// pgbench: the SQL alone.
    Pgbench,
    /// The SQL alone, from this program: where there is no pgbench.
    Sqlx,
}

impl Face {
    /// As the tables call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grpc(Build::This) => "gRPC",
            Self::Rest(Build::This) => "REST",
            Self::Grpc(Build::Before) => "gRPC, before",
            Self::Rest(Build::Before) => "REST, before",
            Self::Bare => "bare service, gRPC",
            Self::Pgbench => "pgbench",
            Self::Sqlx => "the SQL, by sqlx",
        }
    }
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// What is called.
    pub what: What,
    /// How.
    pub face: Face,
    /// Callers at once.
    pub at_once: usize,
}

impl Key {
    /// All of it.
    pub fn name(self) -> String {
        format!("{}, {}, at {}", self.what.name(), self.face.name(), self.at_once)
    }
}
