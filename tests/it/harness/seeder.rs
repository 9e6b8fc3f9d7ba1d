//! Members without a sign-up: the rows that a confirmed sign-up leaves, written by the server's own code.

use super::PASSWORD;
use goodturn::{
    app,
    config::Config,
    deps::Deps,
    identity::{self, SignUp, UserPool},
    ids::MemberId,
    transact,
};
use std::sync::Arc;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

/// Makes members in the database of a server in this process.
pub struct Seeder {
    config: Config,
    deps: Deps,
    /// Opened for the first member.
    user_pool: OnceCell<Arc<UserPool>>,
    stop: CancellationToken,
}

impl Seeder {
    /// For the database of `deps`.
    pub fn new(config: Config, deps: Deps) -> Self {
        Self { config, deps, user_pool: OnceCell::new(), stop: CancellationToken::new() }
    }

    /// Makes a confirmed member with the password of all test members. Returns the id.
    pub async fn member(&self, email: &str, given_name: &str, family_name: &str) -> String {
        let open = || async { app::user_pool(&self.config, &self.deps, &self.stop).await.unwrap() };
        let user_pool = self.user_pool.get_or_init(open).await;
        let id = MemberId(uuid::Builder::from_random_bytes(rand::random()).into_uuid());
        let sign_up = SignUp {
            email: email.to_owned(),
            password: PASSWORD.to_owned(),
            name: identity::rules::name("", given_name, family_name).unwrap(),
            time_zone: "UTC".to_owned(),
            invitation: None,
        };
        transact!(self.deps.pool, |tx| identity::seed_member(user_pool, tx, id, &sign_up).await).unwrap();
        id.to_string()
    }
}

impl Drop for Seeder {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
