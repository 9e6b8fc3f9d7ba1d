//! The access matrix: every RPC as nobody, with an ended session, and as members from stranger to owner. The RPCs and their fields come
//! from the descriptors, so one without a row fails. A cell is a whole refusal: a request that fails at another check than the one its
//! row is there for fails here.

mod raw;
mod rows;
mod world;

use crate::harness::Refused;
use goodturn::pb;
use prost_reflect::{DynamicMessage, FieldDescriptor, MethodDescriptor, Value};
use rows::{BAD_CURSOR, BAD_TOKEN_TO_RESUME, CALLERS, Cells, NO_CLIENT, NO_MEMBER, NOT_YOURS, OWN_PATH, Rows, STRANGER};
use tonic::Code;
use uuid::Uuid;
use world::{Face, World};

const IDENTITY: &str = "identity.";
/// What is lent: half of the rows that are left.
const SHARING: [&str; 2] = ["items.", "rentals."];
const MALFORMED: &str = "not-an-id";
/// The one path of a member that others may call too: who may know nothing of them gets the refusal of an unknown one.
const OF_OTHERS: &str = "profile.v1.ProfileService/GetProfile";
/// Calls that name another member beside the thing, on which nothing else about the caller depends.
const WITH_ANOTHER: [&str; 4] = ["AskMemberRequest", "ChooseApplicantRequest", "AcceptProposedTimeRequest", "DeclineProposedTimeRequest"];
const UNKNOWN: Uuid = Uuid::from_u128(2);

#[tokio::test]
async fn every_caller_gets_what_the_table_says_of_identity() {
    check_table(Face::Grpc, &[0, 1, 2, 3, 4, 5, 6, 7], |rpc| rpc.starts_with(IDENTITY)).await;
}

#[tokio::test]
async fn every_caller_gets_what_the_table_says_of_all_else() {
    let is_else = |rpc: &str| !rpc.starts_with(IDENTITY) && !SHARING.iter().any(|area| rpc.starts_with(area));
    check_table(Face::Grpc, &[0, 1, 2, 3, 4, 5, 6, 7], is_else).await;
}

#[tokio::test]
async fn every_caller_gets_what_the_table_says_of_items_and_rentals() {
    check_table(Face::Grpc, &[0, 1, 2, 3, 4, 5, 6, 7], |rpc| SHARING.iter().any(|area| rpc.starts_with(area))).await;
}

#[tokio::test]
async fn grpc_web_says_the_same_to_nobody_a_stranger_and_the_owner() {
    check_table(Face::GrpcWeb, &[0, STRANGER, 7], |_| true).await;
}

/// The rows that a face is tried with. Both faces reach the same services, so gRPC-Web could only differ
/// in how it carries a request, an answer and a refusal: one row of each RPC shows that. Rows of identity
/// build on those before them.
fn rows_for(face: Face, rpc: &str) -> Rows {
    let rows = rows::of(rpc);
    match face {
        Face::GrpcWeb if !rpc.starts_with(IDENTITY) => rows.get(..1).unwrap_or_default(),
        Face::Grpc | Face::GrpcWeb => rows,
    }
}

