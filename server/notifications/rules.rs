//! Which notifications take another's place, where a stream stands among a member's, and what it does with the next one; which are mailed,
//! and when. Pure.

use super::{New, Notification};
use crate::{
    ids::MemberId,
    pb::notifications::{MailFrequency as Mail, NotificationType as Kind},
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use time::{Duration, OffsetDateTime};

/// When mail of the morning is due, by the member's clocks.
const MORNING_HOUR: i8 = 8;

/// The news that count, in their order: of those that would take each other's place, the last. What Goodturn itself says stands for itself.
pub fn newest(news: &[New]) -> Vec<&New> {
    let mut later = HashSet::new();
    let mut counts = |n: &&New| n.actor.is_none() || later.insert((n.member, n.kind, n.actor, n.about));
    let mut kept: Vec<&New> = news.iter().rev().filter(|n| counts(n)).collect();
    kept.reverse();
    kept
}

/// What is left of each kind of notification, as `of_former` says it.
pub fn sentences_of_former() -> Vec<(Kind, &'static str)> {
    (0..).map_while(|n| Kind::try_from(n).ok()).map(|kind| (kind, of_former(kind))).collect()
}

/// What is left of a notification when the one who caused it has left: no name, and none of their words.
pub const fn of_former(kind: Kind) -> &'static str {
    match kind {
        Kind::FriendRequest => "A former member asked to be friends.",
        Kind::FriendAccepted => "A former member became your friend.",
        Kind::FavorRequest => "A former member asked you for a favor.",
        Kind::FavorResponse => "A former member had an update about a favor.",
        Kind::FavorCompleted => "A former member marked a favor as completed.",
        Kind::FavorSettled => "A former member had an update about a settled favor.",
        Kind::FavorCancelled => "A former member cancelled a favor.",
        Kind::RentalRequest => "A former member asked to borrow something.",
        Kind::RentalResponse => "A former member had an update about a rental.",
        Kind::RentalStarted => "A former member marked an item as handed over.",
        Kind::RentalReturned => "A former member returned an item.",
        Kind::RentalCompleted => "A former member had an update about a completed rental.",
        Kind::RentalCancelled => "A former member cancelled a rental.",
        Kind::RentalMoved => "A former member asked for different dates.",
        Kind::RentalPayment => "A former member recorded a rental payment.",
        Kind::FavorShared => "A former member asked all their friends for a favor.",
        Kind::Unspecified | Kind::FavorReminder | Kind::RentalReminder | Kind::System => "This was about a former member.",
    }
}

/// Kinds that say nothing once their thing is called off, though they expect no answer: unread, they go with it.
pub const WITHDRAWN: [Kind; 3] = [Kind::FavorReminder, Kind::RentalReminder, Kind::FavorShared];

/// When mail is sent about a topic to a member who has not said otherwise. Mail that asks, answers or calls off what the member counts on goes
/// at once, and so do reminders; news can wait until the morning.
pub const fn usual_mail(topic: Kind) -> Mail {
    match topic {
        Kind::FriendRequest
        | Kind::FriendAccepted
        | Kind::FavorRequest
        | Kind::FavorResponse
        | Kind::FavorCancelled
        | Kind::FavorReminder
        | Kind::RentalRequest
        | Kind::RentalResponse
        | Kind::RentalCancelled
        | Kind::RentalMoved
        | Kind::RentalReminder
        | Kind::System => Mail::AtOnce,
        Kind::FavorShared
        | Kind::FavorCompleted
        | Kind::FavorSettled
        | Kind::RentalStarted
        | Kind::RentalReturned
        | Kind::RentalCompleted
        | Kind::RentalPayment => Mail::Daily,
        // What a newer node told has no topic here, and no setting.
        Kind::Unspecified => Mail::Off,
    }
}

/// Every topic, in the order of the contract.
pub fn topics() -> impl Iterator<Item = Kind> {
    (1..).map_while(|n| Kind::try_from(n).ok())
}

/// When mail is sent about a topic to one who has said this.
pub fn mail_about(topic: Kind, said: &BTreeMap<i32, Mail>) -> Mail {
    said.get(&(topic as i32)).copied().unwrap_or(usual_mail(topic))
}

