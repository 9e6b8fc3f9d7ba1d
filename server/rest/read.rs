//! Reads bodies: JSON straight into the bytes of a message, without building the message.

use super::{
    plan::{EnumId, Field, Kind, Message, MessageId, Plans, Shape},
    text::{self, Refusal},
};
use crate::error::{Error, FieldReason, Reason, Result};
use prost::encoding::{self, WireType};
use serde::de::{Deserialize as _, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::{borrow::Cow, fmt, fmt::Write as _};

/// No list of the contract takes nearly as many: a short body must not become a large message.
const LIST_MAX: usize = 10_000;

/// So many characters of a wrong word are told again.
const ECHOED_MAX: usize = 100;

/// What the body of a request is.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The message.
    Whole,
    /// The value of the field of this number.
    Field(u32),
}

/// How a body is read.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The message that it fills.
    pub message: MessageId,
    /// What of it the body is.
    pub target: Target,
    /// The numbers of fields that come from the path, and are not read here.
    pub bound: &'a [u32],
    /// Whether the members of the body are noted.
    pub with_mask: bool,
    /// Whether names and words count to the letter, as clients of the target-header protocol have them: nothing else of theirs is known.
    pub exact: bool,
}

/// What was read beside the bytes.
#[derive(Debug, Default)]
pub struct Found {
    /// The numbers of the fields that have a value.
    pub given: Vec<u32>,
    /// The proto paths of the members of the body, null ones too, when they were asked for.
    pub mask: Option<Vec<String>>,
}

/// Reads a body into the bytes of a message.
///
/// # Errors
/// MALFORMED_JSON; INVALID_ARGUMENT with the field whose value is none of its kind.
pub fn body(plans: &Plans, asked: Asked<'_>, json: &[u8], out: &mut Vec<u8>) -> Result<Found> {
    let Asked { message, target, bound, with_mask, exact } = asked;
    let json = std::str::from_utf8(without_mark(json)).map_err(|_| Error::malformed("the body is not UTF-8"))?;
    let mut found = Found { given: Vec::new(), mask: with_mask.then(Vec::new) };
    if json.trim_ascii().is_empty() {
        return Ok(found);
    }
    let mut reader = Reader { plans, bound, exact, out, found: &mut found, path: Vec::new(), problem: None };
    let mut source = serde_json::Deserializer::from_str(json);
    let read = match target {
        Target::Whole => source.deserialize_any(Object { reader: &mut reader, plan: plans.message(message), root: true }),
        Target::Field(number) => match plans.message(message).by_number(number) {
            Some((_, field)) => reader.field(field, |reader| Value::of(reader, field).deserialize(&mut source)),
            None => Ok(()),
        },
    };
    match read.and_then(|()| source.end()) {
        Ok(()) => Ok(found),
        Err(e) => Err(reader.problem.take().unwrap_or_else(|| malformed(&e))),
    }
}

/// JSON without the byte order mark that some programs write before it, which RFC 8259 lets be passed over.
pub fn without_mark(json: &[u8]) -> &[u8] {
    json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json)
}

/// A name of the contract as that protocol's errors spell it: `auth_flow` is `authFlow`.
fn lower_camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let (head, tail) = part.split_at_checked(1).unwrap_or_default();
        name + &head.to_ascii_uppercase() + tail
    })
}

fn malformed(e: &serde_json::Error) -> Error {
    if e.is_data() {
        return Error::malformed("the body must be a JSON object");
    }
    Error::malformed(format!("the body is not valid JSON: line {}, column {}", e.line(), e.column()))
}

struct Reader<'p, 'o> {
    plans: &'p Plans,
    bound: &'o [u32],
    exact: bool,
    out: &'o mut Vec<u8>,
    found: &'o mut Found,
    path: Vec<Part<'p>>,
    problem: Option<Error>,
}

enum Part<'p> {
    Field(&'p str),
    Element(usize),
    Entry,
}

