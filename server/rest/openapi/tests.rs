//! What the document promises.

use super::*;
use crate::pb::POOL;
use std::collections::{BTreeMap, BTreeSet};

const VERBS: &[&str] = &["get", "put", "post", "delete", "patch"];

/// Every operation: verb, path, what stands there.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| VERBS.iter().filter_map(move |verb| Some((*verb, path.as_str(), item.get(verb)?)))).collect()
}

fn each_value<'a>(value: &'a Value, visit: &mut impl FnMut(&'a Value)) {
    visit(value);
    match value {
        Value::Object(members) => members.values().for_each(|v| each_value(v, visit)),
        Value::Array(items) => items.iter().for_each(|v| each_value(v, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn operation<'a>(document: &'a Value, verb: &str, path: &str) -> &'a Value {
    &document["paths"][path][verb]
}

#[test]
fn same_descriptors_give_same_document() {
    assert_eq!(document(&POOL).to_string(), document(&POOL).to_string());
}

#[test]
fn every_binding_is_there_once() {
    let document = document(&POOL);
    let mut bound = BTreeSet::from([("post", "/".to_owned())]);
    for method in crate::pb::methods() {
        let options = options(&method.options());
        for binding in Binding::of(&options["[google.api.http]"]) {
            assert!(bound.insert((binding.verb, binding.template.clone())), "{} {} twice", binding.verb, binding.template);
        }
    }
    let documented = operations(&document).into_iter().map(|(verb, path, _)| (verb, path.to_owned())).collect::<BTreeSet<_>>();
    assert_eq!(documented, bound);
}

#[test]
fn one_template_has_one_spelling() {
    let document = document(&POOL);
    let mut spellings = BTreeMap::new();
    for (_, path, _) in operations(&document) {
        let shape = path.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect::<Vec<_>>().join("{}");
        assert_eq!(*spellings.entry(shape).or_insert(path), path);
    }
}

#[test]
fn every_reference_resolves() {
    let document = document(&POOL);
    let mut dangling = Vec::new();
    each_value(&document, &mut |value| {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').unwrap();
            if document.pointer(pointer).is_none_or(|target| !target.is_object()) {
                dangling.push(reference);
            }
        }
    });
    assert_eq!(dangling, Vec::<&str>::new());
}

#[test]
fn operations_are_whole() {
    let document = document(&POOL);
    let mut ids = BTreeSet::new();
    for (verb, path, operation) in operations(&document) {
        let at = format!("{verb} {path}");
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{at}: id twice");
        assert!(!operation["summary"].as_str().unwrap().is_empty(), "{at}: no summary");
        assert!(operation["responses"]["200"]["content"].is_object(), "{at}: no answer");
        let parameters = operation["parameters"].as_array().unwrap();
        // What mailboxes send has a body that is not read, and all of the message in its address.
        let has_body = !["get", "delete"].contains(&verb) && operation["operationId"] != "NotificationsService_Unsubscribe";
        assert_eq!(operation["requestBody"].is_object(), has_body, "{at}: body");
        let is_public = operation["security"] == json!([]);
        assert_eq!(
            is_public,
            ["IdentityService", "NotificationsService_Unsubscribe"].contains(&operation["operationId"].as_str().unwrap()),
            "{at}"
        );
        let in_path = parameters.iter().filter(|p| p["in"] == "path").map(|p| p["name"].as_str().unwrap()).collect::<BTreeSet<_>>();
        let named = path.split('{').skip(1).map(|part| part.split_once('}').unwrap().0).collect::<BTreeSet<_>>();
        assert_eq!(in_path, named, "{at}");
        assert!(parameters.iter().all(|p| p["in"] != "path" || p["required"] == true), "{at}");
    }
}

#[test]
fn schemas_are_described_and_typed() {
    let document = document(&POOL);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(!schema["description"].as_str().unwrap().is_empty(), "{name}");
        match schema["type"].as_str().unwrap() {
            "object" => assert!(schema["properties"].as_object().unwrap().values().all(|p| p["description"].is_string()), "{name}"),
            "string" => assert!(!schema["enum"].as_array().unwrap().is_empty(), "{name}"),
            other => panic!("{name} is a {other}"),
        }
    }
}

