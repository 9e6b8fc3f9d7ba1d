//! The codec of every service: a decoded message is checked against its `buf.validate` rules, once, for all faces.

use crate::{
    error::{Error, FieldReason},
    pb,
};
use bytes::Buf;
use prost::Message;
use prost_protovalidate::{Validator, Violation};
use prost_reflect::{FieldDescriptor, Kind, ReflectMessage, Value};
use std::{marker::PhantomData, sync::LazyLock};
use tonic::{
    Status,
    codec::{BufferSettings, Codec, DecodeBuf, Decoder},
};
use tonic_prost::{ProstDecoder, ProstEncoder};

/// What each message has room for at first.
const BUFFER_BYTES: usize = 1024;
/// So much of a stream that goes on at once is sent without waiting for more; as the library has it.
const YIELD_BYTES: usize = 32 * 1024;

static VALIDATOR: LazyLock<Validator> = LazyLock::new(Validator::new);

/// Prost's codec with validation after decoding.
pub struct ValidatingCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for ValidatingCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for ValidatingCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + ReflectMessage + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = ValidatingDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstEncoder::new(buffers())
    }

    fn decoder(&mut self) -> Self::Decoder {
        ValidatingDecoder(ProstDecoder::new(buffers()))
    }
}

/// Decodes, then validates.
pub struct ValidatingDecoder<U>(ProstDecoder<U>);

impl<U: Message + Default + ReflectMessage> Decoder for ValidatingDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buf: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        // Few messages have a zero byte anywhere: the texts of the others need not be looked at.
        let zeros = buf.chunk().contains(&0);
        // Bytes that are no message are the caller's mistake, though tonic calls them internal.
        let message = self.0.decode(buf).map_err(|_| Error::malformed("the body is not a valid message for this RPC"))?;
        if let Some(m) = &message {
            check(m)?;
            if zeros {
                no_null(m)?;
            }
        }
        Ok(message)
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

/// Most messages are small, and an open stream keeps its buffer: larger ones grow.
fn buffers() -> BufferSettings {
    BufferSettings::new(BUFFER_BYTES, YIELD_BYTES)
}

/// Refuses U+0000 in any text: it is a character on the wire, and none to the database.
///
/// # Errors
/// INVALID_ARGUMENT naming each field that holds it.
fn no_null<M: ReflectMessage>(message: &M) -> Result<(), Error> {
    let mut found = Vec::new();
    nulls(&Value::Message(message.transcode_to_dynamic()), "", &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let refuse = |error: Error, field: String| error.with_field(field, FieldReason::Invalid, "must not contain the character U+0000");
    Err(found.into_iter().fold(Error::invalid_fields(), refuse))
}

/// The paths of the texts that hold U+0000, below a value of this path.
fn nulls(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains('\0') => found.push(path.to_owned()),
        Value::Message(message) => {
            for (field, value) in message.fields() {
                let dot = if path.is_empty() { "" } else { "." };
                nulls(value, &format!("{path}{dot}{}", field.name()), found);
            }
        }
        Value::List(list) => list.iter().enumerate().for_each(|(i, value)| nulls(value, &format!("{path}[{i}]"), found)),
        Value::Map(map) => {
            for (key, value) in map {
                let key = key.as_str().unwrap_or_default();
                if key.contains('\0') {
                    found.push(path.to_owned());
                }
                nulls(value, &format!("{path}[\"{}\"]", key.escape_default()), found);
            }
        }
        _ => {}
    }
}

/// The most violations that are told: who has more to mend begins with these.
const TOLD_MAX: usize = 50;

/// Checks a message against its rules.
///
/// # Errors
/// INVALID_ARGUMENT with one violation a broken rule; of the entries of a list that is too long, none.
pub fn check<M: ReflectMessage>(message: &M) -> Result<(), Error> {
    VALIDATOR.validate(message).map_err(|e| match e {
        prost_protovalidate::Error::Validation(v) => {
            let all = v.into_violations();
            let too_long: Vec<String> =
                all.iter().filter(|v| field_reason(v) == FieldReason::TooMany).map(|v| format!("{}[", v.field_path())).collect();
            all.iter()
                .filter(|v| !too_long.iter().any(|list| v.field_path().starts_with(list)))
                .take(TOLD_MAX)
                .fold(Error::invalid_fields(), |error, v| error.with_field(field_of(v), field_reason(v), text_of(v)))
        }
        other => Error::internal(anyhow::anyhow!("validator: {other}")),
    })
}

/// The field; for a rule of the whole message, the field that its caller would fill in.
fn field_of(violation: &Violation) -> String {
    match violation.rule_id() {
        "receiver_required" => "receiver_email".to_owned(),
        _ => violation.field_path(),
    }
}

/// The library has no text for some rules, and speaks of numbers where callers write words.
fn text_of(violation: &Violation) -> String {
    let documented = violation.field_descriptor().map(pb::refused).unwrap_or_default();
    match (field_reason(violation), violation.message()) {
        (FieldReason::Required | FieldReason::OutOfRange, _) if !documented.is_empty() => documented,
        (FieldReason::UnknownWord, _) => words_of(violation),
        (FieldReason::NotAnId, _) => "must be a UUID".to_owned(),
        (FieldReason::NotAnEmail, _) => "must be an email address".to_owned(),
        (FieldReason::Invalid, _) if is_of_a_day(violation) => "must be a date like 2026-01-31".to_owned(),
        (FieldReason::Required, text) if text.is_empty() || violation.rule_id() == "string.pattern" => "is required".to_owned(),
        (FieldReason::OutOfRange, "") => "must be a number within its limits".to_owned(),
        (_, "") => "is invalid".to_owned(),
        (_, text) => text.to_owned(),
    }
}

