//! Whatever is sent to any RPC over its faces of JSON, the server answers in the form of the face, and never with a fault of its own.
//!
//! The inputs are made from the descriptors by a seeded generator. `FUZZ_SEED` repeats a run, `FUZZ_S` is how long it goes on: a few seconds,
//! minutes in `make soak`.

mod inputs;

use crate::harness::{Member, PASSWORD, TestServer};
use goodturn::pb;
use inputs::{Inputs, Known};
use prost_reflect::{DynamicMessage, MethodDescriptor, Value as Field};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    env,
    time::{Duration, Instant},
};

const SECONDS: u64 = 4;

/// One way to call an RPC with JSON.
enum Way {
    /// The operation in a header.
    Target(String),
    /// The RPC's own path.
    Connect(String),
    /// A documented path, with places to fill in.
    Rest(Method, String),
}

/// What a run tells at its end.
#[derive(Default)]
struct Told {
    calls: usize,
    good: usize,
    kinds: BTreeMap<String, usize>,
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |given| given.parse().unwrap())
}

#[tokio::test]
async fn no_input_of_any_operation_is_a_fault_of_the_server() {
    let seconds = from_environment("FUZZ_S", SECONDS);
    let seed = from_environment("FUZZ_SEED", 7);
    let server = TestServer::start().await;
    let mut who = server.ana().await;
    let (mut inputs, mut told, until) = (Inputs::new(seed), Told::default(), Instant::now() + Duration::from_secs(seconds));
    // A stream stays open when it is asked for well.
    let methods: Vec<_> = pb::methods().filter(|m| !m.is_server_streaming()).collect();
    let mut round = 0;
    while round < 2 || Instant::now() < until {
        for method in &methods {
            let known = known(&server, &who);
            for way in ways(method) {
                let body = inputs.body(&method.input(), &known);
                let request = request(&server, &way, &mut inputs, &known);
                let request = if inputs.one_in(8) { request } else { request.bearer_auth(&who.token) };
                let at = format!(
                    "seed {seed}, round {round}, {}: {}",
                    method.full_name(),
                    String::from_utf8_lossy(&body).chars().take(3000).collect::<String>()
                );
                told.check(&way, request.body(body), &at).await;
            }
            if !server.still_lets(&who).await {
                who = server.member(&format!("Fuzz{}", told.calls), "Testa").await;
            }
        }
        round += 1;
    }
    eprintln!("{} calls in {round} rounds, {} of them good: {:?}", told.calls, told.good, told.kinds);
    assert!(told.good > 20 && told.kinds.len() > 5, "{} good of {}, {:?}", told.good, told.calls, told.kinds);
    server.stop().await;
}

impl TestServer {
    /// Some inputs end sessions, change passwords or delete accounts, as they shall.
    async fn still_lets(&self, who: &Member) -> bool {
        self.rest("GET", "/notifications", who, None).await.0 == 200
    }
}

fn known(server: &TestServer, who: &Member) -> Known {
    Known {
        texts: [&who.email, &who.uid, &who.token, &who.id_token, &who.refresh_token, &server.web_client_id]
            .into_iter()
            .cloned()
            .chain([PASSWORD.to_owned(), "goodturncli".to_owned()])
            .collect(),
        client: server.web_client_id.clone(),
        token: who.token.clone(),
        username: who.email.clone(),
        uid: who.uid.clone(),
    }
}

fn ways(method: &MethodDescriptor) -> Vec<Way> {
    let mut ways = vec![Way::Connect(pb::rpc_path(method))];
    let options = method.options();
    let rest = options.get_extension(&pb::REST_METHOD);
    let target = rest.as_message().and_then(|m| m.get_field_by_name("target")?.as_str().map(str::to_owned)).unwrap_or_default();
    if !target.is_empty() {
        // These are what strangers reach: more often than others.
        ways.extend([Way::Target(target.clone()), Way::Target(target)]);
    }
    let http = pb::POOL.get_extension_by_name("google.api.http").unwrap();
    if options.has_extension(&http) {
        let value = options.get_extension(&http);
        ways.extend(rules(value.as_message().unwrap()));
    }
    ways
}

fn rules(rule: &DynamicMessage) -> Vec<Way> {
    let text = |name: &str| rule.get_field_by_name(name).and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
    let verb = ["get", "put", "post", "delete", "patch"].into_iter().find(|v| rule.has_field_by_name(v));
    let this = verb.map(|verb| Way::Rest(verb.to_uppercase().parse().unwrap(), text(verb)));
    let more = rule.get_field_by_name("additional_bindings").unwrap();
    let more: Vec<_> = more.as_list().unwrap().iter().filter_map(Field::as_message).flat_map(rules).collect();
    this.into_iter().chain(more).collect()
}

fn request(server: &TestServer, way: &Way, inputs: &mut Inputs, known: &Known) -> RequestBuilder {
    match way {
        Way::Target(operation) => server
            .http(Method::POST, "/")
            .header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"))
            .header("content-type", "application/x-amz-json-1.1"),
        Way::Connect(path) => server.http(Method::POST, path).header("content-type", "application/json"),
        Way::Rest(method, template) => {
            server.http(method.clone(), &inputs.path(template, known)).header("content-type", "application/json")
        }
    }
}

impl Told {
    async fn check(&mut self, way: &Way, request: RequestBuilder, at: &str) {
        let answer = request.send().await.unwrap_or_else(|e| panic!("{at}: no answer: {e}"));
        let status = answer.status().as_u16();
        assert!(status < 500, "{status} for {at}");
        let header = |name: &str| answer.headers().get(name).map(|v| v.to_str().unwrap().to_owned());
        let (kind, error_type, id) = (header("content-type").unwrap_or_default(), header("x-amzn-errortype"), header("x-amzn-requestid"));
        let bytes = answer.bytes().await.unwrap();
        self.calls += 1;
        if status < 300 {
            self.good += 1;
        }
        if bytes.is_empty() && status < 300 {
            return;
        }
        let body: Value = serde_json::from_slice(&bytes).unwrap_or_else(|_| panic!("{status} without JSON for {at}"));
        if matches!(way, Way::Target(_)) {
            assert_eq!((kind.as_str(), id.is_some()), ("application/x-amz-json-1.1", true), "{at}");
        }
        if status < 300 {
            return;
        }
        let told = match way {
            Way::Target(_) => {
                let (exception, message) = (body["__type"].as_str().unwrap_or_default(), body["message"].as_str());
                assert!(status == 400 && exception.ends_with("Exception") && message.is_some(), "{status} {body} for {at}");
                assert_eq!(error_type.as_deref(), Some(exception), "{at}");
                assert_ne!(exception, "InternalErrorException", "{at}");
                exception
            }
            Way::Connect(_) => {
                let code = body["code"].as_str().unwrap_or_default();
                assert!(!["", "internal", "unknown", "data_loss"].contains(&code), "{status} {body} for {at}");
                code
            }
            Way::Rest(..) => {
                let code = body["code"].as_str().unwrap_or_default();
                assert!(!["", "INTERNAL"].contains(&code) && body["details"].is_array(), "{status} {body} for {at}");
                assert_ne!(body["requestId"], json!(null), "{at}");
                code
            }
        };
        *self.kinds.entry(told.to_owned()).or_default() += 1;
    }
}
