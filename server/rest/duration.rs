//! Durations in seconds, with a fraction only when there is one: `1.500s`.

use super::{
    instant::{NANOS, fraction},
    number::whole_to,
};
use prost_types::Duration;

/// Ten thousand years, in seconds: the longest that protobuf has.
const SECONDS_MAX: u64 = 315_576_000_000;

/// Reads a duration of at most 10,000 years either way.
pub fn read(text: &str) -> Option<Duration> {
    let given = text.strip_suffix('s')?;
    let unsigned = given.strip_prefix('-');
    let (whole, fraction) = unsigned.unwrap_or(given).split_once('.').unwrap_or((unsigned.unwrap_or(given), "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let seconds = i64::try_from(whole.parse::<u64>().ok().filter(|s| *s <= SECONDS_MAX)?).ok()?;
    let nanos = format!("{fraction:0<9}").parse::<i32>().ok()?;
    Some(if unsigned.is_some() { Duration { seconds: -seconds, nanos: -nanos } } else { Duration { seconds, nanos } })
}

/// Writes a duration, in quotes; `None` for one that is too long, or whose seconds and nanoseconds have different signs.
pub fn print(duration: Duration, out: &mut Vec<u8>) -> Option<()> {
    let (seconds, nanos) = (duration.seconds.unsigned_abs(), duration.nanos.unsigned_abs());
    let agree = duration.seconds.signum() * i64::from(duration.nanos.signum()) >= 0;
    if seconds > SECONDS_MAX || nanos >= NANOS || !agree {
        return None;
    }
    out.push(b'"');
    if duration.seconds < 0 || duration.nanos < 0 {
        out.push(b'-');
    }
    whole_to(seconds, out);
    fraction(nanos, out);
    out.extend_from_slice(b"s\"");
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_come_through_as_the_table_says() {
        let table = [
            ("0s", Some("0s")),
            ("1.5s", Some("1.500s")),
            ("-0.5s", Some("-0.500s")),
            ("-1.000001s", Some("-1.000001s")),
            ("3.000000001s", Some("3.000000001s")),
            ("315576000000s", Some("315576000000s")),
            ("-315576000000s", Some("-315576000000s")),
            ("315576000001s", None),
            ("99999999999999999999s", None),
            ("1.0000000001s", None),
            ("1", None),
            ("s", None),
            ("-s", None),
            (".5s", None),
            ("1.s", None),
            ("--1s", None),
            ("+1s", None),
            ("1e3s", None),
            (" 1s", None),
            ("1 s", None),
            ("1.5é", None),
            ("", None),
        ];
        for (text, expected) in table {
            let printed = read(text).map(|duration| {
                let mut out = Vec::new();
                print(duration, &mut out).unwrap();
                String::from_utf8(out).unwrap()
            });
            assert_eq!(printed, expected.map(|e| format!("\"{e}\"")), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_not_written() {
        for (seconds, nanos) in [(1, -1), (-1, 1), (315_576_000_001, 0), (i64::MIN, 0), (0, 1_000_000_000), (0, i32::MIN)] {
            assert_eq!(print(Duration { seconds, nanos }, &mut Vec::new()), None, "{seconds} {nanos}");
        }
    }
}
