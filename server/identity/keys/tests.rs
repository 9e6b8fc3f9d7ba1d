//! When keys come, sign, check and go.

use super::*;
use time::macros::datetime;

const START: OffsetDateTime = datetime!(2026-03-01 12:00 UTC);
const LIFE: Duration = Duration::days(90);

fn key(kid: &str, used_from: OffsetDateTime) -> StoredKey {
    StoredKey { kid: kid.into(), sealed: Vec::new(), created_at: used_from, used_from }
}

#[test]
fn a_key_is_made_before_the_one_that_signs_has_had_its_time() {
    assert!(is_due(&[], LIFE, START));
    let one = [key("a", START)];
    assert!(!is_due(&one, LIFE, START + LIFE - Duration::hours(3)));
    assert!(is_due(&one, LIFE, START + LIFE - PUBLISHED_AHEAD));
    let two = [key("a", START), key("b", START + LIFE)];
    assert!(!is_due(&two, LIFE, START + LIFE));
}

#[test]
fn a_key_is_retired_when_nothing_it_signed_can_be_good() {
    let two = [key("a", START), key("b", START + LIFE)];
    assert!(retired(&two, START + LIFE + ACCESS_LIFE_MAX).is_empty());
    assert_eq!(retired(&two, START + LIFE + KEPT_AFTER), ["a"]);
    assert!(retired(&two[..1], START + LIFE * 10).is_empty());
}

#[test]
fn a_key_comes_signs_and_checks() {
    let next = START + LIFE;
    let two = [key("a", START), key("b", next)];
    let stages = |now| (stage(&two, &two[0], now), stage(&two, &two[1], now));
    assert_eq!(stages(next - Duration::SECOND), (Stage::Signs, Stage::Comes));
    assert_eq!(stages(next), (Stage::Checks { until: next + KEPT_AFTER }, Stage::Signs));
}
