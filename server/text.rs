//! What members write, made fit to be shown: without what turns the text around it, and empty when there is nothing to see.

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark, is_nfc};

/// A text in NFC without white space at its ends and without characters that reorder what stands around them; empty when nothing of it
/// can be seen. Never longer than before.
pub fn clean(text: &str) -> String {
    let kept: String = composed(text).chars().filter(|c| !reorders(*c)).collect();
    if kept.chars().all(|c| is_space(c) || is_invisible(c)) {
        return String::new();
    }
    kept.trim_matches(is_space).to_owned()
}

/// A text in NFC. It has never more characters than before, since its bound was checked by then: NFC takes a few letters apart (U+0958
/// in Devanagari), and those stay as they are.
fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc(text) {
        return Cow::Borrowed(text);
    }
    let whole: String = text.nfc().collect();
    if whole.chars().count() <= text.chars().count() {
        return Cow::Owned(whole);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let marks = rest.get(first.len_utf8()..).unwrap_or_default();
        let end = marks.find(|c| !is_combining_mark(c)).map_or(rest.len(), |at| first.len_utf8() + at);
        let (letter, after) = rest.split_at(end);
        let composed: String = letter.nfc().collect();
        kept.push_str(if composed.chars().count() > letter.chars().count() { letter } else { &composed });
        rest = after;
    }
    Cow::Owned(kept)
}

/// A title, a place: a clean text of one line, in which what breaks a line is a space.
pub fn line(text: &str) -> String {
    clean(&within(text))
}

/// A name, of a member or of what members name: a clean text without signs that are not seen, by which one could pass for another. What shapes the
/// sign before it stays: joiners of scripts that have them, and what makes one picture of several. A control character stays, to be refused.
pub fn name(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for c in clean(text).chars() {
        if !is_invisible(c) || c.is_control() || kept.chars().next_back().is_some_and(|before| shapes(c, before)) {
            kept.push(c);
        }
    }
    clean(&kept)
}

/// Joiners, variants and tags change how the sign before them is drawn: not that of Latin, Greek, Cyrillic or Armenian, but for the digits of keycaps.
fn shapes(c: char, before: char) -> bool {
    let is_shaped = before >= '\u{590}';
    match c {
        '\u{FE0F}' => is_shaped || matches!(before, '#' | '*' | '0'..='9'),
        '\u{180B}'..='\u{180D}' | '\u{200C}'..='\u{200D}' | '\u{FE00}'..='\u{FE0E}' => is_shaped,
        '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}' => is_shaped,
        _ => false,
    }
}

/// Embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9), which can show one name as another. The marks that
/// ordinary texts in Hebrew and Arabic have are none of them.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether it is no part of a line: a control character, or one that ends the line.
pub fn breaks(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// A text as one line.
pub fn one_line(text: &str) -> String {
    text.chars().filter(|c| !breaks(*c) && !reorders(*c)).collect()
}

/// Words as a part of a sentence: what breaks a line is a space, so that nothing in them begins one.
pub fn within(text: &str) -> String {
    let parts = text.split(breaks).map(|part| part.trim_matches(is_space)).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// A text of several lines, without what a mail program would not show as text.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !breaks(*c)).collect()
}

/// A text of which no program makes a link: a zero-width space stands behind each sign by which addresses are known. A time of day, a number and
/// initials stay as they are.
pub fn unlinked(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        safe.push(c);
        let mut after = text.get(at + c.len_utf8()..).unwrap_or_default().chars();
        if let Some(next) = after.next()
            && joins_an_address(c, before, next, after.next())
        {
            safe.push('\u{200B}');
        }
        before = c;
    }
    safe
}

/// Whether a sign is inside of a web or mail address. The dots of Unicode's IDNA are taken for one (UTS #46).
fn joins_an_address(sign: char, before: char, next: char, after: Option<char>) -> bool {
    match sign {
        // The last part of a domain has two letters at least.
        '.' | '\u{2024}' | '\u{3002}' | '\u{FE52}' | '\u{FF0E}' | '\u{FF61}' => {
            next.is_alphabetic() && after.is_some_and(|c| c.is_alphanumeric() || is_combining_mark(c) || c == '-')
        }
        ':' | '\u{FF1A}' => !(is_space(next) || before.is_ascii_digit() && next.is_ascii_digit()),
        '/' | '@' | '\u{FF0F}' | '\u{FF20}' => !is_space(next),
        _ => false,
    }
}

/// White space, and what looks so on its own.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{2060}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}')
}

