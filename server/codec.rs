//! The codec of every service: a decoded message is checked against its `buf.validate` rules, once, for all faces.

use crate::error::{Error, FieldReason};
use prost::Message;
use prost_protovalidate::{Validator, Violation};
use prost_reflect::ReflectMessage;
use std::{marker::PhantomData, sync::LazyLock};
use tonic::{
    Status,
    codec::{Codec, DecodeBuf, Decoder},
};
use tonic_prost::{ProstDecoder, ProstEncoder};

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
        ProstEncoder::default()
    }

    fn decoder(&mut self) -> Self::Decoder {
        ValidatingDecoder(ProstDecoder::default())
    }
}

/// Decodes, then validates.
pub struct ValidatingDecoder<U>(ProstDecoder<U>);

impl<U: Message + Default + ReflectMessage> Decoder for ValidatingDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buf: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        // Bytes that are no message are the caller's mistake, though tonic calls them internal.
        let message = self.0.decode(buf).map_err(|_| Error::malformed("the body is not a message of this RPC"))?;
        if let Some(m) = &message {
            check(m)?;
        }
        Ok(message)
    }
}

/// Checks a message against its rules.
///
/// # Errors
/// INVALID_ARGUMENT with one violation a broken rule.
pub fn check<M: ReflectMessage>(message: &M) -> Result<(), Error> {
    VALIDATOR.validate(message).map_err(|e| match e {
        prost_protovalidate::Error::Validation(v) => v
            .into_violations()
            .into_iter()
            .fold(Error::invalid_fields(), |error, v| error.with_field(v.field_path(), field_reason(&v), v.message().to_owned())),
        other => Error::internal(anyhow::anyhow!("validator: {other}")),
    })
}

fn field_reason(violation: &Violation) -> FieldReason {
    let empty = violation.field_value().is_none_or(|v| v.as_str().is_some_and(str::is_empty));
    match violation.rule_id() {
        "required" | "receiver_required" => FieldReason::Required,
        "string.min_len" if empty => FieldReason::Required,
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