/// The topics about which mail is sent so.
pub fn topics_by(said: &BTreeMap<i32, Mail>, mail: Mail) -> BTreeSet<Kind> {
    topics().filter(|topic| mail_about(*topic, said) == mail).collect()
}

/// The first eight in the morning after an instant, in an IANA zone; one that is not known counts as UTC.
pub fn next_morning(now: OffsetDateTime, zone: &str) -> OffsetDateTime {
    morning_after(now, zone).or_else(|| morning_after(now, "UTC")).unwrap_or(now + Duration::DAY)
}

fn morning_after(now: OffsetDateTime, zone: &str) -> Option<OffsetDateTime> {
    let zone = jiff::tz::TimeZone::get(zone).ok()?;
    let today = jiff::Timestamp::from_second(now.unix_timestamp()).ok()?.to_zoned(zone.clone()).date();
    let mut mornings = [Some(today), today.tomorrow().ok()].into_iter().flatten().filter_map(|day| {
        let morning = day.at(MORNING_HOUR, 0, 0, 0).to_zoned(zone.clone()).ok()?;
        OffsetDateTime::from_unix_timestamp(morning.timestamp().as_second()).ok()
    });
    mornings.find(|morning| *morning > now)
}

/// What is known of a member before something is told.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// An IANA zone.
    pub zone: String,
    /// On which morning there is mail already.
    pub digest_at: Option<OffsetDateTime>,
    /// What was said about topics.
    pub said: BTreeMap<i32, Mail>,
    /// Of whom they do not want to hear.
    pub silenced: Vec<MemberId>,
}

/// Who does not want to hear of whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Silenced(HashSet<(MemberId, MemberId)>);

impl Silenced {
    /// As members wish it.
    pub fn of(wishes: &HashMap<MemberId, Wishes>) -> Self {
        Self(wishes.iter().flat_map(|(member, of)| of.silenced.iter().map(|other| (*member, *other))).collect())
    }

    /// Whether it is nothing that its member wants to hear. What Goodturn itself says is always heard.
    pub fn has(&self, new: &New) -> bool {
        new.actor.is_some_and(|actor| self.0.contains(&(new.member, actor)))
    }
}

/// When the jobs of a member fall due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// The next mail.
    pub mail_at: Option<OffsetDateTime>,
    /// That of the morning.
    pub digest_at: Option<OffsetDateTime>,
}

/// An address with little of its first part, for who may have been given what was sent there.
pub fn masked(address: &str) -> String {
    let (name, host) = address.rsplit_once('@').unwrap_or((address, ""));
    format!("{}…@{host}", name.chars().next().unwrap_or_default())
}

/// The mails that shall tell of news.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    mails: HashMap<(MemberId, Kind), Mail>,
    /// When, for each who gets one.
    pub due: BTreeMap<MemberId, Due>,
    begun: BTreeSet<OffsetDateTime>,
}

impl Plan {
    /// The mail that shall tell a member of something; none when none shall.
    pub fn mail(&self, member: MemberId, kind: Kind) -> Option<Mail> {
        self.mails.get(&(member, kind)).copied()
    }

    /// The mornings of which nobody here knew that they come.
    pub fn mornings(&self) -> Vec<OffsetDateTime> {
        self.begun.iter().copied().collect()
    }
}

/// Plans mails about news: some moments later, so that what is read or answered meanwhile is not mailed, or in the morning.
pub fn plan(news: &[(MemberId, Kind)], wishes: &HashMap<MemberId, Wishes>, now: OffsetDateTime, delay: Duration) -> Plan {
    let mut plan = Plan::default();
    for (member, kind) in news {
        // Who is no member any more gets none.
        let Some(of) = wishes.get(member) else { continue };
        let mail = mail_about(*kind, &of.said);
        let due = match mail {
            Mail::AtOnce => Due { mail_at: Some(now + delay), digest_at: None },
            Mail::Daily => Due { mail_at: None, digest_at: Some(next_morning(now, &of.zone)) },
            Mail::Off | Mail::Unspecified => continue,
        };
        plan.mails.insert((*member, *kind), mail);
        let waits = plan.due.entry(*member).or_default();
        *waits = Due { mail_at: waits.mail_at.or(due.mail_at), digest_at: waits.digest_at.or(due.digest_at) };
        if of.digest_at.is_none_or(|at| at <= now) {
            plan.begun.extend(due.digest_at);
        }
    }
    plan
}

