//! Profiles on the wire, for those who may see them.

use super::{
    Found,
    rules::{self, Sees},
};
use crate::{
    favors, identity,
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
};
use time::OffsetDateTime;

/// A profile as it is seen. What is hidden is empty.
pub fn profile(found: Found, sees: Sees, pictures: &Pictures) -> Profile {
    let Found { member, number, kept, relation } = found;
    let pending = sees.all && rules::phone_step_pending(number.number.is_some(), kept.phone_step_done);
    let identities = identities(sees, &member.email, number.number.as_deref().filter(|_| number.verified));
    let all = |text: String| if sees.all { text } else { String::new() };
    let handle = |text: String| if sees.handles { text } else { String::new() };
    Profile {
        details: Some(Details {
            display_name: member.display_name(),
            first_name: member.given_name,
            last_name: member.family_name,
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

/// A favor with a start ahead.
pub fn upcoming(ahead: favors::Ahead) -> Upcoming {
    let kind = UpcomingKind::Favor.into();
    Upcoming { kind, id: ahead.id.to_string(), title: ahead.title, date: identity::instant(ahead.at) }
}

/// A category with its count.
pub fn trending(trend: &favors::Trend) -> TrendingCategory {
    TrendingCategory { category: trend.category.into(), label: trend.label.to_owned(), count: small(trend.count) }
}

/// A count, as far as the wire counts.
pub fn small(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
