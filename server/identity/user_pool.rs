//! The user pool of one node: its settings, keys and sessions, and the tokens it gives and checks.

mod check;
mod settings;

pub(super) use check::Flaw;
pub(super) use settings::Why;
pub use settings::{Mails, Settings};

use super::{
    Hook, Member,
    clients::Client,
    derive_key, devices, key_rotation,
    keys::{self, Keyring},
    refresh,
    sessions::Sessions,
    srp::Element,
    store::{
        self,
        accounts::{Account, Found},
        attempts::Subject,
        sessions::Session,
    },
    tokens::{self, Claims},
    verifier_lookup::half,
};
use crate::{
    auth::Caller,
    bus::Signal,
    call::At,
    db::{Share, Tx},
    deps::Deps,
    edge::limits::household,
    error::{Error, Reason, Result},
    ids::{MemberId, SessionId},
    mail_links::{MailLinks, Purpose},
    pb::identity::AuthenticationResult,
    transact,
};
use moka::sync::Cache;
use sqlx::PgConnection;
use std::{net::IpAddr, sync::Arc, time::Duration};
use time::OffsetDateTime;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const VERIFIED: u64 = 100_000;
const VERIFIED_FOR: Duration = Duration::from_secs(600);
/// How long a call waits for a core.
const CORE_WITHIN: Duration = Duration::from_secs(5);
const KEYS_EVERY: Duration = Duration::from_secs(10);

/// Accounts, sessions and tokens.
pub struct UserPool {
    pub(super) deps: Deps,
    pub(super) settings: Settings,
    pub(super) sessions: Sessions,
    hooks: Vec<Arc<dyn Hook>>,
    /// The signing keys.
    keyring: Keyring,
    issuer: String,
    /// Tokens whose signature was checked, by their hash; and how many keys had been retired by then.
    verified: Cache<[u8; 32], (u64, Claims)>,
    /// Arithmetic runs off the async threads, and on no more threads than there are cores; who asks for more than they can do is turned
    /// away.
    cores: Share,
}

impl UserPool {
    /// Opens the pool, making its first signing key when there is none, and keeps it up to date until `stop`. The hooks are told in their
    /// order.
    ///
    /// # Errors
    /// When the database is away, or the keys in it were sealed with another secret.
    pub async fn open(deps: Deps, mut settings: Settings, hooks: Vec<Arc<dyn Hook>>, stop: CancellationToken) -> Result<Arc<Self>> {
        // Before the first signing key is made: where there is none, nothing was derived yet.
        settings.keys = derive_key::open(&deps, settings.keys).await?;
        let (keys, life) = (settings.keys.clone(), settings.lives.signing_key);
        let keyring = Keyring::open(deps.pool.clone(), deps.clock.clone(), deps.ids.clone(), keys, life).await?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = Arc::new(Self {
            sessions: Sessions::new(deps.pool.clone(), deps.clock.clone(), deps.bus.clone()),
            keyring,
            issuer: format!("{}/{}", settings.public_url, settings.pool_id),
            verified: Cache::builder().max_capacity(VERIFIED).time_to_live(VERIFIED_FOR).build(),
            cores: Share::new(cores, CORE_WITHIN),
            hooks,
            deps,
            settings,
        });
        let (listening, keeping) = (pool.clone(), pool.clone());
        let stopped = stop.clone();
        tokio::spawn(async move { listening.sessions.listen(stopped).await });
        tokio::spawn(async move { keeping.keep_keys(stop).await });
        Ok(pool)
    }

    /// Whose tokens these are; its JWKS stands at `{issuer}/.well-known/jwks.json`.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The keys that sign.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// The keys that check its tokens.
    pub fn jwks(&self) -> serde_json::Value {
        self.keyring.jwks()
    }

    /// Waits until a caller's session or token has ended, or the key that signed the token was taken back. Open streams end then.
    pub fn ended(&self, caller: &Caller) -> impl Future<Output = ()> + Send + use<> {
        let (ended, gone) = (self.sessions.ended(caller), self.keyring.gone(caller.signed_by.clone()));
        async move {
            tokio::select! {
                () = ended => {}
                () = gone => {}
            }
        }
    }