/// What becomes of that which was to be mailed.
#[derive(Debug, Default)]
pub struct Sorted {
    /// To be mailed now.
    pub now: Vec<Notification>,
    /// By their seqs: to be mailed in the morning.
    pub later: Vec<i64>,
}

/// Sorts what waited for a mail by what its member wants by now. What may not be mailed any more today waits for the morning.
pub fn sort(waited: Vec<Notification>, said: &BTreeMap<i32, Mail>, mail: Mail, spent: bool) -> Sorted {
    let mut sorted = Sorted::default();
    for row in waited {
        match (mail_about(row.kind, said), mail) {
            (Mail::Off | Mail::Unspecified, _) => {}
            (Mail::Daily, Mail::AtOnce) => sorted.later.push(row.seq),
            (Mail::AtOnce, Mail::AtOnce) if spent => sorted.later.push(row.seq),
            (Mail::AtOnce | Mail::Daily, _) => sorted.now.push(row),
        }
    }
    sorted
}

/// What to do with a notification that is heard of live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// It is the next one: send it.
    Now,
    /// It was sent already.
    Seen,
    /// Some before it were not heard of: read the rows.
    ReadRows,
}

/// The place of the last notification that a stream has sent, or that its client has seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(i64);

impl Place {
    /// Where a stream begins: after the place in its resume token, else after the last one there is. A token from the future (a database
    /// that was restored) begins at the last one too.
    pub fn begin(token: Option<i64>, last: i64) -> Self {
        Self(token.map_or(last, |seq| seq.min(last)))
    }

    /// The seq of the last one sent.
    pub const fn seq(self) -> i64 {
        self.0
    }

    /// Whether the one with this seq is the next.
    pub const fn take(self, seq: i64) -> Take {
        if seq <= self.0 {
            Take::Seen
        } else if seq == self.0 + 1 {
            Take::Now
        } else {
            Take::ReadRows
        }
    }

    /// The one with this seq was sent.
    pub fn sent(&mut self, seq: i64) {
        self.0 = self.0.max(seq);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::MemberId,
        notifications::Target,
        pb::notifications::{NotificationType as Kind, TargetKind},
    };
    use proptest::prelude::*;
    use time::macros::datetime;
    use uuid::Uuid;

    fn new(member: u128, kind: Kind, actor: Option<u128>, about: u128, title: &str) -> New {
        let (member, actor, about) =
            (MemberId(Uuid::from_u128(member)), actor.map(|a| MemberId(Uuid::from_u128(a))), Uuid::from_u128(about));
        let target = Target(TargetKind::Favor, about);
        New { member, kind, title: title.into(), message: "…".into(), actor, target, about, about_unread: None, action_required: true }
    }

    #[test]
    fn of_news_about_the_same_the_last_counts() {
        let news = [
            new(1, Kind::FavorResponse, Some(2), 7, "first"),
            new(1, Kind::FavorResponse, Some(3), 7, "another actor"),
            new(1, Kind::FavorCompleted, Some(2), 7, "another kind"),
            new(1, Kind::FavorResponse, Some(2), 8, "another thing"),
            new(4, Kind::FavorResponse, Some(2), 7, "another member"),
            new(1, Kind::System, None, 7, "our word"),
            new(1, Kind::System, None, 7, "our next word"),
            new(1, Kind::FavorResponse, Some(2), 7, "last"),
        ];
        let titles: Vec<_> = newest(&news).iter().map(|n| n.title.as_str()).collect();
        assert_eq!(titles, ["another actor", "another kind", "another thing", "another member", "our word", "our next word", "last"]);
    }

    #[test]
    fn a_stream_begins_after_its_token_but_not_in_the_future() {
        assert_eq!(Place::begin(None, 7).seq(), 7);
        assert_eq!(Place::begin(Some(3), 7).seq(), 3);
        assert_eq!(Place::begin(Some(9), 7).seq(), 7);
    }

