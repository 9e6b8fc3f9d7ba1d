//! One open stream: what came since its token, then what happens, until it ends. It passes nothing over and sends nothing twice: what it
//! hears of live only says that there is something; the seq decides.

use super::{
    Notification, SessionEnd,
    hub::{Hub, Live, Lost, Seat},
    people,
    rules::{Place, Take},
    store, wire,
};
use crate::{
    auth::Caller,
    call::At,
    deps::Deps,
    error::{Error, Reason, Result},
    ids::MemberId,
    pb::notifications::{Notification as Wire, Target as WireTarget, WatchNotificationsResponse as Event},
    read,
};
use futures_util::{Stream, future::BoxFuture, stream};
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tonic::Status;

/// The list that resume tokens are signed for.
const LIST: &str = "notifications/stream";
/// Less than the 20 s of the contract.
const SIGN_OF_LIFE_EVERY: Duration = Duration::from_secs(15);
const ROWS_AT_ONCE: i64 = 100;

/// A stream for a caller, from where the token says.
///
/// # Errors
/// INVALID_CURSOR when the token is not one of this caller's.
pub async fn open(
    deps: &Deps,
    hub: &Arc<Hub>,
    caller: &Caller,
    token: &str,
    end: BoxFuture<'static, Error>,
) -> Result<impl Stream<Item = Result<Event, Status>> + Send + 'static + use<>> {
    let member = caller.member;
    let token = deps.cursors.read::<i64>(LIST, member, ("resume_token", token))?;
    let turn = hub.turn_to_read().await;
    let (last, unread) = read!(deps.pool, |conn| store::counters(conn, member).await)?;
    drop(turn);
    // Seated before the rows are read: what is committed after that is heard of, what was committed before is read.
    let seat = hub.join(member, last);
    seat.set_unread(unread);
    let place = Place::begin(token, last);
    // Who comes back reads everything anew; who begins has just done so, perhaps a moment too early.
    let again = if token.is_none() { hub.recently(member) } else { VecDeque::new() };
    let (deps, hub, rows, at) = (deps.clone(), hub.clone(), VecDeque::new(), At::current());
    // In a box, and its reads too: a stream is a thing that waits, of which there are many, and what waits shall be small.
    let watch = Box::new(Watch { deps, hub, member, at, seat, place, rows, again, read_rows: true, begun: false });
    Ok(stream::unfold(Some((watch, end)), |open| async {
        let (mut watch, mut end) = open?;
        let event = tokio::select! {
            biased;
            error = &mut end => Err(error),
            event = At::scope(watch.at.clone(), watch.next()) => event,
        };
        // Nothing follows an error.
        Some(match event {
            Ok(event) => (Ok(event), Some((watch, end))),
            Err(error) => (Err(error.into()), None),
        })
    }))
}

/// When a stream ends, and why: the server stops, the member signs out, or the token expires.
pub fn end(deps: &Deps, caller: &Caller, sessions: &dyn SessionEnd, stop: &CancellationToken) -> BoxFuture<'static, Error> {
    let left_s = caller.expires_at_s.saturating_sub(deps.clock.now().unix_timestamp());
    let expires = tokio::time::sleep(Duration::from_secs(u64::try_from(left_s).unwrap_or(0)));
    let (ended, stop) = (sessions.ended(caller), stop.clone());
    Box::pin(async move {
        tokio::select! {
            () = stop.cancelled() => Error::new(Reason::Unavailable, "this server is stopping; reconnect with the resume token"),
            () = ended => Error::unauthenticated(),
            () = expires => Error::unauthenticated(),
        }
    })
}

struct Watch {
    deps: Deps,
    hub: Arc<Hub>,
    member: MemberId,
    /// Where its member reaches the server: they are told of pictures after its call is over.
    at: Option<At>,
    seat: Seat,
    place: Place,
    /// Read and not yet sent.
    rows: VecDeque<(i64, Wire)>,
    /// What changed a moment before it began, and is not yet told again.
    again: VecDeque<WireTarget>,
    /// Whether there may be rows that the seat has not heard of.
    read_rows: bool,
    begun: bool,
}

impl Watch {
    async fn next(&mut self) -> Result<Event> {
        if !self.begun {
            self.begun = true;
            return self.event(None, None);
        }
        if let Some(target) = self.again.pop_front() {
            return self.event(None, Some(target));
        }
        loop {
            if let Some((seq, notification)) = self.rows.pop_front() {
                self.place.sent(seq);
                return self.event(Some(notification), None);
            }
            if self.read_rows {
                Box::pin(self.read()).await?;
                continue;
            }
            let Ok(heard) = tokio::time::timeout(SIGN_OF_LIFE_EVERY, self.seat.hear()).await else {
                return self.event(None, None);
            };
            match &*heard.map_err(gone)? {
                Live::Changed(target) => return self.event(None, Some(target.clone())),
                Live::Told(seq, notification) => match self.place.take(*seq) {
                    Take::Seen => {}
                    Take::ReadRows => self.read_rows = true,
                    // What all streams share has the address that everybody is told.
                    Take::Now if self.at.is_some() => self.read_rows = true,
                    Take::Now => {
                        self.place.sent(*seq);
                        return self.event(Some((**notification).clone()), None);
                    }
                },
            }
        }
    }

    async fn read(&mut self) -> Result<()> {
        let _turn = self.hub.turn_to_read().await;
        let (rows, people, unread) = read!(self.deps.pool, |conn| {
            let rows: Vec<Notification> = store::after(conn, &[(self.member, self.place.seq())], ROWS_AT_ONCE).await?;
            let (people, (_, unread)) = (people(conn, &rows).await?, store::counters(conn, self.member).await?);
            Ok((rows, people, unread))
        })?;
        self.seat.set_unread(unread);
        self.read_rows = i64::try_from(rows.len()).is_ok_and(|n| n == ROWS_AT_ONCE);
        self.rows = rows.into_iter().map(|row| (row.seq, wire::notification(row, &people, &self.deps.pictures))).collect();
        Ok(())
    }

    fn event(&self, notification: Option<Wire>, changed: Option<WireTarget>) -> Result<Event> {
        let resume_token = self.deps.cursors.write(LIST, self.member, &self.place.seq())?;
        Ok(Event { notification, changed, unread_count: self.seat.unread(), resume_token })
    }
}

fn gone(lost: Lost) -> Error {
    match lost {
        Lost::TooSlow => Error::new(Reason::RateLimited, "the client reads too slowly; reconnect with the resume token")
            .retry_after(Duration::from_secs(1)),
        Lost::Replaced => Error::new(
            Reason::StreamReplaced,
            "the member opened newer streams; reconnect with the resume token when this one is needed again",
        ),
    }
}
