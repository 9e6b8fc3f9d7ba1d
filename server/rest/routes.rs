//! Every binding of the contract, and which one takes a request.

use super::{
    options,
    plan::{Kind, Member, Message, MessageId, Plans, Shape, key},
    read::Target,
    template::{Path, Template},
    text::Reached,
    write::Answer,
};
use crate::pb::{
    self,
    http::{HttpRule, http_rule::Pattern},
    rest::{Envelope, Method as Options},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use axum::http::{Method, Uri};
use prost_reflect::{DescriptorPool, MethodDescriptor};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// One way to reach an RPC over HTTP.
#[derive(Debug)]
pub struct Binding {
    /// The RPC, as gRPC calls it.
    pub rpc: Uri,
    /// Its request.
    pub input: MessageId,
    /// What the body is; `None` when it is not read, but the query is.
    pub body: Option<Target>,
    /// Fields that the path gives, in the order of the template.
    pub from_path: Vec<Reached>,
    /// The numbers of those fields, of the outermost message.
    pub bound: Vec<u32>,
    /// The number of the FieldMask that is filled with the members of the body.
    pub mask: Option<u32>,
    /// What a field takes when nothing gives it: its number and its bytes.
    pub defaults: Vec<(u32, Vec<u8>)>,
    /// The form of the answer.
    pub answer: Answer,
    /// Whether the answer is a stream.
    pub streams: bool,
}

/// A binding with its method and path.
#[derive(Debug)]
struct Route {
    method: Method,
    template: Template,
    binding: Arc<Binding>,
}

/// Every way to reach an RPC over HTTP.
#[derive(Debug)]
pub struct Routes {
    /// Those whose template begins with a word, by that word.
    by_word: HashMap<String, Vec<Route>>,
    /// The others, tried last.
    open: Vec<Route>,
    /// By the name of the operation in the target header.
    targets: HashMap<String, Arc<Binding>>,
}

/// What a path and a method lead to.
#[derive(Debug)]
pub enum Match<'r> {
    /// This, with the values of the path's fields.
    Binding(&'r Arc<Binding>, crate::error::Result<Vec<String>>),
    /// The path has other methods: these, as `Allow` lists them.
    OtherMethods(String),
    /// No REST path.
    Nothing,
}

impl Routes {
    /// Reads the bindings of every RPC.
    ///
    /// # Errors
    /// A rule that cannot be obeyed, with its method; two rules that clash.
    pub fn new(pool: &DescriptorPool, plans: &Plans) -> Result<Self> {
        let mut routes = Self { by_word: HashMap::new(), open: Vec::new(), targets: HashMap::new() };
        for service in pool.services().filter(|s| s.package_name().starts_with("goodturn.")) {
            for method in service.methods() {
                routes.add(plans, &method).with_context(|| method.full_name().to_owned())?;
            }
        }
        for list in routes.by_word.values_mut().chain([&mut routes.open]) {
            list.sort_by_cached_key(|r| r.template.rank());
            for (a, b) in list.iter().zip(list.iter().skip(1)) {
                ensure!(a.method != b.method || a.template.rank() != b.template.rank(), "{} and {} clash", a.binding.rpc, b.binding.rpc);
            }
        }
        Ok(routes)
    }

    fn add(&mut self, plans: &Plans, method: &MethodDescriptor) -> Result<()> {
        let options = options::method(method);
        for rule in options::bindings(method) {
            let (verb, path) = pattern(&rule)?;
            let template = Template::parse(path).map_err(|e| anyhow!("{path}: {e}"))?;
            let binding = Binding::new(plans, method, &options, &rule, &template)?;
            let list = match template.first_word() {
                Some(word) => self.by_word.entry(word.to_owned()).or_default(),
                None => &mut self.open,
            };
            list.push(Route { method: verb, template, binding });
        }
        if !options.target.is_empty() {
            let rule = HttpRule { body: "*".to_owned(), ..HttpRule::default() };
            let binding = Binding::new(plans, method, &Options::default(), &rule, &Template::parse("/*").map_err(|e| anyhow!(e))?)?;
            ensure!(self.targets.insert(options.target.clone(), binding).is_none(), "two RPCs have the target {}", options.target);
        }
        Ok(())
    }

    /// The operation of a target header.
    pub fn target(&self, operation: &str) -> Option<&Arc<Binding>> {
        self.targets.get(operation)
    }

    /// The binding for a method and a path. HEAD is taken where GET is.
    pub fn find(&self, method: &Method, path: &Path<'_>) -> Match<'_> {
        let wanted = if method == Method::HEAD { &Method::GET } else { method };
        let mut others = BTreeSet::new();
        let lists = path.first_words().filter_map(|word| self.by_word.get(&*word));
        for route in lists.flatten().chain(&self.open).filter(|r| r.template.takes(path)) {
            if route.method == wanted {
                return Match::Binding(&route.binding, route.template.values(path));
            }
            others.insert(route.method.as_str());
        }
        if others.contains("GET") {
            others.insert("HEAD");
        }
        if others.is_empty() { Match::Nothing } else { Match::OtherMethods(Vec::from_iter(others).join(", ")) }
    }
}

fn pattern(rule: &HttpRule) -> Result<(Method, &str)> {
    Ok(match &rule.pattern {
        Some(Pattern::Get(path)) => (Method::GET, path),
        Some(Pattern::Put(path)) => (Method::PUT, path),
        Some(Pattern::Post(path)) => (Method::POST, path),
        Some(Pattern::Delete(path)) => (Method::DELETE, path),
        Some(Pattern::Patch(path)) => (Method::PATCH, path),
        Some(Pattern::Custom(_)) | None => bail!("a binding names one of GET, PUT, POST, DELETE, PATCH"),
    })
}

impl Binding {
    fn new(plans: &Plans, method: &MethodDescriptor, options: &Options, rule: &HttpRule, template: &Template) -> Result<Arc<Self>> {
        ensure!(!method.is_client_streaming(), "a stream of requests has no form over REST");
        let plan = |name: &str| plans.find(name).ok_or_else(|| anyhow!("{name} has no plan"));
        let (input, output) = (plan(method.input().full_name())?, plan(method.output().full_name())?);
        let from_path: Vec<Reached> = template.fields().map(|name| path_field(plans, input, name)).collect::<Result<_>>()?;
        let named = |name: &str| plans.message(input).named(name).ok_or_else(|| anyhow!("no field {name}"));
        let mask = (!options.mask_field.is_empty()).then(|| named(&options.mask_field)).transpose()?;
        ensure!(mask.is_none_or(|f| f.kind == Kind::Mask), "{} is no FieldMask", options.mask_field);
        Ok(Arc::new(Self {
            rpc: pb::rpc_path(method).parse()?,
            input,
            body: match rule.body.as_str() {
                "" => None,
                "*" => Some(Target::Whole),
                name => Some(Target::Field(named(name)?.number)),
            },
            bound: from_path.iter().map(Reached::first).collect(),
            from_path,
            mask: mask.map(|f| f.number),
            defaults: defaults(plans, input, options, pattern(rule).map_or("", |(_, path)| path))?,
            answer: Answer::new(plans, output, &rule.response_body, options.envelope.as_ref())?,
            streams: method.is_server_streaming(),
        }))
    }
}

impl Binding {
    /// The messages whose fields a refusal may name: the request, and what it is about, as when a draft is posted by its id.
    pub fn messages(&self) -> [MessageId; 2] {
        [self.input, self.answer.subject()]
    }
}

fn path_field(plans: &Plans, input: MessageId, name: &str) -> Result<Reached> {
    let reached = Reached::by_contract(plans, input, name).ok_or_else(|| anyhow!("no field {name}"))?;
    ensure!(reached.shape == Shape::One && !matches!(reached.kind, Kind::Object(_)), "{name} cannot stand in a path");
    Ok(reached)
}

fn defaults(plans: &Plans, input: MessageId, options: &Options, path: &str) -> Result<Vec<(u32, Vec<u8>)>> {
    let mut defaults = Vec::new();
    for default in options.path_defaults.iter().filter(|d| path.starts_with(&d.path_prefix)) {
        let field = Reached::by_contract(plans, input, &default.field).ok_or_else(|| anyhow!("no field {}", default.field))?;
        let mut wire = Vec::new();
        field.write(plans, &default.value, &mut wire)?;
        defaults.push((field.first(), wire));
    }
    Ok(defaults)
}

impl Answer {
    /// The message that is answered.
    fn subject(&self) -> MessageId {
        self.inner.map_or(self.output, |(_, inner)| inner)
    }

    fn new(plans: &Plans, output: MessageId, response_body: &str, envelope: Option<&Envelope>) -> Result<Self> {
        let inner = match response_body {
            "" => None,
            name => match plans.message(output).named(name).map(|f| (f.shape, f.kind, f.number)) {
                Some((Shape::One, Kind::Object(id), number)) => Some((number, id)),
                _ => bail!("response_body {name} is no message of the answer"),
            },
        };
        let plan = plans.message(inner.map_or(output, |(_, id)| id));
        let Some(envelope) = envelope else {
            return Ok(Self { output, inner, top: plan.members.clone(), under: None, twice: false });
        };
        let top = if envelope.flat { members(plan, &envelope.flat_only)? } else { Vec::new() };
        let under = members(plan, &envelope.under_only)?;
        ensure!(!envelope.under.is_empty() && top.iter().all(|m| m.name != envelope.under), "the envelope needs a name of its own");
        let twice = top.iter().map(|m| &m.name).eq(under.iter().map(|m| &m.name));
        Ok(Self { output, inner, top, under: Some((key(&envelope.under)?, under)), twice })
    }
}

/// The members of these names; all when none is named.
fn members(plan: &Message, only: &[String]) -> Result<Vec<Member>> {
    if let Some(unknown) = only.iter().find(|name| plan.members.iter().all(|m| m.name != **name)) {
        bail!("the answer has no member {unknown}");
    }
    Ok(plan.members.iter().filter(|m| only.is_empty() || only.contains(&m.name)).cloned().collect())
}
