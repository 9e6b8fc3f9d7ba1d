//! The table of friend requests, and what holds over any row of moves.

use super::*;
use crate::ids::FriendRequestId;
use proptest::prelude::*;
use time::macros::datetime;
use uuid::Uuid;

const NOW: OffsetDateTime = datetime!(2026-06-01 12:00 UTC);
const LAST_DAY: OffsetDateTime = NOW.saturating_add(SILENCE).saturating_sub(Duration::SECOND);
const AFTER: OffsetDateTime = NOW.saturating_add(SILENCE);
const ANA: MemberId = MemberId(Uuid::from_u128(1));
const BEN: MemberId = MemberId(Uuid::from_u128(2));
const STRANGERS: Standing = Standing { friends: false, hidden: false };
const FRIENDS: Standing = Standing { friends: true, hidden: false };
const HIDDEN: Standing = Standing { friends: false, hidden: true };

/// A row of a member whose requests were last declined now, if they were.
fn row(direction: Direction, status: RequestStatus, hidden: bool, silenced: bool) -> Request {
    let answered_at = matches!(status, RequestStatus::Accepted | RequestStatus::Declined).then_some(NOW);
    let declined_at = silenced.then_some(NOW);
    let id = FriendRequestId(Uuid::nil());
    Request { id, other: BEN, direction, status, by_email: true, hidden, message: String::new(), sent_at: NOW, answered_at, declined_at }
}

/// What asking does, by its name, or why it is refused.
fn asked(mine: Option<&Request>, theirs: Option<&Request>, now: OffsetDateTime) -> String {
    match ask(STRANGERS, mine, theirs, now) {
        Ok(asking) => format!("{asking:?}"),
        Err(e) => format!("{:?}", e.reason()),
    }
}

#[test]
fn what_asking_does_in_every_state_of_the_askers_row() {
    use Direction::{Received, Sent};
    use RequestStatus::{Accepted, Cancelled, Declined, Pending};
    let table = [
        (row(Sent, Pending, false, false), "AlreadySent", "AlreadySent"),
        (row(Sent, Declined, false, true), "AlreadySent", "Send"),
        (row(Sent, Declined, true, true), "Unheard", "Send"),
        (row(Sent, Cancelled, false, false), "Send", "Send"),
        (row(Sent, Cancelled, false, true), "Unheard", "Send"),
        (row(Sent, Accepted, false, false), "Send", "Send"),
        // The other one has asked since, and has taken it back, or was declined in turn.
        (row(Received, Cancelled, false, false), "Send", "Send"),
        (row(Received, Cancelled, false, true), "Unheard", "Send"),
        (row(Received, Declined, false, false), "Send", "Send"),
        (row(Received, Declined, false, true), "Unheard", "Send"),
        (row(Received, Accepted, false, false), "Send", "Send"),
    ];
    for (mine, within, after) in table {
        let theirs = row(Direction::Received, mine.status, false, false);
        assert_eq!(asked(Some(&mine), Some(&theirs), LAST_DAY), within, "{mine:?}");
        assert_eq!(asked(Some(&mine), Some(&theirs), AFTER), after, "{mine:?}");
    }
    assert_eq!(asked(None, None, NOW), "Send");
    assert_eq!(ask(FRIENDS, None, None, NOW).unwrap_err().reason(), Reason::AlreadyFriends);
}

#[test]
fn a_request_that_crosses_befriends_only_what_was_not_taken_back() {
    use Direction::Sent;
    use RequestStatus::{Cancelled, Declined, Pending};
    let table = [
        (row(Sent, Pending, false, false), "Befriend", "Befriend"),
        (row(Sent, Declined, false, true), "Befriend", "Send"),
        (row(Sent, Declined, true, true), "Send", "Send"),
        (row(Sent, Cancelled, false, false), "Send", "Send"),
    ];
    for (theirs, within, after) in table {
        let mine = Request { direction: Direction::Received, hidden: false, declined_at: None, ..theirs.clone() };
        assert_eq!(asked(Some(&mine), Some(&theirs), LAST_DAY), within, "{theirs:?}");
        assert_eq!(asked(Some(&mine), Some(&theirs), AFTER), after, "{theirs:?}");
        // Being silenced in turn takes nothing from it.
        let silenced = Request { declined_at: Some(NOW), ..mine };
        assert_eq!(asked(Some(&silenced), Some(&theirs), NOW), within.replace("Send", "Unheard"), "{theirs:?}");
    }
}

