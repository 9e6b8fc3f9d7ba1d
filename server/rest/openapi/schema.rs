//! JSON Schema of the messages, with the bounds of their rules and the words of their enums.

use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor, SerializeOptions,
    ServiceDescriptor,
};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// Options as JSON; extensions stand under their full name in brackets.
pub(super) fn options(message: &DynamicMessage) -> Value {
    let plain = SerializeOptions::new().stringify_64_bit_integers(false);
    message.serialize_with_options(serde_json::value::Serializer, &plain).unwrap_or_default()
}

fn spelling(field: &FieldDescriptor) -> Value {
    options(&field.options())["[goodturn.rest.v1.spelling]"].take()
}

fn rules(field: &FieldDescriptor) -> Value {
    options(&field.options())["[buf.validate.field]"].take()
}

/// Whether JSON does not know the field.
pub(super) fn is_hidden(field: &FieldDescriptor) -> bool {
    spelling(field)["grpcOnly"] == true
}

/// Whether a request without the field breaks a rule.
pub(super) fn is_needed(field: &FieldDescriptor) -> bool {
    let rules = rules(field);
    if field.supports_presence() || rules.get("ignore").is_some() {
        return false;
    }
    let text = &rules["string"];
    let at_least_one = |bound: &Value| bound.as_u64().is_some_and(|n| n > 0);
    text["uuid"] == true
        || at_least_one(&text["minLen"])
        || at_least_one(&text["len"])
        || at_least_one(&rules["repeated"]["minItems"])
        || rules["enum"]["notIn"].as_array().is_some_and(|not| not.contains(&json!(0)))
}

/// The fields of which a request needs at least one, as a rule of its message has it: `this.a != '' || this.b != ''`. None where no rule is of
/// that form, or one of them is not known to JSON.
pub(super) fn needed_one_of(message: &MessageDescriptor) -> Vec<FieldDescriptor> {
    let rules = options(&message.options())["[buf.validate.message]"].take();
    let mut written = rules["cel"].as_array().into_iter().flatten().filter_map(|rule| rule["expression"].as_str());
    let given = |part: &str| {
        let name = part.trim().strip_prefix("this.")?.strip_suffix("''")?.trim_end().strip_suffix("!=")?.trim_end();
        message.get_field_by_name(name).filter(|field| !is_hidden(field))
    };
    written.find_map(|rule| rule.split("||").map(given).collect()).unwrap_or_default()
}

/// The comments of the contract.
pub(super) struct Comments(HashMap<(String, Vec<i32>), String>);

/// Something that a comment stands at.
pub(super) trait Commented {
    /// Its file, and its place in it.
    fn place(&self) -> (String, Vec<i32>);
}

macro_rules! commented {
    ($($descriptor:ty),*) => {$(
        impl Commented for $descriptor {
            fn place(&self) -> (String, Vec<i32>) {
                (self.parent_file().name().to_owned(), self.path().to_vec())
            }
        }
    )*};
}

commented!(ServiceDescriptor, MethodDescriptor, MessageDescriptor, FieldDescriptor, EnumDescriptor, prost_reflect::EnumValueDescriptor);

impl Comments {
    fn new(pool: &DescriptorPool) -> Self {
        let mut comments = HashMap::new();
        for file in pool.files().filter(|f| f.package_name().starts_with("goodturn.")) {
            for place in file.file_descriptor_proto().source_code_info.iter().flat_map(|i| &i.location) {
                if let Some(text) = &place.leading_comments {
                    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                    comments.insert((file.name().to_owned(), place.path.clone()), line.trim().to_owned());
                }
            }
        }
        Self(comments)
    }

    /// The comment of something, on one line; empty without one.
    pub(super) fn of(&self, what: &impl Commented) -> String {
        self.0.get(&what.place()).cloned().unwrap_or_default()
    }
}

/// The schemas that were asked for, each message and enum once.
pub(super) struct Schemas {
    pub(super) comments: Comments,
    /// Messages that callers send: in those, nothing is required that has a default.
    sent: HashSet<String>,
    components: Map<String, Value>,
}

