//! The forms of Connect: JSON as protobuf defines it, or protobuf's bytes; alone, in a query, or in a stream.

use super::words;
use crate::{
    error::{Error, FieldReason, Reason, Result},
    rest::{
        read,
        stream::{self, FRAME_HEAD},
    },
};
use axum::{
    body::Bytes,
    http::{HeaderMap, Method, Uri, header},
};
use base64::{Engine as _, alphabet, engine};
use bytes::BytesMut;
use percent_encoding::percent_decode_str;
use prost::Message as _;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use std::borrow::Cow;
use tonic::Status;

const BASE64: engine::GeneralPurpose = engine::GeneralPurpose::new(
    &alphabet::URL_SAFE,
    engine::GeneralPurposeConfig::new().with_decode_padding_mode(engine::DecodePaddingMode::Indifferent),
);

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON as protobuf defines it.
    Json,
    /// Its bytes.
    Proto,
}

/// What stands around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: the body is the message.
    Unary,
    /// A query: the call changes nothing.
    Get,
    /// A stream of frames.
    Stream,
}

/// How a request speaks Connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// How messages are written.
    pub form: Form,
    /// What stands around them.
    pub kind: Kind,
}

/// How a request for an RPC speaks Connect; `None` when it does not.
pub fn asked(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Asked> {
    if method == Method::GET {
        let form = match parameter(uri, "encoding")?.as_ref() {
            "json" => Form::Json,
            "proto" => Form::Proto,
            _ => return None,
        };
        return Some(Asked { form, kind: Kind::Get });
    }
    if method != Method::POST {
        return None;
    }
    let given = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (form, kind) = match essence.as_str() {
        "application/json" => (Form::Json, Kind::Unary),
        "application/proto" => (Form::Proto, Kind::Unary),
        "application/connect+json" => (Form::Json, Kind::Stream),
        "application/connect+proto" => (Form::Proto, Kind::Stream),
        _ => return None,
    };
    Some(Asked { form, kind })
}

/// Refuses what is compressed, as the protocol has it: UNIMPLEMENTED, with what is read instead.
///
/// # Errors
/// That.
pub fn plain(encoding: Option<Cow<'_, str>>) -> Result<(), Status> {
    match encoding {
        Some(other) if other != "identity" => {
            Err(Status::unimplemented(format!("messages compressed with {other} are not supported; use identity")))
        }
        _ => Ok(()),
    }
}

/// The message in a query.
///
/// # Errors
/// INVALID_ARGUMENT that names the parameter; UNIMPLEMENTED for what is compressed.
pub fn in_query(uri: &Uri) -> Result<Bytes, Status> {
    let wrong = |name: &str, text: &'static str| Error::field(name, FieldReason::Invalid, text);
    if parameter(uri, "connect").is_some_and(|v| v != "v1") {
        return Err(wrong("connect", "must be v1").into());
    }
    plain(parameter(uri, "compression"))?;
    let raw = raw(uri, "message").ok_or_else(|| Error::field("message", FieldReason::Required, "is required"))?;
    let bytes: Vec<u8> = percent_decode_str(&raw.replace('+', " ")).collect();
    if parameter(uri, "base64").is_some_and(|v| v == "1") {
        return BASE64.decode(bytes).map(Bytes::from).map_err(|_| wrong("message", "must be URL-safe base64").into());
    }
    Ok(bytes.into())
}

fn raw<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    uri.query()?.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| value))
}

fn parameter<'u>(uri: &'u Uri, name: &str) -> Option<Cow<'u, str>> {
    percent_decode_str(raw(uri, name)?).decode_utf8().ok()
}

impl Form {
    /// The content type of a message alone.
    pub const fn unary_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Proto => "application/proto",
        }
    }

    /// The content type of a stream.
    pub const fn stream_type(self) -> &'static str {
        match self {
            Self::Json => "application/connect+json",
            Self::Proto => "application/connect+proto",
        }
    }

    /// Appends the bytes of a request's message.
    ///
    /// # Errors
    /// MALFORMED_JSON; INVALID_ARGUMENT for a word that its enum does not have; UNKNOWN_ROUTE for JSON of an RPC that the contract does not have.
    pub fn read(self, method: Option<&MethodDescriptor>, given: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match (self, read::without_mark(given)) {
            (Self::Proto, _) => out.extend_from_slice(given),
            (Self::Json, json) if json.trim_ascii().is_empty() => {
                known(method)?;
            }
            (Self::Json, json) => read_json(known(method)?.input(), json)?.encode(out).map_err(Error::internal)?,
        }
        Ok(())
    }

    /// The frames of a request, read from frames of this form.
    ///
    /// # Errors
    /// As `read`; INVALID_ARGUMENT for bytes that are no whole frames, and for frames that are none of a plain message.
    pub fn read_frames(self, method: Option<&MethodDescriptor>, given: Bytes) -> Result<Vec<u8>> {
        let (mut rest, mut out) = (BytesMut::from(given), Vec::new());
        while let Some((flag, given)) = rest.first().copied().zip(stream::next(&mut rest)) {
            if flag != 0 {
                return Err(Error::malformed("a frame has a flag that requests must not have"));
            }
            let mut framed = vec![0; FRAME_HEAD];
            self.read(method, &given, &mut framed)?;
            stream::frame(&mut framed)?;
            out.append(&mut framed);
        }
        if rest.is_empty() { Ok(out) } else { Err(Error::malformed("the body does not consist of whole frames")) }
    }

    /// A message of an answer in this form.
    ///
    /// # Errors
    /// INTERNAL for bytes that break the contract.
    pub fn write(self, method: Option<&MethodDescriptor>, wire: Bytes) -> Result<Bytes> {
        match self {
            Self::Proto => Ok(wire),
            Self::Json => json(known(method)?.output(), &wire),
        }
    }
}

/// Reads a message. Fields that it does not have are passed over: a newer client may know more.
///
/// # Errors
/// MALFORMED_JSON; INVALID_ARGUMENT for a word that its enum does not have.
pub fn read_json(descriptor: MessageDescriptor, given: &[u8]) -> Result<DynamicMessage> {
    let malformed = |e: serde_json::Error| Error::malformed(format!("the body is not valid JSON for this message: {e}"));
    let mut source = serde_json::Deserializer::from_slice(given);
    let lenient = prost_reflect::DeserializeOptions::new().deny_unknown_fields(false);
    let read = DynamicMessage::deserialize_with_options(descriptor.clone(), &mut source, &lenient);
    let message = read.and_then(|message| source.end().map(|()| message)).map_err(malformed)?;
    words::check(&descriptor, &serde_json::from_slice(given).map_err(malformed)?)?;
    Ok(message)
}

fn json(message: MessageDescriptor, wire: &[u8]) -> Result<Bytes> {
    let message = DynamicMessage::decode(message, wire).map_err(Error::internal)?;
    serde_json::to_vec(&message).map(Bytes::from).map_err(Error::internal)
}

fn known(method: Option<&MethodDescriptor>) -> Result<&MethodDescriptor> {
    method.ok_or_else(|| Error::new(Reason::UnknownRoute, "no such RPC"))
}