    #[test]
    fn every_seq_is_sent_once_and_none_is_passed_over() {
        let mut place = Place::begin(Some(3), 7);
        assert_eq!((place.take(3), place.take(4), place.take(5)), (Take::Seen, Take::Now, Take::ReadRows));
        place.sent(4);
        place.sent(2);
        assert_eq!((place.seq(), place.take(4), place.take(5)), (4, Take::Seen, Take::Now));
    }

    #[test]
    fn questions_answers_and_cancellations_are_mailed_at_once_and_news_in_the_morning() {
        let of_favors = [Kind::FavorShared, Kind::FavorCompleted, Kind::FavorSettled];
        let news = [&of_favors[..], &[Kind::RentalStarted, Kind::RentalReturned, Kind::RentalCompleted, Kind::RentalPayment]].concat();
        for topic in topics() {
            let expected = if news.contains(&topic) { Mail::Daily } else { Mail::AtOnce };
            assert_eq!(usual_mail(topic), expected, "{topic:?}");
        }
        let said = BTreeMap::from([(Kind::System as i32, Mail::Off), (Kind::FavorSettled as i32, Mail::AtOnce)]);
        assert_eq!((mail_about(Kind::System, &said), mail_about(Kind::FavorSettled, &said)), (Mail::Off, Mail::AtOnce));
        assert_eq!(topics_by(&said, Mail::Daily).len(), news.len() - 1);
    }

    #[test]
    fn the_next_morning_is_at_eight_by_the_clocks_of_the_zone() {
        for (now, zone, morning) in [
            (datetime!(2026-06-16 09:00 UTC), "Europe/Lisbon", datetime!(2026-06-17 07:00 UTC)),
            (datetime!(2026-06-16 06:59:59.9 UTC), "Europe/Lisbon", datetime!(2026-06-16 07:00 UTC)),
            (datetime!(2026-06-16 07:00 UTC), "Europe/Lisbon", datetime!(2026-06-17 07:00 UTC)),
            (datetime!(2026-06-16 09:00 UTC), "America/New_York", datetime!(2026-06-16 12:00 UTC)),
            (datetime!(2026-06-16 09:00 UTC), "Asia/Kathmandu", datetime!(2026-06-17 02:15 UTC)),
            (datetime!(2026-06-16 09:00 UTC), "Pacific/Kiritimati", datetime!(2026-06-16 18:00 UTC)),
            // The clocks go forward, and back, in the night before.
            (datetime!(2026-03-07 20:00 UTC), "America/New_York", datetime!(2026-03-08 12:00 UTC)),
            (datetime!(2026-03-06 20:00 UTC), "America/New_York", datetime!(2026-03-07 13:00 UTC)),
            (datetime!(2026-10-24 20:00 UTC), "Europe/Berlin", datetime!(2026-10-25 07:00 UTC)),
            (datetime!(2026-10-23 20:00 UTC), "Europe/Berlin", datetime!(2026-10-24 06:00 UTC)),
            // A day that there was not.
            (datetime!(2011-12-29 20:00 UTC), "Pacific/Apia", datetime!(2011-12-30 18:00 UTC)),
            (datetime!(2026-06-16 09:00 UTC), "No/Such", datetime!(2026-06-17 08:00 UTC)),
        ] {
            assert_eq!(next_morning(now, zone), morning, "after {now} in {zone}");
        }
    }