#[test]
fn who_is_hidden_is_nobody_to_who_asks_and_to_who_looks() {
    for direction in [Direction::Sent, Direction::Received] {
        for status in [RequestStatus::Pending, RequestStatus::Accepted, RequestStatus::Declined, RequestStatus::Cancelled] {
            let (mine, wanted) = (row(direction, status, false, true), row(Direction::Sent, RequestStatus::Pending, false, false));
            for standing in [HIDDEN, Standing { friends: true, ..HIDDEN }] {
                assert_eq!(ask(standing, Some(&mine), Some(&wanted), NOW).unwrap_err().reason(), Reason::NotFound, "{mine:?}");
                assert_eq!(relation(standing, Some(&mine), NOW), Relation::Unspecified, "{mine:?}");
            }
        }
    }
    assert_eq!(ask(HIDDEN, None, None, NOW).unwrap_err().reason(), Reason::NotFound);
}

#[test]
fn what_is_unheard_stands_until_the_silence_is_over_and_no_longer() {
    let new = Request { sent_at: LAST_DAY, ..row(Direction::Sent, RequestStatus::Pending, false, false) };
    let (sent, theirs) = unheard(&new, Some(&row(Direction::Sent, RequestStatus::Cancelled, false, true)));
    let sent = sent.unwrap();
    assert!(stands(&sent, LAST_DAY) && !stands(&sent, AFTER), "{sent:?}");
    assert_eq!((sent.sent_at, theirs), (LAST_DAY, None), "what they know of stays");
}

#[test]
fn a_block_calls_off_what_waits_in_silence() {
    use Direction::{Received, Sent};
    use RequestStatus::{Accepted, Cancelled, Declined, Pending};
    // The row of the one who blocks, that of the other, and where both are after it.
    let table = [
        ((Received, Pending), (Sent, Pending), (Declined, Cancelled)),
        ((Sent, Pending), (Received, Pending), (Cancelled, Cancelled)),
        ((Sent, Declined), (Received, Declined), (Declined, Declined)),
        ((Received, Declined), (Sent, Declined), (Declined, Declined)),
        ((Sent, Accepted), (Received, Accepted), (Accepted, Accepted)),
        ((Sent, Cancelled), (Received, Cancelled), (Cancelled, Cancelled)),
    ];
    for (mine, theirs, after) in table {
        let (mine, theirs) =
            (row(mine.0, mine.1, false, mine == (Sent, Declined)), row(theirs.0, theirs.1, false, theirs == (Sent, Declined)));
        let (new_mine, new_theirs) = called_off(Some(&mine), Some(&theirs), NOW);
        let (new_mine, new_theirs) = (new_mine.unwrap_or_else(|| mine.clone()), new_theirs.unwrap_or_else(|| theirs.clone()));
        assert_eq!((new_mine.status, new_theirs.status), after, "{mine:?}");
        assert!(!stands(&new_mine, NOW), "nothing stands in the list of the one who blocks: {new_mine:?}");
        assert!(!stands(&new_theirs, NOW), "nor in the other one's, as if who blocks had left: {new_theirs:?}");
        assert_eq!(new_theirs.declined_at, theirs.declined_at, "a block begins no silence: {new_theirs:?}");
        assert_ne!((new_theirs.direction, new_theirs.status), (Received, Pending), "and has nothing to answer");
    }
    assert_eq!(called_off(None, None, NOW), (None, None));
}

