//! JSON that is nearly right for a message, and JSON that is nothing: as text, so that it can also be what no library writes.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use std::fmt::Write;

/// What a caller knows who means it well.
pub struct Known {
    /// Anything of it, for anywhere.
    pub texts: Vec<String>,
    /// A client's id.
    pub client: String,
    /// An access token.
    pub token: String,
    /// A member's address.
    pub username: String,
    /// The same member's id.
    pub uid: String,
}

/// Texts that were trouble for somebody.
const TEXTS: &[&str] = &[
    "",
    " ",
    "\u{0}",
    "a\u{0}b",
    "\u{feff}",
    "\u{202e}\u{200d}",
    "\u{fffd}",
    "\u{10ffff}",
    "e\u{301}",
    "null",
    "-1",
    "0",
    "1e999",
    "99999999999999999999",
    "000000",
    "../../etc/passwd",
    "' OR 1=1 --",
    "%00",
    "%",
    "${jndi:ldap://x}",
    "<script>",
    "{}",
    "[",
    "a@b.co",
    "@",
    "+15551231234",
    "2026-06-17T10:00:00Z",
    "2026-13-45T99:99:99Z",
    "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "Tue Jun 16 09:00:00 UTC 2026",
    "00000000-0000-0000-0000-000000000000",
    "us-east-1_00000000-0000-0000-0000-000000000000",
    "AAAA",
    "====",
    "ffffffffffffffff",
    "SMS_MFA",
    "SOFTWARE_TOKEN_MFA",
    "us-east-1",
    "active",
    "en",
];
/// Names in the maps of identity.
const NAMES: &[&str] = &[
    "USERNAME",
    "PASSWORD",
    "SRP_A",
    "SECRET_HASH",
    "REFRESH_TOKEN",
    "DEVICE_KEY",
    "CHALLENGE_NAME",
    "ANSWER",
    "NEW_PASSWORD",
    "SMS_MFA_CODE",
    "SOFTWARE_TOKEN_MFA_CODE",
    "TIMESTAMP",
    "PASSWORD_CLAIM_SECRET_BLOCK",
    "PASSWORD_CLAIM_SIGNATURE",
    "userAttributes.name",
];
/// Values that are of no type that was asked for.
const WRONG: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "1.5",
    "1e308",
    "1e999",
    "-1e999",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e-400",
    "\"\"",
    "\"x\"",
    "[]",
    "[null]",
    "[[]]",
    "{}",
    "{\"a\":1}",
    "{\"\":null}",
    "[1,\"2\",{}]",
];
/// Bodies that are no JSON object.
const BODIES: &[&[u8]] = &[
    b"",
    b" ",
    b"null",
    b"[]",
    b"{",
    b"}",
    b"{}",
    b"{}{}",
    b"{\"a\"",
    b"\"x\"",
    b"1",
    b"{\"a\":}",
    b"{,}",
    b"{'a':1}",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe",
    b"{\"a\":\"\xff\"}",
    b"{\"\xc3\x28\":1}",
    b"\0",
    b"{}\0",
    b"{\"a\":\"\\ud800\"}",
    b"{\"a\":\"\\u00\"}",
    b"NaN",
    b"{\"a\":NaN}",
    b"{\"a\":01}",
    b"{\"a\":1,}",
    b"/**/{}",
    b"{\"a\":\"\n\"}",
];
const DEEP: usize = 4;

/// The generator.
pub struct Inputs {
    random: StdRng,
}

impl Inputs {
    /// The same seed makes the same inputs.
    pub fn new(seed: u64) -> Self {
        Self { random: StdRng::seed_from_u64(seed) }
    }