/// Whether it is the rule of a day that is broken.
fn is_of_a_day(violation: &Violation) -> bool {
    violation.rule_value().is_some_and(|rule| rule.as_str().is_some_and(|pattern| pattern.contains("[0-9]{4}-[0-9]{2}-[0-9]{2}")))
}

fn words_of(violation: &Violation) -> String {
    let allowed: Option<Vec<i32>> =
        violation.rule_value().and_then(|v| v.as_list().map(|list| list.iter().filter_map(Value::as_i32).collect()));
    let only = |number: i32| match violation.rule_id() {
        "enum.in" => allowed.as_ref().is_none_or(|a| a.contains(&number)),
        _ => number != 0,
    };
    let Some(Kind::Enum(descriptor)) = violation.field_descriptor().map(FieldDescriptor::kind) else {
        return "is not one of the allowed values".to_owned();
    };
    let words: Vec<_> = descriptor.values().filter(|v| only(v.number())).map(|v| pb::word(&v)).filter(|w| !w.is_empty()).collect();
    format!("must be one of: {}", words.join(", "))
}

fn field_reason(violation: &Violation) -> FieldReason {
    let empty = violation.field_value().is_none_or(|v| v.as_str().is_some_and(str::is_empty));
    match violation.rule_id() {
        "required" | "receiver_required" | "string.uuid_empty" => FieldReason::Required,
        "string.min_len" | "string.pattern" if empty => FieldReason::Required,
        "string.min_len" => FieldReason::TooShort,
        "string.max_len" => FieldReason::TooLong,
        "string.uuid" => FieldReason::NotAnId,
        "string.email" | "string.email_empty" => FieldReason::NotAnEmail,
        "repeated.max_items" | "map.max_pairs" => FieldReason::TooMany,
        "repeated.unique" => FieldReason::Twice,
        id if id.starts_with("enum.") => FieldReason::UnknownWord,
        id if id.starts_with("int32.") || id.starts_with("double.") => FieldReason::OutOfRange,
        _ => FieldReason::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::{
        favors::{AskMemberRequest, CreateFavorRequest, ListReceivedFavorsRequest},
        rentals::{ExtendRentalRequest, RequestRentalRequest},
    };

    fn fields(error: &Error) -> Vec<String> {
        error.fields().map(|(field, reason, _)| format!("{field}: {reason}")).collect()
    }

    #[test]
    fn of_a_list_that_is_too_long_no_entry_is_told() {
        let recipients = (0..20_000).map(|n| n.to_string()).collect();
        let favor =
            CreateFavorRequest { title: "Walk Biscuit".into(), description: "In the park".into(), recipients, ..Default::default() };
        assert_eq!(fields(&check(&favor).unwrap_err()), ["recipients: TOO_MANY"]);
    }

    #[test]
    fn an_id_that_is_not_there_is_needed_and_one_that_is_none_is_said_to_be_none() {
        let ask = AskMemberRequest { id: "12".into(), ..Default::default() };
        let refused = check(&ask).unwrap_err();
        let told: Vec<_> = refused.fields().collect();
        assert_eq!(told, [("id", "NOT_AN_ID", "must be a UUID"), ("member_id", "REQUIRED", "is required")]);
    }

    #[test]
    fn what_the_documents_say_of_a_field_is_said_and_a_day_that_is_none_is_called_so() {
        let asked = RequestRentalRequest { item_id: uuid::Uuid::nil().to_string(), gratitude: 10_000, ..Default::default() };
        let refused = check(&asked).unwrap_err();
        let dates = "Please select borrowing dates first.";
        let told: Vec<_> = refused.fields().collect();
        assert_eq!(
            told,
            [
                ("start_date", "REQUIRED", dates),
                ("end_date", "REQUIRED", dates),
                ("gratitude", "OUT_OF_RANGE", "Amount must be between 0 and 9999")
            ]
        );
        let longer = ExtendRentalRequest { request_id: uuid::Uuid::nil().to_string(), end_date: "tomorrow".into(), ..Default::default() };
        let refused = check(&longer).unwrap_err();
        assert_eq!(refused.fields().collect::<Vec<_>>(), [("end_date", "INVALID", "must be a date like 2026-01-31")]);
        let longer = ExtendRentalRequest { end_date: String::new(), ..longer };
        assert_eq!(check(&longer).unwrap_err().fields().collect::<Vec<_>>(), [("end_date", "REQUIRED", "is required")]);
    }

    #[test]
    fn so_many_violations_are_told_and_no_more() {
        let recipients = (0..90).map(|n| n.to_string()).collect();
        let favor = CreateFavorRequest { recipients, ..Default::default() };
        assert_eq!(fields(&check(&favor).unwrap_err()).len(), TOLD_MAX);
        check(&ListReceivedFavorsRequest { uid: uuid::Uuid::nil().to_string(), ..Default::default() }).unwrap();
    }
}
