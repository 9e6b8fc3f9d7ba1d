//! Any message of any RPC, to JSON and back; any bytes, without a panic or a fault.

use super::{
    sample::{self, PLANS, POOL, plan},
    tape::Tape,
};
use crate::{
    error::code_of,
    pb,
    rest::{
        connect, options,
        plan::MessageId,
        read::{self, Target},
        write::{self, Answer},
    },
};
use proptest::{collection::vec, prelude::*};
use prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, ReflectMessage, SerializeOptions};
use serde_json::{Map, Number, Value as Json};
use std::sync::LazyLock;
use tonic::Code;

/// Every request and answer of the contract, and in every tenth case the sample.
static MESSAGES: LazyLock<Vec<MessageDescriptor>> = LazyLock::new(|| {
    let contract: Vec<_> = pb::methods().flat_map(|m| [m.input(), m.output()]).collect();
    let samples = contract.len() / 9;
    contract.into_iter().chain(std::iter::repeat_n(sample::descriptor(), samples)).collect()
});

pub(super) fn to_json(id: MessageId, wire: &[u8]) -> Vec<u8> {
    let answer = Answer { output: id, inner: None, top: PLANS.message(id).members.clone(), under: None, twice: false };
    let mut out = Vec::new();
    write::answer(&PLANS, &answer, wire, &mut out).unwrap();
    out
}

pub(super) fn from_json(id: MessageId, json: &[u8]) -> crate::error::Result<Vec<u8>> {
    let mut out = Vec::new();
    let asked = read::Asked { message: id, target: Target::Whole, bound: &[], with_mask: false, exact: false };
    read::body(&PLANS, asked, json, &mut out)?;
    Ok(out)
}

/// Without what only gRPC clients know.
fn visible(message: &DynamicMessage) -> DynamicMessage {
    let mut visible = DynamicMessage::new(message.descriptor());
    for (field, value) in message.fields().filter(|(field, _)| !options::spelling(field).grpc_only) {
        visible.set_field(&field, inner(value));
    }
    visible
}

fn inner(value: &prost_reflect::Value) -> prost_reflect::Value {
    use prost_reflect::Value;
    match value {
        Value::Message(m) => Value::Message(visible(m)),
        Value::List(list) => Value::List(list.iter().map(inner).collect()),
        Value::Map(map) => Value::Map(map.iter().map(|(k, v)| (k.clone(), inner(v))).collect()),
        other => other.clone(),
    }
}

/// What prost-reflect writes, with our options put on top: slow, but of other hands.
fn reference(message: &DynamicMessage) -> Json {
    let plain = SerializeOptions::new().stringify_64_bit_integers(false).skip_default_fields(false);
    let mut json = message.serialize_with_options(serde_json::value::Serializer, &plain).unwrap();
    respell(&mut json, &message.descriptor());
    doubles(&mut json);
    json
}

fn respell(json: &mut Json, descriptor: &MessageDescriptor) {
    let Json::Object(members) = json else { return };
    for field in descriptor.fields() {
        let spelling = options::spelling(&field);
        let Some(mut value) = members.remove(field.json_name()) else { continue };
        if spelling.grpc_only {
            continue;
        }
        let kind = match field.kind() {
            Kind::Message(entry) if field.is_map() => entry.map_entry_value_field().kind(),
            kind => kind,
        };
        let one = |value: &mut Json| match &kind {
            Kind::Message(m) => respell(value, m),
            Kind::Enum(e) => {
                let known = value.as_str().and_then(|name| e.get_value_by_name(name));
                if let Some(words) = known.and_then(|v| options::words(&v)) {
                    *value = words.word.into();
                }
            }
            _ => {}
        };
        match &mut value {
            Json::Array(list) => list.iter_mut().for_each(one),
            Json::Object(map) if field.is_map() => map.values_mut().for_each(one),
            value => one(value),
        }
        for name in spelling.also_written {
            members.insert(name, value.clone());
        }
        members.insert(field.json_name().to_owned(), value);
    }
}

/// 45 and 45.0 are one number.
fn doubles(json: &mut Json) {
    match json {
        Json::Number(n) => *json = Number::from_f64(n.as_f64().unwrap()).unwrap().into(),
        Json::Array(list) => list.iter_mut().for_each(doubles),
        Json::Object(map) => map.values_mut().for_each(doubles),
        _ => {}
    }
}