impl<'p> Reader<'p, '_> {
    /// Reads the value of a field, and notes it in the mask unless members of its own were noted.
    fn field<E>(&mut self, field: &'p Field, read: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let noted = self.found.mask.as_ref().map(Vec::len);
        self.path.push(Part::Field(&field.name));
        read(self)?;
        if self.found.mask.as_ref().map(Vec::len) == noted && self.path.iter().all(|p| matches!(p, Part::Field(_))) {
            let path = self.path();
            if let Some(mask) = self.found.mask.as_mut().filter(|m| !m.contains(&path)) {
                mask.push(path);
            }
        }
        self.path.pop();
        Ok(())
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for part in &self.path {
            match part {
                Part::Field(name) if path.is_empty() => path.push_str(name),
                Part::Field(name) => {
                    let _ = write!(path, ".{name}");
                }
                Part::Element(at) => {
                    let _ = write!(path, "[{at}]");
                }
                Part::Entry => {}
            }
        }
        path
    }

    /// The value is of another JSON type.
    fn wrong_type<E: serde::de::Error>(&mut self, wanted: &str) -> E {
        let path = self.path();
        let text = format!("must be {wanted}");
        self.problem = Some(Error::malformed(format!("{path}: {text}")).with_field(path, FieldReason::Invalid, text));
        E::custom("")
    }

    fn refused<E: serde::de::Error>(&mut self, (reason, text): Refusal) -> E {
        self.problem = Some(Error::field(self.path(), reason, text));
        E::custom("")
    }

    /// No word of an enum, in the words of the protocol.
    fn not_in_set<E: serde::de::Error>(&mut self, words: EnumId, text: &str) -> E {
        let name = match self.path.last() {
            Some(Part::Field(name)) => lower_camel(name),
            _ => String::new(),
        };
        let (choices, text) = (&self.plans.words(words).choices, text.chars().take(ECHOED_MAX).collect::<String>());
        let why = format!("Value '{text}' at '{name}' failed to satisfy constraint: Member must satisfy enum value set: [{choices}]");
        self.problem = Some(Error::new(Reason::InvalidParameter, format!("1 validation error detected: {why}")));
        E::custom("")
    }

    /// Begins a message; the result is where its bytes begin.
    fn open(&mut self, number: u32) -> usize {
        encoding::encode_key(number, WireType::LengthDelimited, self.out);
        self.out.push(0);
        self.out.len()
    }

    /// Puts the length before a message, whose one byte is enough for most.
    fn close(&mut self, at: usize) {
        let mut length = Vec::new();
        encoding::encode_varint(u64::try_from(self.out.len() - at).unwrap_or(u64::MAX), &mut length);
        match (length.as_slice(), self.out.get_mut(at - 1)) {
            ([one], Some(place)) => *place = *one,
            _ => drop(self.out.splice(at - 1..at, length)),
        }
    }

    /// Takes back what an earlier member of the same field wrote: the last one counts, whatever name it has.
    fn forget(&mut self, seen: &mut Vec<(usize, usize)>, field: usize) {
        let Some(at) = seen.iter().position(|(f, _)| *f == field) else { return };
        let (_, from) = seen.remove(at);
        let to = seen.get(at).map_or(self.out.len(), |(_, start)| *start);
        self.out.drain(from..to);
        for (_, start) in seen.iter_mut().skip(at) {
            *start -= to - from;
        }
    }
}

impl Reader<'_, '_> {
    /// Refuses the field that was read last when it is one of a choice of which another was given. A null is not given.
    fn alone<E: serde::de::Error>(&mut self, plan: &Message, seen: &[(usize, usize)]) -> Result<(), E> {
        let Some((&(last, start), before)) = seen.split_last() else { return Ok(()) };
        let choice = |at: usize| plan.fields.get(at).and_then(|field| field.choice);
        let Some(chosen) = choice(last).filter(|_| start < self.out.len()) else { return Ok(()) };
        let ends = seen.iter().skip(1).map(|(_, start)| *start);
        let mut given = before.iter().zip(ends).filter(|((_, start), end)| start < end);
        match given.find(|((at, _), _)| choice(*at) == Some(chosen)).and_then(|((at, _), _)| plan.fields.get(*at)) {
            Some(other) => Err(self.refused((FieldReason::Conflicting, format!("must not be given together with {}", other.json)))),
            None => Ok(()),
        }
    }
}

/// Reads the members of an object.
struct Object<'r, 'p, 'o> {
    reader: &'r mut Reader<'p, 'o>,
    plan: &'p Message,
    root: bool,
}

impl<'de> Visitor<'de> for Object<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let reader = self.reader;
        // The fields that were read, and where the bytes of each begin.
        let mut seen: Vec<(usize, usize)> = Vec::new();
        while let Some(known) = members.next_key_seed(Name { plan: self.plan, exact: reader.exact })? {
            let known = known.filter(|(_, field)| !self.root || !reader.bound.contains(&field.number));
            let Some((at, field)) = known else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            reader.forget(&mut seen, at);
            seen.push((at, reader.out.len()));
            reader.field(field, |reader| {
                members.next_value_seed(Value::of(reader, field))?;
                reader.alone(self.plan, &seen)
            })?;
        }
        if self.root {
            let ends = seen.iter().skip(1).map(|(_, start)| *start).chain([reader.out.len()]);
            let given = seen.iter().zip(ends).filter(|((_, start), end)| start < end);
            reader.found.given = given.filter_map(|((at, _), _)| Some(self.plan.fields.get(*at)?.number)).collect();
        }
        Ok(())
    }
}

/// Finds the field that a member names.
struct Name<'p> {
    plan: &'p Message,
    exact: bool,
}

impl<'de, 'p> DeserializeSeed<'de> for Name<'p> {
    type Value = Option<(usize, &'p Field)>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'p> Visitor<'_> for Name<'p> {
    type Value = Option<(usize, &'p Field)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(if self.exact { self.plan.read_exactly(name) } else { self.plan.read_as(name) })
    }
}

/// Reads a value of a field: the whole of it, or one element or entry.
struct Value<'r, 'p, 'o> {
    reader: &'r mut Reader<'p, 'o>,
    shape: Shape,
    kind: Kind,
    number: u32,
    nullable: bool,
}

impl<'r, 'p, 'o> Value<'r, 'p, 'o> {
    fn of(reader: &'r mut Reader<'p, 'o>, field: &Field) -> Self {
        Self { reader, shape: field.shape, kind: field.kind, number: field.number, nullable: true }
    }