/// Shown as nothing: control characters, and Unicode's Default_Ignorable_Code_Point with the empty musical note. Between visible ones they
/// have a meaning, as the joiners of emoji do.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D159}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_clean_text_is_never_longer_and_stays_as_it_is(text in ".{0,60}") {
            let cleaned = clean(&text);
            prop_assert!(cleaned.chars().count() <= text.chars().count());
            prop_assert_eq!(clean(&cleaned), cleaned.clone());
            prop_assert!(name(&text).chars().count() <= text.chars().count());
        }
    }

    #[test]
    fn one_line_stays_one_and_a_text_has_no_other_breaks_than_its_own() {
        let text = "a\u{2028}b\u{202E}c\nd\te\u{1B}f";
        assert_eq!(one_line(text), "abcdef");
        assert_eq!(within("tea”.\n\n Your account\u{2028}\u{7}is locked \r\n"), "tea”. Your account is locked");
        assert_eq!(line(" Dr\u{1B}[31mill\r\nline 2\u{7}\u{202E} "), "Dr [31mill line 2");
        assert_eq!(line("\u{1}\u{7}\n\u{200B}"), "");
        assert_eq!(plain(text), "ab\u{202E}c\nd\tef");
        for c in ['\n', '\u{85}', '\u{2028}', '\u{2029}', '\u{7}'] {
            assert!(breaks(c), "{c:?}");
        }
        assert!(!breaks('ä') && !breaks(' '));
    }

    #[test]
    fn no_program_finds_an_address_in_what_is_unlinked() {
        for (text, safe) in [
            ("See https://evil.example/win.", "See https:\u{200B}/\u{200B}/\u{200B}evil.\u{200B}example/\u{200B}win."),
            ("eve@evil.example", "eve@\u{200B}evil.\u{200B}example"),
            ("www\u{3002}evil\u{FF0E}com", "www\u{3002}\u{200B}evil\u{FF0E}\u{200B}com"),
            ("At noon. Bring: a ladder", "At noon. Bring: a ladder"),
            ("Tomorrow at 1:45 PM", "Tomorrow at 1:45 PM"),
            ("localhost:80 1:x", "localhost:\u{200B}80 1:\u{200B}x"),
            ("a.b.example x.xn--p1ai www.पर.भारत", "a.b.\u{200B}example x.\u{200B}xn--p1ai www.\u{200B}पर.\u{200B}भारत"),
            ("J.R. Hobbs, $12.50, 1.5 km, e.g. 3.Nov", "J.R. Hobbs, $12.50, 1.5 km, e.g. 3.\u{200B}Nov"),
            ("", ""),
        ] {
            assert_eq!(unlinked(text), safe);
            assert_eq!(unlinked(text).replace('\u{200B}', ""), text, "nothing else is changed");
        }
    }

    #[test]
    fn what_is_written_is_composed_and_never_longer() {
        for (text, kept) in [
            ("Zoe\u{308} Mu\u{308}ller", "Zoë Müller"),
            ("No\u{308}el e\u{301}", "Nöel é"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("が\u{30AB}\u{3099}", "がガ"),
            ("प्रिया शर्मा", "प्रिया शर्मा"),
            ("น้ำ ខ្មែរ မြန်မာ தமிழ்", "น้ำ ខ្មែរ မြန်မာ தமிழ்"),
            ("q\u{323}\u{307}", "q\u{323}\u{307}"),
            ("A\u{30A} \u{958}\u{93E}", "Å \u{915}\u{93C}\u{93E}"),
            ("\u{958}", "\u{958}"),
        ] {
            assert_eq!(clean(text), kept, "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_empty() {
        let unseen = [
            "",
            " \t\n\u{A0}\u{3000}",
            "\u{200B}",
            "\u{200D}\u{200C}",
            "\u{2800}\u{2800}",
            "\u{3164}",
            "\u{115F}\u{1160} \u{FFA0}",
            "\u{202E}\u{2066}\u{200F}",
            "\u{FEFF}\u{2060}\u{AD}",
            "\u{FE0F}",
            "\u{1D159}\u{E0020}\u{180E}",
            "\u{7}\u{1B}",
        ];
        for text in unseen {
            assert_eq!(clean(text), "", "{text:?}");
        }
    }

    #[test]
    fn a_name_has_nothing_that_is_not_seen_but_what_shapes_it() {
        for (text, kept) in [
            (" Book\u{200B}\u{2060}\u{FEFF} club\u{200E}\u{200F} ", "Book club"),
            ("B\u{AD}o\u{34F}o\u{200D}k\u{FE0F}", "Book"),
            ("\u{200F}שלום\u{61C}", "שלום"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"),
            ("❤\u{FE0F} 1\u{FE0F}\u{20E3}", "❤\u{FE0F} 1\u{FE0F}\u{20E3}"),
            ("🏴\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E007F}"),
            ("two\nlines", "two\nlines"),
            ("\u{200D}\u{FE0F}", ""),
        ] {
            assert_eq!(name(text), kept, "{text:?}");
            assert_eq!(name(kept), kept);
        }
    }

    #[test]
    fn what_can_be_seen_keeps_its_meaning() {
        let table = [
            ("  Walk the dog\u{200B} ", "Walk the dog"),
            ("\u{202E}god eht klaW\u{202C}", "god eht klaW"),
            ("\u{2067}שלום\u{2069}\u{200F}!", "שלום\u{200F}!"),
            // A family is one sign, made of three with joiners; the heart is red by its last character.
            ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"),
            ("❤\u{FE0F}", "❤\u{FE0F}"),
            ("two\nlines\t!", "two\nlines\t!"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ];
        for (text, cleaned) in table {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }
}
