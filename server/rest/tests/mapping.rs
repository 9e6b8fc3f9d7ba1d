//! The JSON that protobuf defines, kind by kind, on a message that has them all.

use super::{
    json::{from_json, to_json},
    sample::{self, PLANS, plan},
};
use crate::{edge::codec, pb, rest::text};
use prost::Message as _;
use prost_reflect::{DynamicMessage, MapKey, Value};
use serde_json::{Value as Json, json};

/// What comes back of one member, or why it is refused.
fn through(member: &str, given: &str) -> Result<Json, String> {
    let body = format!("{{{}:{given}}}", json!(member));
    let id = plan(&sample::descriptor());
    let wire = from_json(id, body.as_bytes()).map_err(|e| e.to_string())?;
    let answer: Json = serde_json::from_slice(&to_json(id, &wire)).unwrap();
    Ok(answer[member].clone())
}

fn refused(member: &str, given: &str) -> String {
    through(member, given).expect_err(given)
}

#[test]
fn one_of_a_choice_is_given() {
    let id = plan(&sample::descriptor());
    let read = |body: &str| from_json(id, body.as_bytes()).map(|wire| to_json(id, &wire)).map_err(|e| e.to_string());
    let json = |body: &str| -> Json { serde_json::from_slice(&read(body).unwrap()).unwrap() };
    let beside = |field: &str, other: &str| Err(format!("INVALID_ARGUMENT: {field}: must not be given together with {other}"));
    assert_eq!(read(r#"{"aTextChoice":"x","anInt32Choice":0}"#), beside("an_int32_choice", "aTextChoice"));
    assert_eq!(read(r#"{"a_bool_choice":false,"aText":"y","a_text_choice":""}"#), beside("a_text_choice", "aBoolChoice"));
    assert_eq!(read(r#"{"aSample":{"aTextChoice":"x","aSampleChoice":{}}}"#), beside("a_sample.a_sample_choice", "aTextChoice"));
    assert_eq!(json(r#"{"aTextChoice":"x","anInt32Choice":null}"#)["aTextChoice"], "x");
    assert_eq!(json(r#"{"aTextChoice":null,"anInt32Choice":0}"#)["anInt32Choice"], 0);
    // The last of two spellings counts, and it is none.
    assert_eq!(json(r#"{"aTextChoice":"x","a_text_choice":null,"anInt32Choice":7}"#)["anInt32Choice"], 7);
    let inner = json(r#"{"aSample":{"aTextChoice":"x"},"aTextChoice":"y"}"#);
    assert_eq!((&inner["aSample"]["aTextChoice"], &inner["aTextChoice"]), (&json!("x"), &json!("y")));
}

#[test]
fn one_of_a_choice_is_asked_for() {
    let id = plan(&sample::descriptor());
    let read = |query: &str| text::parameters(&PLANS, id, &[], query, &mut Vec::new()).map_err(|e| e.to_string());
    let refused = |field: &str| Err(format!("INVALID_ARGUMENT: {field}: must not be given together with another choice"));
    assert_eq!(read("aTextChoice=x&an_int32_choice=0"), refused("an_int32_choice"));
    assert_eq!(read("aSample.aTextChoice=x&aSample.aBoolChoice=1"), refused("a_sample.a_bool_choice"));
    assert!(read("aTextChoice=x&a_text_choice=y&anInt32Choice=&aSample.aBoolChoice=1&aSample.aSample.aTextChoice=z").is_ok());
}

#[test]
fn whole_numbers_have_edges() {
    for (member, least, most, below, above) in [
        ("anInt32", "-2147483648", "2147483647", "-2147483649", "2147483648"),
        ("aUint32", "0", "4294967295", "-1", "4294967296"),
        ("anInt64", "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"),
        ("aUint64", "0", "18446744073709551615", "-1", "18446744073709551616"),
    ] {
        for digits in [least, most] {
            for given in [digits.to_owned(), format!("\"{digits}\""), format!("{digits}.0"), format!("{digits}.000e0")] {
                assert_eq!(through(member, &given).unwrap().to_string(), digits, "{member} {given}");
            }
        }
        for digits in [below, above] {
            for given in [digits.to_owned(), format!("\"{digits}\""), format!("{digits}.0")] {
                assert!(refused(member, &given).contains("is too large or too small"), "{member} {given}");
            }
        }
        for given in ["1.5", "\"1.5\"", "5e-1", "\"\"", "\" 1\"", "\"1 \"", "\"NaN\"", "\"one\"", "\"0x1\"", "true", "[1]", "{}"] {
            assert!(refused(member, given).contains("must be a"), "{member} {given}");
        }
        for (given, read) in [("1e3", 1000), ("\"1e3\"", 1000), ("1.0", 1), ("\"1.0\"", 1), ("-0", 0), ("-0.0", 0), ("null", 0)] {
            assert_eq!(through(member, given), Ok(json!(read)), "{member} {given}");
        }
    }
    assert_eq!(through("anInt64", "9007199254740993").unwrap().to_string(), "9007199254740993");
    assert_eq!(through("aUint64", "9007199254740993.0").unwrap().to_string(), "9007199254740993");
}

#[test]
fn reals_have_words_for_what_is_no_number() {
    for member in ["aDouble", "aFloat"] {
        for word in ["\"NaN\"", "\"Infinity\"", "\"-Infinity\""] {
            assert_eq!(through(member, word).unwrap().to_string(), word);
        }
        for given in ["\"nan\"", "\"inf\"", "\"-inf\"", "\"infinity\"", "\"-infinity\"", "\"1.5x\"", "\"\"", "\" 1\"", "true"] {
            assert!(refused(member, given).contains("must be a number"), "{member} {given}");
        }
        for (given, read) in [("\"1.5\"", "1.5"), ("\"-1e2\"", "-100"), ("12.50", "12.5"), ("-0", "-0.0"), ("1e-400", "0")] {
            assert_eq!(through(member, given).unwrap().to_string(), read, "{member} {given}");
        }
        assert!(refused(member, "1e400").contains("is too large or too small"));
    }
    assert!(refused("aFloat", "1e39").contains("is too large or too small"));
    assert!(refused("aFloat", "\"-1e39\"").contains("is too large or too small"));
    assert_eq!(through("aDouble", "1.7976931348623157e308").unwrap().as_f64(), Some(f64::MAX));
    assert_eq!(through("aDouble", "0.1234567890123456789").unwrap().as_f64(), Some(0.123_456_789_012_345_68));
}

#[test]
fn what_is_no_number_breaks_a_rule_that_has_bounds() {
    for tip in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let favor = pb::favors::CreateFavorRequest { title: "x".into(), description: "x".into(), tip, ..Default::default() };
        assert!(codec::check(&favor).is_err(), "{tip}");
    }
}

#[test]
fn words_are_read_by_name_and_by_number() {
    for (given, read) in [
        ("\"COLOUR_RED\"", json!("COLOUR_RED")),
        ("\"colour_red\"", json!("COLOUR_RED")),
        ("2", json!("COLOUR_BLUE")),
        ("2.0", json!("COLOUR_BLUE")),
        ("\"2\"", json!("COLOUR_BLUE")),
        ("7", json!(7)),
        ("-7", json!(-7)),
        ("null", json!("COLOUR_NONE")),
    ] {
        assert_eq!(through("aColour", given), Ok(read), "{given}");
    }
    for given in ["1.5", "2147483648", "\"GREEN\"", "\"\"", "\"1 \""] {
        assert_eq!(refused("aColour", given), "INVALID_ARGUMENT: a_colour: must be one of: COLOUR_RED, COLOUR_BLUE", "{given}");
    }
    for given in ["true", "[]", "{}"] {
        assert_eq!(refused("aColour", given), "MALFORMED_JSON: a_colour: must be a string", "{given}");
    }
}

#[test]
fn masks_are_camel_case() {
    assert_eq!(through("aMask", "\"a.bC,d\""), Ok(json!("a.bC,d")));
    let wire = from_json(plan(&sample::descriptor()), br#"{"aMask":"a.bC,d"}"#).unwrap();
    let read = DynamicMessage::decode(sample::descriptor(), wire.as_slice()).unwrap();
    let mask: prost_types::FieldMask = read.get_field_by_name("a_mask").unwrap().as_message().unwrap().transcode_to().unwrap();
    assert_eq!(mask.paths, ["a.b_c", "d"]);
    assert_eq!(through("aMask", "\"\""), Ok(json!("")));
    for given in ["\"a.b_c\"", "\"a,,b\"", "\"a b\"", "5"] {
        assert!(refused("aMask", given).contains("a_mask: must be"), "{given}");
    }
}

#[test]
fn durations_and_instants_have_their_form() {
    assert_eq!(through("aDuration", "\"-1.5s\""), Ok(json!("-1.500s")));
    assert_eq!(through("anInstant", "\"2026-01-02T03:04:05.5+01:00\""), Ok(json!("2026-01-02T02:04:05.500Z")));
    for given in ["\"1.5\"", "\"1h\"", "1", "\"315576000001s\""] {
        assert!(refused("aDuration", given).contains("a_duration: must be"), "{given}");
    }
}

#[test]
fn bytes_are_read_in_both_alphabets() {
    for (given, read) in [
        ("+/8=", "+/8="),
        ("-_8=", "+/8="),
        ("-_8", "+/8="),
        ("+/8", "+/8="),
        ("", ""),
        ("YQ==", "YQ=="),
        ("YQ=", "YQ=="),
        ("YQ", "YQ=="),
        // Bits after the last byte are nobody's.
        ("-_", "+w=="),
    ] {
        assert_eq!(through("aBlob", &format!("\"{given}\"")), Ok(json!(read)), "{given}");
    }
    for given in ["\"Y\"", "\"Y Q\"", "\"YQ===\"", "\"é\"", "5"] {
        assert!(refused("aBlob", given).contains("a_blob: must be"), "{given}");
    }
}

#[test]
fn keys_of_maps_are_text() {
    for (member, given) in [
        ("byBool", r#"{"false":1,"true":2}"#),
        ("byInt32", r#"{"-5":1}"#),
        ("byUint64", r#"{"18446744073709551615":1}"#),
        ("aDoubleOf", r#"{"a":"NaN"}"#),
        ("anInstantOf", r#"{"a":"2026-01-02T03:04:05Z"}"#),
        ("aSampleOf", r#"{}"#),
    ] {
        assert_eq!(through(member, given).unwrap(), serde_json::from_str::<Json>(given).unwrap(), "{member}");
    }
    for (member, given) in [("byBool", r#"{"1":1}"#), ("byBool", r#"{"TRUE":1}"#), ("byInt32", r#"{"x":1}"#), ("byUint64", r#"{"-1":1}"#)] {
        assert!(refused(member, given).contains(": "), "{member} {given}");
    }
    // The last of two equal keys counts; a null is no entry.
    assert_eq!(through("byInt32", r#"{"1":1,"1":2,"2":null}"#), Ok(json!({"1": 2})));
}

#[test]
fn nothing_in_a_list_is_null() {
    for member in ["aDoubleList", "anInt64List", "aBoolList", "aTextList", "aBlobList", "aColourList", "anInstantList", "aSampleList"] {
        assert!(refused(member, "[null]").contains("[0]: must be"), "{member}");
        assert_eq!(through(member, "null"), Ok(json!([])), "{member}");
    }
}

#[test]
fn both_names_are_read_and_the_last_counts() {
    assert_eq!(through("anInt32", r#"1,"an_int32":2,"unknown":{"a":[1e999]},"anInt32":3"#), Ok(json!(3)));
    assert_eq!(through("aText", r#""x","a_text":"y""#), Ok(json!("y")));
}

#[test]
fn an_entry_without_a_value_holds_the_least() {
    let kinds = ["aDouble", "anInt64", "aBool", "aText", "aBlob", "aColour", "anInstant", "aDuration", "aMask"];
    let expected = [
        json!(0),
        json!(0),
        json!(false),
        json!(""),
        json!(""),
        json!("COLOUR_NONE"),
        json!("1970-01-01T00:00:00Z"),
        json!("0s"),
        json!(""),
    ];
    for (kind, expected) in kinds.into_iter().zip(expected) {
        let field = sample::descriptor().get_field_by_json_name(&format!("{kind}Of")).unwrap();
        // An entry of no bytes: neither key nor value.
        let mut wire = Vec::new();
        prost::encoding::encode_key(field.number(), prost::encoding::WireType::LengthDelimited, &mut wire);
        wire.push(0);
        let answer: Json = serde_json::from_slice(&to_json(plan(&sample::descriptor()), &wire)).unwrap();
        assert_eq!(answer[field.json_name()], json!({"": expected}));
    }
    // Of a message all that is always written.
    let mut message = DynamicMessage::new(sample::descriptor());
    let entries = std::collections::HashMap::from([(MapKey::String("a".into()), Value::Message(message.clone()))]);
    message.set_field_by_name("a_sample_of", Value::Map(entries));
    let answer: Json = serde_json::from_slice(&to_json(plan(&sample::descriptor()), &message.encode_to_vec())).unwrap();
    assert_eq!(answer["aSampleOf"]["a"]["anInt64List"], json!([]));
}

#[test]
fn a_default_in_a_choice_is_written() {
    let mut message = DynamicMessage::new(sample::descriptor());
    message.set_field_by_name("a_text_choice", Value::String(String::new()));
    let answer: Json = serde_json::from_slice(&to_json(plan(&sample::descriptor()), &message.encode_to_vec())).unwrap();
    assert_eq!((&answer["aTextChoice"], answer.get("anInt32Choice")), (&json!(""), None));
}
