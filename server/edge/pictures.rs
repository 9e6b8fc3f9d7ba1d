//! `/pictures/`: the addresses of the folder of pictures. One takes an upload by PUT, the others give renditions by GET, to whoever has them.

use crate::{
    adapters::pictures::local::{Local, PATH, Refusal, Signed},
    clock::Clock,
    db::overloaded,
    edge::{
        connection_limits::RECEIVED_AT_ONCE,
        http_middleware::{own_request_id, refusal_json},
    },
    error::{Error, FieldReason, Reason},
    pictures::{BYTES_MAX, Format, Found, Object, Objects},
};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{sync::Semaphore, time::timeout};

/// How long one waits for its turn.
const TURN_WITHIN: Duration = Duration::from_secs(5);
/// Nothing of it runs, whatever it is taken for.
const CSP: &str = "default-src 'none'; sandbox";

struct Face {
    local: Local,
    clock: Clock,
    turns: Semaphore,
    receiving: Receiving,
}

/// The names of what is being received or waits for it: each once, so that an address takes one place, whoever has it.
#[derive(Default)]
struct Receiving(Mutex<HashSet<String>>);

/// One of them, until it is dropped.
struct Alone<'a> {
    of: &'a Receiving,
    name: String,
}

impl Receiving {
    /// # Errors
    /// OVERLOADED while another upload of it is received.
    fn enter(&self, object: Object) -> Result<Alone<'_>, Error> {
        let name = object.name();
        if self.names().insert(name.clone()) { Ok(Alone { of: self, name }) } else { Err(overloaded()) }
    }

    fn names(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.of.names().remove(&self.name);
    }
}

/// The addresses of this folder.
pub fn router(local: Local, clock: Clock) -> Router {
    let face = Arc::new(Face { local, clock, turns: Semaphore::new(RECEIVED_AT_ONCE), receiving: Receiving::default() });
    Router::new().route("/pictures/{*name}", get(give).put(take)).with_state(face)
}

async fn give(State(face): State<Arc<Face>>, request: Request) -> Response {
    let given = face.read(request.uri()).await;
    given.unwrap_or_else(|error| refused(&error, request.headers()))
}

async fn take(State(face): State<Arc<Face>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    match face.receive(&head.uri, &head.headers, body).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(error) => refused(&error, &head.headers),
    }
}

/// The cause is for the log alone.
fn refused(error: &Error, headers: &HeaderMap) -> Response {
    error.log();
    refusal_json(error, own_request_id(headers))
}

/// One answer to all that is no good address: it tells nobody what there is.
fn not_good() -> Error {
    Error::new(Reason::NotYours, "this address has expired or is invalid")
}

impl Face {
    async fn read(&self, uri: &Uri) -> Result<Response, Error> {
        let (now, (object, signed)) = (self.clock.now(), named(uri).ok_or_else(not_good)?);
        if !self.local.gives(object, signed, now) {
            return Err(not_good());
        }
        match self.local.read(object, BYTES_MAX).await.map_err(Error::internal)? {
            Found::Bytes(bytes) => Ok((told(signed.until_s - now.unix_timestamp()), bytes).into_response()),
            Found::Nothing | Found::TooLarge => Err(Error::not_found("picture")),
        }
    }

    async fn receive(&self, uri: &Uri, headers: &HeaderMap, body: Body) -> Result<(), Error> {
        let (object, signed) = named(uri).ok_or_else(not_good)?;
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let media_type = text(header::CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
        let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse().ok()).ok_or_else(|| other_length("is required"))?;
        if !self.local.takes(object, (signed_type(&media_type), length), signed, self.clock.now()) {
            return Err(not_good());
        }
        let _alone = self.receiving.enter(object)?;
        let turn = timeout(TURN_WITHIN, self.turns.acquire()).await;
        let _turn = turn.map_err(|_| overloaded())?.map_err(Error::internal)?;
        let received = self.local.receive(object, length, body.into_data_stream()).await;
        received.map_err(|refusal| match refusal {
            Refusal::OtherLength => other_length("does not match the file"),
            Refusal::BrokeOff => Error::new(Reason::DeadlineExceeded, "the file did not arrive in time"),
            Refusal::Failed(cause) => Error::internal(cause),
        })
    }
}

/// As addresses sign it, whichever way a client calls it.
fn signed_type(said: &str) -> &str {
    if said == "image/jpg" { Format::Jpeg.media_type() } else { said }
}

fn other_length(text: &'static str) -> Error {
    Error::field("content-length", FieldReason::Invalid, text)
}

/// What an address names, as it stands there: nothing of it is decoded, so there is one way to write each.
fn named(uri: &Uri) -> Option<(Object, Signed<'_>)> {
    let object = Object::parse(uri.path().strip_prefix(PATH)?)?;
    let (until, signature) = uri.query()?.strip_prefix("expires=")?.split_once("&signature=")?;
    let until_s: i64 = until.parse().ok()?;
    // A sign or a zero in front is another spelling, which a cache would keep beside the first.
    (until_s.to_string() == until).then_some((object, Signed { until_s, signature }))
}

/// For a browser to keep as long as the address is good, for its member alone.
fn told(left_s: i64) -> HeaderMap {
    let kept = format!("private, max-age={left_s}, immutable");
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg")),
        (header::CACHE_CONTROL, HeaderValue::from_str(&kept).unwrap_or(HeaderValue::from_static("no-store"))),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"picture.jpg\"")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::PictureId;
    use uuid::Uuid;

    #[test]
    fn an_address_takes_one_place() {
        let [one, other] = [7, 8].map(|id| Object::Upload(PictureId(Uuid::from_u128(id))));
        let receiving = Receiving::default();
        let first = receiving.enter(one).unwrap();
        assert_eq!(receiving.enter(one).err().unwrap().reason(), Reason::Overloaded);
        let _beside = receiving.enter(other).unwrap();
        drop(first);
        let _again = receiving.enter(one).unwrap();
    }
}