#[test]
fn rules_become_bounds() {
    let document = document(&POOL);
    let body = &operation(&document, "post", "/favor/favor-create")["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["required"], json!(["title", "description"]));
    assert_eq!(body["properties"]["title"]["maxLength"], 200);
    assert_eq!(body["properties"]["tip"]["maximum"].as_f64(), Some(1_000_000.0));
    assert_eq!(body["properties"]["recepients"]["items"]["format"], "uuid");
    assert_eq!(body["properties"]["status"]["enum"], json!(["", "draft", "active"]));
}

#[test]
fn a_body_is_required_where_something_in_it_is_and_words_that_are_refused_are_not_offered() {
    let document = document(&POOL);
    let body = |path| &operation(&document, "post", path)["requestBody"];
    let respond = body("/api/favors/{id}/respond");
    let words = &respond["content"]["application/json"]["schema"]["properties"]["response"]["enum"];
    assert!(words.as_array().is_some_and(|words| !words.is_empty() && !words.contains(&json!(""))), "{words}");
    assert_eq!((&respond["required"], &body("/favor/{id}/publish")["required"]), (&json!(true), &json!(false)));
}

#[test]
fn a_rule_that_needs_one_of_several_says_so() {
    let document = document(&POOL);
    let body = |path| &operation(&document, "post", path)["requestBody"];
    let asks = body("/v2/users/{uid}/add-friend");
    let schema = &asks["content"]["application/json"]["schema"];
    assert_eq!(schema["anyOf"], json!([{"required": ["receiverEmail"]}, {"required": ["userId"]}]));
    assert!(schema["properties"]["receiverEmail"].is_object() && schema["properties"]["userId"].is_object());
    assert_eq!((&asks["required"], schema.get("required")), (&json!(true), None));
    let plain = &body("/v2/users/{uid}/find-friend")["content"]["application/json"]["schema"];
    assert_eq!(plain.get("anyOf"), None);
}

#[test]
fn path_members_are_not_asked_for_in_the_body() {
    let document = document(&POOL);
    let body = |path| &operation(&document, if path == "/txns/{request_id}/complete" { "post" } else { "patch" }, path)["requestBody"];
    let names =
        |path| body(path)["content"]["application/json"]["schema"]["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names("/items/{item_id}/requests/{request_id}:complete"), ["note", "pictureKeys"]);
    assert_eq!(names("/txns/{request_id}/complete"), ["item_id", "note", "pictureKeys"]);
}

#[test]
fn answers_stand_in_their_envelopes() {
    let document = document(&POOL);
    let answer = |verb, path| &operation(&document, verb, path)["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(answer("get", "/favor/active")["$ref"], "#/components/schemas/favors.ListActiveFavorsResponse");
    let favor = answer("get", "/api/favors/{id}");
    assert_eq!(favor["allOf"][0]["$ref"], "#/components/schemas/favors.Favor");
    assert_eq!(favor["allOf"][1]["properties"]["data"]["$ref"], "#/components/schemas/favors.Favor");
    let picture = answer("put", "/v2/users/{uid}/profile-picture");
    assert!(picture["allOf"][0]["properties"]["profilePictureUrl"].is_object());
    assert!(picture["allOf"][1]["properties"]["profile"]["properties"]["profile_picture_url"].is_object());
}

#[test]
fn default_limit_depends_on_the_path() {
    let document = document(&POOL);
    let limit = |path| {
        let parameters = operation(&document, "get", path)["parameters"].as_array().unwrap();
        parameters.iter().find(|p| p["name"] == "limit").unwrap()["schema"]["default"].clone()
    };
    assert_eq!(limit("/favor/active"), 100);
    assert_eq!(limit("/api/users/{uid}/favors/active"), Value::Null);
}

#[test]
fn a_stream_is_lines() {
    let document = document(&POOL);
    let content = &operation(&document, "get", "/notifications/stream")["responses"]["200"]["content"];
    assert!(content["application/x-ndjson"].is_object() && content["text/event-stream"].is_object());
}
