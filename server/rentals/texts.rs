//! What members are told about rentals: a title of at most 100 characters, and a message of at most 500.

use super::Payment;
use crate::{days::Days, text};
use time::Date;

/// The most characters of somebody's own words in a message.
const WORDS_MAX: usize = 100;

/// A title and a message.
pub type Text = (&'static str, String);

/// The name of one who has no account any more.
pub const FORMER: &str = "A former member";

/// To the owner: somebody asks.
pub fn asked(borrower: &str, item: &str, days: Days, words: &str) -> Text {
    ("New borrow request", with_words(format!("{borrower} would like to borrow {} {}.", quoted(item), said(days)), words))
}

/// To the owner: other days are asked for.
pub fn moved(borrower: &str, item: &str, days: Days) -> Text {
    ("A request has new dates", format!("{borrower} would now like to borrow {} {}.", quoted(item), said(days)))
}

/// To the borrower: the owner agreed.
pub fn accepted(owner: &str, item: &str, days: Days) -> Text {
    ("Your request was accepted", format!("{owner} will lend you {} {}.", quoted(item), said(days)))
}

/// To the borrower: the owner did not agree.
pub fn declined(owner: &str, item: &str, days: Days, reason: &str) -> Text {
    ("Your request was declined", with_words(format!("{owner} can't lend you {} {}.", quoted(item), said(days)), reason))
}

/// To the borrower: the item is lent no longer.
pub fn removed(owner: &str, item: &str) -> Text {
    ("Your request was declined", format!("{owner} is no longer lending {}.", quoted(item)))
}

/// To the owner: the borrower wants it no longer.
pub fn taken_back(borrower: &str, item: &str, days: Days) -> Text {
    ("A request was cancelled", format!("{borrower} cancelled the request to borrow {} {}.", quoted(item), meant(days)))
}

/// To the other side: the agreed rental is called off. `paid` says that a payment or a deposit was recorded.
pub fn cancelled(actor: &str, item: &str, days: Days, paid: bool) -> Text {
    let settle = if paid { " Some money has already changed hands. Please work that out with each other." } else { "" };
    ("A rental was cancelled", format!("{actor} cancelled the rental of {} {}.{settle}", quoted(item), meant(days)))
}

/// The same of one who has left Goodturn, with the money that was paid and not paid back.
pub fn cancelled_by_former(item: &str, days: Days, open: &str) -> Text {
    let cancelled = format!("{FORMER} cancelled the rental of {} {}.", quoted(item), meant(days));
    ("A rental was cancelled", format!("{cancelled} {open} had been paid and wasn't paid back."))
}

/// To the other side: the item was handed over.
pub fn started(actor: &str, item: &str, until: Date, note: &str) -> Text {
    (
        "An item was handed over",
        with_words(format!("{actor} marked {} as handed over. It's due back on {}.", quoted(item), day(until)), note),
    )
}

/// To the owner: the borrower gave it back.
pub fn returned(borrower: &str, item: &str, note: &str) -> Text {
    (
        "An item was returned",
        with_words(format!("{borrower} returned {}. Please confirm that it came back in good condition.", quoted(item)), note),
    )
}

/// To the borrower: the return is confirmed, and what the owner noted with it.
pub fn completed(owner: &str, item: &str, note: &str) -> Text {
    ("A return was confirmed", with_words(format!("{owner} confirmed the return of {}.", quoted(item)), note))
}

/// To the other side: some words that came with a rating.
pub fn rated(actor: &str, item: &str, note: &str) -> Text {
    ("A note about your rental", with_words(format!("{actor} left you a note about {}.", quoted(item)), note))
}

/// To the other side: a payment was recorded or corrected. `amount` is the whole of it, as `$20.00`.
pub fn recorded(actor: &str, item: &str, payment: Payment, amount: &str) -> Text {
    let item = quoted(item);
    match payment {
        Payment::PricePaid => ("Payment recorded", format!("{actor} marked {amount} for {item} as paid.")),
        Payment::PriceNotPaid => ("Payment corrected", format!("{actor} marked {amount} for {item} as not paid.")),
        Payment::PriceRefunded => ("Payment settled", format!("{actor} marked the payment of {amount} for {item} as settled.")),
        Payment::DepositReceived => ("Deposit recorded", format!("{actor} marked the deposit of {amount} for {item} as paid.")),
        Payment::DepositNotReceived => ("Deposit corrected", format!("{actor} marked the deposit of {amount} for {item} as not paid.")),
        Payment::DepositReturned => ("Deposit returned", format!("{actor} marked the deposit of {amount} for {item} as returned.")),
        Payment::DepositNotReturned => ("Deposit corrected", format!("{actor} marked the deposit of {amount} for {item} as not returned.")),
    }
}

/// To the owner: more days are asked for.
pub fn more(borrower: &str, item: &str, until: Date) -> Text {
    ("More days requested", format!("{borrower} would like to keep {} until {}.", quoted(item), day(until)))
}

/// To the owner: more days are asked for no longer.
pub fn no_more(borrower: &str, item: &str, until: Date) -> Text {
    (
        "Request for more days withdrawn",
        format!("{borrower} withdrew the request to keep {} longer. It's still due back on {}.", quoted(item), day(until)),
    )
}

/// To the borrower: the owner agreed to more days.
pub fn extended(owner: &str, item: &str, until: Date) -> Text {
    ("You can keep it longer", format!("{owner} agreed that you can keep {} until {}.", quoted(item), day(until)))
}

/// To the borrower: the owner did not agree to more days.
pub fn not_extended(owner: &str, item: &str, until: Date) -> Text {
    ("More days declined", format!("{owner} declined your request to keep {} longer. It's still due back on {}.", quoted(item), day(until)))
}

/// Days as they are said in a sentence.
pub(super) fn said(days: Days) -> String {
    let (first, last) = (days.first(), days.last());
    match (first == last, first.year() == last.year()) {
        (true, _) => format!("on {}", day(first)),
        (false, true) => format!("from {} {} to {}", first.month(), first.day(), day(last)),
        (false, false) => format!("from {}, to {}", day(first), day(last)),
    }
}

/// Days as they are said of what is cancelled: "on" would be the day of the cancellation.
fn meant(days: Days) -> String {
    if days.first() == days.last() { format!("for {}", day(days.first())) } else { said(days) }
}

/// A day in a sentence.
pub(super) fn day(day: Date) -> String {
    format!("{} {}, {}", day.month(), day.day(), day.year())
}

/// A title, or somebody's words.
pub(super) fn quoted(text: &str) -> String {
    format!("“{}”", cut(&text::within(text), WORDS_MAX))
}

fn with_words(sentence: String, words: &str) -> String {
    if words.is_empty() { sentence } else { format!("{sentence} {}", quoted(words)) }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    #[test]
    fn the_longest_words_still_fit() {
        let (name, long) = ("n".repeat(200), "w".repeat(500));
        let (day, days) = (date!(2026 - 09 - 30), Days::new(date!(2026 - 09 - 30), date!(2027 - 09 - 30)).unwrap());
        let all = [
            asked(&name, &long, days, &long),
            moved(&name, &long, days),
            accepted(&name, &long, days),
            declined(&name, &long, days, &long),
            rated(&name, &long, &long),
            recorded(&name, &long, Payment::DepositNotReturned, "366,000,000.00 USD"),
            removed(&name, &long),
            taken_back(&name, &long, days),
            cancelled(&name, &long, days, true),
            cancelled_by_former(&long, days, "366,000,000.00 USD"),
            started(&name, &long, day, &long),
            returned(&name, &long, &long),
            completed(&name, &long, &long),
            more(&name, &long, day),
            no_more(&name, &long, day),
            extended(&name, &long, day),
            not_extended(&name, &long, day),
        ];
        for (title, message) in all {
            assert!(title.chars().count() <= 100 && message.chars().count() <= 500, "{message}");
        }
    }

    #[test]
    fn days_are_said_as_people_say_them() {
        let said = |first, last| said(Days::new(first, last).unwrap());
        assert_eq!(said(date!(2026 - 06 - 01), date!(2026 - 06 - 01)), "on June 1, 2026");
        assert_eq!(said(date!(2026 - 06 - 01), date!(2026 - 07 - 02)), "from June 1 to July 2, 2026");
        assert_eq!(said(date!(2026 - 12 - 31), date!(2027 - 01 - 01)), "from December 31, 2026, to January 1, 2027");
        let days = Days::new(date!(2026 - 06 - 01), date!(2026 - 06 - 03)).unwrap();
        assert_eq!(meant(days), "from June 1 to June 3, 2026");
        assert_eq!(meant(Days::new(date!(2026 - 06 - 01), date!(2026 - 06 - 01)).unwrap()), "for June 1, 2026");
        let text = asked("Ben", "Ladder", days, "Hi!");
        assert_eq!(text.1, "Ben would like to borrow “Ladder” from June 1 to June 3, 2026. “Hi!”");
        assert_eq!(
            declined("Ana", "Ladder\r\n\r\nPay here", days, "").1,
            declined("Ana", "Ladder Pay here", days, "").1,
            "no line is anybody's but ours"
        );
    }
}
