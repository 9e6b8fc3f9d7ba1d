//! What members are told about favors: a title of at most 100 characters, and a message of at most 500.

use super::{Answer, Category};
use crate::text;

/// The most characters of somebody's own words in a message.
const WORDS_MAX: usize = 120;
/// The most characters of a name where two sentences follow.
const NAME_MAX: usize = 80;

/// A title and a message.
pub type Text = (&'static str, String);

/// How a category is called.
pub const fn label(category: Category) -> &'static str {
    match category {
        Category::General => "General Help",
        Category::Errands => "Errands",
        Category::PhysicalHelp => "Physical Help",
        Category::PetCare => "Pet Care",
    }
}

/// To a recipient: somebody asks, with some words where one more is asked.
pub fn asked(creator: &str, favor: &str, words: &str) -> Text {
    ("New favor request", with_words(format!("{creator} asked you for a favor: {}.", quoted(favor)), words))
}

/// To a recipient who has not answered: it starts at another time. `when` is said by the reader's clocks, here and below.
pub fn asked_at_new_time(creator: &str, favor: &str, when: &str) -> Text {
    ("New time for a favor", format!("{creator} asked you for a favor: {}. New time: {when}.", quoted(favor)))
}

/// To a recipient who has not answered: the helper stepped back.
pub fn asked_again(creator: &str, favor: &str, when: &str) -> Text {
    ("Help is needed again", format!("{creator} needs help with {} again: {when}.", quoted(favor)))
}

/// To a recipient who may still be a back-up: the creator took the time of another one.
pub fn moved(creator: &str, favor: &str, when: &str) -> Text {
    let found = format!("{creator} moved {} to {when} and found someone to help.", quoted(favor));
    ("New time for a favor", format!("{found} You can still be a backup."))
}

/// To a friend who was not asked by name: the favor asks all friends.
pub fn shared(creator: &str, favor: &str) -> Text {
    ("A friend needs help", format!("{creator} asked all their friends for a favor: {}.", quoted(favor)))
}

/// To the creator: somebody accepted, though somebody helps already.
pub fn backs_up(recipient: &str, favor: &str, words: &str) -> Text {
    ("You have a backup", with_words(format!("{recipient} will help you with {} if your helper can't.", quoted(favor)), words))
}

/// To the creator: a friend offers help for a public favor.
pub fn applied(applicant: &str, favor: &str, words: &str) -> Text {
    ("Someone offered to help", with_words(format!("{applicant} offered to help you with {}.", quoted(favor)), words))
}

/// To the creator: an offer of help was taken back.
pub fn took_back(applicant: &str, favor: &str, words: &str) -> Text {
    ("An offer was withdrawn", with_words(format!("{applicant} withdrew their offer to help you with {}.", quoted(favor)), words))
}

/// To the creator: a back-up stepped back.
pub fn backs_up_no_more(back_up: &str, favor: &str, words: &str) -> Text {
    ("A backup stepped back", with_words(format!("{back_up} is no longer a backup for {}.", quoted(favor)), words))
}

/// To the creator: the helper stepped back, and a back-up helps in their place, if there is one. That one is not named: what names one member alone
/// is forgotten with them.
pub fn stepped_back(helper: &str, is_replaced: bool, favor: &str, words: &str) -> Text {
    let after = if is_replaced { "Your backup will help instead." } else { "Your favor is open again." };
    let gone = format!("{} can't help you with {} anymore.", cut(helper, NAME_MAX), quoted(favor));
    ("Your helper stepped back", with_words(format!("{gone} {after}"), words))
}

/// To a back-up who helps from now on.
pub fn moved_up(creator: &str, favor: &str) -> Text {
    ("You're the helper now", format!("{creator} is counting on you for {}. The previous helper stepped back.", quoted(favor)))
}

/// To one who offered help, or another time: nobody helps any more.
pub fn open_again(creator: &str, favor: &str) -> Text {
    ("Help is needed again", format!("{creator} needs help with {} again, and your offer still stands.", quoted(favor)))
}

/// To an applicant: they were picked. `when` is the start; `None` if it has passed.
pub fn chosen(creator: &str, favor: &str, when: Option<&str>) -> Text {
    let start = when.map(|when| format!(" It starts {when}.")).unwrap_or_default();
    ("You were chosen to help", format!("{creator} accepted your offer to help with {}.{start}", quoted(favor)))
}

/// To a recipient: their proposed start was taken.
pub fn time_accepted(creator: &str, favor: &str, when: &str) -> Text {
    ("Your time was accepted", format!("{creator} moved {} to the time you proposed: {when}. You're the helper.", quoted(favor)))
}

/// To a recipient: the other time that they offered was declined. `when` is the favor's start; `None` if it has passed.
pub fn time_declined(creator: &str, favor: &str, when: Option<&str>, words: &str) -> Text {
    let start = when.map(|when| format!(" It still starts {when}.")).unwrap_or_default();
    let declined = format!("{} can't do the time you proposed for {}.{start}", cut(creator, NAME_MAX), quoted(favor));
    ("Your time was declined", with_words(declined, words))
}

/// To the creator: the tip did not arrive.
pub fn tip_missing(helper: &str, favor: &str, words: &str) -> Text {
    ("A tip didn't arrive", with_words(format!("{helper} didn't get the tip for {}.", quoted(favor)), words))
}