impl Schemas {
    pub(super) fn new(pool: &DescriptorPool) -> Self {
        let mut sent = HashSet::new();
        let services = pool.services().filter(|s| s.package_name().starts_with("goodturn."));
        for method in services.flat_map(|s| s.methods().collect::<Vec<_>>()) {
            mark(&method.input(), &mut sent);
        }
        Self { comments: Comments::new(pool), sent, components: Map::new() }
    }

    /// What was asked for, by name.
    pub(super) fn into_components(mut self) -> Map<String, Value> {
        self.components.sort_keys();
        self.components
    }

    /// A message, by reference.
    pub(super) fn message(&mut self, message: &MessageDescriptor) -> Value {
        let name = component_name(message.full_name());
        if !self.components.contains_key(&name) {
            // Stands there before its members are read: a message may hold itself.
            self.components.insert(name.clone(), Value::Null);
            let schema = self.object(message, &Value::Null);
            self.components.insert(name.clone(), schema);
        }
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    /// Those members of an answer whose JSON names are listed; without a list all, by reference.
    pub(super) fn some_of(&mut self, message: &MessageDescriptor, names: &Value) -> Value {
        if names.is_array() { self.object(message, names) } else { self.message(message) }
    }

    /// The fields of a request that `wanted` picks, in place.
    pub(super) fn request(&mut self, message: &MessageDescriptor, wanted: impl Fn(&FieldDescriptor) -> bool) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in message.fields().filter(|f| !is_hidden(f) && wanted(f)) {
            if is_needed(&field) {
                required.push(json!(field.json_name()));
            }
            let schema = self.described(&field);
            properties.insert(field.json_name().to_owned(), schema);
        }
        let mut schema = object(self.comments.of(message), properties, required);
        let choices = needed_one_of(message);
        // What stands in the path is given.
        if choices.iter().all(&wanted) && !choices.is_empty() {
            schema["anyOf"] = choices.iter().map(|field| json!({"required": [field.json_name()]})).collect();
        }
        schema
    }

    fn object(&mut self, message: &MessageDescriptor, only: &Value) -> Value {
        let wanted = |name: &str| only.as_array().is_none_or(|names| names.iter().any(|n| n == name));
        let always_written = !self.sent.contains(message.full_name());
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in message.fields().filter(|f| !is_hidden(f)) {
            let spelling = spelling(&field);
            let also = spelling["alsoWritten"].as_array().into_iter().flatten().filter_map(Value::as_str);
            for name in std::iter::once(field.json_name()).chain(also).filter(|n| wanted(n)) {
                if always_written && !field.supports_presence() {
                    required.push(json!(name));
                }
                let schema = self.described(&field);
                properties.insert(name.to_owned(), schema);
            }
        }
        object(self.comments.of(message), properties, required)
    }

    fn described(&mut self, field: &FieldDescriptor) -> Value {
        let mut schema = self.field(field);
        schema["description"] = json!(self.comments.of(field));
        schema
    }

    /// One field, with its bounds.
    pub(super) fn field(&mut self, field: &FieldDescriptor) -> Value {
        let rules = rules(field);
        if field.is_map() {
            let value = field.kind().as_message().and_then(|entry| entry.get_field_by_name("value"));
            let value = value.map_or_else(|| json!({}), |v| self.value(&v.kind(), &Value::Null));
            let bounds = [("maxProperties", &rules["map"]["maxPairs"])];
            return bounded(json!({"type": "object", "additionalProperties": value}), bounds);
        }
        if field.is_list() {
            let repeated = &rules["repeated"];
            let items = self.value(&field.kind(), &repeated["items"]);
            let bounds = [("minItems", &repeated["minItems"]), ("maxItems", &repeated["maxItems"]), ("uniqueItems", &repeated["unique"])];
            return bounded(json!({"type": "array", "items": items}), bounds);
        }
        self.value(&field.kind(), &rules)
    }

