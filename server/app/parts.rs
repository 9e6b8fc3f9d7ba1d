//! The services of a node, and what runs beside them: jobs, sweeps, the outbox, the demo member's tokens.

use crate::{
    adapters::{
        mail::{Mailer, Smtp},
        outbox::{self, Outbox},
        pictures::{local::Local, s3::S3},
        reports,
        sms::{Texter, Webhook},
    },
    auth::{Caller, Tokens},
    budgets,
    call::At,
    clock::Clock,
    config::{Config, Mode},
    db,
    deps::Deps,
    edge::{
        self,
        discovery::{self, Demo, Demos},
        rpc_dispatch::Services,
    },
    favors,
    friends::{self, MemberReports},
    groups, idempotency,
    identity::{self, UserPool, lockout::Limits},
    items,
    jobs::{self, Handler, Queue, Sweep},
    notifications,
    pb::{
        favors::favors_service_server::FavorsServiceServer, friends::friends_service_server::FriendsServiceServer,
        groups::groups_service_server::GroupsServiceServer, identity::identity_service_server::IdentityServiceServer,
        items::items_service_server::ItemsServiceServer, notifications::notifications_service_server::NotificationsServiceServer,
        profile::profile_service_server::ProfileServiceServer, rentals::rentals_service_server::RentalsServiceServer,
    },
    pictures::{self, Objects},
    profile::{self, ProblemReports},
    read, rentals,
};
use anyhow::{Context, Result};
use axum::Router;
use futures_util::future::BoxFuture;
use std::{iter, sync::Arc, time::Duration};
use tokio::{sync::watch, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// The address of the demo member whom the login screen offers, if the demo data is there.
pub const DEMO_EMAIL: &str = "ana@goodturn.example";
/// The demo member's access token lasts an hour; a new one is minted well before.
const DEMO_EVERY: Duration = Duration::from_secs(1800);

/// What `Node` puts behind the layers.
pub struct Parts {
    /// The services.
    pub services: Services,
    /// Checks access tokens.
    pub tokens: Arc<dyn Tokens>,
    /// What is plain HTTP by its nature.
    pub pages: Router,
    /// What runs until the node stops.
    pub tasks: Vec<JoinHandle<()>>,
}

impl Parts {
    /// Makes every part, and starts what runs beside the port.
    ///
    /// # Errors
    /// When the URL of the mail server or of the sender of SMS cannot be read, or the signing keys cannot be opened.
    pub async fn new(config: &Config, database_url: &str, deps: &Deps, stop: &CancellationToken) -> Result<Self> {
        let pool = user_pool(config, deps, stop).await?;
        let Senders { mailer, texter, outbox } = Senders::new(config, deps)?;
        let mut handlers: Vec<Arc<dyn Handler>> = vec![
            Arc::new(identity::SendCode { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendResetCode { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendLinkCode { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendLinkNews { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendFactorNews { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendSignInCode { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendAttributeCode { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(identity::SendReplaced { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(friends::SendInvitation { pool: pool.clone(), mailer: mailer.clone() }),
            Arc::new(pictures::Clear(deps.clone())),
            Arc::new(favors::Ring(deps.clone())),
            Arc::new(jobs::Moved::<favors::Clocks>::new(deps.clone())),
            Arc::new(rentals::Ring(deps.clone())),
            Arc::new(jobs::Moved::<rentals::Clocks>::new(deps.clone())),
        ];
        let post = notifications::Post { deps: deps.clone(), mailer: mailer.clone(), links: pool.mail_links() };
        handlers.push(Arc::new(notifications::SendNews(post.clone())));
        handlers.push(Arc::new(notifications::SendDigest(post)));
        handlers.push(Arc::new(notifications::BeginMorning(deps.clone())));
        if let Some(to) = &config.reports_to {
            handlers.push(Arc::new(reports::SendReport::<MemberReports>::new(deps.clone(), mailer.clone(), to.to_string())));
            handlers.push(Arc::new(reports::SendReport::<ProblemReports>::new(deps.clone(), mailer, to.to_string())));
        }
        // Without a sender nothing is asked to be sent.
        if let Some(texter) = texter {
            handlers.push(Arc::new(identity::SendSecondFactor { pool: pool.clone(), texter: texter.clone() }));
            handlers.push(Arc::new(identity::SendAttributeSms { pool: pool.clone(), texter }));
        }
        let sweeps: Vec<Arc<dyn Sweep>> = vec![
            Arc::new(identity::Expired),
            Arc::new(notifications::Sweep),
            Arc::new(friends::InvitationSweep),
            Arc::new(reports::Sweep::<MemberReports>::default()),
            Arc::new(items::Sweep),
            Arc::new(favors::Overdue(deps.clone())),
            Arc::new(rentals::Overdue(deps.clone())),
            Arc::new(reports::Sweep::<ProblemReports>::default()),
            Arc::new(pictures::Sweep),
            Arc::new(idempotency::Sweep),
            Arc::new(budgets::Sweep),
            Arc::new(jobs::Dead),
        ];
        let worker = db::options(database_url, config.bounds(), "goodturn jobs")?;
        let (demo, demo_seen) = watch::channel(Demos::new());
        let mut tasks = vec![
            tokio::spawn(jobs::run(worker, Queue::default(), deps.bus.clone(), handlers, stop.clone())),
            tokio::spawn(jobs::run_sweeps(deps.clone(), sweeps, stop.clone())),
            tokio::spawn(jobs::watch(deps.pool.clone(), stop.clone())),
        ];
        if config.older_keys().next().is_some() {
            tasks.push(tokio::spawn(identity::key_rotation::run(pool.clone(), stop.clone())));
        }
        if config.mode == Mode::Local {
            tasks.push(tokio::spawn(keep_demo(deps.clone(), pool.clone(), names(config), demo, stop.clone())));
        }
        let keys = pool.clone();
        let mut pages = discovery::router(config, demo_seen, move || keys.jwks()).merge(hosted(config, &pool)?);
        let store = Store::of(config, &deps.clock)?;
        store.make_ready(config)?;
        if let Store::Folder(local) = store {
            pages = pages.merge(edge::pictures::router(local, deps.clock.clone()));
        }
        if let Some(outbox) = outbox {
            pages = pages.merge(outbox::router(outbox));
        }
        Ok(Self { services: services(config, deps, &pool, stop), tokens: pool, pages, tasks })
    }
}

fn services(config: &Config, deps: &Deps, pool: &Arc<UserPool>, stop: &CancellationToken) -> Services {
    let bytes_max = config.body_bytes_max as usize;
    let identity = identity::Service(pool.clone());
    let friends = friends::Service::new(deps.clone(), pool.clone(), config.rate_find_friend, friends_hooks(deps))
        .mailing_reports(config.reports_to.is_some())
        .with_groups(Arc::new(groups::Circle));
    let ends: Arc<dyn notifications::SessionEnd> = Arc::new(Ends(pool.clone()));
    let ties: Arc<dyn notifications::Ties> = Arc::new(friends.clone());
    let notifications = notifications::Service::new(deps.clone(), (ends, ties), pool.mail_links(), config.streams_per_member, stop.clone());
    let profile = profile::Service::new(deps.clone(), pool.clone(), config.reports_to.is_some());
    Services::default()
        .and(IdentityServiceServer::new(identity).max_decoding_message_size(bytes_max))
        .and(FriendsServiceServer::new(friends).max_decoding_message_size(bytes_max))
        .and(NotificationsServiceServer::new(notifications).max_decoding_message_size(bytes_max))
        .and(FavorsServiceServer::new(favors::Service::new(deps.clone())).max_decoding_message_size(bytes_max))
        .and(GroupsServiceServer::new(groups::Service::new(deps.clone())).max_decoding_message_size(bytes_max))
        .and(ItemsServiceServer::new(items_service(deps)).max_decoding_message_size(bytes_max))
        .and(RentalsServiceServer::new(rentals::Service::new(deps.clone())).max_decoding_message_size(bytes_max))
        .and(ProfileServiceServer::new(profile).max_decoding_message_size(bytes_max))
}

/// The hosted sign-in.
fn hosted(config: &Config, pool: &Arc<UserPool>) -> Result<Router> {
    let settings = identity::oauth::Settings {
        providers: config.providers()?,
        rate: config.rate_identity,
        deadline: Duration::from_millis(config.call_timeout_ms),
        local: config.mode == Mode::Local,
    };
    identity::oauth::router(pool.clone(), settings)
}

/// Who hears of friendships, the lower areas first.
pub fn friends_hooks(deps: &Deps) -> Vec<Arc<dyn friends::Hook>> {
    vec![Arc::new(rentals::Hooks(deps.clone())), Arc::new(favors::Hooks(deps.clone()))]
}

/// Who is asked about items, the lower areas first.
pub fn items_hooks(deps: &Deps) -> Vec<Arc<dyn items::Hook>> {
    vec![Arc::new(rentals::Hooks(deps.clone()))]
}

/// What serves items, and asks the areas above.
pub fn items_service(deps: &Deps) -> items::Service {
    items::Service::new(deps.clone(), Arc::new(profile::Reputation), items_hooks(deps))
}

/// Who hears of members, the lower areas first; what they have to tell of one who leaves is told at last.
pub fn identity_hooks(deps: &Deps) -> Vec<Arc<dyn identity::Hook>> {
    let (friends, favors) = (Arc::new(friends::Hooks(deps.clone())), Arc::new(favors::Hooks(deps.clone())));
    let (groups, profile) = (Arc::new(groups::Hooks), Arc::new(profile::Hooks(deps.clock.clone())));
    let items = Arc::new(items::Hooks::new(deps.clock.clone(), items_hooks(deps)));
    let rentals = Arc::new(rentals::Hooks(deps.clone()));
    let leaving: Vec<Arc<dyn notifications::Leaving>> =
        vec![friends.clone(), groups.clone(), items.clone(), rentals.clone(), favors.clone(), profile.clone()];
    let notifications = Arc::new(notifications::Hooks::new(deps.clone(), leaving));
    let last = Arc::new(profile::LastHooks(deps.clock.clone()));
    vec![friends, groups, items, rentals, favors, profile, Arc::new(notifications::SettingsHooks), notifications, last]
}

/// Accounts and sessions, as the configuration has them.
pub async fn user_pool(config: &Config, deps: &Deps, stop: &CancellationToken) -> Result<Arc<UserPool>> {
    let settings = identity::Settings {
        pool_id: config.pool_id.clone(),
        public_url: config.public_url(),
        clients: config.clients()?,
        keys: identity::Keys::from_secrets(config.first_key()?.bytes(), config.older_keys()),
        limits: Limits::new(config.tries_password, config.tries_network, config.tries_code),
        mails: identity::Mails {
            of_network: budgets::MAILS_OF_NETWORK.hourly(config.mails_per_network),
            to_address: budgets::MAILS_TO_ADDRESS.hourly(config.sends_code).daily(config.mails_per_address),
        },
        password_policy: config.identity.password_policy(),
        lives: config.identity.lives(),
        sms: config.has_sms(),
        providers: config.providers()?.into_iter().map(|provider| provider.name).collect(),
    };
    UserPool::open(deps.clone(), settings, identity_hooks(deps), stop.clone()).await.context("opening the signing keys")
}

/// Tells notifications when a session has ended.
pub struct Ends(pub Arc<UserPool>);

impl notifications::SessionEnd for Ends {
    fn ended(&self, caller: &Caller) -> BoxFuture<'static, ()> {
        Box::pin(self.0.ended(caller))
    }
}

/// Where the files of pictures are.
pub enum Store {
    /// In a folder, which this node serves.
    Folder(Local),
    /// In a bucket.
    Bucket(Box<S3>),
}

impl Store {
    /// As the configuration has it. Nothing is made or asked yet.
    ///
    /// # Errors
    /// When the bucket has no address.
    pub fn of(config: &Config, clock: &Clock) -> Result<Self> {
        if let Some(bucket) = config.pictures.bucket()? {
            return Ok(Self::Bucket(Box::new(S3::new(&bucket, clock.clone())?)));
        }
        let keys = std::iter::once(config.first_key()?.bytes().as_slice()).chain(config.older_keys());
        Ok(Self::Folder(Local::new(&config.pictures_dir(), config.public_url(), keys)))
    }

    /// Makes the folder, where it is one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_ready(&self, config: &Config) -> Result<()> {
        let Self::Folder(local) = self else { return Ok(()) };
        let about = || format!("--pictures-dir (GOODTURN_PICTURES_DIR) {}", config.pictures_dir().display());
        local.make_ready().with_context(about)
    }

    /// What reads and writes them.
    pub fn objects(self) -> Arc<dyn Objects> {
        match self {
            Self::Folder(local) => Arc::new(local),
            Self::Bucket(bucket) => Arc::new(*bucket),
        }
    }
}

/// How mail and SMS go out. In local mode the outbox keeps what has no sender.
struct Senders {
    mailer: Arc<dyn Mailer>,
    /// None: there is no sender, and no SMS.
    texter: Option<Arc<dyn Texter>>,
    /// What is shown of it.
    outbox: Option<Outbox>,
}

impl Senders {
    fn new(config: &Config, deps: &Deps) -> Result<Self> {
        let kept = Outbox::new(deps.clock.clone());
        let mailer: Arc<dyn Mailer> = match &config.smtp_url {
            Some(url) => Arc::new(Smtp::new(url.reveal(), &config.mail_from.to_string()).context("--smtp-url (GOODTURN_SMTP_URL)")?),
            None => Arc::new(kept.clone()),
        };
        let texter: Option<Arc<dyn Texter>> = match &config.sms_url {
            Some(url) => Some(Arc::new(Webhook::new(url.reveal()).context("--sms-url (GOODTURN_SMS_URL)")?)),
            None if config.has_sms() => Some(Arc::new(kept.clone())),
            None => None,
        };
        let shown = config.mode == Mode::Local && (config.smtp_url.is_none() || config.sms_url.is_none());
        Ok(Self { mailer, texter, outbox: shown.then_some(kept) })
    }
}

/// Where the browser of this machine finds the server: by the address that all are told, and by the machine's other names.
fn names(config: &Config) -> Vec<Option<At>> {
    let own = config.public_url();
    let others = config.follows_host().then(|| own.rsplit_once(':').zip(own.split_once("://"))).flatten();
    let others = others.map(|((_, port), (scheme, _))| {
        ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{scheme}://{host}:{port}")).into_iter().filter(|name| *name != own)
    });
    iter::once(None).chain(others.into_iter().flatten().map(|name| Some(At(name.into())))).collect()
}

/// Tokens of the demo member, if the demo data is there.
async fn keep_demo(deps: Deps, pool: Arc<UserPool>, names: Vec<Option<At>>, demo: watch::Sender<Demos>, stop: CancellationToken) {
    loop {
        match demo_tokens(&deps, &pool, &names).await {
            Ok(found) => drop(demo.send_replace(found)),
            Err(cause) => tracing::warn!(%cause, "the demo member cannot be signed in"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(DEMO_EVERY) => {}
        }
    }
}

async fn demo_tokens(deps: &Deps, pool: &UserPool, names: &[Option<At>]) -> crate::error::Result<Demos> {
    let Some(member) = read!(deps.pool, |conn| identity::store::member_by_email(conn, DEMO_EMAIL).await)? else {
        return Ok(Demos::new());
    };
    let uid = member.id.to_string();
    let tokens = pool.sign_in_as(member.id, names.iter().cloned()).await?;
    let told = tokens.into_iter().map(|t| Demo { uid: uid.clone(), access_token: t.access_token, id_token: t.id_token });
    Ok(names.iter().cloned().zip(told).collect())
}
