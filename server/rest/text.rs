//! Values as text: in paths, queries and quotes.

use super::{
    duration, instant, mask,
    number::{Number, Refused},
    plan::{Field, Kind, Message, MessageId, Plans, Shape},
};
use crate::error::{Error, FieldReason, Result};
use base64::{Engine as _, alphabet, engine};
use percent_encoding::percent_decode_str;
use prost::{
    Message as _,
    encoding::{self, WireType},
};
use std::collections::HashMap;

/// Both alphabets are read, with padding or without, and whatever the bits after the last byte are.
const BASE64: engine::GeneralPurpose = engine::GeneralPurpose::new(
    &alphabet::STANDARD,
    engine::GeneralPurposeConfig::new()
        .with_decode_padding_mode(engine::DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Why a text is no value of a field.
pub type Refusal = (FieldReason, String);

/// Writes the value that a text stands for, under a field number.
///
/// # Errors
/// It is none of this kind.
pub fn value(plans: &Plans, kind: Kind, number: u32, text: &str, out: &mut Vec<u8>) -> Result<(), Refusal> {
    let invalid = |text: &str| (FieldReason::Invalid, text.to_owned());
    match kind {
        Kind::Text => delimited(number, text.as_bytes(), out),
        Kind::Number(n) => n.encode(number, text, out).map_err(|e| refused(e, n.is_real()))?,
        Kind::Bool => {
            let truth = match text.to_ascii_lowercase().as_str() {
                "true" | "1" => true,
                "false" | "0" => false,
                _ => return Err(invalid("must be true or false")),
            };
            encoding::bool::encode(number, &truth, out);
        }
        Kind::Word(id) => {
            let words = plans.words(id);
            // An open enum: a number that the contract does not know is for its rules to judge.
            let unknown = |_| (FieldReason::UnknownWord, format!("must be one of: {}", words.choices));
            match words.number(text) {
                Some(word) => encoding::int32::encode(number, &word, out),
                None => Number::Int32.encode(number, text, out).map_err(unknown)?,
            }
        }
        Kind::Bytes => {
            let plain = text.replace('-', "+").replace('_', "/");
            delimited(number, &BASE64.decode(plain).map_err(|_| invalid("must be base64"))?, out);
        }
        Kind::Instant => {
            let instant = instant::read(text).ok_or_else(|| invalid("must be a time like 2026-01-02T03:04:05Z"))?;
            delimited(number, &instant.encode_to_vec(), out);
        }
        Kind::Duration => {
            let duration = duration::read(text).ok_or_else(|| invalid("must be a duration like 1.5s"))?;
            delimited(number, &duration.encode_to_vec(), out);
        }
        Kind::Mask => {
            let paths = mask::read(text).ok_or_else(|| invalid("must be comma-separated paths in camel case"))?;
            delimited(number, &prost_types::FieldMask { paths }.encode_to_vec(), out);
        }
        Kind::Object(_) => return Err(invalid("must be an object")),
    }
    Ok(())
}

/// What to say of a number that was not taken.
fn refused(refused: Refused, real: bool) -> Refusal {
    match refused {
        Refused::OutOfRange => (FieldReason::OutOfRange, "is too large or too small".to_owned()),
        Refused::NotANumber if real => (FieldReason::Invalid, "must be a number".to_owned()),
        Refused::NotANumber => (FieldReason::Invalid, "must be a whole number".to_owned()),
    }
}

/// Writes bytes with their length, under a field number.
pub fn delimited(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    encoding::encode_key(number, WireType::LengthDelimited, out);
    encoding::encode_varint(u64::try_from(bytes.len()).unwrap_or(u64::MAX), out);
    out.extend_from_slice(bytes);
}

/// A field that is reached from a message by a dotted name.
#[derive(Debug)]
pub struct Reached {
    /// The numbers of the messages on the way, the outermost first.
    outer: Vec<u32>,
    /// The number of the field itself.
    number: u32,
    /// How many values it has.
    pub shape: Shape,
    /// What one value is.
    pub kind: Kind,
    /// Its dotted name in the contract.
    path: String,
    /// The choices that it makes: the way to the message, the choice, and what is chosen.
    choices: Vec<(Vec<u32>, usize, u32)>,
}

impl Reached {
    /// By the names of the contract, as templates and options spell them.
    pub fn by_contract(plans: &Plans, message: MessageId, name: &str) -> Option<Self> {
        Self::by(plans, message, name, Message::named)
    }

    /// By any name under which JSON is read.
    pub fn by_json(plans: &Plans, message: MessageId, name: &str) -> Option<Self> {
        Self::by(plans, message, name, |message, name| message.read_as(name).map(|(_, field)| field))
    }

    fn by<'p>(plans: &'p Plans, message: MessageId, name: &str, find: impl Fn(&'p Message, &str) -> Option<&'p Field>) -> Option<Self> {
        let (mut parts, mut outer) = (name.split('.'), Vec::new());
        let mut field = find(plans.message(message), parts.next()?)?;
        let mut path = field.name.clone();
        let mut choices = Vec::from_iter(field.choice.map(|choice| (Vec::new(), choice, field.number)));
        for part in parts {
            let (Shape::One, Kind::Object(inner)) = (field.shape, field.kind) else { return None };
            outer.push(field.number);
            field = find(plans.message(inner), part)?;
            path = format!("{path}.{}", field.name);
            choices.extend(field.choice.map(|choice| (outer.clone(), choice, field.number)));
        }
        Some(Self { outer, number: field.number, shape: field.shape, kind: field.kind, path, choices })
    }

    /// The number of the outermost field.
    pub fn first(&self) -> u32 {
        self.outer.first().copied().unwrap_or(self.number)
    }

    /// Notes what it chooses.
    ///
    /// # Errors
    /// INVALID_ARGUMENT that names the field, when another one was chosen before.
    fn choose(&self, chosen: &mut HashMap<(Vec<u32>, usize), u32>) -> Result<()> {
        for (way, choice, number) in &self.choices {
            if *chosen.entry((way.clone(), *choice)).or_insert(*number) != *number {
                return Err(Error::field(self.path.clone(), FieldReason::Conflicting, "must not be given together with another choice"));
            }
        }
        Ok(())
    }

    /// Writes a value into the outermost message. A list takes one more element; else the last value counts.
    ///
    /// # Errors
    /// INVALID_ARGUMENT that names the field.
    pub fn write(&self, plans: &Plans, text: &str, out: &mut Vec<u8>) -> Result<()> {
        let mut wire = Vec::new();
        let written = match self.shape {
            Shape::Map(_) => Err((FieldReason::Invalid, "can only be given in a body".to_owned())),
            Shape::One | Shape::List => value(plans, self.kind, self.number, text, &mut wire),
        };
        written.map_err(|(reason, text)| Error::field(self.path.clone(), reason, text))?;
        for message in self.outer.iter().rev() {
            let inner = std::mem::take(&mut wire);
            delimited(*message, &inner, &mut wire);
        }
        out.append(&mut wire);
        Ok(())
    }
}

/// Writes the parameters of a query into a message, except the fields of `bound` numbers, which the path gives; the result is what was given. Unknown
/// ones are ignored, and an empty value is an absent one.
///
/// # Errors
/// INVALID_ARGUMENT that names the field; MALFORMED_JSON for what is not UTF-8.
pub fn parameters(plans: &Plans, message: MessageId, bound: &[u32], query: &str, out: &mut Vec<u8>) -> Result<Vec<u32>> {
    let (mut given, mut chosen) = (Vec::new(), HashMap::new());
    for pair in query.split('&') {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        let known = decode(name).ok().and_then(|name| Reached::by_json(plans, message, &name));
        let Some(reached) = known.filter(|_| !text.is_empty()) else { continue };
        if !bound.contains(&reached.first()) {
            reached.choose(&mut chosen)?;
            reached.write(plans, &decode(text)?, out)?;
            given.push(reached.first());
        }
    }
    Ok(given)
}

fn decode(text: &str) -> Result<String> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().map_err(|_| Error::malformed("the query is not UTF-8"))?;
    Ok(decoded.into_owned())
}