    /// Whether it is the one of so many.
    pub fn one_in(&mut self, many: u32) -> bool {
        self.random.random_range(0..many) == 0
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &'a [&'a T]) -> &'a T {
        all[self.random.random_range(0..all.len())]
    }

    /// A body for a message.
    pub fn body(&mut self, message: &MessageDescriptor, known: &Known) -> Vec<u8> {
        match self.random.random_range(0..20) {
            0 => self.one_of(BODIES).to_vec(),
            1 => (0..self.random.random_range(0..64)).map(|_| self.random.random()).collect(),
            2 => self.nested(),
            3 => self.one_of(WRONG).as_bytes().to_vec(),
            4 => {
                let mut text = self.object(message, known, 0).into_bytes();
                self.damage(&mut text);
                text
            }
            _ => self.object(message, known, 0).into_bytes(),
        }
    }

    /// A path: each place filled with something.
    pub fn path(&mut self, template: &str, known: &Known) -> String {
        let mut path = String::new();
        for (n, part) in template.split('{').enumerate() {
            let rest = if n == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) };
            if n > 0 {
                let place = if self.one_in(2) { known.uid.clone() } else { self.short(known) };
                path.push_str(&percent_encoding::utf8_percent_encode(&place, percent_encoding::NON_ALPHANUMERIC).to_string());
            }
            path.push_str(rest);
        }
        if self.one_in(3) {
            let (name, value) = (self.one_of(&["limit", "cursor", "status", "nextToken", "q", "%ff"]), self.short(known));
            write!(path, "?{name}={}", percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC)).unwrap();
        }
        path
    }

    /// Brackets without an end, or with one.
    fn nested(&mut self) -> Vec<u8> {
        let (open, close) = if self.one_in(2) { ("[", "]") } else { ("{\"a\":", "}") };
        let depth = self.one_of(&[&10, &100, &130, &1000, &20_000]).to_owned();
        let inner = if self.one_in(2) { close.repeat(depth) } else { String::new() };
        format!("{}1{inner}", open.repeat(depth)).into_bytes()
    }

    fn damage(&mut self, text: &mut Vec<u8>) {
        for _ in 0..self.random.random_range(1..4) {
            let at = self.random.random_range(0..text.len());
            match self.random.random_range(0..3) {
                0 => text[at] = self.random.random(),
                1 => text.truncate(at.max(1)),
                _ => text.insert(at, self.random.random()),
            }
        }
    }

    fn object(&mut self, message: &MessageDescriptor, known: &Known, depth: usize) -> String {
        let mut text = "{".to_owned();
        for field in message.fields() {
            // What is needed is there most of the time: else nothing behind the first check is ever reached.
            if self.one_in(6) {
                continue;
            }
            let times = if self.one_in(40) { 2 } else { 1 };
            for _ in 0..times {
                let name = if self.one_in(60) { field.name().to_owned() } else { field.json_name().to_owned() };
                let value = if self.one_in(12) { self.one_of(WRONG).to_owned() } else { self.field(&field, known, depth) };
                write!(text, "{}{}:{value}", if text.len() > 1 { "," } else { "" }, json!(name)).unwrap();
            }
        }
        if self.one_in(10) {
            let (name, value) = (self.text("", known), self.one_of(WRONG));
            write!(text, "{}{}:{value}", if text.len() > 1 { "," } else { "" }, json!(name)).unwrap();
        }
        text + "}"
    }

    fn field(&mut self, field: &FieldDescriptor, known: &Known, depth: usize) -> String {
        if field.is_map() {
            let count = self.many();
            let pairs: Vec<_> = (0..count)
                .map(|_| {
                    let name = if self.one_in(10) { self.text("", known) } else { (*self.one_of(NAMES)).to_owned() };
                    format!(
                        "{}:{}",
                        json!(name),
                        if self.one_in(12) { self.one_of(WRONG).to_owned() } else { json!(self.text(&name, known)).to_string() }
                    )
                })
                .collect();
            return format!("{{{}}}", pairs.join(","));
        }
        if field.is_list() {
            let count = self.many();
            let values: Vec<_> = (0..count).map(|_| self.single(field, known, depth)).collect();
            return format!("[{}]", values.join(","));
        }
        self.single(field, known, depth)
    }

    fn many(&mut self) -> usize {
        *self.one_of(&[&0, &1, &2, &3, &5, &8, &12, &130])
    }

    fn single(&mut self, field: &FieldDescriptor, known: &Known, depth: usize) -> String {
        match field.kind() {
            Kind::Message(inner) if inner.package_name().starts_with("google.") || depth > DEEP => {
                if self.one_in(3) {
                    self.one_of(WRONG).to_owned()
                } else {
                    json!(self.text("", known)).to_string()
                }
            }
            Kind::Message(inner) => self.object(&inner, known, depth + 1),
            Kind::Enum(words) => {
                let values: Vec<_> = words.values().collect();
                let value = &values[self.random.random_range(0..values.len())];
                match self.random.random_range(0..10) {
                    0 => json!(self.text("", known)).to_string(),
                    1 => value.number().to_string(),
                    2 => json!(goodturn::pb::word(value).to_lowercase()).to_string(),
                    3 => "4711".to_owned(),
                    4 => json!(value.name()).to_string(),
                    _ => json!(goodturn::pb::word(value)).to_string(),
                }
            }
            Kind::Bool => (*self.one_of(&["true", "false"])).to_owned(),
            Kind::String => json!(self.text(field.json_name(), known)).to_string(),
            Kind::Bytes => json!(self.text("", known)).to_string(),
            _ => {
                let number =
                    self.one_of(&["0", "1", "2", "60", "100", "-1", "2147483647", "2147483648", "1.0", "\"7\"", "12.345", "1e2", "1e9"]);
                (*number).to_owned()
            }
        }
    }

    /// A text that fits into an address.
    fn short(&mut self, known: &Known) -> String {
        self.text("", known).chars().take(1000).collect()
    }

    fn text(&mut self, name: &str, known: &Known) -> String {
        let own = match name {
            "ClientId" => Some(&known.client),
            "AccessToken" => Some(&known.token),
            "Username" | "USERNAME" => Some(&known.username),
            "PASSWORD" | "PreviousPassword" => known.texts.iter().find(|text| text.contains("horse")),
            _ => None,
        };
        match (self.random.random_range(0..12), own) {
            (2.., Some(own)) => own.clone(),
            (0, _) => "x".repeat(*self.one_of(&[&100, &255, &256, &2049, &9000, &70_000])),
            (1..4, _) => known.texts[self.random.random_range(0..known.texts.len())].clone(),
            (4, _) => (0..self.random.random_range(1..20)).map(|_| self.random.random::<char>()).collect(),
            _ => (*self.one_of(TEXTS)).to_owned(),
        }
    }
}
