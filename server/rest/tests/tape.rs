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
        for field in descriptor.fields() {
            let many = usize::from(self.next() % 4);
            if field.is_map() {
                let entries = (0..many).map(|_| {
                    let key = MapKey::String(WORDS[usize::from(self.next()) % WORDS.len()].to_owned());
                    let Kind::Message(entry) = field.kind() else { panic!("a map has entries") };
                    (key, self.value(&entry.map_entry_value_field(), depth + 1))
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
            Kind::Int32 => Value::I32(i32::from_be_bytes([self.next(), self.next(), self.next(), self.next()])),
            Kind::Int64 => Value::I64(i64::from_be_bytes(self.long().to_be_bytes())),
            // Every double of the contract has few places; serde_json reads 17 of them only almost exactly.
            Kind::Double => Value::F64(f64::from(i32::from_be_bytes([self.next(), self.next(), self.next(), self.next()])) / 100.0),
            other => panic!("{other:?}: teach the tape this kind"),
        }
    }
}
