//! What reading and writing JSON needs to know of each message and enum, worked out once from the descriptors.

use super::{number::Number, options};
use anyhow::{Result, bail};
use prost_reflect::{Cardinality, DescriptorPool, EnumDescriptor, FieldDescriptor, Kind as Declared, MessageDescriptor};
use std::collections::{HashMap, HashSet};

/// The plans of every message and enum that the contract reaches.
#[derive(Debug, Default)]
pub struct Plans {
    messages: Vec<Message>,
    message_ids: HashMap<String, MessageId>,
    enums: Vec<Enum>,
    enum_ids: HashMap<String, EnumId>,
}

/// Where a message's plan lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageId(usize);

/// Where an enum's plan lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumId(usize);

/// The plan of a message.
#[derive(Debug, Default)]
pub struct Message {
    /// Its fields, in the order of the contract.
    pub fields: Vec<Field>,
    /// What is written: a field stands here once a name.
    pub members: Vec<Member>,
    by_number: Vec<Option<usize>>,
    /// Every name that is read, with the place of its field.
    by_name: HashMap<String, usize>,
}

/// One name of a field in an answer.
#[derive(Clone, Debug)]
pub struct Member {
    /// The place of the field in its message.
    pub field: usize,
    /// The name.
    pub name: String,
    /// The name as it is written: in quotes, with a colon.
    pub key: Vec<u8>,
}

/// The plan of a field.
#[derive(Debug)]
pub struct Field {
    /// Its number on the wire.
    pub number: u32,
    /// Its name in the contract.
    pub name: String,
    /// Its name in JSON.
    pub json: String,
    /// How many values it has.
    pub shape: Shape,
    /// What one value is.
    pub kind: Kind,
    /// What is written while it is absent; `None` when nothing is.
    pub absent: Option<Vec<u8>>,
    /// Of which choice of its message it is one: at most one of them is given.
    pub choice: Option<usize>,
    /// Neither read nor written.
    pub grpc_only: bool,
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// At most one.
    One,
    /// A list.
    List,
    /// Values by key; the message is the entry of the wire.
    Map(MessageId),
}

/// What one value is. Of a map, the value beside the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number(Number),
    /// True or false.
    Bool,
    /// Text.
    Text,
    /// Bytes, in base64.
    Bytes,
    /// A word.
    Word(EnumId),
    /// `google.protobuf.Timestamp`, in RFC 3339.
    Instant,
    /// `google.protobuf.Duration`, in seconds.
    Duration,
    /// `google.protobuf.FieldMask`, its paths with commas between.
    Mask,
    /// An object.
    Object(MessageId),
}

/// The words of an enum.
#[derive(Debug, Default)]
pub struct Enum {
    /// The words, and others that mean the same, to the letter.
    exact: Vec<String>,
    /// Every word that is read, and the full names.
    read: Vec<(String, i32)>,
    /// What is written for each number from 0 on, in quotes.
    written: Vec<Option<Vec<u8>>>,
    /// The words, as an error names them.
    pub choices: String,
}

impl Plans {
    /// The plans of the inputs and outputs of all methods in our packages.
    ///
    /// # Errors
    /// Names that clash, and what has no form in JSON here.
    pub fn new(pool: &DescriptorPool) -> Result<Self> {
        let mut plans = Self::default();
        for service in pool.services().filter(|s| s.package_name().starts_with("goodturn.")) {
            for method in service.methods() {
                plans.message_of(&method.input())?;
                plans.message_of(&method.output())?;
            }
        }
        Ok(plans)
    }

    /// A message's plan.
    pub fn message(&self, id: MessageId) -> &Message {
        self.messages.get(id.0).expect("ids are made with their plans")
    }

    /// An enum's plan.
    pub fn words(&self, id: EnumId) -> &Enum {
        self.enums.get(id.0).expect("ids are made with their plans")
    }

    /// The plan of a message by its full name.
    pub fn find(&self, full_name: &str) -> Option<MessageId> {
        self.message_ids.get(full_name).copied()
    }

