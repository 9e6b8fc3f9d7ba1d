//! Instants in RFC 3339: any offset is read, UTC is written, with a fraction only when there is one.

use prost::{
    DecodeError,
    encoding::{self, DecodeContext, decode_key},
};
use prost_types::Timestamp;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Years 1 to 9999, in seconds since the epoch.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Reads an instant of the years 1 to 9999.
pub fn read(text: &str) -> Option<Timestamp> {
    if !is_strict(text) {
        return None;
    }
    let instant = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    // Not by way of `to_utc`, which panics at the ends of time.
    let (seconds, nanos) = (instant.unix_timestamp(), i32::try_from(instant.nanosecond()).ok()?);
    SECONDS.contains(&seconds).then_some(Timestamp { seconds, nanos })
}

/// What the parser is more generous with than the JSON of protobuf: the letters are upper case, nanoseconds are the least, and no minute has
/// a 61st second.
fn is_strict(text: &str) -> bool {
    let fraction = text.split_once('.').map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
    text.get(10..11) == Some("T") && !text.ends_with('z') && text.get(17..19) != Some("60") && fraction <= 9
}

/// Writes an instant, in quotes; `None` outside the years 1 to 9999.
pub fn print(instant: Timestamp, out: &mut Vec<u8>) -> Option<()> {
    let at = OffsetDateTime::from_unix_timestamp(instant.seconds).ok().filter(|_| SECONDS.contains(&instant.seconds))?;
    let nanos = u32::try_from(instant.nanos).ok().filter(|n| *n < NANOS)?;
    let (hour, minute, second) = at.to_hms();
    out.push(b'"');
    digits::<4>(at.year().unsigned_abs(), out);
    let rest = [(b'-', u8::from(at.month())), (b'-', at.day()), (b'T', hour), (b':', minute), (b':', second)];
    for (before, part) in rest {
        out.push(before);
        digits::<2>(part.into(), out);
    }
    fraction(nanos, out);
    out.extend_from_slice(b"Z\"");
    Some(())
}

/// In a second.
pub const NANOS: u32 = 1_000_000_000;

/// Writes a fraction of a second in as many threes of digits as it needs: none, milliseconds, microseconds or nanoseconds.
pub fn fraction(nanos: u32, out: &mut Vec<u8>) {
    if nanos == 0 {
        return;
    }
    out.push(b'.');
    match (nanos % 1_000_000, nanos % 1000) {
        (0, _) => digits::<3>(nanos / 1_000_000, out),
        (_, 0) => digits::<6>(nanos / 1000, out),
        _ => digits::<9>(nanos, out),
    }
}

/// Writes the last `N` digits of a number. By hand, since the formatter of the standard library takes longer for an instant than all else does.
fn digits<const N: usize>(mut number: u32, out: &mut Vec<u8>) {
    let mut text = [b'0'; N];
    for place in text.iter_mut().rev() {
        *place += u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
    out.extend_from_slice(&text);
}

/// Seconds and nanoseconds out of the bytes of an instant or a duration, which lie alike.
///
/// # Errors
/// They are bytes of neither.
pub fn decode(mut wire: &[u8]) -> Result<(i64, i32), DecodeError> {
    let (mut seconds, mut nanos) = (0, 0);
    while !wire.is_empty() {
        let (tag, wire_type) = decode_key(&mut wire)?;
        match tag {
            1 => encoding::int64::merge(wire_type, &mut seconds, &mut wire, DecodeContext::default())?,
            2 => encoding::int32::merge(wire_type, &mut nanos, &mut wire, DecodeContext::default())?,
            _ => encoding::skip_field(wire_type, tag, &mut wire, DecodeContext::default())?,
        }
    }
    Ok((seconds, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use prost::Message as _;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_instant_is_written_as_another_hand_writes_it(seconds in SECONDS, nanos in 0..1_000_000_000_i32) {
            let whole = Timestamp { seconds, nanos };
            prop_assert_eq!(decode(&whole.encode_to_vec()).unwrap(), (seconds, nanos));
            for nanos in [nanos, nanos / 1_000_000 * 1_000_000, nanos / 1000 * 1000, 0] {
                let mut out = Vec::new();
                print(Timestamp { seconds, nanos }, &mut out).unwrap();
                let text = std::str::from_utf8(&out).unwrap().trim_matches('"');
                let expected = OffsetDateTime::from_unix_timestamp(seconds).unwrap().replace_nanosecond(nanos.unsigned_abs()).unwrap();
                let shortest = expected.format(&Rfc3339).unwrap();
                prop_assert_eq!(OffsetDateTime::parse(text, &Rfc3339).unwrap(), expected);
                // The library writes no zeros at the end of a fraction.
                let digits = text.trim_end_matches('Z').split_once('.').map_or(0, |(_, fraction)| fraction.len());
                prop_assert!(digits.is_multiple_of(3) && text.starts_with(shortest.trim_end_matches('Z')), "{} {}", text, shortest);
            }
        }
    }

    #[test]
    fn what_is_no_instant_is_not_written() {
        for (seconds, nanos) in
            [(SECONDS.start() - 1, 0), (SECONDS.end() + 1, 0), (i64::MIN, 0), (i64::MAX, 0), (0, -1), (0, 1_000_000_000)]
        {
            assert_eq!(print(Timestamp { seconds, nanos }, &mut Vec::new()), None, "{seconds} {nanos}");
        }
    }

    #[test]
    fn instants_are_read_with_any_offset_and_written_in_utc() {
        let table = [
            ("2026-01-02T03:04:05Z", Some("2026-01-02T03:04:05Z")),
            ("2026-01-02T03:04:05.000Z", Some("2026-01-02T03:04:05Z")),
            ("2026-01-02T03:04:05.120+02:00", Some("2026-01-02T01:04:05.120Z")),
            ("2026-01-02T03:04:05.000001Z", Some("2026-01-02T03:04:05.000001Z")),
            ("1969-12-31T23:59:59.5Z", Some("1969-12-31T23:59:59.500Z")),
            ("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z")),
            ("0001-01-01T00:00:00+01:00", None),
            ("9999-12-31T23:59:59-01:00", None),
            ("2026-02-30T00:00:00Z", None),
            ("2026-01-02T03:04:05.123456789Z", Some("2026-01-02T03:04:05.123456789Z")),
            ("2026-01-02T03:04:05.1234567891Z", None),
            ("2026-01-02t03:04:05Z", None),
            ("2026-01-02 03:04:05Z", None),
            ("2026-01-02T03:04:05z", None),
            ("2026-12-31T23:59:60Z", None),
            ("2026-01-02é03:04:05Z", None),
            ("2026-01-02", None),
            ("2026-01-02T03:04:05", None),
            ("", None),
        ];
        for (text, expected) in table {
            let printed = read(text).map(|instant| {
                let mut out = Vec::new();
                print(instant, &mut out).unwrap();
                String::from_utf8(out).unwrap()
            });
            assert_eq!(printed, expected.map(|e| format!("\"{e}\"")), "{text}");
        }
    }
}
