//! How single values of the configuration are read; what is wrong with one is said without its flag, which is named before.

use crate::{edge::limits::Rate, identity::clients, secrets::Secret};
use ipnet::IpNet;
use std::net::IpAddr;
use tracing_subscriber::EnvFilter;

pub fn rate(text: &str) -> Result<Rate, &'static str> {
    let parts = text.split_once(':').and_then(|(second, burst)| Some((second.parse().ok()?, burst.parse().ok()?)));
    match parts {
        Some((second, burst)) if second > 0 && burst > 0 => Ok(Rate::new(second, burst)),
        _ => Err("must be calls a second, a colon, and calls at once, as in 50:200"),
    }
}

pub fn network(text: &str) -> Result<IpNet, &'static str> {
    let address = || text.parse().map(|address: IpAddr| address.into()).ok();
    text.parse().ok().or_else(address).ok_or("must be an address or a network, as in 10.0.0.1 or 10.0.0.0/8")
}

pub fn count(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|n| (1..=1_000_000).contains(n)).ok_or("must be a number from 1 to 1000000")
}

pub fn origin(text: &str) -> Result<String, &'static str> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    let host = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    if rest.is_empty() || !rest.chars().all(host) {
        return Err("must be http:// or https:// with a host, an optional port, and nothing after");
    }
    Ok(text.to_owned())
}

pub fn database_url(text: &str) -> Result<Secret, &'static str> {
    secret_url(text, &["postgres://", "postgresql://"]).ok_or("must start with postgres://")
}

pub fn smtp_url(text: &str) -> Result<Secret, &'static str> {
    secret_url(text, &["smtp://", "smtps://"]).ok_or("must start with smtp:// or smtps://")
}

pub fn sms_url(text: &str) -> Result<Secret, &'static str> {
    secret_url(text, &["http://", "https://"]).ok_or("must start with https:// or http://")
}

fn secret_url(text: &str, schemes: &[&str]) -> Option<Secret> {
    let secret = text.parse().ok()?;
    schemes.iter().any(|scheme| text.starts_with(scheme)).then_some(secret)
}

pub fn pool_id(text: &str) -> Result<String, &'static str> {
    let word = |part: &str, also: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c));
    match text.split_once('_') {
        Some((region, name)) if text.len() <= 55 && word(region, "-") && word(name, "") => Ok(text.to_owned()),
        _ => Err("must be a region, an underscore and letters or digits, at most 55 in all, as in us-east-1_Goodturn1"),
    }
}

pub fn client_id(text: &str) -> Result<String, &'static str> {
    if clients::is_id(text) {
        return Ok(text.to_owned());
    }
    Err("must be 1 to 128 letters, digits, _ or +")
}

pub fn log_filter(text: &str) -> Result<String, String> {
    EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(|e| e.to_string())
}