    /// Signs a member in without asking for anything: the demo members of local mode. An ordinary session of the web app, told to who comes
    /// by each of these names.
    pub async fn sign_in_as(&self, member: MemberId, names: impl IntoIterator<Item = Option<At>>) -> Result<Vec<AuthenticationResult>> {
        let now = self.deps.clock.now();
        let client = self.settings.clients.first().ok_or_else(|| Error::internal(anyhow::anyhow!("no client is configured")))?;
        let session = self.new_session(member, client, None, now);
        let member = transact!(self.deps.pool, |tx| {
            store::sessions::insert(tx, &session).await?;
            store::member(tx, member).await?.ok_or_else(|| Error::not_found("member"))
        })?;
        let mut told = Vec::new();
        for at in names {
            told.push(At::scope(at, self.begun(member.clone(), session.clone())).await?);
        }
        Ok(told)
    }

    /// What it works with.
    pub const fn deps(&self) -> &Deps {
        &self.deps
    }

    /// A hash of an address that is nobody's yet, by which it is known again where it may not stand itself.
    pub fn keyed_address(&self, email: &str) -> [u8; 32] {
        self.settings.keys.derive("address of nobody", &[store::email_key(email).as_bytes()])
    }

    /// What the link of an invitation is about by which somebody signs up. A text that is none, or has expired, is no reason to refuse them.
    pub(super) fn invitation(&self, token: &str, now: OffsetDateTime) -> Option<Uuid> {
        let subject = self.mail_links().read(Purpose::Join, ("invite", token), now).ok()?;
        Uuid::from_slice(&subject).ok()
    }

    /// Tells the areas above that somebody signs up by an invitation.
    pub(super) async fn registered(&self, tx: &mut Tx, id: MemberId, invitation: Option<Uuid>) -> Result<()> {
        let Some(invitation) = invitation else { return Ok(()) };
        for hook in &self.hooks {
            hook.registered(tx, id, invitation).await?;
        }
        Ok(())
    }

