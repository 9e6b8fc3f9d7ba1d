//! The built web app: hashed assets that are cached for good, and index.html for every page of the app.

use crate::{
    edge::{
        http_middleware::{own_request_id, refusal_json},
        request::is_page,
    },
    error::{Error, Reason},
    mail_links::{self, MailLinks},
};
use aws_lc_rs::digest::{SHA256, digest};
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use std::{convert::Infallible, path::PathBuf, sync::Arc};
use tower::ServiceExt;
use tower_http::services::ServeDir;

const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// What the root has: the page, and calls that name their operation in a header.
const AT_ROOT: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");
const NEVER: HeaderValue = HeaderValue::from_static("no-cache");
const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The folder of the built app.
#[derive(Clone)]
pub struct StaticFiles {
    dir: ServeDir,
    index: Arc<PathBuf>,
    /// What a page may load and run.
    policy: Arc<str>,
}

impl StaticFiles {
    /// Serves a folder that `vite build` wrote, with its compressed copies, under a policy of what its pages may load and run.
    pub fn new(dir: &std::path::Path, policy: &str) -> Self {
        let dir = dir.to_path_buf();
        let index = Arc::new(dir.join("index.html"));
        Self {
            dir: ServeDir::new(dir).append_index_html_on_directories(false).precompressed_br().precompressed_gzip(),
            index,
            policy: policy.into(),
        }
    }

    /// Answers what no RPC and no REST path did: a file, a page of the app, or 404.
    pub async fn call(&self, request: Request) -> Result<Response, Infallible> {
        let id = own_request_id(request.headers()).to_owned();
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let wrong_method = request.uri().path() == "/" && request.method() != Method::POST;
            return Ok(if wrong_method { not_at_root(&id) } else { unknown(&id) });
        }
        let kept = kept_for(request.uri().path());
        if request.uri().path() == mail_links::ONE_CLICK_PATH && is_page(request.uri().path(), request.headers()) {
            return Ok(Redirect::to(&MailLinks::one_click_page(request.uri().query())).into_response());
        }
        if is_page(request.uri().path(), request.headers()) {
            return Ok(self.page().await);
        }
        let mut response = match self.dir.clone().oneshot(request).await {
            Ok(response) => response.map(Body::new),
            Err(never) => match never {},
        };
        let of_a_part =
            matches!(response.status(), StatusCode::NOT_MODIFIED | StatusCode::PRECONDITION_FAILED | StatusCode::RANGE_NOT_SATISFIABLE);
        if !response.status().is_success() && !of_a_part {
            return Ok(unknown(&id));
        }
        // What failed today may be there tomorrow.
        let kept = if of_a_part && response.status() != StatusCode::NOT_MODIFIED { NOT_KEPT } else { kept };
        response.headers_mut().insert(header::CACHE_CONTROL, kept);
        Ok(response)
    }

    async fn page(&self) -> Response {
        let Ok(html) = tokio::fs::read_to_string(self.index.as_path()).await else {
            return refusal_json(&Error::new(Reason::NotFound, "the web app is not built: run `make run`"), "");
        };
        let headers = [(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")), (header::CACHE_CONTROL, NEVER)];
        let policy = [(header::CONTENT_SECURITY_POLICY, policy(&self.policy, &html))];
        (headers, policy, html).into_response()
    }
}

/// The page runs the scripts that the build has put into it, by their hashes, beside those of the server's own files, and no others.
fn policy(plain: &str, html: &str) -> String {
    let scripts = html.split("<script>").skip(1).filter_map(|rest| Some(rest.split_once("</script>")?.0));
    let hashes: String =
        scripts.map(|script| format!(" 'sha256-{}'", BASE64_STANDARD.encode(digest(&SHA256, script.as_bytes())))).collect();
    plain.replacen("script-src 'self'", &format!("script-src 'self'{hashes}"), 1)
}

/// How long browsers keep a file without asking again: what a build names by its content for good, the icon for a day.
fn kept_for(path: &str) -> HeaderValue {
    match path {
        "/favicon.svg" => A_DAY,
        _ if path.starts_with("/assets/") => FOR_GOOD,
        _ => NEVER,
    }
}

fn not_at_root(request_id: &str) -> Response {
    let refused = Error::new(Reason::MethodNotAllowed, "this path allows GET, HEAD, POST");
    let mut response = refusal_json(&refused, request_id);
    response.headers_mut().insert(header::ALLOW, AT_ROOT);
    response
}

fn unknown(request_id: &str) -> Response {
    refusal_json(&Error::new(Reason::UnknownRoute, "no such path"), request_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_runs_what_stands_in_it_and_nothing_else() {
        let plain = crate::edge::http_middleware::policy(None);
        assert_eq!(policy(&plain, "<title>none</title>"), plain);
        // As `printf 1 | openssl dgst -sha256 -binary | base64` has it.
        let one = policy(&plain, "<script>1</script><script src=\"/assets/a.js\"></script>");
        assert!(one.contains("script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=';"), "{one}");
    }
}
