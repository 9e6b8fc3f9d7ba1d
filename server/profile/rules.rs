//! Who sees how much of a profile. Pure.

use crate::{
    favors,
    money::{Cents, Currency},
    pb::friends::Relation,
    rentals,
};
use std::collections::BTreeMap;

/// What a member is to the one who looks. One may be several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Themself.
    Own,
    /// A friend.
    Friend,
    /// Was asked to be one by the one who looks.
    Asked,
    /// Asked the one who looks to be one.
    Asker,
    /// The other side of a favor that was asked.
    Favor,
    /// The other side of a favor that one of them helps with, or did.
    Help,
    /// The helper in a favor of the one who looks.
    Helper,
    /// The one who looks has to pay them, for a favor or a rental.
    Owed,
    /// The other side of a rental that was asked for.
    Rental,
    /// The other side of one that was agreed.
    Lent,
    /// The owner of an item that the one who looks may see.
    Owner,
}

/// What two members have to do with each other in the areas below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// In favors.
    pub favors: favors::Ties,
    /// In rentals.
    pub rentals: rentals::Ties,
    /// Whether the other has an item that everybody may see.
    pub lends: bool,
}

/// How much is seen beside display name and picture, which all see who see anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sees {
    /// First and last name: strangers see what the member chose to be called.
    pub names: bool,
    /// The address.
    pub email: bool,
    /// The handles by which they are paid.
    pub handles: bool,
    /// The number, the country, the zone and what is still asked of them.
    pub all: bool,
}

/// The table.
const TABLE: [(Tie, Sees); 11] = [
    (Tie::Own, Sees { names: true, email: true, handles: true, all: true }),
    (Tie::Friend, Sees { names: true, email: true, handles: false, all: false }),
    (Tie::Asked, Sees { names: true, email: false, handles: false, all: false }),
    // Asking shows the asker's address.
    (Tie::Asker, Sees { names: true, email: true, handles: false, all: false }),
    (Tie::Favor, Sees { names: true, email: false, handles: false, all: false }),
    // From the acceptance on each knows how to reach the other.
    (Tie::Help, Sees { names: true, email: true, handles: false, all: false }),
    (Tie::Helper, Sees { names: true, email: true, handles: true, all: false }),
    // All that is left between two of whom one has blocked the other: what was promised can be paid.
    (Tie::Owed, Sees { names: false, email: false, handles: true, all: false }),
    (Tie::Rental, Sees { names: false, email: false, handles: false, all: false }),
    // As with favors: from the owner's word on.
    (Tie::Lent, Sees { names: true, email: true, handles: false, all: false }),
    (Tie::Owner, Sees { names: false, email: false, handles: false, all: false }),
];

/// The ties between two members, as far as they count here. A member who is hidden from the other is nothing to them, but for money that they may
/// be owed.
pub fn ties(relation: Relation, shared: Shared) -> Vec<Tie> {
    let favors = favors::Ties { is_owed: shared.favors.is_owed, ..favors::Ties::default() };
    let rentals = rentals::Ties { is_owed: shared.rentals.is_owed_still, ..rentals::Ties::default() };
    let hidden = Shared { favors, rentals, ..Shared::default() };
    let Shared { favors, rentals, lends } = if relation == Relation::Unspecified { hidden } else { shared };
    let of_relation = match relation {
        Relation::Self_ => Some(Tie::Own),
        Relation::Friend => Some(Tie::Friend),
        Relation::Requested => Some(Tie::Asked),
        Relation::Received => Some(Tie::Asker),
        Relation::None | Relation::Unspecified => None,
    };
    let of_favors = [
        (favors.asked, Tie::Favor),
        (favors.helps, Tie::Help),
        (favors.is_helper, Tie::Helper),
        (favors.is_owed || rentals.is_owed, Tie::Owed),
    ];
    let of_sharing = [(rentals.asked, Tie::Rental), (rentals.agreed, Tie::Lent), (lends, Tie::Owner)];
    let shared = of_favors.into_iter().chain(of_sharing).filter_map(|(is_so, tie)| is_so.then_some(tie));
    of_relation.into_iter().chain(shared).collect()
}

/// How much is seen by who has these ties: what any of them shows. `None` without one: there is no such member then.
pub fn sees(ties: &[Tie]) -> Option<Sees> {
    let lines = TABLE.iter().filter(|(tie, _)| ties.contains(tie)).map(|(_, sees)| *sees);
    lines.reduce(|a, b| Sees { names: a.names || b.names, email: a.email || b.email, handles: a.handles || b.handles, all: a.all || b.all })
}