#[test]
fn what_taking_back_does_in_every_state() {
    use Direction::{Received, Sent};
    use RequestStatus::{Accepted, Cancelled, Declined, Pending};
    let of = |direction, status, hidden| cancel(&row(direction, status, hidden, false)).map_err(|e| e.reason());
    assert_eq!(of(Sent, Pending, false), Ok(Cancelling::Withdraw));
    assert_eq!(of(Sent, Declined, false), Ok(Cancelling::Hide));
    assert_eq!(of(Sent, Declined, true), Ok(Cancelling::Nothing));
    assert_eq!(of(Sent, Cancelled, false), Ok(Cancelling::Nothing));
    assert_eq!(of(Sent, Accepted, false), Err(Reason::WrongState));
    for status in [Pending, Declined, Cancelled, Accepted] {
        assert_eq!(of(Received, status, false), Err(Reason::NotFound));
    }
}

#[test]
fn a_declined_request_looks_pending_to_its_sender_for_thirty_days() {
    let declined = row(Direction::Sent, RequestStatus::Declined, false, true);
    assert_eq!(relation(STRANGERS, Some(&declined), LAST_DAY), Relation::Requested);
    assert_eq!(relation(STRANGERS, Some(&declined), AFTER), Relation::None);
    let hidden = Request { hidden: true, ..declined };
    assert_eq!(relation(STRANGERS, Some(&hidden), NOW), Relation::None);
}

#[test]
fn a_repeated_answer_is_a_no_op_and_a_changed_one_is_refused() {
    let at = |status| row(Direction::Received, status, false, false);
    assert_eq!(answer(&at(RequestStatus::Pending), Answer::Accept).unwrap(), Some(RequestStatus::Accepted));
    assert_eq!(answer(&at(RequestStatus::Accepted), Answer::Accept).unwrap(), None);
    assert_eq!(answer(&at(RequestStatus::Declined), Answer::Decline).unwrap(), None);
    assert_eq!(answer(&at(RequestStatus::Accepted), Answer::Decline).unwrap_err().reason(), Reason::WrongState);
    assert_eq!(answer(&at(RequestStatus::Cancelled), Answer::Accept).unwrap_err().reason(), Reason::WrongState);
    let sent = row(Direction::Sent, RequestStatus::Pending, false, false);
    assert_eq!(answer(&sent, Answer::Accept).unwrap_err().reason(), Reason::NotFound);
}

/// What somebody does.
#[derive(Clone, Copy, Debug)]
enum Step {
    Ask,
    TakeBack,
    Accept,
    Decline,
    /// Hours pass.
    Wait(i64),
}

fn steps() -> impl Strategy<Value = Vec<(bool, Step)>> {
    let step = prop_oneof![
        4 => Just(Step::Ask),
        3 => Just(Step::TakeBack),
        1 => Just(Step::Accept),
        3 => Just(Step::Decline),
        1 => (1_i64..800).prop_map(Step::Wait),
    ];
    prop::collection::vec((any::<bool>(), step), 1..40)
}

/// Two members and what is between them: as the service does it, without a database.
#[derive(Default)]
struct Pair {
    rows: [Option<Request>; 2],
    friends: bool,
    hours: i64,
}

impl Pair {
    fn now(&self) -> OffsetDateTime {
        NOW + Duration::hours(self.hours)
    }

    fn standing(&self) -> Standing {
        Standing { friends: self.friends, hidden: false }
    }

