//! Mail, spoken to a real SMTP server in a process of its own.

use goodturn::adapters::mail::{Mail, Mailer, Smtp};
use serde_json::{Value, json};
use std::{path::Path, process::Stdio};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    net::TcpListener,
    process::{Child, ChildStdout, Command},
};

const FROM: &str = "Goodturn <hello@goodturn.test>";

struct Server {
    port: u16,
    lines: Lines<BufReader<ChildStdout>>,
    /// Ends with the test.
    _child: Child,
}

impl Server {
    async fn start() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = root.join(".tools/venv/bin/python");
        assert!(python.exists(), "no {}: make it with `python3 -m venv` and install tests/requirements.txt", python.display());
        let mut command = Command::new(python);
        command.arg(root.join("tests/it/smtp_server.py")).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.next_line().await.unwrap().expect("the server says its port").parse().unwrap();
        Self { port, lines, _child: child }
    }

    fn url(&self, query: &str) -> String {
        format!("smtp://127.0.0.1:{}{query}", self.port)
    }

    async fn taken(&mut self) -> Value {
        serde_json::from_str(&self.lines.next_line().await.unwrap().unwrap()).unwrap()
    }
}

fn mail(to: &str) -> Mail {
    Mail {
        to: to.into(),
        subject: "Ça va, Ana? ✓".into(),
        body: "Your code is 123456.\n\n.\nGrüße — Goodturn".into(),
        html: format!("<p>Grüße</p>\n<p>{}</p>", "Goodturn ".repeat(300)),
        one_click: None,
    }
}

#[tokio::test]
async fn a_mail_arrives_as_it_was_written() {
    let mut server = Server::start().await;
    let smtp = Smtp::new(&server.url(""), FROM).unwrap();
    // Twice: the second one takes the connection that the first one left.
    for _ in 0..2 {
        smtp.send(mail("ana@example.org")).await.unwrap();
        let taken = server.taken().await;
        let expected = json!({
            "envelope_from": "hello@goodturn.test",
            "envelope_to": ["ana@example.org"],
            "from": FROM,
            "to": "ana@example.org",
            "subject": "Ça va, Ana? ✓",
            "content_type": "multipart/alternative",
            "texts": {
                "text/plain": "Your code is 123456.\n\n.\nGrüße — Goodturn",
                "text/html": format!("<p>Grüße</p>\n<p>{}</p>", "Goodturn ".repeat(300)),
            },
            "list_unsubscribe": null,
            "list_unsubscribe_post": null,
        });
        assert_eq!(taken, expected);
    }
}

#[tokio::test]
async fn a_text_alone_is_no_multipart() {
    let mut server = Server::start().await;
    Smtp::new(&server.url(""), FROM).unwrap().send(Mail { html: String::new(), ..mail("ana@example.org") }).await.unwrap();
    let taken = server.taken().await;
    assert_eq!(taken["content_type"], "text/plain");
    assert_eq!(taken["texts"], json!({"text/plain": "Your code is 123456.\n\n.\nGrüße — Goodturn\n"}));
}

#[tokio::test]
async fn a_mail_says_how_a_program_stops_it() {
    let mut server = Server::start().await;
    let smtp = Smtp::new(&server.url(""), FROM).unwrap();
    let link = format!("https://goodturn.test/notifications:unsubscribe?token={}", "a-_".repeat(60));
    smtp.send(Mail { one_click: Some(link.clone()), ..mail("ana@example.org") }).await.unwrap();
    let taken = server.taken().await;
    assert_eq!(taken["list_unsubscribe"], format!("<{link}>"));
    assert_eq!(taken["list_unsubscribe_post"], "List-Unsubscribe=One-Click");
    for bad in
        ["https://goodturn.test/\r\nBcc: eve@example.org", "https://goodturn.test/ä", "https://goodturn.test/a b", "https://a.test/<x>"]
    {
        let refused = smtp.send(Mail { one_click: Some(bad.into()), ..mail("ana@example.org") }).await.unwrap_err();
        assert_eq!(refused.to_string(), "the link that stops a mail cannot be written", "{bad}");
    }
}

#[tokio::test]
async fn a_refusal_names_no_address() {
    let server = Server::start().await;
    let smtp = Smtp::new(&server.url(""), FROM).unwrap();
    let refused = format!("{:#}", smtp.send(mail("nobody@example.org")).await.unwrap_err());
    assert_eq!(refused, "the mail server refused with 550");
    let unreadable = format!("{:#}", smtp.send(mail("no address")).await.unwrap_err());
    assert_eq!(unreadable, "the address of a mail cannot be read");
}

#[tokio::test]
async fn a_new_line_in_a_subject_is_no_header() {
    let mut server = Server::start().await;
    let smtp = Smtp::new(&server.url(""), FROM).unwrap();
    let injected = Mail { subject: "Hello\r\nBcc: eve@example.org".into(), ..mail("ana@example.org") };
    smtp.send(injected).await.unwrap();
    assert_eq!(server.taken().await["envelope_to"], json!(["ana@example.org"]));
}

#[tokio::test]
async fn tls_that_is_required_is_never_given_up() {
    let mut server = Server::start().await;
    let smtp = Smtp::new(&server.url("?tls=required"), FROM).unwrap();
    smtp.send(mail("ana@example.org")).await.unwrap_err();
    // The server is well, and takes what may come in the clear: the first mail that it sees.
    Smtp::new(&server.url(""), FROM).unwrap().send(mail("ben@example.org")).await.unwrap();
    assert_eq!(server.taken().await["envelope_to"], json!(["ben@example.org"]));
}

#[tokio::test]
async fn a_server_that_is_away_is_said_to_be() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let smtp = Smtp::new(&format!("smtp://127.0.0.1:{port}"), FROM).unwrap();
    let failed = format!("{:#}", smtp.send(mail("ana@example.org")).await.unwrap_err());
    assert_eq!(failed, "the mail server cannot be reached");
}

#[tokio::test]
async fn a_wrong_setting_is_told_without_its_password() {
    let wrong = format!("{:#}", Smtp::new("ftp://ana:secret@example.org", FROM).err().unwrap());
    assert!(wrong.starts_with("the SMTP URL cannot be read") && !wrong.contains("secret"), "{wrong}");
    assert!(Smtp::new("smtps://ana:secret@example.org:465", FROM).is_ok());
    let unreadable = Smtp::new("smtp://localhost:25", "no address").err().unwrap().to_string();
    assert_eq!(unreadable, "the sender's address cannot be read");
}