    fn message_of(&mut self, descriptor: &MessageDescriptor) -> Result<MessageId> {
        if let Some(id) = self.find(descriptor.full_name()) {
            return Ok(id);
        }
        let id = MessageId(self.messages.len());
        self.messages.push(Message::default());
        self.message_ids.insert(descriptor.full_name().to_owned(), id);
        let plan = self.plan(descriptor)?;
        if let Some(place) = self.messages.get_mut(id.0) {
            *place = plan;
        }
        Ok(id)
    }

    fn plan(&mut self, descriptor: &MessageDescriptor) -> Result<Message> {
        let mut message = Message::default();
        let mut written = HashSet::new();
        for declared in descriptor.fields() {
            let (at, spelling) = (message.fields.len(), options::spelling(&declared));
            let field = self.field(&declared, spelling.grpc_only)?;
            let json = [field.json.clone()];
            if !field.grpc_only {
                let names = json.iter().chain([&field.name]).chain(&spelling.also_read);
                for name in names.collect::<HashSet<_>>() {
                    if message.by_name.insert(name.clone(), at).is_some() {
                        bail!("{}: two fields are read as `{name}`", descriptor.full_name());
                    }
                }
                for name in json.iter().chain(&spelling.also_written) {
                    if !written.insert(name.clone()) {
                        bail!("{}: two fields are written as `{name}`", descriptor.full_name());
                    }
                    message.members.push(Member { field: at, name: name.clone(), key: key(name)? });
                }
            }
            let number = usize::try_from(field.number)?;
            if message.by_number.len() <= number {
                message.by_number.resize(number + 1, None);
            }
            message.by_number.splice(number..=number, [Some(at)]);
            message.fields.push(field);
        }
        Ok(message)
    }

    fn field(&mut self, declared: &FieldDescriptor, grpc_only: bool) -> Result<Field> {
        let (shape, kind) = match declared.kind() {
            Declared::Message(entry) if declared.is_map() => {
                (Shape::Map(self.message_of(&entry)?), self.kind(&entry.map_entry_value_field().kind())?)
            }
            kind => (if declared.is_list() { Shape::List } else { Shape::One }, self.kind(&kind)?),
        };
        if declared.cardinality() == Cardinality::Required || declared.is_group() {
            bail!("{}: only proto3 has a form here", declared.full_name());
        }
        Ok(Field {
            number: declared.number(),
            name: declared.name().to_owned(),
            json: declared.json_name().to_owned(),
            shape,
            kind,
            absent: (!declared.supports_presence()).then(|| self.absent(shape, kind)),
            choice: choice(declared),
            grpc_only,
        })
    }

    fn kind(&mut self, declared: &Declared) -> Result<Kind> {
        Ok(match declared {
            Declared::Double => Kind::Number(Number::Double),
            Declared::Float => Kind::Number(Number::Float),
            Declared::Int32 => Kind::Number(Number::Int32),
            Declared::Int64 => Kind::Number(Number::Int64),
            Declared::Uint32 => Kind::Number(Number::Uint32),
            Declared::Uint64 => Kind::Number(Number::Uint64),
            Declared::Sint32 => Kind::Number(Number::Sint32),
            Declared::Sint64 => Kind::Number(Number::Sint64),
            Declared::Fixed32 => Kind::Number(Number::Fixed32),
            Declared::Fixed64 => Kind::Number(Number::Fixed64),
            Declared::Sfixed32 => Kind::Number(Number::Sfixed32),
            Declared::Sfixed64 => Kind::Number(Number::Sfixed64),
            Declared::Bool => Kind::Bool,
            Declared::String => Kind::Text,
            Declared::Bytes => Kind::Bytes,
            Declared::Enum(e) => Kind::Word(self.enum_of(e)?),
            Declared::Message(m) => match m.full_name() {
                "google.protobuf.Timestamp" => Kind::Instant,
                "google.protobuf.Duration" => Kind::Duration,
                "google.protobuf.FieldMask" => Kind::Mask,
                other if other.starts_with("google.protobuf.") && m.fields().len() > 0 => bail!("{other} has no form in JSON here"),
                _ => Kind::Object(self.message_of(m)?),
            },
        })
    }

