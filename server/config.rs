//! The configuration: flags and environment, checked before anything starts. `goodturn --help` is its manual.

mod commands;
pub mod identity;
pub mod pictures;
mod production;
mod values;

pub use commands::{Audit, Command, Create, Delete, Export, Keys, KeysAction, List, Members, MembersAction, Named};

use crate::{
    db::Bounds,
    edge::limits::Rate,
    identity::{
        Provider,
        clients::{Client, Devices},
        scopes::Scopes,
    },
    secrets::{Secret, SecretKey},
};
use anyhow::{Context, Result, ensure};
use clap::{
    Args, CommandFactory, Parser, ValueEnum,
    error::{ContextKind, ContextValue},
};
use ipnet::IpNet;
use lettre::message::Mailbox;
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use std::{ffi::OsString, fs, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};
use values::{client_id, count, database_url, log_filter, network, pool_id, rate, sms_url, smtp_url};

/// What tokens of the web app are for beside what it asks for: apps like it ask for `openid email profile`, and call all that members may.
pub const WEB_GRANTS: Scopes = Scopes::ADMIN;

/// The favor network of a community: one server for gRPC, gRPC-Web, REST and the web app.
///
/// Every flag can also be set in the environment, by the name in brackets. In local mode without DATABASE_URL the server starts a private
/// Postgres of its own in the data directory.
#[derive(Debug, Parser)]
#[command(name = "goodturn", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The configuration.
    #[command(flatten, next_help_heading = "Settings")]
    pub config: Config,
}

impl Cli {
    /// Reads the command line and the environment. What is wrong ends the program with a message that names it, and never shows a secret.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Self {
        match Self::try_parse_from(arguments) {
            Ok(cli) => cli,
            Err(mut error) => {
                let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
                let secret = |a: &clap::Arg| a.is_hide_env_values_set() && a.get_long().is_some_and(|long| argument.contains(long));
                if Self::command().get_arguments().any(secret) {
                    error.insert(ContextKind::InvalidValue, ContextValue::String("***".to_owned()));
                }
                error.exit()
            }
        }
    }
}

/// For whom the server runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// On this machine alone, for trying out and developing: mail and SMS stay in an outbox at /dev/outbox
    Local,
    /// For members: needs a database, secret keys, a public URL and a mail server
    Production,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One JSON object a line
    Json,
    /// For reading
    Text,
}

