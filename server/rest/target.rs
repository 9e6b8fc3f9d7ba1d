//! The target-header face: `POST /` with the operation named in a header, as clients of user pools call.

use axum::http::{HeaderMap, HeaderName, Method, Request, Uri};

/// The header that names the operation.
pub const TARGET: HeaderName = HeaderName::from_static("x-amz-target");
/// The header that repeats the type of an error.
pub const ERROR_TYPE: HeaderName = HeaderName::from_static("x-amzn-errortype");
/// The header of the request id in this protocol.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
/// The content type of this protocol, both ways.
pub const CONTENT_TYPE: &str = "application/x-amz-json-1.1";

/// The same in an older version, which differs in nothing that is read here.
pub const OLDER_CONTENT_TYPE: &str = "application/x-amz-json-1.0";

const SERVICE: &str = "AWSCognitoIdentityProviderService";

/// Whether a request calls so, whatever it names.
pub fn is_call<B>(request: &Request<B>) -> bool {
    operation(request.method(), request.uri(), request.headers()).is_some()
}

/// The operation that a request calls so; empty when the header names another service. `None` when it is no such call.
pub fn operation<'h>(method: &Method, uri: &Uri, headers: &'h HeaderMap) -> Option<&'h str> {
    let target = headers.get(TARGET).filter(|_| method == Method::POST && uri.path() == "/")?;
    let (service, operation) = target.to_str().ok().and_then(|t| t.rsplit_once('.')).unwrap_or_default();
    Some(if service == SERVICE { operation } else { "" })
}
