//! The life of a favor, tried in all orders.

use super::*;
use proptest::prelude::*;

const ACTIONS: [Action; 16] = [
    Action::Edit,
    Action::Publish,
    Action::Complete,
    Action::Settle,
    Action::Cancel,
    Action::Delete,
    Action::Accept,
    Action::Decline,
    Action::AnotherTime,
    Action::Withdraw,
    Action::Apply,
    Action::Choose,
    Action::Ask,
    Action::ReportMissingTip,
    Action::AcceptTime,
    Action::DeclineTime,
];
/// How many may accept in these lives.
const MAX: i16 = 2;

const fn at(status: FavorStatus, role: Role) -> View {
    let responses = if matches!(status, FavorStatus::Draft | FavorStatus::Active) { 0 } else { 1 };
    View {
        status,
        role,
        answer: None,
        changes: 0,
        withdrawn: 0,
        ready: true,
        ahead: true,
        responses,
        max_responses: 1,
        applicants: true,
        proposals: true,
        other_times: true,
        tip: true,
        tip_missing: false,
    }
}

/// A public favor with its creator (0), three who are asked (1 to 3) and two friends (4 and 5).
#[derive(Clone, Debug)]
struct Life {
    status: FavorStatus,
    /// Those who accepted, in their order: the first is the helper.
    line: Vec<usize>,
    asked: [bool; 6],
    applies: [bool; 6],
    answers: [Option<Answer>; 6],
    changes: [i16; 6],
    withdrawn: [i16; 6],
    tip_missing: bool,
    gone: bool,
}

impl Life {
    fn role(&self, who: usize) -> Role {
        match who {
            0 => Role::Creator,
            _ if self.line.first() == Some(&who) => Role::Helper,
            _ if self.line.contains(&who) => Role::BackUp,
            _ if self.asked[who] => Role::Recipient,
            _ if self.applies[who] => Role::Applicant,
            _ => Role::Friend,
        }
    }

    fn seen_by(&self, who: usize) -> View {
        View {
            answer: self.answers[who],
            changes: self.changes[who],
            withdrawn: self.withdrawn[who],
            responses: i16::try_from(self.line.len()).unwrap(),
            max_responses: MAX,
            applicants: self.applies.contains(&true),
            proposals: self.answers.contains(&Some(Answer::AnotherTime)),
            other_times: self.answers.contains(&Some(Answer::AnotherTime)),
            tip_missing: self.tip_missing,
            ..at(self.status, self.role(who))
        }
    }

    /// Whom a creator chooses, or whose time they take or decline.
    fn found(&self, action: Action) -> Option<usize> {
        match action {
            Action::Choose => self.applies.iter().position(|applies| *applies),
            Action::AcceptTime | Action::DeclineTime => self.answers.iter().position(|a| *a == Some(Answer::AnotherTime)),
            Action::Ask => self.asked[1..].iter().position(|asked| !asked).map(|i| i + 1),
            _ => None,
        }
    }

