//! Words of enums in JSON as protobuf defines it. One that its enum does not have is an error there, while the library passes it over together
//! with the fields that it does not know.

use crate::error::{Error, FieldReason, Result};
use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value};

/// Messages with a form of their own, in which no enum of ours stands.
const WELL_KNOWN: &str = "google.protobuf.";

/// Refuses the first word of a message's JSON that its enum does not have.
///
/// # Errors
/// INVALID_ARGUMENT that names the field and the words.
pub fn check(message: &MessageDescriptor, json: &Value) -> Result<()> {
    let Value::Object(fields) = json else { return Ok(()) };
    in_message(message, fields, "")
}

fn in_message(message: &MessageDescriptor, fields: &Map<String, Value>, path: &str) -> Result<()> {
    for (name, value) in fields {
        let known = message.get_field_by_json_name(name).or_else(|| message.get_field_by_name(name));
        if let Some(field) = known {
            in_field(&field, value, &format!("{path}{}", field.name()))?;
        }
    }
    Ok(())
}

fn in_field(field: &FieldDescriptor, value: &Value, path: &str) -> Result<()> {
    let kind = match field.kind() {
        Kind::Message(entry) if field.is_map() => entry.map_entry_value_field().kind(),
        kind => kind,
    };
    match value {
        Value::Array(values) if field.is_list() => {
            values.iter().enumerate().try_for_each(|(n, value)| in_value(&kind, value, &format!("{path}[{n}]")))
        }
        Value::Object(values) if field.is_map() => values.values().try_for_each(|value| in_value(&kind, value, path)),
        value => in_value(&kind, value, path),
    }
}

fn in_value(kind: &Kind, value: &Value, path: &str) -> Result<()> {
    match (kind, value) {
        (Kind::Enum(words), Value::String(word)) if words.get_value_by_name(word).is_none() => Err(unknown(words, path)),
        (Kind::Message(message), Value::Object(fields)) if !message.full_name().starts_with(WELL_KNOWN) => {
            in_message(message, fields, &format!("{path}."))
        }
        _ => Ok(()),
    }
}

fn unknown(words: &EnumDescriptor, path: &str) -> Error {
    let choices: Vec<_> = words.values().map(|value| value.name().to_owned()).collect();
    Error::field(path, FieldReason::UnknownWord, format!("must be one of: {}", choices.join(", ")))
}
