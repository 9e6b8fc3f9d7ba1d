//! What mails of notifications say: what happened, where it is answered, why one gets it, and how one gets no more of it.

use super::{Notification, Target, mail_token};
use crate::{
    adapters::letter::{Entry, Letter},
    ids::MemberId,
    mail_links::{MailLinks, Page, Purpose},
    pb::notifications::{NotificationType as Kind, TargetKind},
    text,
};
use std::collections::BTreeSet;
use time::OffsetDateTime;

/// So many things are told in one mail; of more, how many.
const ENTRIES_MAX: usize = 20;

/// A mail about what has just happened: one thing or several.
pub fn news(links: &MailLinks, member: MemberId, rows: &[Notification], topics: &BTreeSet<Kind>, now: OffsetDateTime) -> Letter {
    let letter = match rows {
        [one] => {
            let begun = Letter::new(text::unlinked(&text::one_line(&one.title))).words(&one.message);
            begun.button(if one.action_required { "Respond in Goodturn" } else { "View in Goodturn" }, links.address(page(one)))
        }
        several => listed(links, Letter::new(format!("{} new notifications on Goodturn", several.len())), several),
    };
    let (why, stop) = match Vec::from_iter(topics).as_slice() {
        [one] => {
            let label = label(**one);
            let why = format!("You're getting this email because you have instant emails turned on for {label}.");
            (why, format!("Stop emails about {label}"))
        }
        _ => (
            "You're getting this email because you have instant emails turned on for these topics.".to_owned(),
            "Stop emails about these topics".to_owned(),
        ),
    };
    ended(links, letter.because(why), &stop, mail_token::write(links, member, topics, now))
}

/// The mail of a morning.
pub fn digest(links: &MailLinks, member: MemberId, rows: &[Notification], topics: &BTreeSet<Kind>, now: OffsetDateTime) -> Letter {
    let letter = listed(links, Letter::new("Your daily digest from Goodturn"), rows);
    let letter = letter.because("You're getting this email because you have daily emails turned on for these topics.");
    ended(links, letter, "Stop the daily digest", mail_token::write(links, member, topics, now))
}

fn listed(links: &MailLinks, letter: Letter, rows: &[Notification]) -> Letter {
    let entries = rows.iter().take(ENTRIES_MAX).map(|row| Entry {
        title: text::unlinked(&text::one_line(&row.title)),
        text: row.message.clone(),
        link: Some(links.address(page(row))),
    });
    let letter = letter.entries(entries);
    let letter = match rows.len().saturating_sub(ENTRIES_MAX) {
        0 => letter,
        1 => letter.paragraph("And one more."),
        more => letter.paragraph(format!("And {more} more.")),
    };
    letter.button("Open Goodturn", links.address(Page::Notifications))
}

fn ended(links: &MailLinks, letter: Letter, stop: &str, token: crate::mail_links::Token) -> Letter {
    letter
        .way_out(stop, links.page(Purpose::Unsubscribe, &token))
        .way_out("Change your email settings", links.address(Page::MailSettings))
        .one_click(links.one_click(&token))
}

/// Where a notification leads: to the list of all where it leads nowhere else.
fn page(row: &Notification) -> Page {
    let Target(kind, id) = row.target;
    match kind {
        TargetKind::Favor if !id.is_nil() => Page::Favor(id),
        TargetKind::Rental if !id.is_nil() => Page::Rental(id),
        TargetKind::Item if !id.is_nil() => Page::Item(id),
        TargetKind::FriendRequest => Page::FriendRequests,
        // News of a favor that is gone name a member too: there is nothing of it to be seen among the friends.
        TargetKind::Member if row.kind == Kind::FriendAccepted => Page::Friends,
        TargetKind::Favor
        | TargetKind::Rental
        | TargetKind::Item
        | TargetKind::Unspecified
        | TargetKind::Member
        | TargetKind::Group
        | TargetKind::Notifications => Page::Notifications,
    }
}