/// What was earned in several ways, by currency, in their order.
pub fn together(ways: impl IntoIterator<Item = (Currency, Cents)>) -> Vec<(Currency, Cents)> {
    let mut earned = BTreeMap::<Currency, i64>::new();
    for (currency, amount) in ways {
        *earned.entry(currency).or_default() += amount.cents();
    }
    earned.into_iter().map(|(currency, cents)| (currency, Cents::from_cents(cents))).collect()
}

/// Whether the step that asks for a number still waits: there is none, and it was neither given before nor skipped.
pub const fn phone_step_pending(has_number: bool, done: bool) -> bool {
    !has_number && !done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sees_how_much_follows_from_the_table() {
        let none = Shared::default();
        let of = |favors| Shared { favors, ..none };
        let asked = of(favors::Ties { asked: true, ..none.favors });
        let helped_them = of(favors::Ties { helps: true, ..asked.favors });
        let helper = of(favors::Ties { is_helper: true, ..helped_them.favors });
        let owed = of(favors::Ties { is_owed: true, ..helper.favors });
        let borrows = Shared { rentals: rentals::Ties { asked: true, ..rentals::Ties::default() }, ..none };
        let lent = Shared { rentals: rentals::Ties { asked: true, agreed: true, ..rentals::Ties::default() }, ..none };
        let unpaid = Shared { rentals: rentals::Ties { is_owed: true, ..lent.rentals }, ..none };
        let runs = Shared { rentals: rentals::Ties { is_owed_still: true, ..unpaid.rentals }, ..none };
        let sight = |names, email, handles, all| Some(Sees { names, email, handles, all });
        for (relation, shared, expected) in [
            (Relation::Self_, none, sight(true, true, true, true)),
            (Relation::Friend, none, sight(true, true, false, false)),
            (Relation::Friend, helper, sight(true, true, true, false)),
            (Relation::Requested, none, sight(true, false, false, false)),
            (Relation::Received, none, sight(true, true, false, false)),
            (Relation::None, asked, sight(true, false, false, false)),
            (Relation::None, helped_them, sight(true, true, false, false)),
            (Relation::Requested, helped_them, sight(true, true, false, false)),
            (Relation::None, helper, sight(true, true, true, false)),
            (Relation::None, none, None),
            (Relation::Unspecified, none, None),
            (Relation::None, owed, sight(true, true, true, false)),
            (Relation::Unspecified, helper, None),
            (Relation::Unspecified, owed, sight(false, false, true, false)),
            (Relation::None, borrows, sight(false, false, false, false)),
            (Relation::Friend, borrows, sight(true, true, false, false)),
            (Relation::None, lent, sight(true, true, false, false)),
            (Relation::Unspecified, lent, None),
            (Relation::None, unpaid, sight(true, true, true, false)),
            (Relation::Unspecified, unpaid, None),
            (Relation::Unspecified, runs, sight(false, false, true, false)),
        ] {
            assert_eq!(sees(&ties(relation, shared)), expected, "{relation:?} {shared:?}");
        }
    }

    #[test]
    fn who_lends_to_everybody_is_seen_by_everybody_but_who_is_blocked() {
        for (relation, expected) in [
            (Relation::None, Some(Sees::default())),
            (Relation::Unspecified, None),
            (Relation::Received, Some(Sees { names: true, email: true, ..Sees::default() })),
        ] {
            let shared = Shared { lends: true, ..Shared::default() };
            assert_eq!(sees(&ties(relation, shared)), expected, "{relation:?}");
        }
    }

    #[test]
    fn nobody_but_themself_sees_all_and_the_handles_are_for_who_pays() {
        for (tie, sees) in TABLE {
            assert_eq!(sees.all, tie == Tie::Own, "{tie:?}");
            assert_eq!(sees.handles, matches!(tie, Tie::Own | Tie::Helper | Tie::Owed), "{tie:?}");
        }
    }

    #[test]
    fn what_was_earned_is_one_amount_a_currency() {
        let cents = Cents::from_cents;
        let (tips, lent) =
            ([(Currency::Eur, cents(500)), (Currency::Usd, cents(4510))], [(Currency::Usd, cents(90)), (Currency::Inr, cents(7))]);
        let expected = [(Currency::Usd, cents(4600)), (Currency::Inr, cents(7)), (Currency::Eur, cents(500))];
        assert_eq!(together(tips.into_iter().chain(lent)), expected);
        assert_eq!(together([]), []);
    }

    #[test]
    fn the_step_is_asked_of_who_has_no_number_and_was_not_asked_before() {
        for (has_number, done, pending) in [(false, false, true), (true, false, false), (false, true, false), (true, true, false)] {
            assert_eq!(phone_step_pending(has_number, done), pending);
        }
    }
}
