//! OpenAPI 3.1 of the REST face, made from the same descriptors as its routes.

#![expect(clippy::indexing_slicing, reason = "a member that a JSON value does not have is null, and what is written to is an object")]

mod schema;
#[cfg(test)]
mod tests;

use crate::{
    auth::PUBLIC,
    error::{Reason, reason_name},
};
use prost_reflect::{DescriptorPool, FieldDescriptor, MethodDescriptor, ServiceDescriptor};
use schema::{Schemas, is_hidden, is_needed, needed_one_of, options};
use serde_json::{Map, Value, json};

/// The document for every binding of the services of `goodturn`. The same descriptors give the same document.
pub fn document(pool: &DescriptorPool) -> Value {
    let mut schemas = Schemas::new(pool);
    let mut paths = Map::new();
    let mut tags = Vec::new();
    let mut targets = Vec::new();
    for service in pool.services().filter(|s| s.package_name().starts_with("goodturn.")) {
        tags.push(json!({"name": area(&service), "description": schemas.comments.of(&service)}));
        for method in service.methods() {
            let options = options(&method.options());
            let rest = &options["[goodturn.rest.v1.method]"];
            for (n, binding) in Binding::of(&options["[google.api.http]"]).iter().enumerate() {
                let operation = operation(&mut schemas, &method, rest, binding, n);
                let path = paths.entry(binding.template.clone()).or_insert_with(|| json!({}));
                path[binding.verb] = operation;
            }
            if rest["target"].is_string() {
                targets.push((rest["target"].clone(), method));
            }
        }
    }
    paths.insert("/".to_owned(), json!({"post": target_call(&mut schemas, &targets)}));
    paths.sort_keys();
    let mut components = schemas.into_components();
    components.insert("Error".to_owned(), error_schema());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Goodturn",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Friends and neighbors ask each other for favors and lend each other things. The same calls are available over gRPC.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": tags,
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": {
                "Error": {"description": "The call failed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}},
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "The access token of a sign-in."},
            },
        },
    })
}

/// One HTTP method and path of an RPC.
struct Binding<'a> {
    verb: &'static str,
    template: String,
    /// `*`, the proto name of a field, or empty.
    body: &'a str,
    /// The proto name of a field of the answer, or empty.
    response_body: &'a str,
}

impl<'a> Binding<'a> {
    /// The bindings of a `google.api.http` rule, the additional ones last; none without a rule.
    fn of(rule: &'a Value) -> Vec<Self> {
        let more = rule["additionalBindings"].as_array().into_iter().flatten();
        std::iter::once(rule).chain(more).filter_map(Self::one).collect()
    }

    fn one(rule: &'a Value) -> Option<Self> {
        let (verb, template) = ["get", "put", "post", "delete", "patch"].into_iter().find_map(|v| Some((v, rule[v].as_str()?)))?;
        let text = |key: &str| rule[key].as_str().unwrap_or_default();
        Some(Self { verb, template: template.to_owned(), body: text("body"), response_body: text("responseBody") })
    }

    /// Whether a field of the request stands in the path.
    fn has_in_path(&self, field: &str) -> bool {
        self.template.contains(&format!("{{{field}}}"))
    }
}

/// The area of a service: `favors` of `goodturn.favors.v1`.
fn area(service: &ServiceDescriptor) -> String {
    service.package_name().split('.').nth(1).unwrap_or_default().to_owned()
}

fn operation(schemas: &mut Schemas, method: &MethodDescriptor, rest: &Value, binding: &Binding<'_>, n: usize) -> Value {
    let comment = schemas.comments.of(method);
    let summary = comment.split_inclusive(". ").next().unwrap_or_default().trim().to_owned();
    let service = method.parent_service();
    let again = if n == 0 { String::new() } else { format!("_{}", n + 1) };
    let responses = json!({
        "200": {"description": schemas.comments.of(&method.output()), "content": answer(schemas, method, rest, binding)},
        "default": {"$ref": "#/components/responses/Error"},
    });
    let mut operation = json!({
        "operationId": format!("{}_{}{again}", service.name(), method.name()),
        "tags": [area(service)],
        "summary": summary,
        "description": comment,
        "parameters": parameters(schemas, method, rest, binding),
        "responses": responses,
    });
    if let Some(body) = request_body(schemas, method, binding) {
        let needed = needed_in_body(method, binding);
        operation["requestBody"] = json!({"required": needed, "content": {"application/json": {"schema": body}}});
    }
    if PUBLIC.contains(&format!("/{}/{}", service.full_name(), method.name()).as_str()) {
        operation["security"] = json!([]);
    }
    operation
}