    fn wanted(&self) -> &'static str {
        match (self.shape, self.kind) {
            (Shape::List, _) => "a list",
            (Shape::Map(_), _) | (_, Kind::Object(_)) => "an object",
            (_, Kind::Number(_)) => "a number",
            (_, Kind::Bool) => "true or false",
            (_, Kind::Text | Kind::Bytes | Kind::Word(_) | Kind::Instant | Kind::Duration | Kind::Mask) => "a string",
        }
    }

    fn wrong_type<E: serde::de::Error>(self) -> E {
        let wanted = self.wanted();
        self.reader.wrong_type(wanted)
    }

    /// Reads a number or a word from its JSON: a number from its own digits, as in quotes, for a double would not hold them all.
    fn digits<E: serde::de::Error>(self, json: &str) -> Result<(), E> {
        match json.as_bytes().first() {
            Some(b'"') => match serde_json::from_str::<String>(json) {
                Ok(text) => self.visit_str(&text),
                Err(_) => Err(self.wrong_type()),
            },
            Some(b'n') => self.visit_unit(),
            Some(b't' | b'f' | b'[' | b'{') => Err(self.wrong_type()),
            _ if self.reader.exact && matches!(self.kind, Kind::Word(_)) => Err(self.wrong_type()),
            _ => self.visit_str(json),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        match (self.shape, self.kind) {
            (Shape::One, Kind::Number(_) | Kind::Word(_)) => self.digits(<&RawValue>::deserialize(source)?.get()),
            _ => source.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Value<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wanted())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        if self.nullable { Ok(()) } else { Err(self.wrong_type()) }
    }

    fn visit_bool<E: serde::de::Error>(self, truth: bool) -> Result<(), E> {
        if (self.shape, self.kind) != (Shape::One, Kind::Bool) {
            return Err(self.wrong_type());
        }
        encoding::bool::encode(self.number, &truth, self.reader.out);
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
        Err(self.wrong_type())
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
        Err(self.wrong_type())
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<(), E> {
        Err(self.wrong_type())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        if self.shape != Shape::One || matches!(self.kind, Kind::Bool | Kind::Object(_)) {
            return Err(self.wrong_type());
        }
        if let Kind::Word(words) = self.kind
            && self.reader.exact
            && !self.reader.plans.words(words).names(text)
        {
            return Err(self.reader.not_in_set(words, text));
        }
        let written = text::value(self.reader.plans, self.kind, self.number, text, self.reader.out);
        written.map_err(|e| self.reader.refused(e))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        if self.shape != Shape::List {
            return Err(self.wrong_type());
        }
        let Self { reader, kind, number, .. } = self;
        for at in 0.. {
            reader.path.push(Part::Element(at));
            let element = Value { reader: &mut *reader, shape: Shape::One, kind, number, nullable: false };
            let more = elements.next_element_seed(element)?.is_some();
            reader.path.pop();
            if !more {
                break;
            }
            if at >= LIST_MAX {
                return Err(reader.refused((FieldReason::TooMany, format!("must have at most {LIST_MAX} entries"))));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        match (self.shape, self.kind) {
            (Shape::Map(entry), kind) => entries(self.reader, entry, kind, self.number, members),
            (Shape::One, Kind::Object(id)) => {
                let at = self.reader.open(self.number);
                let plan = self.reader.plans.message(id);
                Object { reader: &mut *self.reader, plan, root: false }.visit_map(members)?;
                self.reader.close(at);
                Ok(())
            }
            _ => Err(self.wrong_type()),
        }
    }
}

/// Reads the entries of a map. One that is null is absent.
fn entries<'de, A: MapAccess<'de>>(
    reader: &mut Reader<'_, '_>,
    entry: MessageId,
    kind: Kind,
    number: u32,
    mut members: A,
) -> Result<(), A::Error> {
    let Some(key) = reader.plans.message(entry).fields.first() else { return Err(A::Error::custom("")) };
    let mut count = 0;
    while let Some(name) = members.next_key::<Cow<'de, str>>()? {
        reader.path.push(Part::Entry);
        let start = reader.out.len();
        let at = reader.open(number);
        // A parameter may be 1; a key is spelt out.
        if key.kind == Kind::Bool && !matches!(&*name, "true" | "false") {
            return Err(reader.refused((FieldReason::Invalid, "must have only the keys true and false".to_owned())));
        }
        text::value(reader.plans, key.kind, key.number, &name, reader.out).map_err(|e| reader.refused(e))?;
        let before = reader.out.len();
        members.next_value_seed(Value { reader: &mut *reader, shape: Shape::One, kind, number: 2, nullable: true })?;
        if reader.out.len() == before {
            reader.out.truncate(start);
        } else {
            reader.close(at);
        }
        reader.path.pop();
        count += 1;
        if count > LIST_MAX {
            return Err(reader.refused((FieldReason::TooMany, format!("must have at most {LIST_MAX} entries"))));
        }
    }
    Ok(())
}
