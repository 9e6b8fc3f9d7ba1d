//! The contract by snapshot: every RPC, path, field, enum value and reason. A change shows in review; `UPDATE_SNAPSHOTS=1` writes it anew.

use goodturn::{error::Reason, pb};
use prost_reflect::{DynamicMessage, EnumDescriptor, MessageDescriptor, MethodDescriptor, ReflectMessage, Value};
use std::fmt::Write;

/// Compares a text with the committed one beside the tests.
pub fn assert_snapshot(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (was, is)) in kept.lines().zip(text.lines()).enumerate() {
        assert_eq!(was, is, "{name}, line {}: UPDATE_SNAPSHOTS=1 accepts the change", line + 1);
    }
    assert_eq!(kept.lines().count(), text.lines().count(), "{name}: lines were added or removed; UPDATE_SNAPSHOTS=1 accepts the change");
}

#[test]
fn rpcs_and_paths_are_the_released_ones() {
    let mut text = String::new();
    for method in pb::methods() {
        let stream = if method.is_server_streaming() { " stream" } else { "" };
        writeln!(text, "{}{stream}", pb::rpc_path(&method)).unwrap();
        for binding in bindings(&method) {
            writeln!(text, "    {binding}").unwrap();
        }
    }
    assert_snapshot("rpcs.txt", &text);
}

#[test]
fn enum_values_and_their_words_are_the_released_ones() {
    let mut text = String::new();
    for descriptor in pb::POOL.all_enums().filter(|e| e.package_name().starts_with("goodturn.")) {
        writeln!(text, "{}", descriptor.full_name()).unwrap();
        for value in words(&descriptor) {
            writeln!(text, "    {value}").unwrap();
        }
    }
    assert_snapshot("enums.txt", &text);
}

#[test]
fn fields_are_the_released_ones() {
    let mut text = String::new();
    for message in pb::POOL.all_messages().filter(|m| m.package_name().starts_with("goodturn.") && !m.is_map_entry()) {
        writeln!(text, "{}", message.full_name()).unwrap();
        for field in fields(&message) {
            writeln!(text, "    {field}").unwrap();
        }
    }
    assert_snapshot("fields.txt", &text);
}

/// What whoever has a link in a mail may do, with its token alone.
const OF_LINKS: &[&str] = &[
    "/goodturn.friends.v1.FriendsService/GetInvitation",
    "/goodturn.friends.v1.FriendsService/DeclineInvitations",
    "/goodturn.friends.v1.FriendsService/AllowInvitations",
    "/goodturn.notifications.v1.NotificationsService/GetMailSubscription",
    "/goodturn.notifications.v1.NotificationsService/Unsubscribe",
];

#[test]
fn public_rpcs_exist_and_are_identity_operations_or_of_links_in_mails() {
    let all: Vec<_> = pb::methods().map(|m| pb::rpc_path(&m)).collect();
    for path in goodturn::auth::PUBLIC {
        assert!(all.iter().any(|p| p == path), "{path} is no RPC");
        let of_identity = path.starts_with("/goodturn.identity.v1.IdentityService/");
        assert!(of_identity || OF_LINKS.contains(path), "{path} would go without a token");
    }
}

#[test]
fn no_client_streams() {
    assert!(pb::methods().all(|m| !m.is_client_streaming()));
}

#[test]
fn every_rule_can_be_checked() {
    for message in pb::POOL.all_messages().filter(|m| m.package_name().starts_with("goodturn.") && !m.is_map_entry()) {
        let mut filled = DynamicMessage::new(message.clone());
        for field in message.fields().filter(|f| f.containing_oneof().is_none_or(|o| o.fields().len() == 1)) {
            let value = Value::default_value_for_field(&field);
            filled.set_field(&field, value);
        }
        for message in [DynamicMessage::new(message), filled] {
            let reason = goodturn::edge::codec::check(&message).err().map(|e| e.reason());
            assert!(matches!(reason, None | Some(Reason::InvalidArgument)), "{}: {reason:?}", message.descriptor().full_name());
        }
    }
}

fn bindings(method: &MethodDescriptor) -> Vec<String> {
    let http = pb::POOL.get_extension_by_name("google.api.http").unwrap();
    let options = method.options();
    if !options.has_extension(&http) {
        return Vec::new();
    }
    let value = options.get_extension(&http);
    let rule = value.as_message().unwrap();
    let more = rule.get_field_by_name("additional_bindings").unwrap();
    let more = more.as_list().unwrap().iter().filter_map(Value::as_message);
    std::iter::once(rule).chain(more).map(binding).collect()
}

fn binding(rule: &DynamicMessage) -> String {
    let text = |name: &str| rule.get_field_by_name(name).and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
    let verb = ["get", "put", "post", "delete", "patch"].into_iter().find(|v| rule.has_field_by_name(v)).unwrap_or("none");
    format!("{} {} body={} response_body={}", verb.to_uppercase(), text(verb), text("body"), text("response_body"))
}

fn words(descriptor: &EnumDescriptor) -> Vec<String> {
    let extension = pb::POOL.get_extension_by_name("goodturn.rest.v1.words").unwrap();
    descriptor
        .values()
        .map(|value| {
            let options = value.options();
            let spelt = if options.has_extension(&extension) { format!(" {}", options.get_extension(&extension)) } else { String::new() };
            format!("{} = {}{spelt}", value.name(), value.number())
        })
        .collect()
}

fn fields(message: &MessageDescriptor) -> Vec<String> {
    let extension = pb::POOL.get_extension_by_name("goodturn.rest.v1.spelling").unwrap();
    message
        .fields()
        .map(|field| {
            let options = field.options();
            let spelt = if options.has_extension(&extension) { format!(" {}", options.get_extension(&extension)) } else { String::new() };
            let presence = if field.supports_presence() { " optional" } else { "" };
            format!(
                "{} {:?} {:?} \"{}\" = {}{presence}{spelt}",
                field.name(),
                field.cardinality(),
                field.kind(),
                field.json_name(),
                field.number()
            )
        })
        .collect()
}
