//! Which notifications take another's place, where a stream stands among a member's, and what it does with the next one. Pure.

use super::New;
use crate::pb::notifications::NotificationType as Kind;
use std::collections::HashSet;

/// The news that count, in their order: of those that would take each other's place, the last. What Goodturn itself says stands for itself.
pub fn newest(news: &[New]) -> Vec<&New> {
    let mut later = HashSet::new();
    let mut counts = |n: &&New| n.actor.is_none() || later.insert((n.member, n.kind, n.actor, n.about));
    let mut kept: Vec<&New> = news.iter().rev().filter(|n| counts(n)).collect();
    kept.reverse();
    kept
}

/// What is left of a notification when the one who caused it has left: no name, and none of their words.
pub const fn of_former(kind: Kind) -> &'static str {
    match kind {
        Kind::FriendRequest => "A former member asked to be friends.",
        Kind::FriendAccepted => "A former member became a friend.",
        Kind::FavorRequest => "A former member asked for a favor.",
        Kind::FavorResponse => "A former member had news about a favor.",
        Kind::FavorCompleted => "A former member marked a favor as completed.",
        Kind::FavorSettled => "A former member marked a favor as settled.",
        Kind::FavorCancelled => "A former member called off a favor.",
        Kind::Unspecified
        | Kind::FavorReminder
        | Kind::RentalRequest
        | Kind::RentalResponse
        | Kind::RentalStarted
        | Kind::RentalReturned
        | Kind::RentalCompleted
        | Kind::RentalReminder
        | Kind::System => "This was about a former member.",
    }
}

/// What to do with a notification that is heard of live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// It is the next one: send it.
    Now,
    /// It was sent already.
    Seen,
    /// Some before it were not heard of: read the rows.
    ReadRows,
}

/// The place of the last notification that a stream has sent, or that its client has seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(i64);

impl Place {
    /// Where a stream begins: after the place in its resume token, else after the last one there is. A token from the future (a database
    /// that was restored) begins at the last one too.
    pub fn begin(token: Option<i64>, last: i64) -> Self {
        Self(token.map_or(last, |seq| seq.min(last)))
    }

    /// The seq of the last one sent.
    pub const fn seq(self) -> i64 {
        self.0
    }

    /// Whether the one with this seq is the next.
    pub const fn take(self, seq: i64) -> Take {
        if seq <= self.0 {
            Take::Seen
        } else if seq == self.0 + 1 {
            Take::Now
        } else {
            Take::ReadRows
        }
    }

    /// The one with this seq was sent.
    pub fn sent(&mut self, seq: i64) {
        self.0 = self.0.max(seq);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::MemberId,
        notifications::Target,
        pb::notifications::{NotificationType as Kind, TargetKind},
    };
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    fn new(member: u128, kind: Kind, actor: Option<u128>, about: u128, title: &str) -> New {
        let (member, actor, about) =
            (MemberId(Uuid::from_u128(member)), actor.map(|a| MemberId(Uuid::from_u128(a))), Uuid::from_u128(about));
        let target = Target(TargetKind::Favor, about);
        New { member, kind, title: title.into(), message: "…".into(), actor, target, about, about_unread: None, action_required: true }
    }

    #[test]
    fn of_news_about_the_same_the_last_counts() {
        let news = [
            new(1, Kind::FavorResponse, Some(2), 7, "first"),
            new(1, Kind::FavorResponse, Some(3), 7, "another actor"),
            new(1, Kind::FavorCompleted, Some(2), 7, "another kind"),
            new(1, Kind::FavorResponse, Some(2), 8, "another thing"),
            new(4, Kind::FavorResponse, Some(2), 7, "another member"),
            new(1, Kind::System, None, 7, "our word"),
            new(1, Kind::System, None, 7, "our next word"),
            new(1, Kind::FavorResponse, Some(2), 7, "last"),
        ];
        let titles: Vec<_> = newest(&news).iter().map(|n| n.title.as_str()).collect();
        assert_eq!(titles, ["another actor", "another kind", "another thing", "another member", "our word", "our next word", "last"]);
    }

    #[test]
    fn a_stream_begins_after_its_token_but_not_in_the_future() {
        assert_eq!(Place::begin(None, 7).seq(), 7);
        assert_eq!(Place::begin(Some(3), 7).seq(), 3);
        assert_eq!(Place::begin(Some(9), 7).seq(), 7);
    }

    #[test]
    fn every_seq_is_sent_once_and_none_is_passed_over() {
        let mut place = Place::begin(Some(3), 7);
        assert_eq!((place.take(3), place.take(4), place.take(5)), (Take::Seen, Take::Now, Take::ReadRows));
        place.sent(4);
        place.sent(2);
        assert_eq!((place.seq(), place.take(4), place.take(5)), (4, Take::Seen, Take::Now));
    }

    proptest! {
        /// Rows come, and take the place of older ones; of some the stream hears, of others it does not, and of some not in time.
        #[test]
        fn a_stream_passes_gaps_and_sends_each_row_that_stays_once(
            steps in prop::collection::vec((prop::option::of(0..20usize), any::<bool>(), any::<bool>()), 1..60),
        ) {
            let (mut rows, mut place, mut sent) = (BTreeSet::<i64>::new(), Place::begin(None, 0), Vec::new());
            let read = |rows: &BTreeSet<i64>, place: &mut Place, sent: &mut Vec<i64>| {
                let after: Vec<i64> = rows.range(place.seq() + 1..).copied().collect();
                after.into_iter().for_each(|seq| {
                    place.sent(seq);
                    sent.push(seq);
                });
            };
            for (seq, (replaced, heard, late)) in (1..).zip(steps) {
                let gone = replaced.and_then(|n| rows.iter().rev().nth(n).copied());
                rows.insert(seq);
                gone.map(|gone| rows.remove(&gone));
                // One that is heard late may have lost its place to another by then.
                let told = if late { gone.unwrap_or(seq) } else { seq };
                match place.take(told) {
                    _ if !heard => {}
                    Take::Seen => prop_assert!(told <= place.seq()),
                    Take::Now => {
                        place.sent(told);
                        sent.push(told);
                    }
                    Take::ReadRows => {
                        read(&rows, &mut place, &mut sent);
                        prop_assert_eq!(place.seq(), seq, "the newest row is always there");
                    }
                }
            }
            read(&rows, &mut place, &mut sent);
            prop_assert!(sent.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", sent);
            prop_assert!(rows.iter().all(|row| sent.contains(row)));
        }
    }
}
