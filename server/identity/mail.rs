//! The mail with a code, sent after the transaction that asked for it.

use super::{codes, store, user_pool::UserPool};
use crate::{
    ids::MemberId,
    jobs,
    outside::mail::{Mail, Mailer},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// The name of the task.
pub const TASK: &str = "send_code";

#[derive(Serialize, Deserialize)]
struct Payload {
    member: MemberId,
    code: Uuid,
}

/// What the job is told: ids, and no code.
pub fn payload(member: MemberId, code: Uuid) -> Value {
    json!(Payload { member, code })
}

/// Sends codes.
pub struct SendCode {
    /// Whose codes.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}
