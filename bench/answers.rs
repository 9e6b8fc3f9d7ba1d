//! Answers as they come: one that is, byte for byte, what was decoded and checked before for the same question is not decoded again. What
//! reads the answers takes the processor from who gives them.

use anyhow::Result;
use bytes::{Buf, Bytes};
use foldhash::quality::RandomState;
use prost::Message;
use std::{
    hash::BuildHasher,
    marker::PhantomData,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tonic::{
    Status,
    codec::{Codec, DecodeBuf, Decoder},
};
use tonic_prost::{ProstCodec, ProstEncoder};

/// Messages are encoded, answers are left as they are.
pub struct AsItCame<Q>(PhantomData<Q>);

impl<Q> Default for AsItCame<Q> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<Q: Message + 'static> Codec for AsItCame<Q> {
    type Encode = Q;
    type Decode = Bytes;
    type Encoder = ProstEncoder<Q>;
    type Decoder = Whole;

    fn encoder(&mut self) -> Self::Encoder {
        ProstCodec::<Q, ()>::default().encoder()
    }

    fn decoder(&mut self) -> Self::Decoder {
        Whole
    }
}

/// Gives the bytes of a message.
pub struct Whole;

impl Decoder for Whole {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buf: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buf.copy_to_bytes(buf.remaining())))
    }
}

/// For each question, the answer that was checked last. Clones share it.
#[derive(Clone)]
pub struct Checked {
    hasher: RandomState,
    answers: Arc<[AtomicU64]>,
}

impl Checked {
    /// Of so many questions.
    pub fn new(questions: usize) -> Self {
        Self { hasher: RandomState::default(), answers: (0..questions).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Has an answer to a question checked, unless it is the one that was.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, question: usize, answer: &Bytes, check: impl FnOnce() -> Result<()>) -> Result<()> {
        // Zero is no answer yet.
        let hash = self.hasher.hash_one(answer).max(1);
        let last = self.answers.get(question);
        if last.is_some_and(|last| last.load(Ordering::Relaxed) == hash) {
            return Ok(());
        }
        check()?;
        if let Some(last) = last {
            last.store(hash, Ordering::Relaxed);
        }
        Ok(())
    }
}
