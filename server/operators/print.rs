//! What a command prints: text for reading, or JSON.

use serde_json::Value;
use std::io::{self, Write};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Whether JSON is wanted.
    pub json: bool,
}

impl Output {
    /// Prints one of the two. A reader that went away is no failure.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn tell(self, text: &str, json: &Value) -> io::Result<()> {
        let told = if self.json { json.to_string() } else { clean(text.trim_end()) };
        match writeln!(io::stdout().lock(), "{told}") {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    /// Says how far something is, beside what is printed.
    pub fn progress(self, text: &str) {
        // Nobody may be reading it.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// An instant, as RFC 3339 has it, without fractions.
pub fn at(instant: OffsetDateTime) -> String {
    instant.replace_nanosecond(0).unwrap_or(instant).format(&Rfc3339).unwrap_or_default()
}

/// Words of members must not move the cursor of a terminal.
fn clean(text: &str) -> String {
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn what_is_told_is_plain() {
        assert_eq!(at(datetime!(2026-03-01 12:00:01.5 UTC)), "2026-03-01T12:00:01Z");
        assert_eq!(clean("a\u{1b}[2J\nb\r"), "a[2J\nb");
    }
}