    fn value(&mut self, kind: &Kind, rules: &Value) -> Value {
        match kind {
            Kind::String => text(&rules["string"]),
            Kind::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
            Kind::Bool => json!({"type": "boolean"}),
            Kind::Double => number("number", &rules["double"]),
            Kind::Float => number("number", &rules["float"]),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => number("integer", &rules["int32"]),
            Kind::Uint32 | Kind::Fixed32 => number("integer", &rules["uint32"]),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => number("integer", &rules["int64"]),
            Kind::Uint64 | Kind::Fixed64 => number("integer", &rules["uint64"]),
            Kind::Message(message) => match message.full_name() {
                "google.protobuf.Timestamp" => json!({"type": "string", "format": "date-time"}),
                "google.protobuf.Duration" => json!({"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"}),
                "google.protobuf.FieldMask" => json!({"type": "string"}),
                _ => self.message(message),
            },
            Kind::Enum(words) => {
                let (only, but) = (rules["enum"]["in"].as_array(), rules["enum"]["notIn"].as_array());
                if only.is_none() && but.is_none() {
                    return self.words(words);
                }
                let has = |list: &Vec<Value>, v: &prost_reflect::EnumValueDescriptor| list.contains(&json!(v.number()));
                let allowed = words.values().filter(|v| only.is_none_or(|only| has(only, v)) && !but.is_some_and(|but| has(but, v)));
                json!({"type": "string", "enum": allowed.map(|v| word(&v)).collect::<Vec<_>>()})
            }
        }
    }

    /// An enum, by reference.
    fn words(&mut self, words: &EnumDescriptor) -> Value {
        let name = component_name(words.full_name());
        if !self.components.contains_key(&name) {
            let meanings = words.values().map(|v| format!("\n- {:?}: {}", word(&v), self.comments.of(&v)));
            let description = std::iter::once(self.comments.of(words)).chain(meanings).collect::<String>();
            let enumerated: Vec<String> = words.values().map(|v| word(&v)).collect();
            self.components.insert(name.clone(), json!({"type": "string", "enum": enumerated, "description": description}));
        }
        json!({"$ref": format!("#/components/schemas/{name}")})
    }
}

/// How an enum value is written.
fn word(value: &prost_reflect::EnumValueDescriptor) -> String {
    let options = options(&value.options());
    match options.get("[goodturn.rest.v1.words]") {
        Some(words) => words["word"].as_str().unwrap_or_default().to_owned(),
        None => value.name().to_owned(),
    }
}

/// `favors.Favor` of `goodturn.favors.v1.Favor`.
fn component_name(full_name: &str) -> String {
    full_name.trim_start_matches("goodturn.").replacen(".v1.", ".", 1)
}

/// Collects a message and what it holds.
fn mark(message: &MessageDescriptor, found: &mut HashSet<String>) {
    if found.insert(message.full_name().to_owned()) {
        for inner in message.fields().filter_map(|f| f.kind().as_message().cloned()) {
            mark(&inner, found);
        }
    }
}

fn object(description: String, properties: Map<String, Value>, required: Vec<Value>) -> Value {
    let mut schema = json!({"type": "object", "description": description, "properties": properties});
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema
}

/// Adds the bounds that there are.
fn bounded<'a>(mut schema: Value, bounds: impl IntoIterator<Item = (&'a str, &'a Value)>) -> Value {
    for (name, bound) in bounds.into_iter().filter(|(_, bound)| !bound.is_null()) {
        schema[name] = bound.clone();
    }
    schema
}

fn text(rules: &Value) -> Value {
    let mut schema = json!({"type": "string"});
    for format in ["uuid", "email"] {
        if rules[format] == true {
            schema["format"] = json!(format);
        }
    }
    let exact = &rules["len"];
    let of = |bound: &str| if exact.is_null() { rules[bound].clone() } else { exact.clone() };
    bounded(schema, [("minLength", &of("minLen")), ("maxLength", &of("maxLen")), ("pattern", &rules["pattern"])])
}

fn number(kind: &str, rules: &Value) -> Value {
    let bounds = [("minimum", "gte"), ("exclusiveMinimum", "gt"), ("maximum", "lte"), ("exclusiveMaximum", "lt")];
    bounded(json!({"type": kind}), bounds.map(|(name, rule)| (name, &rules[rule])))
}
