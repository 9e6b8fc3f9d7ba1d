//! Ids as types, and where new ones come from: UUIDv7, made in the server.

use crate::{
    clock::Clock,
    error::{Error, FieldReason},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use uuid::Uuid;

/// Refuses a list in which one stands twice, in whatever spelling.
///
/// # Errors
/// INVALID_ARGUMENT naming the second one by its place.
pub fn each_once<T: PartialEq>(field: &str, ids: &[T]) -> Result<(), Error> {
    let stands_before = |(i, id): &(usize, &T)| ids.iter().take(*i).any(|before| before == *id);
    match ids.iter().enumerate().find(stands_before) {
        Some((i, _)) => Err(Error::field(format!("{field}[{i}]"), FieldReason::Twice, "must not appear twice")),
        None => Ok(()),
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type, serde::Serialize, serde::Deserialize)]
        #[sqlx(transparent)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self { Self(id) }
        }
        impl From<$name> for Uuid {
            fn from(id: $name) -> Self { id.0 }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.0.fmt(f) }
        }
        impl $name {
            /// Reads an id from a field of a request.
            ///
            /// # Errors
            /// INVALID_ARGUMENT naming the field.
            pub fn parse(field: &'static str, text: &str) -> Result<Self, Error> {
                Uuid::parse_str(text).map(Self).map_err(|_| Error::field(field, FieldReason::NotAnId, "must be a UUID"))
            }
        }
    )*};
}

ids! {
    /// A member, and the subject of their tokens.
    MemberId,
    /// A session: one sign-in and all that is refreshed from it (`origin_jti`).
    SessionId,
    /// A device that a sign-in came from.
    DeviceId,
    /// A friend request; the same for both sides.
    FriendRequestId,
    /// A group of friends.
    GroupId,
    /// A favor.
    FavorId,
    /// A thing that is lent.
    ItemId,
    /// An item that is asked for, lent, given back.
    RentalId,
    /// A notification.
    NotificationId,
    /// An invitation by mail.
    InvitationId,
    /// A report of a problem, or of a member.
    ReportId,
    /// A picture, from the announcement of its upload on.
    PictureId,
}

impl PictureId {
    /// The one that a row has in a text, if it has one.
    pub fn kept(text: Option<&str>) -> Option<Self> {
        text.and_then(|text| Uuid::try_parse(text).ok()).map(Self)
    }
}

/// Makes ids and other random values. Clones draw from the same source.
#[derive(Clone)]
pub struct Ids {
    clock: Clock,
    rng: Arc<Mutex<StdRng>>,
}

impl Ids {
    /// Unpredictable ones.
    pub fn new(clock: Clock) -> Self {
        Self { clock, rng: Arc::new(Mutex::new(StdRng::from_rng(&mut rand::rng()))) }
    }

    /// The same row of values for the same seed, for tests.
    pub fn seeded(clock: Clock, seed: u64) -> Self {
        Self { clock, rng: Arc::new(Mutex::new(StdRng::seed_from_u64(seed))) }
    }

    /// A new UUIDv7 of the present time.
    pub fn uuid(&self) -> Uuid {
        let now = self.clock.now();
        let millis = u64::try_from(now.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes::<10>()).into_uuid()
    }

    /// A new typed id.
    pub fn id<T: From<Uuid>>(&self) -> T {
        T::from(self.uuid())
    }

    /// Random bytes, fit for secrets.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.rng.lock().unwrap_or_else(PoisonError::into_inner).fill(&mut bytes[..]);
        bytes
    }
}

impl fmt::Debug for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ids")
    }
}
