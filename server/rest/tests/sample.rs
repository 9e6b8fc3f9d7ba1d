//! A message of every kind that JSON has a form for, though the contract may have no field of it yet.

use crate::{
    pb,
    rest::plan::{MessageId, Plans},
};
use prost_reflect::{
    DescriptorPool, MessageDescriptor,
    prost_types::{
        DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto, FileDescriptorProto, MessageOptions,
        MethodDescriptorProto, OneofDescriptorProto, ServiceDescriptorProto,
        field_descriptor_proto::{Label, Type},
    },
};
use std::sync::LazyLock;

const PACKAGE: &str = "goodturn.sample.v1";

/// The contract, and the sample beside it.
pub static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let mut pool = pb::POOL.clone();
    pool.add_file_descriptor_proto(file()).unwrap();
    pool
});
pub static PLANS: LazyLock<Plans> = LazyLock::new(|| Plans::new(&POOL).unwrap());

pub fn descriptor() -> MessageDescriptor {
    POOL.get_message_by_name(&format!("{PACKAGE}.Sample")).unwrap()
}

pub fn plan(descriptor: &MessageDescriptor) -> MessageId {
    PLANS.find(descriptor.full_name()).unwrap()
}

fn file() -> FileDescriptorProto {
    let imported = ["timestamp", "duration", "field_mask"];
    let sample = Some(format!(".{PACKAGE}.Sample"));
    let take = MethodDescriptorProto { name: name("Take"), input_type: sample.clone(), output_type: sample, ..Default::default() };
    FileDescriptorProto {
        name: name("sample.proto"),
        package: name(PACKAGE),
        syntax: name("proto3"),
        dependency: imported.map(|file| format!("google/protobuf/{file}.proto")).into(),
        message_type: vec![sample_message()],
        enum_type: vec![EnumDescriptorProto {
            name: name("Colour"),
            value: [("NONE", 0), ("RED", 1), ("BLUE", 2)].map(|(word, number)| value(word, number)).into(),
            ..Default::default()
        }],
        service: vec![ServiceDescriptorProto { name: name("Samples"), method: vec![take], ..Default::default() }],
        ..Default::default()
    }
}

/// Each kind once, as a list, as one of a choice, and as what a map holds.
fn sample_message() -> DescriptorProto {
    let kinds = [
        ("a_double", Type::Double),
        ("a_float", Type::Float),
        ("an_int32", Type::Int32),
        ("an_int64", Type::Int64),
        ("a_uint32", Type::Uint32),
        ("a_uint64", Type::Uint64),
        ("a_sint32", Type::Sint32),
        ("a_sint64", Type::Sint64),
        ("a_fixed32", Type::Fixed32),
        ("a_fixed64", Type::Fixed64),
        ("an_sfixed32", Type::Sfixed32),
        ("an_sfixed64", Type::Sfixed64),
        ("a_bool", Type::Bool),
        ("a_text", Type::String),
        ("a_blob", Type::Bytes),
    ];
    let others = [
        ("a_colour", Type::Enum, ".goodturn.sample.v1.Colour"),
        ("an_instant", Type::Message, ".google.protobuf.Timestamp"),
        ("a_duration", Type::Message, ".google.protobuf.Duration"),
        ("a_mask", Type::Message, ".google.protobuf.FieldMask"),
        ("a_sample", Type::Message, ".goodturn.sample.v1.Sample"),
    ];
    let all: Vec<_> = kinds.map(|(name, kind)| (name, kind, "")).into_iter().chain(others).collect();
    let mut fields = Vec::new();
    let mut entries = Vec::new();
    for (n, (field, kind, of)) in (1..).zip(&all) {
        fields.push(one(field, n, *kind, of));
        let many = FieldDescriptorProto { label: Some(Label::Repeated.into()), ..one(&format!("{field}_list"), n + 100, *kind, of) };
        fields.push(many);
        fields.push(FieldDescriptorProto { oneof_index: Some(0), ..one(&format!("{field}_choice"), n + 200, *kind, of) });
        let entry = entry(&format!("{field}_of"), one("key", 1, Type::String, ""), one("value", 2, *kind, of));
        fields.push(map(&format!("{field}_of"), n + 300, &entry));
        entries.push(entry);
    }
    for (n, key) in (401..).zip([Type::Bool, Type::Int32, Type::Uint64]) {
        let field = format!("by_{}", key.as_str_name().trim_start_matches("TYPE_").to_lowercase());
        let entry = entry(&field, one("key", 1, key, ""), one("value", 2, Type::Int64, ""));
        fields.push(map(&field, n, &entry));
        entries.push(entry);
    }
    let oneofs = [OneofDescriptorProto { name: name("choice"), ..Default::default() }];
    DescriptorProto { name: name("Sample"), field: fields, nested_type: entries, oneof_decl: oneofs.into(), ..Default::default() }
}

fn name(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn value(word: &str, number: i32) -> EnumValueDescriptorProto {
    EnumValueDescriptorProto { name: Some(format!("COLOUR_{word}")), number: Some(number), ..Default::default() }
}

fn one(field: &str, number: i32, kind: Type, of: &str) -> FieldDescriptorProto {
    FieldDescriptorProto {
        name: name(field),
        number: Some(number),
        label: Some(Label::Optional.into()),
        r#type: Some(kind.into()),
        type_name: name(of).filter(|of| !of.is_empty()),
        ..Default::default()
    }
}

fn map(field: &str, number: i32, entry: &DescriptorProto) -> FieldDescriptorProto {
    let of = format!(".{PACKAGE}.Sample.{}", entry.name());
    FieldDescriptorProto { label: Some(Label::Repeated.into()), ..one(field, number, Type::Message, &of) }
}

/// The message of a map's entries, named as the compiler names it.
fn entry(field: &str, key: FieldDescriptorProto, value: FieldDescriptorProto) -> DescriptorProto {
    let camel = field.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect::<String>();
    DescriptorProto {
        name: Some(format!("{camel}Entry")),
        field: vec![key, value],
        options: Some(MessageOptions { map_entry: Some(true), ..Default::default() }),
        ..Default::default()
    }
}