    /// Whether an invitation proves that whoever has its link reads the mails at an address.
    pub(super) async fn proves(&self, conn: &mut PgConnection, invitation: Uuid, email: &str) -> Result<bool> {
        for hook in &self.hooks {
            if hook.was_mailed_to(conn, invitation, email).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells the areas above that a member's address was confirmed.
    pub(super) async fn confirmed(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        for hook in &self.hooks {
            hook.confirmed(tx, member).await?;
        }
        Ok(())
    }

    /// Tells the areas above that the name which others see was changed.
    pub(super) async fn renamed(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        for hook in &self.hooks {
            hook.renamed(tx, member).await?;
        }
        Ok(())
    }

    /// Tells the areas above that a member's clocks show another zone. It comes last in the transaction.
    pub(super) async fn moved(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        for hook in &self.hooks {
            hook.moved(tx, member).await?;
        }
        Ok(())
    }

    /// Tells the areas above that an account is being deleted.
    pub(super) async fn deleted(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        for hook in &self.hooks {
            hook.deleted(tx, member).await?;
        }
        Ok(())
    }

    /// The areas above.
    pub(super) fn hooks(&self) -> &[Arc<dyn Hook>] {
        &self.hooks
    }

    /// The client of this id.
    pub(super) fn client(&self, id: &str) -> Result<&Client> {
        let found = self.settings.clients.iter().find(|c| c.id == id);
        found.ok_or_else(|| Error::new(Reason::ResourceNotFound, format!("User pool client {id} does not exist.")))
    }

    /// The name that SRP knows the pool by.
    pub(super) fn srp_name(&self) -> &str {
        self.settings.pool_id.split_once('_').map_or(self.settings.pool_id.as_str(), |(_, name)| name)
    }

    /// Whose tries are counted: those of a user name, an address or an id in any spelling, whether it is anybody's or not. An address and its
    /// id are two: a lock of one tells nothing of the other.
    pub(super) fn subject(&self, username: &str) -> Subject {
        let key = Uuid::parse_str(username).map_or_else(|_| store::email_key(username), |id| id.to_string());
        self.settings.keys.derive("account", &[key.as_bytes()])
    }

    /// The id that nobody's name has: always the same for the same name.
    pub(super) fn simulated(&self, username: &str) -> MemberId {
        let random = || uuid::Builder::from_random_bytes(half(self.settings.keys.derive("simulated id", &[&self.subject(username)])));
        MemberId(Uuid::parse_str(username).unwrap_or_else(|_| random().into_uuid()))
    }

    /// The network of an address, as tries and mails are counted by it.
    pub(super) fn network(&self, from: Option<IpAddr>) -> Option<Subject> {
        from.map(|address| self.settings.keys.derive("network", &[household(address).to_string().as_bytes()]))
    }

    /// Links in mails, signed with a key of this database: the secrets of the configuration may be replaced while they are on their way.
    pub fn mail_links(&self) -> MailLinks {
        MailLinks::new(&self.settings.keys.derive("mail links", &[]), &self.settings.public_url)
    }

    /// The account that a user name means: an address, or a member's id.
    pub(super) async fn account(&self, conn: &mut PgConnection, username: &str, now: OffsetDateTime) -> Result<Option<Account>> {
        Ok(self.found(conn, username, now).await?.account)
    }

    /// The same, with what is read where there is none.
    pub(super) async fn found(&self, conn: &mut PgConnection, username: &str, now: OffsetDateTime) -> Result<Found> {
        match Uuid::parse_str(username) {
            Ok(id) => store::accounts::by_id(conn, MemberId(id), now).await,
            Err(_) => store::accounts::by_email(conn, username, self.simulated(username), now).await,
        }
    }

    /// What binds a sealed verifier to its member.
    pub(super) fn verifier_label(&self, member: MemberId) -> Vec<u8> {
        key_rotation::verifier_label(member)
    }

    /// The verifier of the account with this id.
    pub(super) fn open_verifier(&self, id: MemberId, sealed: &[u8]) -> Result<Element> {
        let opened = self.settings.keys.open(&self.verifier_label(id), sealed);
        let verifier = opened.and_then(|v| Element::try_from(v.as_slice()).ok());
        verifier
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a verifier was sealed with another secret: was the configuration changed?")))
    }

    pub(super) fn new_session(&self, member: MemberId, client: &Client, network: Option<Subject>, now: OffsetDateTime) -> Session {
        Session {
            member,
            id: self.deps.ids.id::<SessionId>(),
            client_id: client.id.clone(),
            started_at: now,
            authenticated_at: None,
            expires_at: now + self.settings.lives.refresh_token,
            ended_at: None,
            refresh_seed: self.deps.ids.bytes::<32>().to_vec(),
            refresh_generation: 0,
            rotated_at: None,
            network,
            device: None,
            scopes: None,
            precedes_factor: false,
            former_names: Vec::new(),
        }
    }

    /// The first tokens of a session that is committed.
    pub(super) async fn begun(&self, member: Member, session: Session) -> Result<AuthenticationResult> {
        let refresh = refresh::token(&self.settings.keys, &session, session.refresh_generation);
        self.answer(member, session, Some(refresh)).await
    }

    /// The tokens of a session that is committed.
    pub(super) async fn answer(&self, member: Member, session: Session, refresh_token: Option<String>) -> Result<AuthenticationResult> {
        self.answer_asked(member, session, refresh_token, tokens::Asked::default()).await
    }

    /// The same, as it is asked for.
    pub(super) async fn answer_asked(
        &self,
        member: Member,
        session: Session,
        refresh_token: Option<String>,
        asked: tokens::Asked,
    ) -> Result<AuthenticationResult> {
        let (key, issuer, now) = (self.keyring.signer()?, self.issuer.clone(), self.deps.clock.now());
        let (ids, pictures) = (self.deps.ids.clone(), self.deps.pictures.clone());
        let life = self.settings.lives.access_token;
        let asked = tokens::Asked { device_key: session.device.map(|id| devices::key(self, id)), ..asked };
        let mint = move || tokens::mint(&key, &issuer, (&member, &session, &asked), (now, life), (&ids, &pictures));
        let minted = self.compute(mint).await??;
        Ok(AuthenticationResult {
            access_token: minted.access,
            expires_in_s: i32::try_from(life.whole_seconds()).unwrap_or(i32::MAX),
            token_type: "Bearer".to_owned(),
            refresh_token,
            id_token: minted.id,
            new_device_metadata: None,
        })
    }

    /// Runs arithmetic that takes milliseconds.
    pub(super) async fn compute<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = self.cores.enter().await?;
        let at = At::current();
        let done = tokio::task::spawn_blocking(move || {
            let result = At::run(at, work);
            drop(permit);
            result
        });
        done.await.map_err(Error::internal)
    }

    async fn keep_keys(&self, stop: CancellationToken) {
        let mut signals = self.deps.bus.subscribe();
        let mut due = tokio::time::interval(KEYS_EVERY);
        loop {
            let done = tokio::select! {
                () = stop.cancelled() => return,
                _ = due.tick() => self.keyring.maintain().await,
                signal = signals.recv() => match signal {
                    Ok(Signal::About { topic, .. }) if topic != keys::TOPIC => Ok(()),
                    Ok(_) | Err(RecvError::Lagged(_)) => self.keyring.reload().await,
                    Err(RecvError::Closed) => return,
                },
            };
            if let Err(cause) = done {
                tracing::warn!(%cause, "signing keys could not be read");
            }
        }
    }
}