/// Every setting.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// For whom the server runs
    #[arg(long, env = "GOODTURN_MODE", value_enum, default_value = "local", global = true)]
    pub mode: Mode,
    /// Address and port of everything that the server serves; loopback in local mode
    #[arg(long, env = "GOODTURN_LISTEN", default_value = "127.0.0.1:8080", global = true)]
    pub listen: SocketAddr,
    /// Address and port of Prometheus metrics; none when not set
    #[arg(long, env = "GOODTURN_METRICS_LISTEN", global = true)]
    pub metrics_listen: Option<SocketAddr>,
    /// Where members reach the server, as in https://goodturn.example; in local mode http:// and the listening address
    #[arg(long, env = "GOODTURN_PUBLIC_URL", value_parser = values::origin, global = true)]
    pub public_url: Option<String>,
    /// Whether production may be reached by http://, so that passwords and tokens travel in the clear
    #[arg(long, env = "GOODTURN_PUBLIC_PLAIN", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub public_plain: bool,
    /// Postgres 15 or later, as in postgres://user:password@host/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_parser = database_url, global = true)]
    pub database_url: Option<Secret>,
    /// Whether production keeps its data in the private Postgres of the data directory, when no DATABASE_URL is set
    #[arg(long, env = "GOODTURN_PRIVATE_POSTGRES", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub private_postgres: bool,
    /// Directory of the private Postgres and of local mode's secret key
    #[arg(long, env = "GOODTURN_DATA_DIR", default_value = ".data", global = true)]
    pub data_dir: PathBuf,
    /// Directory of the built web app
    #[arg(long, env = "GOODTURN_WEB_DIR", default_value = "web/dist", global = true)]
    pub web_dir: PathBuf,

    /// Keys of 32 bytes in base64 or hex: the first one seals and signs, the others are still read. Local mode makes its own
    #[arg(long, env = "GOODTURN_SECRET_KEYS", hide_env_values = true, value_delimiter = ',', global = true)]
    pub secret_keys: Vec<SecretKey>,
    /// Certificate chain, PEM; the server then ends TLS itself
    #[arg(long, env = "GOODTURN_TLS_CERT", global = true)]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate, PEM
    #[arg(long, env = "GOODTURN_TLS_KEY", global = true)]
    pub tls_key: Option<PathBuf>,
    /// Proxies whose X-Forwarded-For counts, addresses or networks as in 10.0.0.0/8, separated by commas
    #[arg(long, env = "GOODTURN_TRUSTED_PROXIES", value_delimiter = ',', value_parser = network, global = true)]
    pub trusted_proxies: Vec<IpNet>,
    /// Other web origins that may call from a browser, separated by commas
    #[arg(long, env = "GOODTURN_ALLOWED_ORIGINS", value_delimiter = ',', value_parser = values::origin, global = true)]
    pub allowed_origins: Vec<String>,

    /// Mail server, as in smtps://user:password@mail.example, or smtp://user:password@mail.example:587?tls=required for STARTTLS
    #[arg(long, env = "GOODTURN_SMTP_URL", hide_env_values = true, value_parser = smtp_url, global = true)]
    pub smtp_url: Option<Secret>,
    /// Whether production may send mail without TLS, as to a relay on the same machine: codes then travel in the clear
    #[arg(long, env = "GOODTURN_SMTP_PLAIN", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub smtp_plain: bool,
    /// Sender of mail
    #[arg(long, env = "GOODTURN_MAIL_FROM", default_value = "Goodturn <no-reply@goodturn.invalid>", global = true)]
    pub mail_from: Mailbox,
    /// Seconds that mail about news waits: what is read or answered meanwhile is not mailed. Security notices wait as long, at most five minutes
    #[arg(long, env = "GOODTURN_MAIL_DELAY_S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=3600), global = true)]
    pub mail_delay_s: u32,
    /// Where problems that members report are mailed, as in help@goodturn.example; without it they are kept in the database alone
    #[arg(long, env = "GOODTURN_REPORTS_TO", global = true)]
    pub reports_to: Option<Mailbox>,
    /// Where SMS are posted as JSON, {"to", "body"}, as in https://user:password@sms.example/send; without it no SMS are sent
    #[arg(long, env = "GOODTURN_SMS_URL", hide_env_values = true, value_parser = sms_url, global = true)]
    pub sms_url: Option<Secret>,
    /// Whether production may post SMS without TLS, as to a relay on the same machine: codes then travel in the clear
    #[arg(long, env = "GOODTURN_SMS_PLAIN", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub sms_plain: bool,

    /// Id of the user pool; its part before the underscore is the region
    #[arg(long, env = "GOODTURN_POOL_ID", default_value = "us-east-1_Goodturn1", value_parser = pool_id, global = true)]
    pub pool_id: String,
    /// Client id of the web app, whose refresh tokens rotate
    #[arg(long, env = "GOODTURN_WEB_CLIENT_ID", default_value = "goodturnweb", value_parser = client_id, global = true)]
    pub web_client_id: String,
    /// Client ids of other apps, whose refresh tokens do not rotate, separated by commas
    #[arg(long, env = "GOODTURN_CLIENT_IDS", value_delimiter = ',', default_value = "goodturncli", value_parser = client_id, global = true)]
    pub client_ids: Vec<String>,
    /// File of further clients, TOML: their secrets, flows, devices, second factors and addresses; and of the identity providers that members
    /// may come by. docs/CLIENTS.md shows one
    #[arg(long, env = "GOODTURN_CLIENTS_FILE", global = true)]
    pub clients_file: Option<PathBuf>,
    /// Client id that Google gave this server, for signing in with Google; goes with the secret
    #[arg(long, env = "GOODTURN_GOOGLE_CLIENT_ID", global = true)]
    pub google_client_id: Option<String>,
    /// Client secret that Google gave with it
    #[arg(long, env = "GOODTURN_GOOGLE_CLIENT_SECRET", hide_env_values = true, global = true)]
    pub google_client_secret: Option<Secret>,
    /// Whether the web app signs the first demo member in by itself (local mode)
    #[arg(long, env = "GOODTURN_AUTO_SIGN_IN", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub auto_sign_in: bool,

    /// Whether to add demo members and favors before serving, once (local mode)
    #[arg(long, env = "GOODTURN_DEMO", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub demo: bool,

    /// Most connections to the database
    #[arg(long, env = "GOODTURN_POOL_CONNECTIONS_MAX", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1000), global = true)]
    pub pool_connections_max: u32,
    /// How long a call waits for a connection, in milliseconds
    #[arg(long, env = "GOODTURN_ACQUIRE_TIMEOUT_MS", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(10..=60_000), global = true)]
    pub acquire_timeout_ms: u64,
    /// How long one statement may run, in milliseconds
    #[arg(long, env = "GOODTURN_STATEMENT_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10..=600_000), global = true)]
    pub statement_timeout_ms: u64,
    /// How long one statement waits for a lock, in milliseconds
    #[arg(long, env = "GOODTURN_LOCK_TIMEOUT_MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(10..=600_000), global = true)]
    pub lock_timeout_ms: u64,
    /// Longest time of one call, in milliseconds; a client may ask for less
    #[arg(long, env = "GOODTURN_CALL_TIMEOUT_MS", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(100..=600_000), global = true)]
    pub call_timeout_ms: u64,
    /// How long the server serves on after it was told to stop and says that it is not ready, in seconds; 3 in production, 0 in local mode
    #[arg(long, env = "GOODTURN_DRAIN_DELAY_S", value_parser = clap::value_parser!(u64).range(0..=600), global = true)]
    pub drain_delay_s: Option<u64>,
    /// Time that calls in flight have to finish after that, in seconds
    #[arg(long, env = "GOODTURN_DRAIN_S", default_value_t = 6, value_parser = clap::value_parser!(u64).range(0..=600), global = true)]
    pub drain_s: u64,
    /// Largest body of a call, in bytes
    #[arg(long, env = "GOODTURN_BODY_BYTES_MAX", default_value_t = 1 << 20, value_parser = clap::value_parser!(u32).range(1024..=(64 << 20)), global = true)]
    pub body_bytes_max: u32,
    /// Longest time that the body of a call may take to arrive, in milliseconds
    #[arg(long, env = "GOODTURN_BODY_TIMEOUT_MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(100..=600_000), global = true)]
    pub body_timeout_ms: u64,
    /// How long a connection may take to its first request, a request's head to its end, a body to its next part, and a reader to take what
    /// was written, in milliseconds
    #[arg(long, env = "GOODTURN_PROGRESS_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..=600_000), global = true)]
    pub progress_timeout_ms: u64,
    /// How long a connection may rest between calls, in milliseconds; longer than the proxies in front keep theirs
    #[arg(long, env = "GOODTURN_IDLE_TIMEOUT_MS", default_value_t = 75_000, value_parser = clap::value_parser!(u64).range(100..=3_600_000), global = true)]
    pub idle_timeout_ms: u64,
    /// Most connections of one node; fewer where the process may not open as many files
    #[arg(long, env = "GOODTURN_CONNECTIONS_MAX", default_value = "10000", value_parser = count, global = true)]
    pub connections_max: usize,
    /// Most connections of one address to one node; trusted proxies are exempt
    #[arg(long, env = "GOODTURN_CONNECTIONS_PER_ADDRESS", default_value = "200", value_parser = count, global = true)]
    pub connections_per_address: usize,
    /// Most live streams of one member on one node; one more ends the oldest
    #[arg(long, env = "GOODTURN_STREAMS_PER_MEMBER", default_value = "20", value_parser = count, global = true)]
    pub streams_per_member: usize,

    /// Calls of one address: a second over time, a colon, and at once
    #[arg(long, env = "GOODTURN_RATE_PER_ADDRESS", default_value = "100:400", value_parser = rate, global = true)]
    pub rate_per_address: Rate,
    /// Calls of one member
    #[arg(long, env = "GOODTURN_RATE_PER_MEMBER", default_value = "50:200", value_parser = rate, global = true)]
    pub rate_per_member: Rate,
    /// Calls of one address to one identity operation
    #[arg(long, env = "GOODTURN_RATE_IDENTITY", default_value = "5:30", value_parser = rate, global = true)]
    pub rate_identity: Rate,
    /// Calls of one member that look for or ask others: find, add and invite together
    #[arg(long, env = "GOODTURN_RATE_FIND_FRIEND", default_value = "1:20", value_parser = rate, global = true)]
    pub rate_find_friend: Rate,

    /// Wrong passwords of one account until it is locked: 1 second, then twice as long each time, up to 15 minutes
    #[arg(long, env = "GOODTURN_TRIES_PASSWORD", default_value_t = 5, value_parser = clap::value_parser!(i32).range(1..=100), global = true)]
    pub tries_password: i32,
    /// Wrong passwords from one network address in 15 minutes, whatever the account
    #[arg(long, env = "GOODTURN_TRIES_NETWORK", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=1_000_000), global = true)]
    pub tries_network: i32,
    /// Tries of one code
    #[arg(long, env = "GOODTURN_TRIES_CODE", default_value_t = 5, value_parser = clap::value_parser!(i32).range(1..=20), global = true)]
    pub tries_code: i32,
    /// Mails to addresses that are not confirmed, asked for at one network address in an hour: sign-ups and further codes
    #[arg(long, env = "GOODTURN_MAILS_PER_NETWORK", default_value_t = 20, value_parser = clap::value_parser!(i32).range(1..=10_000), global = true)]
    pub mails_per_network: i32,
    /// Codes sent to one address in a day, asked for at one network address; three times as many from all
    #[arg(long, env = "GOODTURN_MAILS_PER_ADDRESS", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=1_000_000), global = true)]
    pub mails_per_address: i32,
    /// Codes sent to one address in an hour, asked for at one network address; three times as many from all
    #[arg(long, env = "GOODTURN_SENDS_CODE", default_value_t = 5, value_parser = clap::value_parser!(i32).range(1..=100), global = true)]
    pub sends_code: i32,

    /// Favors that one member makes, posts, or asks one more friend for, in a day
    #[arg(long, env = "GOODTURN_FAVORS_PER_DAY", default_value_t = 1000, value_parser = clap::value_parser!(i32).range(1..=1_000_000), global = true)]
    pub favors_per_day: i32,

    /// What a community may decide of accounts.
    #[command(flatten)]
    pub identity: identity::Identity,

    /// Where pictures are.
    #[command(flatten)]
    pub pictures: pictures::Pictures,

    /// Which log lines are written, as in info or goodturn=debug,info
    #[arg(long, env = "GOODTURN_LOG", default_value = "info", value_parser = log_filter, global = true)]
    pub log: String,
    /// How log lines look; json in production, text in local mode
    #[arg(long, env = "GOODTURN_LOG_FORMAT", value_enum, global = true)]
    pub log_format: Option<LogFormat>,
}

