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
        Side::Owner => ("Reminder: you're lending", format!("You're lending {item} {when}.")),
        Side::Borrower => ("Reminder: you're borrowing", format!("You're borrowing {item} {when}.")),
    }
}

/// The same, while somebody else should have given the item back.
pub fn held(item: &str, side: Side, days: Days) -> Text {
    let (begins, why) = (begins(item, side, days).1, "The previous borrower hasn't returned it yet");
    match side {
        Side::Owner => ("An item may be late", format!("{begins} {why}. Let your borrower know if the dates need to change.")),
        Side::Borrower => ("An item may be late", format!("{begins} {why}. Ask the owner when you can have it.")),
    }
}

/// They have begun, and nobody has noted the hand-over.
pub fn unnoted(item: &str, side: Side, days: Days) -> Text {
    let title = "Was the item handed over?";
    let (item, when, unmarked) = (quoted(item), said(days), "but it hasn't been marked as handed over");
    match side {
        Side::Owner => (title, format!("You're lending {item} {when}, {unmarked}. If your borrower has it, mark it as handed over.")),
        Side::Borrower => (title, format!("You're borrowing {item} {when}, {unmarked}. If you have it, mark it as handed over.")),
    }
}

/// They have passed.
pub fn passed(item: &str, days: Days) -> Text {
    let text = "If it changed hands, mark it as handed over, and as returned once it's back. If not, cancel the rental. If you do \
                neither, it ends automatically";
    let unmarked = format!("{} was supposed to be borrowed {}, but it was never marked as handed over", quoted(item), said(days));
    ("Was the item handed over?", format!("{unmarked}. {text}."))
}

/// To both sides: nobody has noted the hand-over until long after.
pub fn unnoted_to_the_end(item: &str, days: Days) -> Text {
    let text = "If it did change hands, arrange the return with each other";
    let ended = format!("The rental of {} {}, ended automatically because it was never marked as handed over", quoted(item), said(days));
    ("A rental has ended", format!("{ended}. {text}."))
}

/// To who has it: it is to be given back.
pub fn due(item: &str, last: Date) -> Text {
    ("Reminder: an item is due back", format!("{} is due back on {}.", quoted(item), day(last)))
}

/// It should have been.
pub fn overdue(item: &str, side: Side, last: Date) -> Text {
    let (item, day) = (quoted(item), day(last));
    match side {
        Side::Owner => ("Your item is overdue", format!("{item} was due back on {day}, and hasn't been marked as returned.")),
        Side::Borrower => ("An item is overdue", format!("{item} was due back on {day}. Return it or ask for more days.")),
    }
}

/// To the owner: nobody has confirmed the return.
pub fn unconfirmed(item: &str) -> Text {
    let text = "Confirm the return, or sort out what's missing with the borrower. Otherwise it will be confirmed automatically";
    ("Is your item back?", format!("{} was marked as returned, but you haven't confirmed it yet. {text}.", quoted(item)))
}

/// To both sides: nobody has until long after.
pub fn unconfirmed_to_the_end(item: &str) -> Text {
    (
        "A return was confirmed automatically",
        format!("{} was marked as returned more than two weeks ago, so its return is now confirmed.", quoted(item)),
    )
}

/// To the borrower: nobody answered while there was time to.
pub fn unanswered(item: &str, days: Days) -> Text {
    ("Your request has expired", format!("Your request to borrow {} {}, wasn't answered in time.", quoted(item), said(days)))
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
            (begins("Drill", Side::Borrower, days), "You're borrowing “Drill” from June 18 to June 20, 2026."),
            (begins("Drill", Side::Owner, one), "You're lending “Drill” on June 18, 2026."),
            (
                unnoted("Drill", Side::Owner, days),
                "You're lending “Drill” from June 18 to June 20, 2026, but it hasn't been marked as handed over. If your borrower has \
                 it, mark it as handed over.",
            ),
            (
                unnoted("Drill", Side::Borrower, one),
                "You're borrowing “Drill” on June 18, 2026, but it hasn't been marked as handed over. If you have it, mark it as handed \
                 over.",
            ),
            (
                passed("Drill", one),
                "“Drill” was supposed to be borrowed on June 18, 2026, but it was never marked as handed over. If it changed hands, mark \
                 it as handed over, and as returned once it's back. If not, cancel the rental. If you do neither, it ends automatically.",
            ),
            (
                unnoted_to_the_end("Drill", one),
                "The rental of “Drill” on June 18, 2026, ended automatically because it was never marked as handed over. If it did change \
                 hands, arrange the return with each other.",
            ),
            (due("Drill", DAYS.1), "“Drill” is due back on June 20, 2026."),
            (
                unconfirmed("Drill"),
                "“Drill” was marked as returned, but you haven't confirmed it yet. Confirm the return, or sort out what's missing \
                 with the borrower. Otherwise it will be confirmed automatically.",
            ),
            (unconfirmed_to_the_end("Drill"), "“Drill” was marked as returned more than two weeks ago, so its return is now confirmed."),
            (overdue("Drill", Side::Borrower, DAYS.1), "“Drill” was due back on June 20, 2026. Return it or ask for more days."),
            (overdue("Drill", Side::Owner, DAYS.1), "“Drill” was due back on June 20, 2026, and hasn't been marked as returned."),
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