    /// What one of them is answered. `n` makes the id of a new request.
    fn step(&mut self, who: usize, step: Step, n: u128) -> String {
        let (me, other) = if who == 0 { (ANA, BEN) } else { (BEN, ANA) };
        let (mine, theirs, now) = (self.rows[who].clone(), self.rows[1 - who].clone(), self.now());
        let (answered, rows) = match (step, &mine, &theirs) {
            (Step::Wait(hours), ..) => {
                self.hours += hours;
                return String::new();
            }
            (Step::Ask, ..) => match ask(self.standing(), mine.as_ref(), theirs.as_ref(), now) {
                Err(e) => return format!("{:?}", e.reason()),
                Ok(Asking::Befriend) => {
                    self.friends = true;
                    ("friends".to_owned(), accepted(other, theirs.as_ref().unwrap(), now))
                }
                Ok(asking) => {
                    let id = FriendRequestId(Uuid::from_u128(n));
                    let new = Request { id, other, sent_at: now, ..row(Direction::Sent, RequestStatus::Pending, false, false) };
                    let heard = asking == Asking::Send;
                    (id.to_string(), if heard { sent(&new, me, mine.as_ref(), theirs.as_ref()) } else { unheard(&new, mine.as_ref()) })
                }
            },
            (Step::TakeBack, Some(mine), Some(theirs)) => match cancel(mine) {
                Err(e) => return format!("{:?}", e.reason()),
                Ok(cancelling) => ("gone".to_owned(), taken_back(cancelling, mine, theirs)),
            },
            (Step::Accept | Step::Decline, Some(mine), Some(theirs)) => {
                let said = if matches!(step, Step::Accept) { Answer::Accept } else { Answer::Decline };
                match answer(mine, said) {
                    Err(e) => return format!("{:?}", e.reason()),
                    Ok(None) => return "done".to_owned(),
                    Ok(Some(RequestStatus::Accepted)) => {
                        self.friends = true;
                        ("friends".to_owned(), accepted(other, theirs, now))
                    }
                    Ok(Some(_)) => ("declined".to_owned(), declined(mine, theirs, now)),
                }
            }
            (Step::TakeBack | Step::Accept | Step::Decline, ..) => return "NotFound".to_owned(),
        };
        for (side, new) in [(who, rows.0), (1 - who, rows.1)] {
            self.rows[side] = new.or_else(|| self.rows[side].take());
        }
        answered
    }

    /// What Ana can see: what stands between the two, and each request in her lists with its id and date.
    fn seen_by_ana(&self) -> (Relation, Option<(FriendRequestId, OffsetDateTime)>) {
        let relation = relation(self.standing(), self.rows[0].as_ref(), self.now());
        let listed = self.rows[0].as_ref().filter(|_| matches!(relation, Relation::Requested | Relation::Received));
        (relation, listed.map(|r| (r.id, r.sent_at)))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever the two do: they are friends only when one acts on what the other one has asked and not taken back.
    #[test]
    fn nobody_becomes_a_friend_without_wanting_it(steps in steps()) {
        let mut pair = Pair::default();
        let mut wants = [false, false];
        for (n, (who, step)) in steps.into_iter().enumerate() {
            let who = usize::from(who);
            let answered = pair.step(who, step, n as u128);
            if pair.friends {
                prop_assert!(wants[1 - who], "{answered} though the other one wants nothing");
                prop_assert!(matches!(step, Step::Ask | Step::Accept));
                break;
            }
            match step {
                Step::Ask if answered != "AlreadySent" => wants[who] = true,
                Step::TakeBack if answered == "gone" => wants[who] = false,
                _ => {}
            }
        }
    }

    /// Ana sees the same, to the id and the date, whether Ben declines or says nothing, for thirty days.
    #[test]
    fn a_decline_cannot_be_seen(steps in steps()) {
        let (mut declining, mut silent) = (Pair::default(), Pair::default());
        for (n, (who, step)) in steps.into_iter().enumerate() {
            let who = usize::from(who);
            match (who, step) {
                (1, Step::Decline) => drop(declining.step(who, step, n as u128)),
                // What he does not hear he cannot accept, and she cannot expect it.
                (1, Step::Accept) | (_, Step::Wait(_)) => {}
                (1, _) => {
                    declining.step(who, step, n as u128);
                    silent.step(who, step, n as u128);
                }
                _ => prop_assert_eq!(declining.step(who, step, n as u128), silent.step(who, step, n as u128)),
            }
            prop_assert_eq!(declining.seen_by_ana(), silent.seen_by_ana());
        }
    }
}