/// How a topic is called in a sentence.
pub const fn label(topic: Kind) -> &'static str {
    match topic {
        Kind::FriendRequest => "friend requests",
        Kind::FriendAccepted => "accepted friend requests",
        Kind::FavorRequest => "favor requests",
        Kind::FavorResponse => "answers to your favor requests",
        Kind::FavorCompleted => "completed favors",
        Kind::FavorSettled => "settled favors",
        Kind::FavorCancelled => "cancelled favors",
        Kind::FavorReminder => "favor reminders",
        Kind::RentalRequest => "borrow requests",
        Kind::RentalResponse => "answers to borrow requests",
        Kind::RentalStarted => "item handovers",
        Kind::RentalReturned => "item returns",
        Kind::RentalCompleted => "completed rentals",
        Kind::RentalReminder => "rental reminders",
        Kind::RentalCancelled => "cancelled rentals",
        Kind::RentalMoved => "rental date changes",
        Kind::RentalPayment => "rental payments",
        Kind::FavorShared => "favor requests to all friends",
        Kind::System | Kind::Unspecified => "notices from Goodturn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{adapters::mail::Mail, ids::NotificationId, notifications::rules};
    use time::macros::datetime;
    use uuid::Uuid;

    const NOW: OffsetDateTime = datetime!(2026-03-04 05:06:07 UTC);

    fn links() -> MailLinks {
        MailLinks::new(&[7; 32], "https://goodturn.test")
    }

    fn row(kind: Kind, target: Target, message: &str) -> Notification {
        Notification {
            id: NotificationId(Uuid::nil()),
            member: MemberId(Uuid::from_u128(1)),
            seq: 1,
            kind,
            title: "New favor request".into(),
            message: message.into(),
            actor: None,
            target,
            action_required: true,
            at: NOW,
            read: false,
        }
    }

    fn mail(rows: &[Notification]) -> Mail {
        let topics = rows.iter().map(|row| row.kind).collect();
        news(&links(), MemberId(Uuid::from_u128(1)), rows, &topics, NOW).to("ana@example.org")
    }

    #[test]
    fn one_thing_is_the_mail_and_leads_to_where_it_is_answered() {
        let id = Uuid::from_u128(7);
        let mail = mail(&[row(Kind::FavorRequest, Target(TargetKind::Favor, id), "Ben asked you for a favor: “see evil.example”.")]);
        assert_eq!(mail.subject, "New favor request");
        assert!(mail.body.contains(&format!("Respond in Goodturn: https://goodturn.test/favors/{id}\n")), "{}", mail.body);
        assert!(mail.body.contains("Stop emails about favor requests: https://goodturn.test/unsubscribe#"), "{}", mail.body);
        assert!(!mail.body.contains("evil.example") && !mail.html.contains("evil.example"), "{}", mail.body);
        assert!(mail.one_click.unwrap().starts_with("https://goodturn.test/notifications/unsubscribe?token="));
    }

    #[test]
    fn what_is_lent_leads_to_its_own_screen() {
        let id = Uuid::from_u128(7);
        for (kind, path) in [(TargetKind::Rental, "/share/rentals/"), (TargetKind::Item, "/share/items/")] {
            let mail = mail(&[row(Kind::RentalRequest, Target(kind, id), "Ben would like to borrow “Ladder”.")]);
            assert!(mail.body.contains(&format!("Respond in Goodturn: https://goodturn.test{path}{id}\n")), "{}", mail.body);
            assert!(mail.body.contains("Stop emails about borrow requests"), "{}", mail.body);
        }
    }

    #[test]
    fn a_new_friend_is_among_the_friends() {
        let accepted = row(Kind::FriendAccepted, Target(TargetKind::Member, Uuid::from_u128(7)), "You and Ben are now friends.");
        let mail = mail(&[accepted]);
        assert!(mail.body.contains("in Goodturn: https://goodturn.test/friends/mine\n"), "{}", mail.body);
    }

    #[test]
    fn several_things_are_listed_and_of_very_many_some() {
        let request = row(Kind::FriendRequest, Target(TargetKind::FriendRequest, Uuid::from_u128(7)), "Ben would like to be your friend.");
        let gone = row(Kind::FavorCancelled, Target(TargetKind::Member, Uuid::from_u128(8)), "Ben cancelled “a favor”.");
        let two = mail(&[request.clone(), gone]);
        assert_eq!(two.subject, "2 new notifications on Goodturn");
        for said in ["https://goodturn.test/friends/requests", "https://goodturn.test/inbox", "Stop emails about these topics"] {
            assert!(two.body.contains(said), "{said}: {}", two.body);
        }
        let many = mail(&vec![request; ENTRIES_MAX + 3]);
        assert_eq!(many.body.matches("would like to be").count(), ENTRIES_MAX);
        assert!(many.body.contains("And 3 more."), "{}", many.body);
    }

    #[test]
    fn every_topic_has_a_name_of_its_own() {
        let names: BTreeSet<_> = rules::topics().map(label).collect();
        assert_eq!(names.len(), rules::topics().count());
    }
}
