//! Lines of the log as JSON. The library writes them by way of a serializer, which for the one line of each call was a tenth of what a call
//! costs; here they are written straight, to the letter the same. What stands in a span is left to the library.

use crate::clock::Clock;
use std::fmt::{self, Debug, Write};
use time::OffsetDateTime;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormatFields,
        format::{Format, Json, Writer},
    },
    registry::LookupSpan,
};

/// The crate's own events: those of the `log` crate, which others write by, have their names in fields.
const OWN: &str = "goodturn";
/// Longer than the line of a call.
const LINE_BYTES: usize = 512;

/// Writes lines as JSON.
pub struct Lines {
    whole: Format<Json>,
    clock: Clock,
}

impl Default for Lines {
    fn default() -> Self {
        Self { whole: Format::default().json().flatten_event(true), clock: Clock::system() }
    }
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(&self, ctx: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let meta = event.metadata();
        if !meta.target().starts_with(OWN) || event.parent().is_some() || ctx.lookup_current().is_some() {
            return self.whole.format_event(ctx, writer, event);
        }
        let mut line = Line(String::with_capacity(LINE_BYTES));
        line.0.push_str(r#"{"timestamp":""#);
        line.instant(self.clock.now())?;
        line.0.push_str(r#"","level":""#);
        line.0.push_str(meta.level().as_str());
        line.0.push('"');
        event.record(&mut line);
        line.text("target", meta.target());
        line.0.push_str("}\n");
        writer.write_str(&line.0)
    }
}

/// A line that is being written.
struct Line(String);

impl Line {
    fn name(&mut self, name: &str) {
        self.0.push_str(",\"");
        self.0.push_str(name);
        self.0.push_str("\":");
    }

    fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        self.0.push('"');
        let _ = Escaped(&mut self.0).write_str(text);
        self.0.push('"');
    }

    fn number(&mut self, name: &str, number: impl itoa::Integer) {
        self.name(name);
        self.0.push_str(itoa::Buffer::new().format(number));
    }

    /// In UTC, with six digits of the second.
    fn instant(&mut self, at: OffsetDateTime) -> fmt::Result {
        let (date, time) = (at.date(), at.time());
        let (month, day) = (u8::from(date.month()), date.day());
        write!(self.0, "{:04}-{month:02}-{day:02}T", date.year())?;
        write!(self.0, "{:02}:{:02}:{:02}.{:06}Z", time.hour(), time.minute(), time.second(), time.microsecond())
    }
}

impl Visit for Line {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.name(field.name());
        match serde_json::to_string(&value) {
            Ok(text) => self.0.push_str(&text),
            Err(_) => self.0.push_str("null"),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.number(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.number(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.name(field.name());
        self.0.push_str(if value { "true" } else { "false" });
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.name(field.name());
        self.0.push('"');
        let _ = write!(Escaped(&mut self.0), "{value:?}");
        self.0.push('"');
    }
}

/// What stands between the quotes of a text in JSON.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut plain = text;
        while let Some(at) = plain.bytes().position(|b| b < 0x20 || b == b'"' || b == b'\\') {
            let (before, rest) = plain.split_at(at);
            self.0.push_str(before);
            let Some(sign) = rest.chars().next() else { break };
            match sign {
                '"' => self.0.push_str("\\\""),
                '\\' => self.0.push_str("\\\\"),
                '\n' => self.0.push_str("\\n"),
                '\r' => self.0.push_str("\\r"),
                '\t' => self.0.push_str("\\t"),
                '\u{8}' => self.0.push_str("\\b"),
                '\u{c}' => self.0.push_str("\\f"),
                other => write!(self.0, "\\u{:04x}", u32::from(other))?,
            }
            plain = rest.split_at(sign.len_utf8()).1;
        }
        self.0.push_str(plain);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io,
        sync::{Arc, Mutex},
    };
    use tracing_subscriber::fmt::MakeWriter;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Sink {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    fn some_lines() {
        let quoted = "she said \"no\\yes\"\n\r\t\u{8}\u{c}\u{1}\u{7f} é 🌱";
        tracing::info!(path = "/goodturn.v1.A/B", request_id = Some("abc"), member = Option::<&str>::None, code = ?tonic::Code::Ok, ms = 1.234_567, "done");
        tracing::warn!(quoted, shown = %quoted, debug = ?quoted, "a message that {}", quoted);
        tracing::error!(truth = true, below = -7_i64, above = u64::MAX, small = 1e-7, large = 1e21, whole = 3.0, none = f64::NAN);
        tracing::info!(target: "elsewhere", n = 1, "of another crate");
        tracing::info_span!("around", of = "it").in_scope(|| tracing::info!(n = 1, "within"));
    }

    /// What is written, but for the time.
    fn written(lines: bool) -> Vec<String> {
        let sink = Sink::default();
        let log = tracing_subscriber::fmt().with_writer(sink.clone()).json().flatten_event(true);
        if lines {
            tracing::subscriber::with_default(log.event_format(Lines::default()).finish(), some_lines);
        } else {
            tracing::subscriber::with_default(log.finish(), some_lines);
        }
        let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn each_line_is_the_library_s_to_the_letter() {
        let (ours, library) = (written(true), written(false));
        assert_eq!(ours.len(), 5);
        let time = r#"{"timestamp":"2026-11-23T08:54:30.187213Z""#;
        let shape = |line: &str| line.chars().take(time.len()).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>();
        for (ours, library) in ours.iter().zip(&library) {
            assert_eq!(ours.get(time.len()..), library.get(time.len()..));
            assert_eq!((shape(ours), shape(library)), (shape(time), shape(time)));
            serde_json::from_str::<serde_json::Value>(ours).unwrap();
        }
    }
}
