//! Writes answers: JSON straight from the bytes of a message, without building the message.

use super::{
    duration, instant, mask,
    number::whole_to,
    plan::{EnumId, Field, Kind, Member, MessageId, Plans, Shape},
};
use base64::Engine as _;
use prost::{
    DecodeError,
    encoding::{self, DecodeContext, WireType, decode_key, decode_varint},
};
use prost_types::{Duration, Timestamp};

/// The form of an answer: which message, and which of its members stand where.
#[derive(Debug)]
pub struct Answer {
    /// The message of the RPC.
    pub output: MessageId,
    /// Of `response_body`: the number and message of the field that is answered instead.
    pub inner: Option<(u32, MessageId)>,
    /// The members at the top.
    pub top: Vec<Member>,
    /// The key of the envelope and the members under it.
    pub under: Option<(Vec<u8>, Vec<Member>)>,
    /// Whether the same members stand at the top and under the envelope.
    pub twice: bool,
}

/// The service's bytes are not what the contract says, or a value has no form in JSON, as an instant outside the years that can be written.
#[derive(Debug)]
pub struct Broken(pub String);

impl From<DecodeError> for Broken {
    fn from(e: DecodeError) -> Self {
        Self(e.to_string())
    }
}

/// Writes an answer.
///
/// # Errors
/// A fault of the service.
pub fn answer(plans: &Plans, answer: &Answer, wire: &[u8], out: &mut Vec<u8>) -> Result<(), Broken> {
    let (id, wire) = match answer.inner {
        Some((number, id)) => (id, only(number, wire)?),
        None => (answer.output, wire),
    };
    let mut writer = Writer { plans, slots: Vec::new(), out };
    let base = writer.scan(id, wire)?;
    writer.out.push(b'{');
    let from = writer.out.len();
    writer.members(id, &answer.top, base)?;
    if let Some((key, members)) = &answer.under {
        let to = writer.out.len();
        writer.comma();
        writer.out.extend_from_slice(key);
        writer.out.push(b'{');
        if answer.twice {
            writer.out.extend_from_within(from..to);
        } else {
            writer.members(id, members, base)?;
        }
        writer.out.push(b'}');
    }
    writer.out.push(b'}');
    Ok(())
}

/// The bytes of the message in one field; none when it is absent, which is an empty message.
fn only(number: u32, mut wire: &[u8]) -> Result<&[u8], Broken> {
    let mut found: &[u8] = &[];
    while !wire.is_empty() {
        let (tag, wire_type) = decode_key(&mut wire)?;
        if tag == number && wire_type == WireType::LengthDelimited {
            found = delimited(&mut wire)?;
        } else {
            encoding::skip_field(wire_type, tag, &mut wire, DecodeContext::default())?;
        }
    }
    Ok(found)
}

fn delimited<'a>(wire: &mut &'a [u8]) -> Result<&'a [u8], Broken> {
    let length = usize::try_from(decode_varint(wire)?).map_err(|_| Broken("a length that no memory has".to_owned()))?;
    let (value, rest) = wire.split_at_checked(length).ok_or_else(|| Broken("a value is cut short".to_owned()))?;
    *wire = rest;
    Ok(value)
}