    fn absent(&self, shape: Shape, kind: Kind) -> Vec<u8> {
        match (shape, kind) {
            (Shape::List, _) => b"[]".to_vec(),
            (Shape::Map(_), _) => b"{}".to_vec(),
            (Shape::One, Kind::Number(_)) => b"0".to_vec(),
            (Shape::One, Kind::Bool) => b"false".to_vec(),
            (Shape::One, Kind::Word(id)) => self.words(id).word(0).map_or_else(|| b"0".to_vec(), <[u8]>::to_vec),
            (Shape::One, _) => b"\"\"".to_vec(),
        }
    }

    fn enum_of(&mut self, descriptor: &EnumDescriptor) -> Result<EnumId> {
        if let Some(id) = self.enum_ids.get(descriptor.full_name()) {
            return Ok(*id);
        }
        let id = EnumId(self.enums.len());
        self.enums.push(Enum::new(descriptor)?);
        self.enum_ids.insert(descriptor.full_name().to_owned(), id);
        Ok(id)
    }
}

/// The place of a field's oneof. The one that stands for `optional` has no other member.
fn choice(field: &FieldDescriptor) -> Option<usize> {
    let choice = field.containing_oneof().filter(|oneof| !oneof.is_synthetic())?;
    field.parent_message().oneofs().position(|oneof| oneof == choice)
}

impl Message {
    /// The field of a number, with its place.
    pub fn by_number(&self, number: u32) -> Option<(usize, &Field)> {
        let at = (*self.by_number.get(usize::try_from(number).ok()?)?)?;
        Some((at, self.fields.get(at)?))
    }

    /// The field that is read under a name, with its place.
    pub fn read_as(&self, name: &str) -> Option<(usize, &Field)> {
        let at = *self.by_name.get(name)?;
        Some((at, self.fields.get(at)?))
    }

    /// The field of this name in JSON, and of no other.
    pub fn read_exactly(&self, name: &str) -> Option<(usize, &Field)> {
        self.fields.iter().enumerate().find(|(_, field)| field.json == name && !field.grpc_only)
    }

    /// The field of the contract's name, whether JSON knows it or not.
    pub fn named(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
    }
}

impl Enum {
    fn new(descriptor: &EnumDescriptor) -> Result<Self> {
        let (mut plan, mut choices) = (Self::default(), Vec::new());
        for value in descriptor.values() {
            let words = options::words(&value).filter(|w| w.exception.is_empty());
            let word = words.as_ref().map_or(value.name(), |w| &w.word);
            let at = usize::try_from(value.number())?;
            if plan.written.len() <= at {
                plan.written.resize(at + 1, None);
            }
            plan.written.splice(at..=at, [Some(serde_json::to_vec(word)?)]);
            if !word.is_empty() && (words.is_some() || value.number() != 0) {
                choices.push(word.to_owned());
            }
            let also = words.iter().flat_map(|w| w.also_read.iter().map(String::as_str));
            if words.is_some() && !word.is_empty() {
                plan.exact.extend(also.clone().chain(std::iter::once(word)).map(str::to_owned));
            }
            for name in [word, value.name()].into_iter().chain(also) {
                match plan.number(name) {
                    Some(other) if other != value.number() => bail!("{}: two values are read as `{name}`", descriptor.full_name()),
                    Some(_) => {}
                    None => plan.read.push((name.to_owned(), value.number())),
                }
            }
        }
        plan.choices = choices.join(", ");
        Ok(plan)
    }

    /// The number of a word, in any letter case.
    pub fn number(&self, word: &str) -> Option<i32> {
        self.read.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, n)| *n)
    }

    /// The word of a number, in quotes; `None` for a number that the contract does not know.
    pub fn word(&self, number: i32) -> Option<&[u8]> {
        self.written.get(usize::try_from(number).ok()?)?.as_deref()
    }

    /// Whether a text is one of the words that are read, to the letter.
    pub fn names(&self, text: &str) -> bool {
        self.exact.iter().any(|word| word == text)
    }
}

/// A member's name as it stands in JSON.
pub fn key(name: &str) -> Result<Vec<u8>> {
    let mut key = serde_json::to_vec(name)?;
    key.push(b':');
    Ok(key)
}