impl Config {
    /// Checks what one flag alone cannot say, and makes local mode's key.
    ///
    /// # Errors
    /// Names the flag and its variable.
    pub fn checked(mut self) -> Result<Self> {
        ensure!(
            self.database_url.is_none() || !self.private_postgres,
            "--database-url (DATABASE_URL) and --private-postgres (GOODTURN_PRIVATE_POSTGRES) exclude each other: set one"
        );
        ensure!(
            self.tls_cert.is_some() == self.tls_key.is_some(),
            "--tls-cert (GOODTURN_TLS_CERT) and --tls-key (GOODTURN_TLS_KEY) go together: set both or none"
        );
        ensure!(
            self.google_client_id.is_some() == self.google_client_secret.is_some(),
            "--google-client-id (GOODTURN_GOOGLE_CLIENT_ID) and --google-client-secret (GOODTURN_GOOGLE_CLIENT_SECRET) go together: set both or \
             none"
        );
        self.clients()?;
        self.identity.check()?;
        self.pictures.check()?;
        match self.mode {
            Mode::Local => self.check_local()?,
            Mode::Production => production::check(&self)?,
        }
        Ok(self)
    }

    fn check_local(&mut self) -> Result<()> {
        ensure!(
            self.listen.ip().is_loopback(),
            "--listen (GOODTURN_LISTEN) is {}, and local mode listens on loopback only: use --mode production to serve others",
            self.listen
        );
        if self.secret_keys.is_empty() {
            let dir = &self.data_dir;
            fs::create_dir_all(dir).with_context(|| format!("--data-dir (GOODTURN_DATA_DIR): making {}", dir.display()))?;
            self.secret_keys = vec![SecretKey::kept_in(&dir.join("secret.key"))?];
        }
        Ok(())
    }

