//! Messages made from random bytes: any message of the contract, and a shorter tape is a smaller message.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value};

const DEPTH_MAX: usize = 6;
const WORDS: &[&str] =
    &["", "a", "Ana \"Test\"", "back\\slash", "line\nbreak\u{0}\u{7f}", "žluťoučký 🐎", "2026-01-02", "</script>", "null"];

pub struct Tape<'a>(pub &'a [u8]);

impl Tape<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn long(&mut self) -> u64 {
        (0..8).fold(0, |n, _| n << 8 | u64::from(self.next()))
    }

    pub fn message(&mut self, descriptor: &MessageDescriptor, depth: usize) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        if descriptor.full_name() == "google.protobuf.Timestamp" {
            // Years 1 to 9999.
            let seconds = i64::try_from(self.long() % 315_537_897_600).unwrap() - 62_135_596_800;
            let nanos = [0, 500_000_000, 1000, 1][usize::from(self.next() % 4)];
            message.set_field_by_name("seconds", Value::I64(seconds));
            message.set_field_by_name("nanos", Value::I32(nanos));
            return message;
        }
        if descriptor.full_name() == "google.protobuf.Duration" {
            let (seconds, nanos) = (i64::try_from(self.long() % 315_576_000_001).unwrap(), i32::from(self.next()) * 1_000_003);
            let sign = if self.next() % 2 == 1 { -1 } else { 1 };
            message.set_field_by_name("seconds", Value::I64(seconds * sign));
            message.set_field_by_name("nanos", Value::I32(nanos * i32::try_from(sign).unwrap()));
            return message;
        }
        if descriptor.full_name() == "google.protobuf.FieldMask" {
            let paths = (0..self.next() % 3).map(|n| Value::String(format!("a{n}.b_c"))).collect();
            message.set_field_by_name("paths", Value::List(paths));
            return message;
        }
        for field in descriptor.fields() {
            let many = usize::from(self.next() % 4);
            if field.is_map() {
                let entries = (0..many).map(|_| {
                    let Kind::Message(entry) = field.kind() else { panic!("a map has entries") };
                    (self.key(&entry.map_entry_key_field().kind()), self.value(&entry.map_entry_value_field(), depth + 1))
                });
                let entries = entries.collect();
                message.set_field(&field, Value::Map(entries));
            } else if matches!(field.kind(), Kind::Message(_)) && depth >= DEPTH_MAX {
                continue;
            } else if field.is_list() {
                let list = (0..many).map(|_| self.value(&field, depth + 1)).collect();
                message.set_field(&field, Value::List(list));
            } else if many > 0 {
                let value = self.value(&field, depth + 1);
                message.set_field(&field, value);
            }
        }
        message
    }

    fn key(&mut self, kind: &Kind) -> MapKey {
        match kind {
            Kind::String => MapKey::String(WORDS[usize::from(self.next()) % WORDS.len()].to_owned()),
            Kind::Bool => MapKey::Bool(self.next() % 2 == 1),
            Kind::Int32 => MapKey::I32(i32::from_be_bytes(self.four())),
            Kind::Uint64 => MapKey::U64(self.long()),
            other => panic!("{other:?}: teach the tape this key"),
        }
    }

    fn four(&mut self) -> [u8; 4] {
        [self.next(), self.next(), self.next(), self.next()]
    }

    fn value(&mut self, field: &FieldDescriptor, depth: usize) -> Value {
        match field.kind() {
            Kind::Message(m) => Value::Message(self.message(&m, depth)),
            Kind::Enum(e) => {
                let at = usize::from(self.next()) % (e.values().len() + 1);
                // One past the last is a number that the contract does not know.
                Value::EnumNumber(e.values().nth(at).map_or(1000, |v| v.number()))
            }
            Kind::String => Value::String(WORDS[usize::from(self.next()) % WORDS.len()].to_owned()),
            Kind::Bool => Value::Bool(self.next() % 2 == 1),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(i32::from_be_bytes(self.four())),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(u32::from_be_bytes(self.four())),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(i64::from_be_bytes(self.long().to_be_bytes())),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(self.long()),
            // What is no number is not equal to itself, and has a test of its own.
            Kind::Double => Value::F64(Some(f64::from_bits(self.long())).filter(|n| !n.is_nan()).unwrap_or(0.5)),
            // Of few places: the same number whether it is read as a float or as a double.
            Kind::Float => Value::F32(f32::from(self.next()) / 4.0 - 20.0),
            Kind::Bytes => Value::Bytes((0..self.next() % 8).map(|_| self.next()).collect::<Vec<_>>().into()),
        }
    }
}
