//! What the sides of a rental are told of its times. It names nobody: it outlives who leaves. Days are said as such, since it is read later too.

use super::super::{
    Side,
    texts::{Text, day, quoted, said},
};
use crate::days::Days;
use time::Date;

/// The days that were agreed are about to begin.
pub fn begins(item: &str, side: Side, days: Days) -> Text {
    let (item, when) = (quoted(item), said(days));
    match side {
        Side::Owner => ("Reminder: you are lending", format!("You are lending {item} {when}.")),
        Side::Borrower => ("Reminder: you are borrowing", format!("You are borrowing {item} {when}.")),
    }
}

/// The same, while somebody else should have given the item back.
pub fn held(item: &str, side: Side, days: Days) -> Text {
    let (begins, why) = (begins(item, side, days).1, "It has not come back from the loan before yet");
    match side {
        Side::Owner => ("An item may be late", format!("{begins} {why}: tell your borrower if you need other days.")),
        Side::Borrower => ("An item may be late", format!("{begins} {why}: ask its owner when you can have it.")),
    }
}

/// They have begun, and nobody has noted the hand-over.
pub fn unnoted(item: &str, side: Side, days: Days) -> Text {
    let title = "Was an item handed over?";
    let (item, when) = (quoted(item), said(days));
    match side {
        Side::Owner => (title, format!("You are lending {item} {when}, and no hand-over is noted yet. Note it if your borrower has it.")),
        Side::Borrower => (title, format!("You are borrowing {item} {when}, and no hand-over is noted yet. Note it if you have it.")),
    }
}

/// They have passed.
pub fn passed(item: &str, days: Days) -> Text {
    let text = "If it changed hands, note the hand-over, and the return when it is back; if not, cancel the rental. Without either it ends by itself";
    ("Was an item handed over?", format!("{} was to be lent {}, and no hand-over is noted. {text}.", quoted(item), said(days)))
}

/// To both sides: nobody has noted the hand-over until long after.
pub fn unnoted_to_the_end(item: &str, days: Days) -> Text {
    let text = "If it did change hands, agree on its return with each other";
    ("A rental has ended", format!("The rental of {} {} ended by itself, for no hand-over was noted. {text}.", quoted(item), said(days)))
}

/// To who has it: it is to be given back.
pub fn due(item: &str, last: Date) -> Text {
    ("Reminder: an item is due back", format!("{} is due back on {}.", quoted(item), day(last)))
}

/// It should have been.
pub fn overdue(item: &str, side: Side, last: Date) -> Text {
    let (item, day) = (quoted(item), day(last));
    match side {
        Side::Owner => ("Your item is overdue", format!("{item} was due back on {day}, and its return is not noted yet.")),
        Side::Borrower => ("An item is overdue", format!("{item} was due back on {day}. Give it back, or ask for more days.")),
    }
}

/// To the owner: nobody has confirmed the return.
pub fn unconfirmed(item: &str) -> Text {
    let text = "Confirm it, or settle with each other what is missing. In the end it counts as confirmed by itself";
    ("Is your item back?", format!("The return of {} is noted, and not confirmed yet. {text}.", quoted(item)))
}

/// To both sides: nobody has until long after.
pub fn unconfirmed_to_the_end(item: &str) -> Text {
    ("A return counts as confirmed", format!("The return of {} was noted more than two weeks ago, and counts as confirmed.", quoted(item)))
}

/// To the borrower: nobody answered while there was time to.
pub fn unanswered(item: &str, days: Days) -> Text {
    ("Your request has ended", format!("Your request to borrow {} {} was not answered in time.", quoted(item), said(days)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    const DAYS: (Date, Date) = (date!(2026 - 06 - 18), date!(2026 - 06 - 20));

    #[test]
    fn reminders_say_which_days() {
        let days = Days::new(DAYS.0, DAYS.1).unwrap();
        let one = Days::new(DAYS.0, DAYS.0).unwrap();
        for (text, words) in [
            (begins("Drill", Side::Borrower, days), "You are borrowing “Drill” from June 18 to June 20, 2026."),
            (begins("Drill", Side::Owner, one), "You are lending “Drill” on June 18, 2026."),
            (
                unnoted("Drill", Side::Owner, days),
                "You are lending “Drill” from June 18 to June 20, 2026, and no hand-over is noted yet. Note it if your borrower has it.",
            ),
            (
                unnoted("Drill", Side::Borrower, one),
                "You are borrowing “Drill” on June 18, 2026, and no hand-over is noted yet. Note it if you have it.",
            ),
            (
                passed("Drill", one),
                "“Drill” was to be lent on June 18, 2026, and no hand-over is noted. If it changed hands, note the hand-over, and the return when it is \
                 back; if not, cancel the rental. Without either it ends by itself.",
            ),
            (
                unnoted_to_the_end("Drill", one),
                "The rental of “Drill” on June 18, 2026 ended by itself, for no hand-over was noted. If it did change hands, agree on its return with \
                 each other.",
            ),
            (due("Drill", DAYS.1), "“Drill” is due back on June 20, 2026."),
            (
                unconfirmed("Drill"),
                "The return of “Drill” is noted, and not confirmed yet. Confirm it, or settle with each other what is missing. In the end it counts \
                 as confirmed by itself.",
            ),
            (unconfirmed_to_the_end("Drill"), "The return of “Drill” was noted more than two weeks ago, and counts as confirmed."),
            (overdue("Drill", Side::Borrower, DAYS.1), "“Drill” was due back on June 20, 2026. Give it back, or ask for more days."),
            (overdue("Drill", Side::Owner, DAYS.1), "“Drill” was due back on June 20, 2026, and its return is not noted yet."),
        ] {
            assert_eq!(text.1, words);
        }
    }

    #[test]
    fn the_longest_title_still_fits() {
        let (title, days) = ("w".repeat(200), Days::new(DAYS.0, DAYS.1).unwrap());
        let sides = [Side::Owner, Side::Borrower];
        let texts =
            sides.into_iter().flat_map(|side| [begins(&title, side, days), held(&title, side, days), overdue(&title, side, DAYS.1)]);
        let unnoted = sides.into_iter().map(|side| unnoted(&title, side, days));
        let others = [due(&title, DAYS.1), passed(&title, days), unnoted_to_the_end(&title, days), unanswered(&title, days)];
        let others = others.into_iter().chain([unconfirmed(&title), unconfirmed_to_the_end(&title)]);
        for (title, message) in texts.chain(unnoted).chain(others) {
            assert!(title.chars().count() <= 100 && message.chars().count() <= 500, "{message}");
        }
    }
}