    /// Where members reach the server, without a slash at the end.
    pub fn public_url(&self) -> String {
        self.public_url.clone().unwrap_or_else(|| {
            let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
            format!("{scheme}://{}", self.listen)
        })
    }

    /// Whether SMS can be sent: to the webhook, or in local mode to the outbox.
    pub fn has_sms(&self) -> bool {
        self.sms_url.is_some() || self.mode == Mode::Local
    }

    /// The applications that members sign in with; the first is the web app.
    ///
    /// # Errors
    /// When the file of clients cannot be read, an id is there twice, or one names a provider that is not there.
    pub fn clients(&self) -> Result<Vec<Client>> {
        self.clients_and_providers().map(|(clients, _)| clients)
    }

    /// The identity providers that members may come by.
    ///
    /// # Errors
    /// As `clients`.
    pub fn providers(&self) -> Result<Vec<Provider>> {
        self.clients_and_providers().map(|(_, providers)| providers)
    }

    /// Where a provider sends members back to whom the web app sent there.
    pub fn web_callback(&self) -> String {
        format!("{}/auth/callback", self.public_url())
    }

    fn clients_and_providers(&self) -> Result<(Vec<Client>, Vec<Provider>)> {
        let url = self.public_url();
        let (callbacks, sign_outs) = (vec![self.web_callback()], vec![format!("{url}/"), url]);
        let grants = vec![WEB_GRANTS.spell()];
        let known = Client::new(self.web_client_id.clone());
        let web = Client { rotates: true, devices: Devices::OptIn, callbacks, sign_outs, grants, ..known };
        let mut clients: Vec<Client> = std::iter::once(web).chain(self.client_ids.iter().cloned().map(Client::new)).collect();
        let google = self.google_client_id.clone().zip(self.google_client_secret.clone());
        let mut providers: Vec<_> = google.into_iter().map(|(id, secret)| Provider::google(id, secret)).collect();
        if let Some(path) = &self.clients_file {
            let about = || format!("--clients-file (GOODTURN_CLIENTS_FILE) {}", path.display());
            let text = fs::read_to_string(path).with_context(about)?;
            let (more, others) = Client::read_all(&text).with_context(about)?;
            clients.extend(more);
            providers.extend(others);
        }
        Client::all_differ(&clients)?;
        Provider::check_all(&providers, self.mode == Mode::Local)?;
        clients.iter().try_for_each(|client| client.knows(&providers))?;
        Ok((clients, providers))
    }