    #[test]
    fn a_plan_has_a_mail_for_each_who_wants_one_and_one_morning_for_many() {
        let now = datetime!(2026-06-16 09:00 UTC);
        let (ana, ben, eve) = (MemberId(Uuid::from_u128(1)), MemberId(Uuid::from_u128(2)), MemberId(Uuid::from_u128(3)));
        let wants = |said: &[(Kind, Mail)]| Wishes {
            zone: "UTC".into(),
            digest_at: None,
            said: said.iter().map(|(topic, mail)| (*topic as i32, *mail)).collect(),
            silenced: Vec::new(),
        };
        let wishes = HashMap::from([(ana, wants(&[])), (ben, wants(&[(Kind::FavorRequest, Mail::Off)]))]);
        let news: Vec<_> = [ana, ben, eve].into_iter().flat_map(|m| [(m, Kind::FavorRequest), (m, Kind::FavorSettled)]).collect();
        let plan = plan(&news, &wishes, now, Duration::MINUTE);
        let morning = datetime!(2026-06-17 08:00 UTC);
        assert_eq!(plan.due[&ana], Due { mail_at: Some(now + Duration::MINUTE), digest_at: Some(morning) });
        assert_eq!(plan.due[&ben], Due { mail_at: None, digest_at: Some(morning) });
        assert!(!plan.due.contains_key(&eve), "who is no member gets none");
        assert_eq!((plan.mail(ana, Kind::FavorRequest), plan.mail(ben, Kind::FavorRequest)), (Some(Mail::AtOnce), None));
        assert_eq!(plan.mornings(), [morning]);
        // Where there is mail on that morning already, it is begun already.
        let known = wishes.into_iter().map(|(m, of)| (m, Wishes { digest_at: Some(morning), ..of })).collect();
        assert!(super::plan(&news, &known, now, Duration::MINUTE).mornings().is_empty());
        let missed = HashMap::from([(ana, Wishes { digest_at: Some(now), ..wants(&[]) })]);
        assert_eq!(super::plan(&news, &missed, now, Duration::MINUTE).mornings(), [morning], "one that was missed brings it along");
    }

    #[test]
    fn who_is_silenced_is_not_heard_by_the_one_who_said_so() {
        let wishes =
            HashMap::from([(MemberId(Uuid::from_u128(1)), Wishes { silenced: vec![MemberId(Uuid::from_u128(2))], ..Wishes::default() })]);
        let silenced = Silenced::of(&wishes);
        for (member, actor, quiet) in [(1, Some(2), true), (1, Some(3), false), (1, None, false), (3, Some(2), false), (2, Some(1), false)]
        {
            assert_eq!(silenced.has(&new(member, Kind::FavorRequest, actor, 7, "…")), quiet, "{member} {actor:?}");
        }
    }

    #[test]
    fn an_address_is_told_by_little_of_it() {
        for (address, told) in [("ana@example.org", "a…@example.org"), ("ä@b.org", "ä…@b.org"), ("\"a@b\"@c.org", "\"…@c.org")] {
            assert_eq!(masked(address), told);
        }
    }

    proptest! {
        /// Rows come, and take the place of older ones; of some the stream hears, of others it does not, and of some not in time.
        #[test]
        fn a_stream_passes_gaps_and_sends_each_row_that_stays_once(
            steps in prop::collection::vec((prop::option::of(0..20usize), any::<bool>(), any::<bool>()), 1..60),
        ) {
            let (mut rows, mut place, mut sent) = (BTreeSet::<i64>::new(), Place::begin(None, 0), Vec::new());
            let read = |rows: &BTreeSet<i64>, place: &mut Place, sent: &mut Vec<i64>| {
                let after: Vec<i64> = rows.range(place.seq() + 1..).copied().collect();
                after.into_iter().for_each(|seq| {
                    place.sent(seq);
                    sent.push(seq);
                });
            };
            for (seq, (replaced, heard, late)) in (1..).zip(steps) {
                let gone = replaced.and_then(|n| rows.iter().rev().nth(n).copied());
                rows.insert(seq);
                gone.map(|gone| rows.remove(&gone));
                // One that is heard late may have lost its place to another by then.
                let told = if late { gone.unwrap_or(seq) } else { seq };
                match place.take(told) {
                    _ if !heard => {}
                    Take::Seen => prop_assert!(told <= place.seq()),
                    Take::Now => {
                        place.sent(told);
                        sent.push(told);
                    }
                    Take::ReadRows => {
                        read(&rows, &mut place, &mut sent);
                        prop_assert_eq!(place.seq(), seq, "the newest row is always there");
                    }
                }
            }
            read(&rows, &mut place, &mut sent);
            prop_assert!(sent.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", sent);
            prop_assert!(rows.iter().all(|row| sent.contains(row)));
        }
    }
}