/// Where the values of a field lie.
#[derive(Clone, Copy)]
enum Slot<'a> {
    Absent,
    /// From the value of a single field on; the last one counts.
    One(WireType, &'a [u8]),
    /// From the key of the first value of a list or map on, and how much is left after the last one.
    Many(&'a [u8], usize),
}

struct Writer<'a, 'o> {
    plans: &'a Plans,
    /// One a field of each message that is open.
    slots: Vec<Slot<'a>>,
    out: &'o mut Vec<u8>,
}

impl<'a> Writer<'a, '_> {
    /// Finds the fields of a message; the result is where its slots begin.
    fn scan(&mut self, id: MessageId, mut wire: &'a [u8]) -> Result<usize, Broken> {
        let (plan, base) = (self.plans.message(id), self.slots.len());
        self.slots.resize(base + plan.fields.len(), Slot::Absent);
        while !wire.is_empty() {
            let start = wire;
            let (tag, wire_type) = decode_key(&mut wire)?;
            let value = wire;
            if wire_type == WireType::LengthDelimited {
                delimited(&mut wire)?;
            } else {
                encoding::skip_field(wire_type, tag, &mut wire, DecodeContext::default())?;
            }
            let Some((at, field)) = plan.by_number(tag) else { continue };
            if let Some(slot) = self.slots.get_mut(base + at) {
                *slot = match (field.shape, *slot) {
                    (Shape::One, _) => Slot::One(wire_type, value),
                    (_, Slot::Many(first, _)) => Slot::Many(first, wire.len()),
                    (_, _) => Slot::Many(start, wire.len()),
                };
            }
        }
        Ok(base)
    }

    fn members(&mut self, id: MessageId, members: &'a [Member], base: usize) -> Result<(), Broken> {
        let plan = self.plans.message(id);
        for member in members {
            let Some(field) = plan.fields.get(member.field) else { continue };
            let slot = self.slots.get(base + member.field).copied().unwrap_or(Slot::Absent);
            let absent = matches!(slot, Slot::Absent);
            if absent && field.absent.is_none() {
                continue;
            }
            self.comma();
            self.out.extend_from_slice(&member.key);
            match slot {
                Slot::Absent => self.out.extend(field.absent.iter().flatten()),
                Slot::One(wire_type, mut value) => self.value(field.kind, wire_type, &mut value)?,
                Slot::Many(first, left) => self.many(field, first, left)?,
            }
        }
        Ok(())
    }

    /// A comma, unless this is the first member or element.
    fn comma(&mut self) {
        if !matches!(self.out.last(), Some(b'{' | b'[')) {
            self.out.push(b',');
        }
    }

    fn many(&mut self, field: &'a Field, mut wire: &'a [u8], left: usize) -> Result<(), Broken> {
        let entry = if let Shape::Map(entry) = field.shape { Some(entry) } else { None };
        self.out.push(if entry.is_some() { b'{' } else { b'[' });
        while wire.len() > left {
            let (tag, wire_type) = decode_key(&mut wire)?;
            if tag != field.number {
                encoding::skip_field(wire_type, tag, &mut wire, DecodeContext::default())?;
                continue;
            }
            match (entry, packed(field.kind)) {
                (Some(entry), _) => {
                    let bytes = delimited(&mut wire)?;
                    self.entry(entry, bytes)?;
                }
                (None, Some(unpacked)) if wire_type == WireType::LengthDelimited => {
                    let mut values = delimited(&mut wire)?;
                    while !values.is_empty() {
                        self.comma();
                        self.value(field.kind, unpacked, &mut values)?;
                    }
                }
                (None, _) => {
                    self.comma();
                    self.value(field.kind, wire_type, &mut wire)?;
                }
            }
        }
        self.out.push(if entry.is_some() { b'}' } else { b']' });
        Ok(())
    }

    /// One entry of a map: a message of two fields, the key and the value.
    fn entry(&mut self, id: MessageId, wire: &'a [u8]) -> Result<(), Broken> {
        let base = self.scan(id, wire)?;
        let fields = &self.plans.message(id).fields;
        self.comma();
        for (at, field) in fields.iter().enumerate() {
            let from = self.out.len();
            match self.slots.get(base + at).copied() {
                Some(Slot::One(wire_type, mut value)) => self.value(field.kind, wire_type, &mut value)?,
                // A value that is not there is the least of its kind: of a message the empty one.
                _ if packed(field.kind).is_none() => self.value(field.kind, WireType::LengthDelimited, &mut [0].as_slice())?,
                _ => self.out.extend(field.absent.iter().flatten()),
            }
            if at == 0 {
                // Keys are text in JSON, whatever they are on the wire.
                if self.out.get(from) != Some(&b'"') {
                    self.out.insert(from, b'"');
                    self.out.push(b'"');
                }
                self.out.push(b':');
            }
        }
        self.slots.truncate(base);
        Ok(())
    }

    fn value(&mut self, kind: Kind, wire_type: WireType, wire: &mut &'a [u8]) -> Result<(), Broken> {
        match kind {
            Kind::Number(number) => number.print(wire_type, wire, self.out)?,
            Kind::Bool => {
                let mut truth = false;
                encoding::bool::merge(wire_type, &mut truth, wire, DecodeContext::default())?;
                self.out.extend_from_slice(if truth { b"true" } else { b"false" });
            }
            Kind::Word(id) => self.word(id, wire_type, wire)?,
            Kind::Text => {
                let text = std::str::from_utf8(delimited(wire)?).map_err(|e| Broken(e.to_string()))?;
                self.text(text);
            }
            Kind::Bytes => {
                let text = base64::engine::general_purpose::STANDARD.encode(delimited(wire)?);
                self.text(&text);
            }
            Kind::Instant => {
                let (seconds, nanos) = instant::decode(delimited(wire)?)?;
                instant::print(Timestamp { seconds, nanos }, self.out).ok_or_else(|| unwritable("instant"))?;
            }
            Kind::Duration => {
                let (seconds, nanos) = instant::decode(delimited(wire)?)?;
                duration::print(Duration { seconds, nanos }, self.out).ok_or_else(|| unwritable("duration"))?;
            }
            Kind::Mask => {
                let mask: prost_types::FieldMask = prost::Message::decode(delimited(wire)?)?;
                let text = mask::print(&mask.paths).ok_or_else(|| unwritable("field mask"))?;
                self.text(&text);
            }
            Kind::Object(id) => {
                let bytes = delimited(wire)?;
                let base = self.scan(id, bytes)?;
                self.out.push(b'{');
                self.members(id, &self.plans.message(id).members, base)?;
                self.out.push(b'}');
                self.slots.truncate(base);
            }
        }
        Ok(())
    }

    fn word(&mut self, id: EnumId, wire_type: WireType, wire: &mut &'a [u8]) -> Result<(), Broken> {
        let mut number = 0_i32;
        encoding::int32::merge(wire_type, &mut number, wire, DecodeContext::default())?;
        match self.plans.words(id).word(number) {
            Some(word) => self.out.extend_from_slice(word),
            None => whole_to(number, self.out),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        text_to(text, self.out);
    }
}

fn unwritable(what: &str) -> Broken {
    Broken(format!("{what} that JSON has no form for"))
}

/// Writes text in quotes. Most of it needs no escape and is copied as it is.
pub fn text_to(text: &str, out: &mut Vec<u8>) {
    if !is_plain(text) {
        return serde_json::to_writer(out, text).expect("a vector takes every byte");
    }
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Whether text needs no escape. Looked at in blocks, each of them whole: the compiler makes vector instructions of that.
fn is_plain(text: &str) -> bool {
    let needs_escape = |b: &u8| (*b < 0x20) | (*b == b'"') | (*b == b'\\');
    text.as_bytes().chunks(32).all(|block| !block.iter().fold(false, |found, b| found | needs_escape(b)))
}

/// How the elements of a packed list lie on the wire; `None` for what is never packed.
fn packed(kind: Kind) -> Option<WireType> {
    match kind {
        Kind::Number(number) => Some(number.wire_type()),
        Kind::Bool | Kind::Word(_) => Some(WireType::Varint),
        Kind::Text | Kind::Bytes | Kind::Instant | Kind::Duration | Kind::Mask | Kind::Object(_) => None,
    }
}
