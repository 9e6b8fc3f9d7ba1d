//! What changed a moment ago: a stream that begins is told of it again, since what its client has loaded may be of before.

use crate::{ids::MemberId, pb::notifications::Target};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// Longer than a client takes from its first list to its stream.
const KEPT_FOR: Duration = Duration::from_secs(15);
/// So many are kept on a node; the oldest go first.
const KEPT_MAX: usize = 10_000;

/// The hints of the last moments, to all members.
#[derive(Default)]
pub struct Recent(VecDeque<(Instant, MemberId, Target)>);

impl Recent {
    /// Keeps a hint for a while.
    pub fn note(&mut self, now: Instant, member: MemberId, target: Target) {
        while self.0.front().is_some_and(|(at, ..)| self.0.len() >= KEPT_MAX || now.duration_since(*at) > KEPT_FOR) {
            self.0.pop_front();
        }
        self.0.push_back((now, member, target));
    }

    /// What a member was hinted at, each thing once.
    pub fn of(&self, now: Instant, member: MemberId) -> VecDeque<Target> {
        let mut told = VecDeque::new();
        for (at, whose, target) in &self.0 {
            if *whose == member && now.duration_since(*at) <= KEPT_FOR && !told.contains(target) {
                told.push_back(target.clone());
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn member(n: u128) -> MemberId {
        MemberId(Uuid::from_u128(n))
    }

    fn thing(id: &str) -> Target {
        Target { kind: 1, id: id.to_owned() }
    }

    #[test]
    fn a_member_is_told_again_of_the_last_moments_and_of_nothing_else() {
        let (mut recent, start) = (Recent::default(), Instant::now());
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        for (at, whose, id) in [(0, 1, "a"), (5, 1, "b"), (5, 2, "c"), (6, 1, "b"), (10, 1, "d")] {
            recent.note(after(at), member(whose), thing(id));
        }
        assert_eq!(recent.of(after(10), member(1)), [thing("a"), thing("b"), thing("d")]);
        assert_eq!(recent.of(after(16), member(1)), [thing("b"), thing("d")]);
        assert_eq!(recent.of(after(10), member(2)), [thing("c")]);
        assert!(recent.of(after(26), member(1)).is_empty());
        assert!(recent.of(after(10), member(3)).is_empty());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let (mut recent, now) = (Recent::default(), Instant::now());
        for n in 0..KEPT_MAX + 5 {
            recent.note(now, member(1), thing(&n.to_string()));
        }
        assert_eq!(recent.0.len(), KEPT_MAX);
        assert_eq!(recent.0.front().unwrap().2, thing("5"));
        recent.note(now + KEPT_FOR + Duration::from_secs(1), member(1), thing("last"));
        assert_eq!(recent.0.len(), 1);
    }
}