    fn apply(&mut self, who: usize, action: Action, to: To) {
        let role = self.role(who);
        if let Some(answer) = answer_of(action) {
            self.changes[who] += i16::from(self.answers[who].is_some() && answer != Answer::Accept);
            self.answers[who] = Some(answer);
        }
        match action {
            Action::Accept => self.line.push(who),
            Action::Withdraw if role == Role::Applicant => self.applies[who] = false,
            Action::Withdraw => {
                self.line.retain(|m| *m != who);
                self.answers[who] = Some(Answer::Decline);
            }
            Action::Apply => {
                self.changes[who] += i16::from(self.applies[who]);
                self.applies[who] = true;
            }
            Action::Choose | Action::AcceptTime | Action::Ask => {
                let found = self.found(action).unwrap();
                (self.asked[found], self.applies[found]) = (true, false);
                if action != Action::Ask {
                    self.answers[found] = Some(Answer::Accept);
                    self.line.push(found);
                }
            }
            Action::DeclineTime => {
                let found = self.found(action).unwrap();
                self.answers[found] = None;
                self.changes[found] = CHANGES_MAX.min(self.changes[found] + 1);
            }
            Action::ReportMissingTip => self.tip_missing = true,
            _ => {}
        }
        self.withdrawn[who] += i16::from(action == Action::Withdraw);
        match to {
            To::At(status) => self.status = status,
            To::Stay | To::NextInLine => {}
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
                | (Accepted, Active | Completed | Settled | Cancelled)
                | (Completed, Settled)
        )
}

proptest! {
    #[test]
    fn no_sequence_leaves_the_table(steps in prop::collection::vec((0..6usize, 0..ACTIONS.len()), 0..200)) {
        let mut life = Life {
            status: FavorStatus::Draft,
            line: Vec::new(),
            asked: [false, true, true, true, false, false],
            applies: [false; 6],
            answers: [None; 6],
            changes: [0, 18, 0, 19, 19, 0],
            withdrawn: [0, 4, 0, 0, 3, 0],
            tip_missing: false,
            gone: false,
        };
        for (who, action) in steps.into_iter().map(|(who, a)| (who, ACTIONS[a])) {
            // A draft does not exist for others, and nobody is chosen who is not there.
            let with = [Action::Choose, Action::AcceptTime, Action::DeclineTime, Action::Ask];
            let nobody = with.contains(&action) && life.found(action).is_none();
            if life.gone || nobody || (who > 0 && life.status == FavorStatus::Draft) {
                continue;
            }
            let (view, before) = (life.seen_by(who), life.clone());
            let allowed = allowed_actions(view).contains(&action);
            let same = !matches!(action, Action::AnotherTime | Action::Ask | Action::DeclineTime);
            match next(view, action, same) {
                Ok(Some(to)) => {
                    prop_assert!(allowed, "{action:?} {view:?}");
                    life.apply(who, action, to);
                    prop_assert!(life.changes[who] <= CHANGES_MAX && life.withdrawn[who] <= WITHDRAWALS_MAX);
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
                    let timely = MOVES.iter().any(|m| m.action == action && m.from.contains(&view.status)) && has_room(view, action);
                    let expected = match (mine, timely) {
                        (false, _) => Reason::WrongParty,
                        (true, true) => Reason::LimitReached,
                        (true, false) => Reason::WrongState,
                    };
                    prop_assert_eq!(e.reason(), expected);
                }
            }
            let helped = matches!(life.status, FavorStatus::Accepted | FavorStatus::Completed | FavorStatus::Settled);
            prop_assert!(!helped || !life.line.is_empty());
            prop_assert!(life.line.len() <= usize::try_from(MAX).unwrap());
            prop_assert!(life.status != FavorStatus::Active || life.line.is_empty());
            // Whoever stays in the line keeps their place in it, or moves up.
            let stay: Vec<_> = before.line.iter().filter(|m| life.line.contains(m)).collect();
            prop_assert!(life.line.iter().zip(&stay).all(|(now, then)| now == *then));
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
fn final_favors_allow_nothing_but_to_say_that_the_tip_did_not_arrive() {
    for role in [Role::Creator, Role::Recipient, Role::Helper, Role::BackUp, Role::Applicant, Role::Friend] {
        for status in [FavorStatus::Settled, FavorStatus::Cancelled] {
            let missing: &[Action] = if (role, status) == (Role::Helper, FavorStatus::Settled) { &[Action::ReportMissingTip] } else { &[] };
            assert_eq!(allowed_actions(at(status, role)), missing);
        }
    }
}

#[test]
fn the_second_acceptance_loses() {
    let late = at(FavorStatus::Accepted, Role::Recipient);
    let refused = next(late, Action::Accept, true).unwrap_err();
    assert_eq!((refused.reason(), refused.message()), (Reason::WrongState, "this favor is accepted"));
    assert_eq!(next(View { role: Role::Helper, ..late }, Action::Accept, false).unwrap(), None);
}

#[test]
fn a_draft_that_is_not_ready_is_not_offered_for_posting() {
    let draft = View { ready: false, ..at(FavorStatus::Draft, Role::Creator) };
    assert_eq!(allowed_actions(draft), [Action::Edit, Action::Cancel, Action::Delete]);
    assert!(allowed_actions(View { ready: true, ..draft }).contains(&Action::Publish));
}

#[test]
fn a_decliner_may_change_their_mind_while_nobody_helps() {
    let declined = View { answer: Some(Answer::Decline), ..at(FavorStatus::Active, Role::Recipient) };
    assert_eq!(allowed_actions(declined), [Action::Accept, Action::AnotherTime]);
}

#[test]
fn other_words_are_another_answer_until_it_was_changed_twenty_times() {
    for answer in [Answer::Decline, Answer::AnotherTime] {
        let view = View { answer: Some(answer), changes: 19, ..at(FavorStatus::Active, Role::Recipient) };
        let action = action_of(answer);
        assert_eq!(next(view, action, true).unwrap(), None);
        assert_eq!(next(view, action, false).unwrap(), Some(To::Stay));
        let spent = View { changes: CHANGES_MAX, ..view };
        assert_eq!(next(spent, action, true).unwrap(), None, "it changes nothing");
        let refused = next(spent, action, false).unwrap_err();
        assert_eq!(
            (refused.reason(), refused.message()),
            (Reason::LimitReached, "an answer can be changed at most 20 times; you can still accept")
        );
        assert_eq!(allowed_actions(spent), [Action::Accept]);
        assert_eq!(next(spent, Action::Accept, false).unwrap(), Some(To::At(FavorStatus::Accepted)));
        let late = View { status: FavorStatus::Accepted, responses: 1, ..spent };
        assert_eq!(next(late, action, false).unwrap_err().reason(), Reason::WrongState);
    }
}

#[test]
fn a_time_that_was_declined_can_be_offered_again_until_the_answer_was_changed_twenty_times() {
    let creator = at(FavorStatus::Active, Role::Creator);
    assert_eq!(next(creator, Action::DeclineTime, false).unwrap(), Some(To::Stay));
    assert_eq!(next(creator, Action::DeclineTime, true).unwrap(), None, "none is offered any more");
    let late = View { status: FavorStatus::Accepted, ..creator };
    assert_eq!(next(late, Action::DeclineTime, true).unwrap_err().message(), "this favor is accepted");
    let in_words_or_past = View { proposals: false, ..creator };
    assert!(allowed_actions(in_words_or_past).contains(&Action::DeclineTime));
    let asked_again = View { changes: 19, ..at(FavorStatus::Active, Role::Recipient) };
    assert_eq!(allowed_actions(asked_again), [Action::Accept, Action::Decline, Action::AnotherTime]);
    let spent = View { changes: CHANGES_MAX, ..asked_again };
    assert_eq!(allowed_actions(spent), [Action::Accept, Action::Decline]);
    assert_eq!(next(spent, Action::AnotherTime, false).unwrap_err().reason(), Reason::LimitReached);
}

#[test]
fn later_acceptances_are_back_ups_until_there_are_enough() {
    let second = View { max_responses: 2, ..at(FavorStatus::Accepted, Role::Recipient) };
    assert_eq!(next(second, Action::Accept, false).unwrap(), Some(To::At(FavorStatus::Accepted)));
    assert_eq!(allowed_actions(second), [Action::Accept, Action::Decline]);
    let third = View { responses: 2, ..second };
    assert_eq!(next(third, Action::Accept, false).unwrap_err().reason(), Reason::WrongState);
    let back_up = View { role: Role::BackUp, answer: Some(Answer::Accept), ..third };
    assert_eq!(next(back_up, Action::Accept, false).unwrap(), None);
    assert_eq!(allowed_actions(back_up), [Action::Withdraw]);
}

#[test]
fn in_the_place_of_a_helper_who_steps_back_the_next_one_helps() {
    let helper = View { answer: Some(Answer::Accept), ..at(FavorStatus::Accepted, Role::Helper) };
    assert_eq!(next(helper, Action::Withdraw, false).unwrap(), Some(To::At(FavorStatus::Active)));
    assert_eq!(next(View { responses: 2, ..helper }, Action::Withdraw, false).unwrap(), Some(To::At(FavorStatus::Accepted)));
    let back_up = View { responses: 2, role: Role::BackUp, ..helper };
    assert_eq!(next(back_up, Action::Withdraw, false).unwrap(), Some(To::Stay));
    let gone = View { role: Role::Recipient, answer: Some(Answer::Decline), withdrawn: 1, ..at(FavorStatus::Active, Role::Recipient) };
    assert_eq!(next(gone, Action::Withdraw, false).unwrap(), None, "done twice, it is done once");
    assert_eq!(next(View { withdrawn: 0, ..gone }, Action::Withdraw, false).unwrap_err().reason(), Reason::WrongParty);
    let fickle = View { withdrawn: WITHDRAWALS_MAX, ..gone };
    for promise in [Action::Accept, Action::AnotherTime] {
        assert_eq!(next(fickle, promise, false).unwrap_err().message(), "you can step back from a favor at most 5 times");
    }
    assert_eq!(next(View { withdrawn: WITHDRAWALS_MAX, ..helper }, Action::Withdraw, false).unwrap(), Some(To::At(FavorStatus::Active)));
}

#[test]
fn a_tip_that_there_was_none_of_is_not_missed() {
    let settled = at(FavorStatus::Settled, Role::Helper);
    assert_eq!(next(settled, Action::ReportMissingTip, false).unwrap(), Some(To::Stay));
    assert_eq!(next(View { tip_missing: true, ..settled }, Action::ReportMissingTip, false).unwrap(), None);
    let none = View { tip: false, ..settled };
    assert_eq!(next(none, Action::ReportMissingTip, false).unwrap_err().message(), "this favor has no tip");
    assert!(allowed_actions(none).is_empty());
}

#[test]
fn friends_of_a_public_favor_apply_and_its_creator_chooses() {
    assert_eq!(allowed_actions(at(FavorStatus::Active, Role::Friend)), [Action::Apply]);
    assert_eq!(allowed_actions(at(FavorStatus::Active, Role::Applicant)), [Action::Withdraw]);
    assert_eq!(allowed_actions(at(FavorStatus::Accepted, Role::Friend)), []);
    let creator = at(FavorStatus::Active, Role::Creator);
    let all = [Action::Edit, Action::Cancel, Action::Delete, Action::Choose, Action::Ask, Action::AcceptTime, Action::DeclineTime];
    assert_eq!(allowed_actions(creator), all);
    let alone = View { applicants: false, proposals: false, other_times: false, ..creator };
    assert_eq!(allowed_actions(alone), [Action::Edit, Action::Cancel, Action::Delete, Action::Ask]);
}

#[test]
fn what_should_have_begun_is_not_asked_of_one_more() {
    let creator = View { ahead: false, ..at(FavorStatus::Active, Role::Creator) };
    assert_eq!(next(creator, Action::Ask, false).unwrap_err().reason(), Reason::StartInPast);
    assert!(!allowed_actions(creator).contains(&Action::Ask));
    let friend = View { role: Role::Friend, ..creator };
    assert_eq!(next(friend, Action::Apply, false).unwrap_err().reason(), Reason::StartInPast);
    assert!(allowed_actions(friend).is_empty());
    let applicant = View { role: Role::Applicant, ..creator };
    assert_eq!(next(applicant, Action::Apply, true).unwrap(), None, "they did when it was ahead");
    assert_eq!(allowed_actions(applicant), [Action::Withdraw]);
}

#[test]
fn places_follow_from_status_and_answer() {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    let asked = |status, answer| place(status, Role::Recipient, answer, false);
    assert_eq!(asked(Draft, None), None);
    assert_eq!(asked(Active, None), Some(Place::Pending));
    assert_eq!(asked(Active, Some(Answer::AnotherTime)), Some(Place::Offered));
    assert_eq!(asked(Accepted, Some(Answer::AnotherTime)), Some(Place::Taken));
    assert_eq!(asked(Cancelled, None), Some(Place::Cancelled));
    for status in [Active, Accepted, Completed, Settled, Cancelled] {
        assert_eq!(asked(status, Some(Answer::Decline)), Some(Place::Declined), "{status:?}");
    }
    let helper = [Accepted, Completed, Settled, Cancelled].map(|status| place(status, Role::Helper, Some(Answer::Accept), false));
    assert_eq!(helper, [Place::Helping, Place::Completed, Place::Settled, Place::Cancelled].map(Some));
    let applicant = [Draft, Active, Accepted, Settled, Cancelled].map(|status| place(status, Role::Applicant, None, false));
    let not_chosen = Some(Place::NotChosen);
    assert_eq!(applicant, [None, Some(Place::Applied), not_chosen, not_chosen, Some(Place::Cancelled)]);
    assert_eq!(place(Accepted, Role::Recipient, None, true), Some(Place::Pending), "there is room for a back-up");
    assert_eq!(place(Active, Role::Friend, None, true), None, "it is not theirs");
    let own = [Draft, Active, Accepted, Completed, Settled, Cancelled].map(|status| place(status, Role::Creator, None, true));
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
        responses: i16::from(helper.is_some()),
        max_responses: 1,
        asked: asked.to_vec(),
        applicants: Vec::new(),
        lapsed: false,
    };
    assert_eq!(places(&standing(FavorStatus::Draft, None, &[])), [(creator, Place::OwnOpen)]);
    // Nobody was asked before the draft was called off.
    assert_eq!(places(&standing(FavorStatus::Cancelled, None, &[])), [(creator, Place::OwnCancelled)]);
    let answers = [(other, None), (helper, Some(Answer::Accept))];
    let expected = [(other, Place::Taken), (helper, Place::Helping), (creator, Place::OwnOpen)];
    assert_eq!(places(&standing(FavorStatus::Accepted, Some(helper), &answers)), expected);
    let promised = [(other, Some(Answer::Accept)), (helper, Some(Answer::Accept))];
    let expected = [(other, Place::BackUp), (helper, Place::Helping), (creator, Place::OwnOpen)];
    assert_eq!(places(&standing(FavorStatus::Accepted, Some(helper), &promised)), expected);
    let public = Standing { applicants: vec![other], ..standing(FavorStatus::Active, None, &[]) };
    assert_eq!(places(&public), [(other, Place::Applied), (creator, Place::OwnOpen)]);
    let asked = [(helper, None), (other, Some(Answer::Decline))];
    let lapsed = Standing { lapsed: true, ..standing(FavorStatus::Active, None, &asked) };
    assert_eq!(places(&lapsed), [(helper, Place::Lapsed), (other, Place::Declined), (creator, Place::OwnOpen)]);
    let lapsed = Standing { lapsed: true, ..public };
    assert_eq!(places(&lapsed), [(other, Place::Lapsed), (creator, Place::OwnOpen)]);
}
