//! Where a stream stands among a member's notifications, and what it does with the next one. Pure.

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
}