/// What stands in the path and in the query.
fn parameters(schemas: &mut Schemas, method: &MethodDescriptor, rest: &Value, binding: &Binding<'_>) -> Vec<Value> {
    let mut parameters = Vec::new();
    for field in method.input().fields() {
        let in_path = binding.has_in_path(field.name());
        let in_query = !in_path && binding.body.is_empty();
        if is_hidden(&field) || !(in_path || in_query) {
            continue;
        }
        let name = if in_path { field.name() } else { field.json_name() };
        let mut schema = schemas.field(&field);
        let defaults = rest["pathDefaults"].as_array().into_iter().flatten();
        let default = defaults
            .filter(|d| d["field"] == field.name())
            .find_map(|d| binding.template.starts_with(d["pathPrefix"].as_str()?).then(|| d["value"].as_str())?);
        if let Some(default) = default {
            schema["default"] = default.parse::<i64>().map_or_else(|_| json!(default), Value::from);
        }
        let description = schemas.comments.of(&field);
        let place = if in_path { "path" } else { "query" };
        let required = in_path || is_needed(&field);
        parameters.push(json!({"name": name, "in": place, "required": required, "description": description, "schema": schema}));
    }
    parameters
}

/// What stands in the body: a field, or all that is not in the path.
fn request_body(schemas: &mut Schemas, method: &MethodDescriptor, binding: &Binding<'_>) -> Option<Value> {
    match binding.body {
        "" => None,
        "*" => Some(schemas.request(&method.input(), |field| !binding.has_in_path(field.name()))),
        name => method.input().get_field_by_name(name).map(|field| schemas.field(&field)),
    }
}

/// Whether a request without a body breaks a rule.
fn needed_in_body(method: &MethodDescriptor, binding: &Binding<'_>) -> bool {
    let stands_there =
        |field: &FieldDescriptor| if binding.body == "*" { !binding.has_in_path(field.name()) } else { field.name() == binding.body };
    let choices = needed_one_of(&method.input());
    let one_is_needed = !choices.is_empty() && choices.iter().all(stands_there);
    one_is_needed || method.input().fields().any(|field| !is_hidden(&field) && stands_there(&field) && is_needed(&field))
}

/// The content of a success: the answer in its envelope, once or, for a server stream, line by line.
fn answer(schemas: &mut Schemas, method: &MethodDescriptor, rest: &Value, binding: &Binding<'_>) -> Value {
    let part = method.output().get_field_by_name(binding.response_body).and_then(|f| f.kind().as_message().cloned());
    let message = part.unwrap_or_else(|| method.output());
    let envelope = &rest["envelope"];
    let schema = if let Some(under) = envelope["under"].as_str() {
        let inner = schemas.some_of(&message, &envelope["underOnly"]);
        let inside = json!({"type": "object", "required": [under], "properties": {under: inner}});
        if envelope["flat"] == true { json!({"allOf": [schemas.some_of(&message, &envelope["flatOnly"]), inside]}) } else { inside }
    } else {
        schemas.message(&message)
    };
    if method.is_server_streaming() {
        return json!({"application/x-ndjson": {"schema": schema}, "text/event-stream": {"schema": schema}});
    }
    json!({"application/json": {"schema": schema}})
}

/// The one path of the user-pool protocol: the operation stands in a header.
fn target_call(schemas: &mut Schemas, targets: &[(Value, MethodDescriptor)]) -> Value {
    let names: Vec<String> =
        targets.iter().map(|(t, _)| format!("AWSCognitoIdentityProviderService.{}", t.as_str().unwrap_or_default())).collect();
    let requests: Vec<Value> = targets.iter().map(|(_, m)| schemas.message(&m.input())).collect();
    let answers: Vec<Value> = targets.iter().map(|(_, m)| schemas.message(&m.output())).collect();
    let failed = json!({"type": "object", "required": ["__type", "message"], "properties": {
        "__type": {"type": "string", "description": "Example: `NotAuthorizedException`."}, "message": {"type": "string"}}});
    let content = |schema: Value| json!({"application/x-amz-json-1.1": {"schema": schema}});
    json!({
        "operationId": "IdentityService",
        "tags": ["identity"],
        "summary": "Calls an operation of the user pool.",
        "description": "Calls the operation that `X-Amz-Target` names. Tokens, where an operation needs one, go in the body.",
        "security": [],
        "parameters": [{"name": "X-Amz-Target", "in": "header", "required": true, "schema": {"type": "string", "enum": names}}],
        "requestBody": {"required": true, "content": content(json!({"anyOf": requests}))},
        "responses": {
            "200": {"description": "The operation's answer, without fields that are not set.", "content": content(json!({"anyOf": answers}))},
            "400": {"description": "The operation failed.", "content": content(failed)},
            "404": {"$ref": "#/components/responses/Error"},
        },
    })
}

/// The error of every path but the user pool's.
fn error_schema() -> Value {
    let reasons: Vec<&str> = (1..).map_while(|n| Reason::try_from(n).ok()).map(reason_name).collect();
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "description": "Why a call failed.",
        "required": ["code", "message", "details", "requestId"],
        "properties": {
            "code": {"type": "string", "enum": reasons, "description": "The reason, for programs."},
            "message": text("The reason, for people."),
            "requestId": text("Finds the call in the server's log."),
            "details": {"type": "array", "description": "The fields that break a rule.", "items": {
                "type": "object",
                "required": ["field", "reason", "message"],
                "properties": {
                    "field": text("The field, by its path."),
                    "reason": text("Why it was refused, for programs. Example: `REQUIRED`."),
                    "message": text("Why it was refused, for people."),
                },
            }},
        },
    })
}
