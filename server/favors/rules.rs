//! The life of a favor: who may do what, and which status follows. Pure.

use super::{Answer, EventKind, Favor, FavorStatus, Place};
use crate::{
    error::{Error, Reason, Result},
    ids::MemberId,
};
use time::OffsetDateTime;

/// How often a recipient may change their answer or its words. They can accept even after that.
pub const CHANGES_MAX: i16 = 20;

/// What a member is to a favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Asked it.
    Creator,
    /// Was asked, and does not help.
    Recipient,
    /// Was asked, and helps.
    Helper,
}

/// What can be done with a favor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Change its fields.
    Edit,
    /// Post it.
    Publish,
    /// Mark it completed.
    Complete,
    /// Mark it settled.
    Settle,
    /// Call it off.
    Cancel,
    /// Remove it.
    Delete,
    /// Offer to help.
    Accept,
    /// Say no.
    Decline,
    /// Offer another time.
    AnotherTime,
}

/// Where an action leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To a status.
    At(FavorStatus),
    /// Nowhere: the status stays.
    Stay,
    /// Out of the world.
    Gone,
}

/// One line of the table: who may do what, when, and where it leads.
#[derive(Debug)]
pub struct Move {
    /// What.
    pub action: Action,
    /// Who.
    pub by: &'static [Role],
    /// When.
    pub from: &'static [FavorStatus],
    /// Where it leads.
    pub to: To,
}

/// The life of a favor. The actions of a recipient are a helper's too, though by then it is too late for them.
pub const MOVES: &[Move] = {
    use FavorStatus::{Accepted, Active, Cancelled, Completed, Draft, Settled};
    const CREATOR: &[Role] = &[Role::Creator];
    const ASKED: &[Role] = &[Role::Recipient, Role::Helper];
    &[
        Move { action: Action::Edit, by: CREATOR, from: &[Draft, Active], to: To::Stay },
        Move { action: Action::Publish, by: CREATOR, from: &[Draft], to: To::At(Active) },
        Move { action: Action::Complete, by: &[Role::Creator, Role::Helper], from: &[Accepted], to: To::At(Completed) },
        Move { action: Action::Settle, by: CREATOR, from: &[Accepted, Completed], to: To::At(Settled) },
        Move { action: Action::Cancel, by: CREATOR, from: &[Draft, Active, Accepted], to: To::At(Cancelled) },
        Move { action: Action::Delete, by: CREATOR, from: &[Draft, Active], to: To::Gone },
        Move { action: Action::Accept, by: ASKED, from: &[Active], to: To::At(Accepted) },
        Move { action: Action::Decline, by: ASKED, from: &[Active], to: To::Stay },
        Move { action: Action::AnotherTime, by: ASKED, from: &[Active], to: To::Stay },
    ]
};

/// A favor as the rules see it, with the eyes of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it stands.
    pub status: FavorStatus,
    /// What the member is to it.
    pub role: Role,
    /// What the member answered.
    pub answer: Option<Answer>,
    /// How often they changed it.
    pub changes: i16,
    /// Whether it could be posted now: it has recipients and a start that is not past.
    pub ready: bool,
}

/// How a member sees a favor; `None` when it does not exist for them.
pub fn view(favor: &Favor, member: MemberId, now: OffsetDateTime) -> Option<View> {
    let role = if favor.creator == member {
        Role::Creator
    } else if favor.helper == Some(member) {
        Role::Helper
    } else if favor.asked {
        Role::Recipient
    } else {
        return None;
    };
    let ready = favor.content.start.is_some_and(|start| start >= now) && !favor.recipients.is_empty();
    Some(View { status: favor.status, role, answer: favor.answer, changes: favor.changes, ready })
}

/// Where an action leads now; `None` when it was done already. An answer with other words than before (not `same_words`) is another answer.
///
/// # Errors
/// WRONG_PARTY for the other side's action, WRONG_STATE, which names the state, at the wrong moment; LIMIT_REACHED for an answer that was
/// changed too often.
pub fn next(view: View, action: Action, same_words: bool) -> Result<Option<To>> {
    let Some(found) = MOVES.iter().find(|m| m.action == action) else {
        return Err(Error::internal(anyhow::anyhow!("{action:?} is not in the table of moves")));
    };
    if !found.by.contains(&view.role) {
        return Err(Error::new(Reason::WrongParty, "only the other side of this favor can do that"));
    }
    if repeats(view, found, same_words) {
        return Ok(None);
    }
    if !found.from.contains(&view.status) {
        return Err(Error::new(Reason::WrongState, format!("this favor is {}", word(view.status))));
    }
    if spent(view, action) {
        let text = format!("an answer can be changed {CHANGES_MAX} times; you can still accept");
        return Err(Error::new(Reason::LimitReached, text));
    }
    Ok(Some(found.to))
}