/// JSON of the names that a message knows, and of others.
fn wild(names: Vec<String>) -> impl Strategy<Value = Json> {
    let name = prop_oneof![4 => proptest::sample::select(names), 1 => ".{0,4}"];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        ".{0,8}".prop_map(Json::from),
        "-?[0-9]{1,3}(\\.[05])?(e[0-9]{1,3})?".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 64, 8, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            vec((name.clone(), inner), 0..8).prop_map(|members| Json::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn must_be_the_callers_mistake(id: MessageId, descriptor: &MessageDescriptor, json: &[u8]) {
    match from_json(id, json) {
        Ok(wire) => {
            DynamicMessage::decode(descriptor.clone(), wire.as_slice()).unwrap();
        }
        Err(e) => assert_eq!(code_of(e.reason()), Code::InvalidArgument),
    }
}

/// Every word of an enum in the JSON of a message.
fn words_of<'j>(descriptor: &MessageDescriptor, json: &'j mut Json) -> Vec<&'j mut Json> {
    let Json::Object(fields) = json else { return Vec::new() };
    let mut found = Vec::new();
    for (name, value) in fields {
        let Some(field) = descriptor.get_field_by_json_name(name) else { continue };
        let kind = match field.kind() {
            Kind::Message(entry) if field.is_map() => entry.map_entry_value_field().kind(),
            kind => kind,
        };
        let values: Vec<&mut Json> = if field.is_list() {
            value.as_array_mut().into_iter().flatten().collect()
        } else if field.is_map() {
            value.as_object_mut().into_iter().flat_map(Map::values_mut).collect()
        } else {
            vec![value]
        };
        for value in values {
            match &kind {
                Kind::Enum(_) if value.is_string() => found.push(value),
                Kind::Message(inner) if !inner.full_name().starts_with("google.") => found.extend(words_of(inner, value)),
                _ => {}
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_message_survives_json(at in any::<prop::sample::Index>(), tape in vec(any::<u8>(), 0..600)) {
        let descriptor = at.get(&MESSAGES);
        let id = plan(descriptor);
        let message = Tape(&tape).message(descriptor, 0);
        let json = to_json(id, &message.encode_to_vec());
        let back = from_json(id, &json).map_err(|e| TestCaseError::fail(format!("{e}: {}", String::from_utf8_lossy(&json))))?;
        let read = DynamicMessage::decode(descriptor.clone(), back.as_slice()).unwrap();
        prop_assert_eq!(visible(&read), visible(&message), "{}", String::from_utf8_lossy(&json));
        let again: Json = serde_json::from_slice(&to_json(id, &back)).unwrap();
        prop_assert_eq!(again, serde_json::from_slice::<Json>(&json).unwrap());
    }

    #[test]
    fn the_fast_writer_agrees_with_prost_reflect(at in any::<prop::sample::Index>(), tape in vec(any::<u8>(), 0..600)) {
        let descriptor = at.get(&MESSAGES);
        let message = Tape(&tape).message(descriptor, 0);
        let mut ours: Json = serde_json::from_slice(&to_json(plan(descriptor), &message.encode_to_vec())).unwrap();
        doubles(&mut ours);
        prop_assert_eq!(ours, reference(&visible(&message)));
    }

    #[test]
    fn any_bytes_are_read_or_refused(at in any::<prop::sample::Index>(), bytes in vec(any::<u8>(), 0..200)) {
        let descriptor = at.get(&MESSAGES);
        must_be_the_callers_mistake(plan(descriptor), descriptor, &bytes);
    }

    #[test]
    fn a_damaged_body_is_read_or_refused(
        at in any::<prop::sample::Index>(), tape in vec(any::<u8>(), 0..300), cuts in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let descriptor = at.get(&MESSAGES);
        let mut json = to_json(plan(descriptor), &Tape(&tape).message(descriptor, 0).encode_to_vec());
        for (at, byte) in cuts {
            let at = at.index(json.len());
            json[at] = byte;
        }
        must_be_the_callers_mistake(plan(descriptor), descriptor, &json);
    }

    /// The Connect face: what it writes it reads, and any other word than those of the contract it refuses, wherever it stands.
    #[test]
    fn a_word_that_no_enum_has_is_refused_by_connect(at in any::<prop::sample::Index>(), tape in vec(any::<u8>(), 0..600), which in any::<prop::sample::Index>()) {
        let descriptor = at.get(&MESSAGES);
        let message = Tape(&tape).message(descriptor, 0);
        let mut json = serde_json::to_value(&message).unwrap();
        let read = connect::read_json(descriptor.clone(), json.to_string().as_bytes());
        let read = read.map_err(|e| TestCaseError::fail(format!("{e}: {json}")))?;
        prop_assert_eq!(serde_json::to_value(&read).unwrap(), json.clone());
        let words = words_of(descriptor, &mut json);
        if !words.is_empty() {
            let at = which.index(words.len());
            *words.into_iter().nth(at).unwrap() = "NO_SUCH_WORD".into();
            let refused = connect::read_json(descriptor.clone(), json.to_string().as_bytes()).unwrap_err();
            prop_assert_eq!(refused.fields().map(|(_, reason, _)| reason).collect::<Vec<_>>(), ["UNKNOWN_WORD"], "{}", json);
        }
    }

    #[test]
    fn any_json_is_read_or_refused(
        (descriptor, json) in any::<prop::sample::Index>().prop_flat_map(|at| {
            let descriptor = at.get(&MESSAGES).clone();
            let names = descriptor.fields().flat_map(|f| {
                let inner = if let Kind::Message(m) = f.kind() { m.fields().map(|f| f.json_name().to_owned()).collect() } else { Vec::new() };
                [vec![f.json_name().to_owned(), f.name().to_owned()], inner].concat()
            }).chain(["x".to_owned()]).collect();
            (Just(descriptor), wild(names))
        })
    ) {
        must_be_the_callers_mistake(plan(&descriptor), &descriptor, &serde_json::to_vec(&json).unwrap());
    }
}

fn read_as(message: &str, json: &str) -> Result<Json, String> {
    let descriptor = POOL.get_message_by_name(message).unwrap();
    let wire = from_json(plan(&descriptor), json.as_bytes()).map_err(|e| e.to_string())?;
    Ok(serde_json::from_slice(&to_json(plan(&descriptor), &wire)).unwrap())
}

#[test]
fn the_last_of_two_spellings_counts() {
    let favor = "goodturn.favors.v1.CreateFavorRequest";
    let read = read_as(favor, r#"{"recipients":["a","b"],"title":"x","recepients":["c"],"tip":"12.5","category":"PET_care","title":"y"}"#)
        .unwrap();
    assert_eq!(
        (&read["recepients"], &read["title"], &read["tip"], &read["category"]),
        (&serde_json::json!(["c"]), &"y".into(), &12.5.into(), &"pet_care".into())
    );
    let read = read_as(favor, r#"{"title":"x","description":"long","title":null}"#).unwrap();
    assert_eq!((&read["title"], &read["description"]), (&"".into(), &"long".into()));
}

#[test]
fn refusals_name_the_field_and_the_rule() {
    let favor = "goodturn.favors.v1.CreateFavorRequest";
    let table = [
        ("[]", "MALFORMED_JSON: the body must be a JSON object"),
        ("{", "MALFORMED_JSON: the body is not valid JSON: line 1, column 1"),
        (r#"{"title":"\ud800"}"#, "MALFORMED_JSON: the body is not valid JSON: line 1, column 17"),
        (r#"{"title":5}"#, "MALFORMED_JSON: title: must be a string"),
        (r#"{"recepients":"a"}"#, "MALFORMED_JSON: recipients: must be a list"),
        (r#"{"recepients":["a",null]}"#, "MALFORMED_JSON: recipients[1]: must be a string"),
        (r#"{"tip":1e400}"#, "INVALID_ARGUMENT: tip: is too large or too small"),
        (r#"{"tip":NaN}"#, "MALFORMED_JSON: the body is not valid JSON: line 1, column 8"),
        (r#"{"tip":"nan"}"#, "INVALID_ARGUMENT: tip: must be a number"),
        (r#"{"tip":true}"#, "MALFORMED_JSON: tip: must be a number"),
        (r#"{"tip":[1]}"#, "MALFORMED_JSON: tip: must be a number"),
        (r#"{"tip":"\ud800"}"#, "MALFORMED_JSON: tip: must be a number"),
        (r#"{"maxResponses":1.5}"#, "INVALID_ARGUMENT: max_responses: must be a whole number"),
        (r#"{"maxResponses":3000000000}"#, "INVALID_ARGUMENT: max_responses: is too large or too small"),
        (r#"{"startDate":"tomorrow"}"#, "INVALID_ARGUMENT: start_date: must be a time like 2026-01-02T03:04:05Z"),
        (r#"{"category":"pets"}"#, "INVALID_ARGUMENT: category: must be one of: general, errands, physical_help, pet_care"),
    ];
    for (json, expected) in table {
        assert_eq!(read_as(favor, json), Err(expected.to_owned()), "{json}");
    }
}

#[test]
fn depth_and_length_have_an_end() {
    let favor = "goodturn.favors.v1.CreateFavorRequest";
    let deep = format!("{{\"title\":{}", "[".repeat(100_000));
    assert!(read_as(favor, &deep).unwrap_err().starts_with("MALFORMED_JSON"));
    let unknown = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let _ = read_as(favor, &unknown);
    let long = format!("{{\"recipients\":[{}\"a\"]}}", "\"a\",".repeat(10_001));
    assert_eq!(read_as(favor, &long), Err("INVALID_ARGUMENT: recipients: must have at most 10000 entries".to_owned()));
}

#[test]
fn null_entries_of_a_map_are_absent() {
    let auth = "goodturn.identity.v1.InitiateAuthRequest";
    let read = read_as(auth, r#"{"AuthFlow":"user_srp_auth","AuthParameters":{"USERNAME":"ana","DEVICE_KEY":null},"ClientMetadata":null}"#)
        .unwrap();
    assert_eq!(read["AuthParameters"], serde_json::json!({"USERNAME": "ana"}));
    assert_eq!(read["AuthFlow"], "USER_SRP_AUTH");
}