/// To the creator: a recipient answered. `when` is the other time that they proposed, if they named one.
pub fn answered(recipient: &str, favor: &str, answer: Answer, when: Option<&str>, words: &str) -> Text {
    let favor = quoted(favor);
    let (title, sentence) = match answer {
        Answer::Accept => ("Your favor was accepted", format!("{recipient} will help you with {favor}.")),
        Answer::Decline => ("A friend can't help", format!("{recipient} can't help you with {favor}.")),
        Answer::AnotherTime => {
            let at = when.map(|when| format!(": {when}")).unwrap_or_default();
            ("Another time was proposed", format!("{} can help you with {favor} at another time{at}.", cut(recipient, NAME_MAX)))
        }
    };
    (title, with_words(sentence, words))
}

/// To the other recipients: somebody else helps. It is not theirs to know who.
pub fn taken(creator: &str, favor: &str) -> Text {
    ("Someone else is helping", format!("{creator} found someone to help with {}.", quoted(favor)))
}

/// The same, at the time that somebody else proposed.
pub fn taken_at(creator: &str, favor: &str, when: &str) -> Text {
    ("Someone else is helping", format!("{creator} moved {} to {when} and found someone to help.", quoted(favor)))
}

/// To the other side: the help was given.
pub fn completed(actor: &str, favor: &str, words: &str) -> Text {
    ("Favor completed", with_words(format!("{actor} marked {} as completed.", quoted(favor)), words))
}

/// To the helper: tip and payment are resolved.
pub fn settled(creator: &str, favor: &str, words: &str) -> Text {
    ("Favor settled", with_words(format!("{creator} marked {} as settled.", quoted(favor)), words))
}

/// To all who were asked: it was called off.
pub fn cancelled(creator: &str, favor: &str) -> Text {
    ("Favor cancelled", format!("{creator} cancelled {}.", quoted(favor)))
}

/// The name of one who has no account any more.
pub const FORMER: &str = "A former member";

/// To the creator: the last of those who were asked declined.
pub fn nobody_can(recipient: &str, favor: &str, words: &str) -> Text {
    let sentence = format!("{} can't help you with {}. Ask someone else or cancel the favor.", cut(recipient, NAME_MAX), quoted(favor));
    ("Nobody you asked can help", with_words(sentence, words))
}

/// To the creator: one who was asked has left.
pub fn cannot(favor: &str) -> Text {
    ("Someone you asked has left Goodturn", format!("{FORMER} can't help you with {}.", quoted(favor)))
}

/// To the creator: the helper has left, and nobody stood by.
pub fn helper_left(favor: &str) -> Text {
    ("Your helper has left Goodturn", format!("{FORMER} can't help you with {} anymore. Your favor is open again.", quoted(favor)))
}

/// To one who is not asked any more.
pub fn not_needed(creator: &str, favor: &str) -> Text {
    ("Your help is no longer needed", format!("{creator} no longer needs your help with {}.", quoted(favor)))
}

/// To the creator: nobody has accepted by the deadline.
pub fn unanswered(favor: &str) -> Text {
    ("Your deadline has passed", format!("No one accepted {} by the deadline.", quoted(favor)))
}

/// To the creator: nobody has accepted by the start.
pub fn lapsed(favor: &str) -> Text {
    (
        "Your favor needs a new time",
        format!("{} was due to start, but no one has accepted. Move it to another time or cancel it.", quoted(favor)),
    )
}

/// To both sides: what they agreed is ahead. `when` is said by the reader's clocks. It names nobody: it outlives who leaves.
pub fn ahead(favor: &str, when: &str, helps: bool) -> Text {
    let favor = quoted(favor);
    if helps {
        ("Reminder: you're helping", format!("You're helping with {favor} {when}."))
    } else {
        ("Reminder: you're getting help", format!("You're getting help with {favor} {when}."))
    }
}

fn quoted(text: &str) -> String {
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

    #[test]
    fn the_longest_words_still_fit() {
        let (name, long) = ("n".repeat(200), "w".repeat(500));
        let when = "Wed, Sep 30, 10:00 PM";
        let all = [Answer::Accept, Answer::Decline, Answer::AnotherTime];
        let answers = all.map(|answer| answered(&name, &long, answer, Some(when), &long));
        let others = [
            asked(&name, &long, &long),
            shared(&name, &long),
            asked_at_new_time(&name, &long, when),
            asked_again(&name, &long, when),
            moved(&name, &long, when),
            taken_at(&name, &long, when),
            backs_up(&name, &long, &long),
            applied(&name, &long, &long),
            took_back(&name, &long, &long),
            backs_up_no_more(&name, &long, &long),
            stepped_back(&name, true, &long, &long),
            moved_up(&name, &long),
            open_again(&name, &long),
            chosen(&name, &long, Some(when)),
            time_accepted(&name, &long, when),
            time_declined(&name, &long, Some(when), &long),
            nobody_can(&name, &long, &long),
            helper_left(&long),
            tip_missing(&name, &long, &long),
        ];
        for (title, message) in answers.into_iter().chain(others) {
            assert!(title.chars().count() <= 100 && message.chars().count() <= 500, "{message}");
        }
        assert!(lapsed(&long).1.chars().count() <= 500);
        assert_eq!(
            ahead("Walk the dog", "on Thursday, June 18 at 9:00 AM", true).1,
            "You're helping with “Walk the dog” on Thursday, June 18 at 9:00 AM."
        );
        assert_eq!(
            asked("Ana Test", "Tea”.\n\nYour account is locked", "\nHi\u{2028}all").1,
            "Ana Test asked you for a favor: “Tea”. Your account is locked”. “Hi all”",
            "no line is anybody's but ours"
        );
        assert_eq!(asked("Ana Test", "Walk the dog", "").1, "Ana Test asked you for a favor: “Walk the dog”.");
    }
}