    /// The key that seals and signs.
    ///
    /// # Errors
    /// When there is none; `checked` has made sure that there is.
    pub fn first_key(&self) -> Result<&SecretKey> {
        self.secret_keys.first().context("--secret-keys (GOODTURN_SECRET_KEYS) is empty")
    }

    /// The keys behind the first one, which are still read.
    pub fn older_keys(&self) -> impl Iterator<Item = &[u8]> {
        self.secret_keys.iter().skip(1).map(|key| key.bytes().as_slice())
    }

    /// Certificates and key, when the server ends TLS itself; with HTTP/2 and HTTP/1.1.
    ///
    /// # Errors
    /// When a file cannot be read, or the key does not fit the certificate.
    pub fn tls(&self) -> Result<Option<Arc<ServerConfig>>> {
        let (Some(cert), Some(key)) = (&self.tls_cert, &self.tls_key) else { return Ok(None) };
        let chain = CertificateDer::pem_file_iter(cert).and_then(Iterator::collect);
        let chain = chain.with_context(|| format!("--tls-cert (GOODTURN_TLS_CERT) {}", cert.display()))?;
        let key = PrivateKeyDer::from_pem_file(key).with_context(|| format!("--tls-key (GOODTURN_TLS_KEY) {}", key.display()))?;
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let mut tls = builder.with_no_client_auth().with_single_cert(chain, key)?;
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Some(Arc::new(tls)))
    }

    /// How long the server serves on after it was told to stop.
    pub fn drain_delay(&self) -> Duration {
        Duration::from_secs(self.drain_delay_s.unwrap_or(match self.mode {
            Mode::Local => 0,
            Mode::Production => 3,
        }))
    }

    /// Bounds of the database.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            connections_max: self.pool_connections_max,
            acquire: Duration::from_millis(self.acquire_timeout_ms),
            statement: Duration::from_millis(self.statement_timeout_ms),
            lock: Duration::from_millis(self.lock_timeout_ms),
        }
    }

    /// How log lines look, in this mode.
    pub fn log_format(&self) -> LogFormat {
        self.log_format.unwrap_or(match self.mode {
            Mode::Local => LogFormat::Text,
            Mode::Production => LogFormat::Json,
        })
    }
}
