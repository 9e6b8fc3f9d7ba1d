//! Mail over SMTP: a text, the same as HTML, and how a mail program stops it.

use anyhow::Context;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox, MultiPart,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::PoolConfig,
};
use std::time::Duration;

const ANSWER_WITHIN: Duration = Duration::from_secs(20);
const CONNECTIONS_MAX: u32 = 4;
/// A line of a mail has 998 characters at most, with the header's name (RFC 5322).
const LINK_BYTES_MAX: usize = 900;

/// A mail to one person; `letter` writes it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Mail {
    /// The address.
    pub to: String,
    /// One line.
    pub subject: String,
    /// The text. Lines end with `\n`.
    pub body: String,
    /// The same as HTML; empty where there is none.
    pub html: String,
    /// Where a mail program asks for no more of these (RFC 8058).
    pub one_click: Option<String>,
}

impl std::fmt::Debug for Mail {
    /// Nothing of it: address and text are private.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mail")
    }
}

/// Sends mail.
#[tonic::async_trait]
pub trait Mailer: Send + Sync + 'static {
    /// Whether mail can be handed over now: asked before what is sent once and never again.
    ///
    /// # Errors
    /// When it cannot.
    async fn reachable(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Hands a mail over to be delivered.
    ///
    /// # Errors
    /// When it was not taken, or nobody knows; it may be tried again. `Refused` when it surely was not. The text holds no address.
    async fn send(&self, mail: Mail) -> anyhow::Result<()>;
}

/// The mail server has said that it does not take a mail.
#[derive(Debug)]
pub struct Refused(pub String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the mail server refused with {}", self.0)
    }
}

impl std::error::Error for Refused {}

/// Whether a mail was surely not taken, so that what it tells of may wait for another one.
pub fn is_refused(sent: &anyhow::Result<()>) -> bool {
    sent.as_ref().is_err_and(|e| e.is::<Refused>())
}

/// Sends through an SMTP server.
#[derive(Clone)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    /// For a URL: `smtps://user:password@host:465` speaks TLS from the start, `smtp://…:587?tls=required` upgrades by STARTTLS, and
    /// `smtp://host:25` alone is in the clear, for a relay on the same machine. No connection is made yet, but
    /// its pool needs a runtime.
    ///
    /// # Errors
    /// When the URL or the sender's address cannot be read. The text holds no password.
    pub fn new(url: &str, from: &str) -> anyhow::Result<Self> {
        let from = from.parse().context("the sender's address cannot be read")?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|_| anyhow::anyhow!("the SMTP URL cannot be read: it is smtp[s]://[user:password@]host[:port][?tls=required]"))?
            .timeout(Some(ANSWER_WITHIN))
            .pool_config(PoolConfig::new().max_size(CONNECTIONS_MAX))
            .build();
        Ok(Self { transport, from })
    }
}

#[tonic::async_trait]
impl Mailer for Smtp {
    async fn reachable(&self) -> anyhow::Result<()> {
        let answers = self.transport.test_connection().await.map_err(|e| refused(&e))?;
        anyhow::ensure!(answers, "the mail server does not answer");
        Ok(())
    }

    async fn send(&self, mail: Mail) -> anyhow::Result<()> {
        let to: Mailbox = mail.to.parse().map_err(|_| anyhow::anyhow!("the address of a mail cannot be read"))?;
        let mut head = Message::builder().from(self.from.clone()).to(to).subject(mail.subject);
        if let Some(link) = mail.one_click {
            let [stop, how] = one_click(&link)?;
            head = head.raw_header(stop).raw_header(how);
        }
        let written = match mail.html {
            html if html.is_empty() => head.header(ContentType::TEXT_PLAIN).body(mail.body),
            html => head.multipart(MultiPart::alternative_plain_html(mail.body, html)),
        };
        let message = written.context("a mail cannot be written")?;
        self.transport.send(message).await.map_err(|e| refused(&e))?;
        Ok(())
    }
}

/// The headers of RFC 8058, which mail programs show as a button. The address is one of ours: a word without anything to be encoded or folded.
fn one_click(link: &str) -> anyhow::Result<[HeaderValue; 2]> {
    let whole = link.bytes().all(|b| b.is_ascii_graphic() && !b"<>".contains(&b)) && link.len() <= LINK_BYTES_MAX;
    anyhow::ensure!(whole, "the link that stops a mail cannot be written");
    let name = HeaderName::new_from_ascii_str("List-Unsubscribe");
    let stop = HeaderValue::dangerous_new_pre_encoded(name, format!("<{link}>"), format!("<{link}>"));
    let name = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");
    Ok([stop, HeaderValue::new(name, "List-Unsubscribe=One-Click".to_owned())])
}

/// What went wrong, without the server's words: those often repeat the address.
fn refused(e: &lettre::transport::smtp::Error) -> anyhow::Error {
    match e.status() {
        Some(code) => Refused(code.to_string()).into(),
        None if e.is_timeout() => anyhow::anyhow!("the mail server did not answer in time"),
        None if e.is_tls() => anyhow::anyhow!("no safe connection to the mail server"),
        None => anyhow::anyhow!("the mail server cannot be reached"),
    }
}
