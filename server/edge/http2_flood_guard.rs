//! Frames of HTTP/2 that ask nothing: pings, settings, priorities and the like cost the server work and meet no rate of calls. A connection has
//! a budget of them; calls fill it up again.

use std::{io, time::Duration};
use tokio::time::Instant;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_BYTES: usize = 9;
/// What a connection may spend at once, and in a second over time. An ordinary one is far below.
const BUDGET: u32 = 20_000;
const PER_SECOND: u32 = 5_000;
/// A call pays for the pings by which its client measures the way, and for the windows of its answer.
const PER_CALL: u32 = 1_000;

/// What passes of a connection, as far as its budget goes.
pub struct Frames {
    at: At,
    left: u32,
    filled: Instant,
}

enum At {
    /// So many bytes of the preface came.
    Preface(usize),
    /// So many bytes of a frame's head.
    Head([u8; HEAD_BYTES], usize),
    /// So many bytes of a frame are still to come.
    Payload(usize),
    /// It is HTTP/1.
    Other,
}

/// The head of a frame: the length of what follows, and its type.
fn read(head: [u8; HEAD_BYTES]) -> (usize, u8) {
    let [a, b, c, kind, ..] = head;
    (usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c), kind)
}

/// What a frame costs. Data, resets and continuations are bounded where they are read.
const fn cost(kind: u8) -> u32 {
    match kind {
        // DATA, HEADERS, RST_STREAM, CONTINUATION.
        0 | 1 | 3 | 9 => 0,
        // SETTINGS.
        4 => 200,
        // PING and GOAWAY.
        6 | 7 => 100,
        // WINDOW_UPDATE.
        8 => 2,
        // PRIORITY, and what nobody knows.
        _ => 20,
    }
}

const HEADERS: u8 = 1;

impl Default for Frames {
    /// Nothing came yet.
    fn default() -> Self {
        Self { at: At::Preface(0), left: BUDGET, filled: Instant::now() }
    }
}

impl Frames {
    /// Looks at bytes that came.
    ///
    /// # Errors
    /// When the budget is used up: the connection ends.
    pub fn pass(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some((first, rest)) = bytes.split_first() {
            match &mut self.at {
                At::Other => return Ok(()),
                At::Preface(matched) if PREFACE.get(*matched) == Some(first) => {
                    *matched += 1;
                    if *matched == PREFACE.len() {
                        self.at = At::Head([0; HEAD_BYTES], 0);
                    }
                }
                At::Preface(_) => self.at = At::Other,
                At::Payload(left) => {
                    let passed = bytes.len().min(*left);
                    *left -= passed;
                    if *left == 0 {
                        self.at = At::Head([0; HEAD_BYTES], 0);
                    }
                    bytes = bytes.split_at(passed).1;
                    continue;
                }
                At::Head(head, have) => {
                    if let Some(place) = head.get_mut(*have) {
                        *place = *first;
                    }
                    *have += 1;
                    if *have == HEAD_BYTES {
                        let (length, kind) = read(*head);
                        self.at = if length == 0 { At::Head([0; HEAD_BYTES], 0) } else { At::Payload(length) };
                        self.spend(kind)?;
                    }
                }
            }
            bytes = rest;
        }
        Ok(())
    }

    fn spend(&mut self, kind: u8) -> io::Result<()> {
        if kind == HEADERS {
            self.left = self.left.saturating_add(PER_CALL).min(BUDGET);
        }
        let cost = cost(kind);
        if self.left < cost {
            self.fill();
        }
        self.left = self.left.checked_sub(cost).ok_or_else(|| io::Error::other("too many frames that ask nothing"))?;
        Ok(())
    }

    fn fill(&mut self) {
        let passed = self.filled.elapsed().min(Duration::from_secs(60));
        let earned = u32::try_from(passed.as_millis()).unwrap_or(u32::MAX) / 1000 * PER_SECOND
            + u32::from(u16::try_from(passed.as_millis() % 1000).unwrap_or(0)) * PER_SECOND / 1000;
        self.left = self.left.saturating_add(earned).min(BUDGET);
        self.filled = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        let mut bytes = vec![0, 0, length, kind, 0, 0, 0, 0, 0];
        bytes.extend(std::iter::repeat_n(7, length.into()));
        bytes
    }

    fn http2() -> Frames {
        let mut frames = Frames::default();
        frames.pass(PREFACE).unwrap();
        frames
    }

    /// How many frames of a kind pass.
    fn passes(frames: &mut Frames, kind: u8, most: usize) -> usize {
        (0..most).take_while(|_| frames.pass(&frame(kind, 8)).is_ok()).count()
    }

    #[tokio::test(start_paused = true)]
    async fn pings_and_settings_have_an_end_and_calls_do_not() {
        assert_eq!(passes(&mut http2(), 6, 100_000), 200);
        assert_eq!(passes(&mut http2(), 4, 100_000), 100);
        assert_eq!(passes(&mut http2(), 2, 100_000), 1000);
        assert_eq!(passes(&mut http2(), 99, 100_000), 1000);
        assert_eq!(passes(&mut http2(), 8, 100_000), 10_000);
        for kind in [0, 1, 3, 9] {
            assert_eq!(passes(&mut http2(), kind, 100_000), 100_000);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn time_and_calls_fill_the_budget() {
        let used_up = || {
            let mut frames = http2();
            assert_eq!(passes(&mut frames, 6, 200), 200);
            frames
        };
        let mut frames = used_up();
        frames.pass(&frame(1, 8)).unwrap();
        assert_eq!(passes(&mut frames, 6, 1000), 10);
        let mut frames = used_up();
        advance(Duration::from_millis(1500)).await;
        assert_eq!(passes(&mut frames, 6, 1000), 75);
    }

    #[tokio::test(start_paused = true)]
    async fn frames_are_read_however_they_are_cut_and_http1_is_let_be() {
        let mut frames = Frames::default();
        let all: Vec<u8> = PREFACE.iter().copied().chain((0..250).flat_map(|_| frame(6, 8))).collect();
        let passed = all.chunks(3).take_while(|chunk| frames.pass(chunk).is_ok()).count() * 3;
        assert!((PREFACE.len() + 200 * 17..PREFACE.len() + 201 * 17).contains(&passed), "{passed}");
        let mut frames = Frames::default();
        frames.pass(b"GET / HTTP/1.1\r\n").unwrap();
        for _ in 0..1000 {
            frames.pass(&frame(6, 8)).unwrap();
        }
    }
}
