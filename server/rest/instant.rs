//! Instants in RFC 3339: any offset is read, UTC is written, with a fraction only when there is one.

use prost_types::Timestamp;
use std::io::Write as _;
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
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    let (hour, minute, second) = at.to_hms();
    write!(out, "\"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}").ok()?;
    match instant.nanos {
        0 => {}
        n if n % 1_000_000 == 0 => write!(out, ".{:03}", n / 1_000_000).ok()?,
        n if n % 1000 == 0 => write!(out, ".{:06}", n / 1000).ok()?,
        n => write!(out, ".{n:09}").ok()?,
    }
    out.extend_from_slice(b"Z\"");
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
