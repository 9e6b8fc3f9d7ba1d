//! Profiles on the wire, for those who may see them.

use super::{
    Found,
    rules::{self, Sees},
};
use crate::{
    days, favors, identity,
    money::Currency,
    pb::{
        self,
        friends::Relation,
        profile::{
            CreatePictureUploadResponse, Details, Earning, Identity, IdentityType, PaymentInfo, Profile, ProfileData, TrendingCategory,
            Upcoming, UpcomingKind,
        },
    },
    pictures::{New, Pictures},
    rentals,
};
use time::OffsetDateTime;

/// A profile as it is seen. What is hidden is empty.
pub fn profile(found: Found, sees: Sees, pictures: &Pictures) -> Profile {
    let Found { member, number, kept, relation } = found;
    let pending = sees.all && rules::phone_step_pending(number.number.is_some(), kept.phone_step_done);
    let identities = identities(sees, &member.email, number.number.as_deref().filter(|_| number.verified));
    let named = |text: String| if sees.names { text } else { String::new() };
    let all = |text: String| if sees.all { text } else { String::new() };
    let handle = |text: String| if sees.handles { text } else { String::new() };
    Profile {
        details: Some(Details {
            display_name: member.display_name(),
            first_name: named(member.given_name),
            last_name: named(member.family_name),
            phone_number: all(number.number.unwrap_or_default()),
            phone_verified: sees.all && number.verified,
            country_code: all(kept.country),
            profile_picture_url: pictures.face(member.picture),
            time_zone: all(member.time_zone),
        }),
        identities,
        data: Some(ProfileData {
            payment_info: Some(PaymentInfo { venmo_username: handle(kept.venmo), paypal_username: handle(kept.paypal) }),
        }),
        phone_step_pending: pending,
        // Who is hidden is nobody's anything.
        relation: if relation == Relation::Unspecified { Relation::None } else { relation }.into(),
    }
}

fn identities(sees: Sees, email: &str, verified: Option<&str>) -> Vec<Identity> {
    let one = |kind: IdentityType, value: &str| Identity { r#type: kind.into(), value: value.to_owned() };
    let email = sees.email.then(|| one(IdentityType::Email, email));
    let phone = verified.filter(|_| sees.all).map(|number| one(IdentityType::Phone, number));
    email.into_iter().chain(phone).collect()
}

/// Where a picture is to be put.
pub fn announced(upload_url: String, new: &New, until: OffsetDateTime) -> CreatePictureUploadResponse {
    CreatePictureUploadResponse { upload_url, key: new.key(), expires_at: Some(pb::timestamp(until)) }
}

/// An amount earned.
pub fn earning(currency: Currency, amount: f64) -> Earning {
    Earning { currency: currency.word().into(), amount }
}

/// What is ahead by the clocks of a zone, the first day first, and on a day first what has no hour. So what is overdue stands before all else.
pub fn upcoming(favors: Vec<favors::Ahead>, rentals: Vec<rentals::Ahead>, zone: &str, most: usize) -> Vec<Upcoming> {
    let one = |kind: UpcomingKind, id: String, title, date| Upcoming { kind: kind.into(), id, title, date };
    let favors = favors.into_iter().map(|favor| {
        let key = (days::today(favor.at, zone), Some(favor.at));
        (key, one(UpcomingKind::Favor, favor.id.to_string(), favor.title, identity::instant(favor.at)))
    });
    let rentals = rentals.into_iter().map(|rental| {
        let key = (rental.day, None);
        (key, one(UpcomingKind::Rental, rental.id.to_string(), rental.title, days::text(rental.day)))
    });
    let mut all: Vec<_> = favors.chain(rentals).collect();
    all.sort_by_key(|(key, _)| *key);
    all.into_iter().take(most).map(|(_, upcoming)| upcoming).collect()
}

/// A category with its count.
pub fn trending(trend: &favors::Trend) -> TrendingCategory {
    TrendingCategory { category: trend.category.into(), label: trend.label.to_owned(), count: small(trend.count) }
}

/// A count, as far as the wire counts.
pub fn small(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