async fn check_table(face: Face, callers: &[usize], only: fn(&str) -> bool) {
    let mut world = World::new().await;
    let mut wrong = Vec::new();
    for method in pb::methods().filter(|m| only(&name(m)) && (matches!(face, Face::Grpc) || !m.is_server_streaming())) {
        let rpc = name(&method);
        for (request, cells) in rows_for(face, &rpc) {
            for caller in callers.iter().copied() {
                for me in world.spellings(caller, request) {
                    let got = world.call(face, &method, caller, (request, &me), |_| {}).await;
                    wrong.extend(differs(&format!("{rpc} {request} (me: {me:?})"), caller, &expected(cells)[caller], &got));
                }
            }
            // Whoever signed out is of no use to the rows that follow.
            if method.name() == "GlobalSignOut" && cells.iter().any(Result::is_ok) {
                world = World::new().await;
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_has_every_rpc_that_is_built_once() {
    let mut built: Vec<_> = pb::methods().map(|m| name(&m)).collect();
    let mut listed: Vec<_> = rows::table().map(|(rpc, _)| (*rpc).to_owned()).collect();
    built.sort();
    listed.sort();
    assert_eq!(listed, built);
    let empty: Vec<_> = rows::table().filter(|(_, rows)| rows.is_empty()).map(|(rpc, _)| rpc).collect();
    assert!(empty.is_empty(), "without a row: {empty:?}");
}

#[test]
fn a_path_of_a_member_is_tried_with_anothers_id_and_with_the_callers_own() {
    let mut paths = 0;
    let names_own = |m: &MethodDescriptor| m.input().get_field_by_name("uid").is_some() && !WITH_ANOTHER.contains(&m.input().name());
    for method in pb::methods().filter(names_own) {
        let rows = rows::of(&name(&method));
        let is_tried = |cells: &Cells| *cells == OWN_PATH || (name(&method) == OF_OTHERS && cells[STRANGER] == NO_MEMBER);
        assert!(rows.iter().any(|(request, cells)| is_of_ana(request) && is_tried(cells)), "{}: another's id", name(&method));
        assert!(rows.iter().any(|(request, _)| request.contains(r#""uid":"$me""#)), "{}: the caller's own id", name(&method));
        paths += 1;
    }
    assert!(paths > 0, "there are such paths");
}

/// An id is tried in four ways. One's own and another's stand in the table; here are one that names nothing, which must not be told from
/// one that is forbidden, and one that is none.
#[tokio::test]
async fn an_unknown_id_is_refused_like_a_forbidden_one_and_a_malformed_one_by_its_field() {
    let mut world = World::new().await;
    let mut wrong = Vec::new();
    let mut tried = 0;
    for method in pb::methods() {
        let rows = rows::of(&name(&method));
        let (request, cells) = rows.iter().find(|(request, _)| !is_of_ana(request)).unwrap();
        for (field, value, expected) in method.input().fields().flat_map(|field| cases(&field, cells, rows)) {
            for (caller, expected) in expected.iter().enumerate() {
                let got = world.call(Face::Grpc, &method, caller, (request, ""), |m| set(m, &field, &value)).await;
                let what = format!("{} {} = {value:?}", name(&method), field.name());
                wrong.extend(differs(&what, caller, expected, &got));
            }
            tried += 1;
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(tried > 60, "only {tried} values were tried: are the rules of the fields still found?");
}

type Outcomes = [Result<(), Refused>; CALLERS.len()];

/// The values that a field is tried with, and what they must lead to.
fn cases(field: &FieldDescriptor, cells: &Cells, rows: Rows) -> Vec<(FieldDescriptor, String, Outcomes)> {
    let case = |value: &str, outcomes| (field.clone(), value.to_owned(), outcomes);
    let unknown = |cell| case(&UNKNOWN.to_string(), expected(&rows::members(cell)));
    let names_another = ["uid", "member_id"].contains(&field.name()) && WITH_ANOTHER.contains(&field.parent_message().name());
    let optional = || {
        let written = |request: &str, name: &str| {
            [format!(r#""{name}":"$unknown""#), format!(r#""{name}":["$unknown"]"#)].iter().any(|w| request.contains(w))
        };
        let tried = rows.iter().any(|(request, _)| written(request, field.name()) || written(request, field.json_name()));
        assert!(tried, "{}: no row has an unknown one", field.full_name());
        vec![case(MALFORMED, malformed(field))]
    };
    match (field.name(), id_rule(field)) {
        _ if names_another => optional(),
        ("cursor", _) => vec![case("forged", expected(&rows::members(BAD_CURSOR)))],
        ("resume_token", _) => vec![case("forged", expected(&rows::members(BAD_TOKEN_TO_RESUME)))],
        ("client_id", _) => vec![case("unknown", expected(&rows::anybody(NO_CLIENT)))],
        // A thing that is gone stays gone: whose the item, or the invitation, is decides alone.
        ("image_id" | "invitation_id", _) => optional(),
        (_, IdRule::None) => Vec::new(),
        ("uid", _) if field.parent_message().name() == "GetProfileRequest" => vec![case(MALFORMED, malformed(field)), unknown(NO_MEMBER)],
        ("uid", _) => vec![case(MALFORMED, malformed(field)), unknown(NOT_YOURS)],
        (_, IdRule::Required) => {
            assert!(cells[STRANGER].is_err(), "{}: the first row of a thing is one that a stranger may not know of", field.full_name());
            vec![case(MALFORMED, malformed(field)), unknown(cells[STRANGER])]
        }
        (_, IdRule::Optional) => optional(),
    }
}

fn malformed(field: &FieldDescriptor) -> Outcomes {
    let path = if field.is_list() { format!("{}[0]", field.name()) } else { field.name().to_owned() };
    let refused = Refused {
        code: Code::InvalidArgument,
        reason: "INVALID_ARGUMENT".into(),
        message: format!("{path}: must be a UUID"),
        fields: vec![(path, "NOT_AN_ID".into())],
    };
    // Those without a token are refused before anything is read.
    expected(&OWN_PATH).map(|outcome| match outcome {
        Err(e) if e.code == Code::Unauthenticated => Err(e),
        Ok(()) | Err(_) => Err(refused.clone()),
    })
}

/// What the contract says of a field: whether it holds ids.
enum IdRule {
    None,
    /// What the call is about.
    Required,
    /// What it names beside that.
    Optional,
}

fn id_rule(field: &FieldDescriptor) -> IdRule {
    let extension = pb::POOL.get_extension_by_name("buf.validate.field").unwrap();
    let rules = field.options().get_extension(&extension).into_owned();
    let is_id = |rules: &Value| at(&at(rules, "string"), "uuid") == Value::Bool(true);
    if is_id(&at(&at(&rules, "repeated"), "items")) {
        IdRule::Optional
    } else if !is_id(&rules) {
        IdRule::None
    } else if at(&rules, "ignore") == Value::EnumNumber(0) {
        IdRule::Required
    } else {
        IdRule::Optional
    }
}

fn at(rules: &Value, name: &str) -> Value {
    rules.as_message().unwrap().get_field_by_name(name).unwrap().into_owned()
}

fn set(message: &mut DynamicMessage, field: &FieldDescriptor, value: &str) {
    let text = Value::String(value.to_owned());
    message.set_field(field, if field.is_list() { Value::List(vec![text]) } else { text });
}

fn name(method: &MethodDescriptor) -> String {
    format!("{}/{}", method.parent_service().full_name().trim_start_matches("goodturn."), method.name())
}

/// Whether a request is on Ana's path, which refuses others before it looks at anything else.
fn is_of_ana(request: &str) -> bool {
    request.contains(r#""uid":"$ana""#)
}

fn expected(cells: &Cells) -> Outcomes {
    cells.map(|cell| cell.map_err(Refused::from))
}

fn differs(what: &str, caller: usize, expected: &Result<(), Refused>, got: &Result<(), Refused>) -> Option<String> {
    (expected != got).then(|| format!("{what}, as {}: expected {expected:?}, got {got:?}", CALLERS[caller]))
}
