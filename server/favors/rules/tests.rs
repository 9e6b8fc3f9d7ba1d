//! The life of a favor, tried in all orders.

use super::*;
use proptest::prelude::*;

const ACTIONS: [Action; 9] = [
    Action::Edit,
    Action::Publish,
    Action::Complete,
    Action::Settle,
    Action::Cancel,
    Action::Delete,
    Action::Accept,
    Action::Decline,
    Action::AnotherTime,
];

/// A favor with its creator (0) and two who are asked (1 and 2).
#[derive(Clone, Copy, Debug)]
struct Life {
    status: FavorStatus,
    helper: Option<usize>,
    answers: [Option<Answer>; 3],
    changes: [i16; 3],
    gone: bool,
}

impl Life {
    fn seen_by(&self, who: usize) -> View {
        let role = match who {
            0 => Role::Creator,
            _ if self.helper == Some(who) => Role::Helper,
            _ => Role::Recipient,
        };
        View { status: self.status, role, answer: self.answers[who], changes: self.changes[who], ready: true }
    }

    fn apply(&mut self, who: usize, action: Action, to: To) {
        if let Some(answer) = answer_of(action) {
            self.changes[who] += i16::from(self.answers[who].is_some() && answer != Answer::Accept);
            self.answers[who] = Some(answer);
            if answer == Answer::Accept {
                self.helper = Some(who);
            }
        }
        match to {
            To::At(status) => self.status = status,
            To::Stay => {}
            To::Gone => self.gone = true,
        }
    }
}

/// The table of the design once more, by status alone.
fn may_follow(from: FavorStatus, to: FavorStatus) -> bool {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    from == to
        || matches!(
            (from, to),
            (Draft, Active | Cancelled)
                | (Active, Accepted | Cancelled)
                | (Accepted, Completed | Settled | Cancelled)
                | (Completed, Settled)
        )
}

proptest! {
    #[test]
    fn no_sequence_leaves_the_table(steps in prop::collection::vec((0..3usize, 0..ACTIONS.len()), 0..80)) {
        let mut life = Life { status: FavorStatus::Draft, helper: None, answers: [None; 3], changes: [18, 0, 19], gone: false };
        for (who, action) in steps.into_iter().map(|(who, a)| (who, ACTIONS[a])) {
            // A draft does not exist for those it will ask.
            if life.gone || (who > 0 && life.status == FavorStatus::Draft) {
                continue;
            }
            let (view, before) = (life.seen_by(who), life);
            let allowed = allowed_actions(view).contains(&action);
            let same_words = action != Action::AnotherTime;
            match next(view, action, same_words) {
                Ok(Some(to)) => {
                    prop_assert!(allowed);
                    life.apply(who, action, to);
                    prop_assert!(life.changes[who] <= CHANGES_MAX);
                    prop_assert!(may_follow(before.status, life.status));
                    // Done twice, it is done once.
                    if !matches!(action, Action::Edit | Action::Delete) {
                        prop_assert_eq!(next(life.seen_by(who), action, true).unwrap(), None);
                    }
                }
                Ok(None) => prop_assert!(!allowed),
                Err(e) => {
                    prop_assert!(!allowed);
                    let mine = MOVES.iter().any(|m| m.action == action && m.by.contains(&view.role));
                    let expected = match (mine, view.status) {
                        (false, _) => Reason::WrongParty,
                        // Its moment would be right.
                        (true, FavorStatus::Active) if answer_of(action).is_some() => Reason::LimitReached,
                        (true, _) => Reason::WrongState,
                    };
                    prop_assert_eq!(e.reason(), expected);
                }
            }
            let helped = matches!(life.status, FavorStatus::Accepted | FavorStatus::Completed | FavorStatus::Settled);
            prop_assert!(!helped || life.helper.is_some());
            prop_assert!(before.helper.is_none() || life.helper == before.helper);
        }
    }
}

#[test]
fn every_action_has_one_line() {
    for action in ACTIONS {
        assert_eq!(MOVES.iter().filter(|m| m.action == action).count(), 1, "{action:?}");
    }
}

#[test]
fn final_favors_allow_nothing() {
    for role in [Role::Creator, Role::Recipient, Role::Helper] {
        for status in [FavorStatus::Settled, FavorStatus::Cancelled] {
            assert!(allowed_actions(View { status, role, answer: None, changes: 0, ready: true }).is_empty());
        }
    }
}