/// Whether an action was done already by the one who does it now.
fn repeats(view: View, found: &Move, same_words: bool) -> bool {
    match found.action {
        // Somebody else's acceptance is not one's own.
        Action::Accept => view.role == Role::Helper && view.status == FavorStatus::Accepted,
        Action::Decline | Action::AnotherTime => view.role == Role::Recipient && view.answer == answer_of(found.action) && same_words,
        Action::Edit | Action::Delete => false,
        Action::Publish | Action::Complete | Action::Settle | Action::Cancel => found.to == To::At(view.status),
    }
}

/// Whether an action would change an answer once too often.
fn spent(view: View, action: Action) -> bool {
    let changes = matches!(action, Action::Decline | Action::AnotherTime) && view.answer.is_some();
    changes && view.changes >= CHANGES_MAX
}

/// What a member may do now, in the order of the table. Other words for the same answer are offered where they say something new: of
/// another time.
pub fn allowed_actions(view: View) -> Vec<Action> {
    let done = |m: &Move| repeats(view, m, m.action != Action::AnotherTime) || spent(view, m.action);
    let open = |m: &&Move| m.by.contains(&view.role) && m.from.contains(&view.status) && !done(m);
    MOVES.iter().filter(open).map(|m| m.action).filter(|a| *a != Action::Publish || view.ready).collect()
}

/// The action that an answer is.
pub fn action_of(answer: Answer) -> Action {
    match answer {
        Answer::Accept => Action::Accept,
        Answer::Decline => Action::Decline,
        Answer::AnotherTime => Action::AnotherTime,
    }
}

/// The answer that an action is.
pub fn answer_of(action: Action) -> Option<Answer> {
    [Answer::Accept, Answer::Decline, Answer::AnotherTime].into_iter().find(|answer| action_of(*answer) == action)
}

/// The steps of a story that a member may know whoever made them; their own they know anyway. Who answered what is the creator's to know.
pub fn steps_of_all(view: View) -> &'static [EventKind] {
    use EventKind::{Accepted, AnotherTime, Cancelled, Completed, Declined, Drafted, Posted, Settled};
    match view.role {
        Role::Creator => &[Drafted, Posted, Accepted, Declined, AnotherTime, Completed, Settled, Cancelled],
        Role::Recipient | Role::Helper => &[Posted, Completed, Settled, Cancelled],
    }
}

/// Where a favor stands for a recipient. One who was never asked does not learn of it, not even that a draft was called off.
pub fn place(status: FavorStatus, asked: bool, helps: bool, answer: Option<Answer>) -> Place {
    match (status, answer) {
        _ if !asked => Place::Draft,
        (FavorStatus::Draft, _) => Place::Draft,
        (_, Some(Answer::Decline)) => Place::Declined,
        (FavorStatus::Active, _) => Place::Pending,
        (FavorStatus::Accepted, _) if helps => Place::Helping,
        (FavorStatus::Accepted, _) => Place::Taken,
        (FavorStatus::Completed, _) => Place::Completed,
        (FavorStatus::Settled, _) => Place::Settled,
        (FavorStatus::Cancelled, _) => Place::Cancelled,
    }
}

/// The action that leads to a status which a creator asks for.
///
/// # Errors
/// WRONG_STATE for a status that is not reached by asking for it.
pub fn action_to(status: FavorStatus) -> Result<Action> {
    match status {
        FavorStatus::Active => Ok(Action::Publish),
        FavorStatus::Completed => Ok(Action::Complete),
        FavorStatus::Settled => Ok(Action::Settle),
        FavorStatus::Cancelled => Ok(Action::Cancel),
        FavorStatus::Draft | FavorStatus::Accepted => {
            Err(Error::new(Reason::WrongState, format!("a favor cannot be made {} like this", word(status))))
        }
    }
}

/// The word of a status.
pub fn word(status: FavorStatus) -> &'static str {
    match status {
        FavorStatus::Draft => "draft",
        FavorStatus::Active => "active",
        FavorStatus::Accepted => "accepted",
        FavorStatus::Completed => "completed",
        FavorStatus::Settled => "settled",
        FavorStatus::Cancelled => "cancelled",
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(place(FavorStatus::Draft, false, false, None), Place::Draft);
        assert_eq!(place(FavorStatus::Cancelled, false, false, None), Place::Draft);
        assert_eq!(place(FavorStatus::Active, true, false, Some(Answer::AnotherTime)), Place::Pending);
        assert_eq!(place(FavorStatus::Active, true, false, Some(Answer::Decline)), Place::Declined);
        assert_eq!(place(FavorStatus::Accepted, true, true, Some(Answer::Accept)), Place::Helping);
        assert_eq!(place(FavorStatus::Accepted, true, false, Some(Answer::AnotherTime)), Place::Taken);
        assert_eq!(place(FavorStatus::Settled, true, false, Some(Answer::Decline)), Place::Declined);
        assert_eq!(place(FavorStatus::Cancelled, true, false, None), Place::Cancelled);
    }
}