#[test]
fn the_second_acceptance_loses() {
    let late = View { status: FavorStatus::Accepted, role: Role::Recipient, answer: None, changes: 0, ready: true };
    let refused = next(late, Action::Accept, true).unwrap_err();
    assert_eq!((refused.reason(), refused.message()), (Reason::WrongState, "this favor is accepted"));
    assert_eq!(next(View { role: Role::Helper, ..late }, Action::Accept, false).unwrap(), None);
}

#[test]
fn a_draft_that_is_not_ready_is_not_offered_for_posting() {
    let draft = View { status: FavorStatus::Draft, role: Role::Creator, answer: None, changes: 0, ready: false };
    assert_eq!(allowed_actions(draft), [Action::Edit, Action::Cancel, Action::Delete]);
    assert!(allowed_actions(View { ready: true, ..draft }).contains(&Action::Publish));
}

#[test]
fn a_decliner_may_change_their_mind_while_nobody_helps() {
    let declined = View { status: FavorStatus::Active, role: Role::Recipient, answer: Some(Answer::Decline), changes: 0, ready: true };
    assert_eq!(allowed_actions(declined), [Action::Accept, Action::AnotherTime]);
}

#[test]
fn other_words_are_another_answer_until_it_was_changed_twenty_times() {
    for answer in [Answer::Decline, Answer::AnotherTime] {
        let view = View { status: FavorStatus::Active, role: Role::Recipient, answer: Some(answer), changes: 19, ready: true };
        let action = action_of(answer);
        assert_eq!(next(view, action, true).unwrap(), None);
        assert_eq!(next(view, action, false).unwrap(), Some(To::Stay));
        let spent = View { changes: CHANGES_MAX, ..view };
        assert_eq!(next(spent, action, true).unwrap(), None, "it changes nothing");
        let refused = next(spent, action, false).unwrap_err();
        assert_eq!(
            (refused.reason(), refused.message()),
            (Reason::LimitReached, "an answer can be changed 20 times; you can still accept")
        );
        assert_eq!(allowed_actions(spent), [Action::Accept]);
        assert_eq!(next(spent, Action::Accept, false).unwrap(), Some(To::At(FavorStatus::Accepted)));
        let late = View { status: FavorStatus::Accepted, ..spent };
        assert_eq!(next(late, action, false).unwrap_err().reason(), Reason::WrongState);
    }
}

#[test]
fn places_follow_from_status_and_answer() {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    let asked = |status, answer| place(status, Role::Recipient, answer);
    assert_eq!(asked(Draft, None), None);
    assert_eq!(asked(Active, None), Some(Place::Pending));
    assert_eq!(asked(Active, Some(Answer::AnotherTime)), Some(Place::Offered));
    assert_eq!(asked(Accepted, Some(Answer::AnotherTime)), Some(Place::Taken));
    assert_eq!(asked(Cancelled, None), Some(Place::Cancelled));
    for status in [Active, Accepted, Completed, Settled, Cancelled] {
        assert_eq!(asked(status, Some(Answer::Decline)), Some(Place::Declined), "{status:?}");
    }
    let helper = [Accepted, Completed, Settled, Cancelled].map(|status| place(status, Role::Helper, Some(Answer::Accept)));
    assert_eq!(helper, [Place::Helping, Place::Completed, Place::Settled, Place::Cancelled].map(Some));
    let own = [Draft, Active, Accepted, Completed, Settled, Cancelled].map(|status| place(status, Role::Creator, None));
    let (open, done) = (Some(Place::OwnOpen), Some(Place::OwnCompleted));
    assert_eq!(own, [open, open, open, done, done, Some(Place::OwnCancelled)]);
}

#[test]
fn each_who_knows_of_a_favor_has_one_place() {
    let [creator, helper, other] = [1, 2, 3].map(|n| MemberId(uuid::Uuid::from_u128(n)));
    let standing = |status, helper, asked: &[_]| Standing {
        favor: crate::ids::FavorId(uuid::Uuid::nil()),
        creator,
        status,
        helper,
        asked: asked.to_vec(),
    };
    assert_eq!(places(&standing(FavorStatus::Draft, None, &[])), [(creator, Place::OwnOpen)]);
    // Nobody was asked before the draft was called off.
    assert_eq!(places(&standing(FavorStatus::Cancelled, None, &[])), [(creator, Place::OwnCancelled)]);
    let answers = [(other, None), (helper, Some(Answer::Accept))];
    let expected = [(other, Place::Taken), (helper, Place::Helping), (creator, Place::OwnOpen)];
    assert_eq!(places(&standing(FavorStatus::Accepted, Some(helper), &answers)), expected);
}
