//! `goodturn members`, as an operator calls it beside running servers: what it does there at once, what it prints, and what the audit keeps.

use crate::harness::{Member, PASSWORD, TestServer, scratch, until};
use goodturn::clock::Clock;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};
use tempfile::TempDir;
use tokio::process::Command;

/// How a command ended and what it said.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Said {
    /// The JSON that a good one printed.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }
}

/// Runs the program with an environment of its own.
pub async fn goodturn(environment: &[(&str, &str)], arguments: &[&str]) -> Said {
    let web_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodturn"));
    command.env_clear().env("GOODTURN_WEB_DIR", web_dir).envs(environment.iter().copied()).args(arguments).stdin(Stdio::null());
    let output = command.output().await.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl TestServer {
    /// Runs the program on this server's database, with its secrets.
    pub async fn operator(&self, arguments: &[&str]) -> Said {
        self.operator_with(&"61".repeat(32), arguments).await
    }

    /// The same with other secrets.
    pub async fn operator_with(&self, secrets: &str, arguments: &[&str]) -> Said {
        let data: TempDir = scratch();
        let data_dir = data.path().to_str().unwrap();
        let environment = [("DATABASE_URL", self.database.url()), ("GOODTURN_SECRET_KEYS", secrets), ("GOODTURN_DATA_DIR", data_dir)];
        goodturn(&environment, arguments).await
    }

    async fn password_sign_in(&self, email: &str, password: &str) -> (u16, Value) {
        let parameters = json!({"USERNAME": email, "PASSWORD": password});
        let body = json!({"ClientId": self.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
        self.target("InitiateAuth", body).await
    }

    /// Whether calls are let in with a member's token.
    pub async fn knows(&self, member: &Member) -> bool {
        self.rest("GET", "/notifications", member, None).await.0 == 200
    }

    async fn refreshes(&self, member: &Member) -> (u16, Value) {
        let body = json!({"ClientId": self.config.web_client_id, "RefreshToken": member.refresh_token});
        self.target("GetTokensFromRefreshToken", body).await
    }
}

/// A node by the machine's clock, which the program has too.
async fn served() -> TestServer {
    TestServer::start_with(Clock::system(), |_| {}).await
}

#[tokio::test]
async fn create_makes_a_member_with_a_temporary_password() {
    let server = served().await;
    let waiting = json!({"ClientId": server.config.web_client_id, "Username": "Nia@example.org", "Password": PASSWORD,
        "UserAttributes": [{"Name": "name", "Value": "A Stranger"}]});
    assert_eq!(server.target("SignUp", waiting).await.0, 200);
    let arguments = ["members", "create", "--email", "nia@example.org", "--name", "Nia van Dam", "--zone", "Europe/Amsterdam", "--json"];
    let made = server.operator(&arguments).await.json();
    let password = made["temporaryPassword"].as_str().unwrap();
    assert!(password.len() >= 16 && made["email"] == "nia@example.org", "{made}");
    let (_, asked) = server.password_sign_in("nia@example.org", password).await;
    assert_eq!(asked["ChallengeName"], "NEW_PASSWORD_REQUIRED", "{asked}");
    assert_eq!(server.password_sign_in("nia@example.org", PASSWORD).await.0, 400, "the stranger's sign-up is gone");
    let shown = server.operator(&["members", "show", made["id"].as_str().unwrap(), "--json"]).await.json();
    let told = ["name", "givenName", "familyName", "zone", "state"].map(|k| shown[k].as_str().unwrap().to_owned());
    assert_eq!(told, ["Nia van Dam", "Nia", "van Dam", "Europe/Amsterdam", "temporary-password"]);
    let again = server.operator(&arguments).await;
    assert_eq!((again.code, again.out.as_str()), (Some(1), ""), "{again:?}");
    assert!(again.err.contains("a member with this address already exists"), "{again:?}");
    for (arguments, named) in [
        (["--email", "nia", "--name", "Nia", "--zone", "UTC"], "--email"),
        (["--email", "n@example.org", "--name", "Nia", "--zone", "Mars/Base"], "--zone"),
        (["--email", "n@example.org", "--name", "\u{200B}", "--zone", "UTC"], "name"),
    ] {
        let said = server.operator(&[&["members", "create"][..], &arguments].concat()).await;
        assert!(said.code == Some(1) && said.err.contains(named), "{said:?}");
    }
    assert_eq!(server.operator(&["members", "create", "--email", "n@example.org"]).await.code, Some(2), "without a name");
    server.stop().await;
}

#[tokio::test]
async fn reset_password_ends_every_session_on_every_node() {
    let server = served().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let other = server.second_node().await;
    assert!(server.knows(&ana).await && other.knows(&ana).await);
    server.password_sign_in(&ana.email, "wrong password").await;
    let reset = server.operator(&["members", "reset-password", "ANA@example.org", "--json"]).await.json();
    assert_eq!(reset["sessionsEnded"], 1);
    until("her token is refused everywhere", async || !server.knows(&ana).await && !other.knows(&ana).await).await;
    assert!(server.knows(&ben).await);
    assert_eq!(server.refreshes(&ana).await.0, 400);
    assert_eq!(server.password_sign_in(&ana.email, PASSWORD).await.0, 400);
    assert_eq!(server.password_sign_in(&ana.email, reset["temporaryPassword"].as_str().unwrap()).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_disabled_member_is_out_until_enabled() {
    let server = served().await;
    let ana = server.ana().await;
    let other = server.second_node().await;
    assert!(other.knows(&ana).await);
    assert!(server.operator(&["members", "disable", &ana.uid]).await.out.contains("Disabled. Sessions ended: 1"));
    until("she is out everywhere", async || !server.knows(&ana).await && !other.knows(&ana).await).await;
    assert_eq!(server.refreshes(&ana).await.0, 400);
    let again = server.operator(&["members", "disable", &ana.uid, "--json"]).await.json();
    assert_eq!((&again["changed"], &again["sessionsEnded"]), (&json!(false), &json!(0)));
    assert_eq!(server.operator(&["members", "show", &ana.email, "--json"]).await.json()["state"], "disabled");
    let (status, told) = server.password_sign_in(&ana.email, PASSWORD).await;
    assert_eq!((status, &told["message"]), (400, &json!("User is disabled.")), "{told}");
    assert_eq!(server.operator(&["members", "enable", &ana.email]).await.out, "Enabled.\n");
    assert_eq!(server.operator(&["members", "show", &ana.email, "--json"]).await.json()["state"], "active");
    assert_eq!(server.password_sign_in(&ana.email, PASSWORD).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn members_are_listed_in_pages_and_shown_with_their_sessions() {
    let server = served().await;
    let people = [server.ana().await, server.ben().await, server.eve().await];
    let first = server.operator(&["members", "list", "--limit", "2", "--json"]).await.json();
    let ids = |page: &Value| page["members"].as_array().unwrap().iter().map(|m| m["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!((ids(&first), first["next"].as_str()), (vec![people[0].uid.clone(), people[1].uid.clone()], Some(&*people[1].uid)));
    let last = server.operator(&["members", "list", "--after", &people[1].email, "--json"]).await.json();
    assert_eq!((ids(&last), &last["next"]), (vec![people[2].uid.clone()], &Value::Null));
    let text = server.operator(&["members", "list"]).await.out;
    assert!(people.iter().all(|p| text.contains(&p.uid) && text.contains(&p.email) && text.contains(&p.name)), "{text}");
    assert!(text.lines().count() == 3 && text.contains("active"), "{text}");
    server.signed_in_again(&people[0]).await;
    let shown = server.operator(&["members", "show", &people[0].uid, "--json"]).await.json();
    let sessions = shown["sessions"].as_array().unwrap();
    assert!(sessions.len() == 2 && sessions.iter().all(|s| s["client"] == "goodturnweb"), "{shown}");
    assert_eq!((&shown["authenticator"], &shown["devices"]), (&json!(false), &json!(0)));
    assert_eq!(server.operator(&["members", "sign-out", &people[0].uid]).await.out, "Sessions ended: 2\n");
    until("every session ended", async || !server.knows(&people[0]).await).await;
    let shown = server.operator(&["members", "show", &people[0].uid]).await.out;
    assert!(shown.contains("open sessions   0"), "{shown}");
    server.stop().await;
}

#[tokio::test]
async fn a_member_is_exported_and_deleted() {
    let server = served().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let other = server.second_node().await;
    assert!(other.knows(&ana).await);
    let exported = server.operator(&["members", "export", &ana.email]).await.json();
    assert!(exported.to_string().contains(&ana.email) && !exported.to_string().contains(&ben.email), "{exported}");
    let dir = scratch();
    let file = dir.path().join("ana.json");
    let arguments = ["members", "export", &ana.email, "--out", file.to_str().unwrap()];
    assert_eq!(server.operator(&arguments).await.code, Some(0));
    assert!(std::fs::read_to_string(&file).unwrap().contains(&ana.email));
    assert_eq!(server.operator(&arguments).await.code, Some(1), "no file is written over");

    let asked = server.operator(&["members", "delete", &ana.email]).await;
    assert!(asked.code == Some(1) && asked.err.contains("--yes") && server.knows(&ana).await, "{asked:?}");
    let deleted = server.operator(&["members", "delete", &ana.email, "--yes"]).await;
    assert_eq!(deleted.out, "Deleted. Sessions ended: 1\n", "{deleted:?}");
    until("she is out everywhere", async || !server.knows(&ana).await && !other.knows(&ana).await).await;
    assert_eq!(server.operator(&["members", "show", &ana.uid]).await.code, Some(3));
    let told = server.operator(&["members", "audit", &ana.uid, "--json"]).await.json();
    assert_eq!(told["entries"][0]["action"], "members-delete", "{told}");
    assert!(server.knows(&ben).await);
    server.stop().await;
}

#[tokio::test]
async fn lost_second_factors_are_taken_away_and_the_member_is_told() {
    // Some time ago, by the clock of the program.
    let clock = Clock::fixed(Clock::system().now() - time::Duration::minutes(10));
    let server = TestServer::start_with(clock, crate::steps::with_clients).await;
    let ana = server.ana().await;
    server.with_authenticator(&ana).await;
    let codes = server.asked("CreateRecoveryCodes", json!({"AccessToken": ana.token})).await.unwrap();
    server.with_phone(&ana).await;
    server.prefer(&ana, json!({"SMSMfaSettings": {"Enabled": true}})).await.unwrap();
    let waits = server.enter("goodturnweb", &ana, json!({})).await.unwrap();
    let (device, _) = server.with_device("lax_tracking", &ana).await;

    let done = server.operator(&["members", "remove-factors", &ana.email, "--json"]).await.json();
    assert_eq!((&done["removed"], &done["devicesForgotten"], &done["sessionsEnded"]), (&json!(true), &json!(1), &json!(2)), "{done}");
    until("she is out", async || !server.knows(&ana).await).await;
    server.mail_to(&ana.email, |body| body.contains("no devices are remembered")).await;
    let left = "SELECT (SELECT count(*) FROM second_factors) + (SELECT count(*) FROM recovery_codes) + (SELECT count(*) FROM devices)";
    assert_eq!(sqlx::query_scalar::<_, i64>(left).fetch_one(&mut server.database.connect().await).await.unwrap(), 0);
    // What was underway with one of them is over.
    let given = json!({"USERNAME": ana.email, "SOFTWARE_TOKEN_MFA_CODE": codes["Codes"][0]});
    assert!(server.step("goodturnweb", "SOFTWARE_TOKEN_MFA", &waits["Session"], given).await.is_err());
    let unknown = server.enter("tracking", &ana, json!({"DEVICE_KEY": device.key})).await.unwrap_err();
    assert_eq!(unknown, "ResourceNotFoundException: Device does not exist.");
    assert!(crate::steps::is_in(&server.enter("goodturnweb", &ana, json!({})).await.unwrap()), "the password is hers still");

    let again = server.operator(&["members", "remove-factors", &ana.uid]).await;
    assert_eq!((again.code, again.out.as_str()), (Some(0), "There were no second factors. Devices forgotten: 0. Sessions ended: 1\n"));
    let told = server.operator(&["members", "audit", &ana.uid, "--json"]).await.json();
    let row = &told["entries"][1];
    assert_eq!((&row["action"], &row["details"]["devices"]), (&json!("members-remove-factors"), &json!(1)), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn every_use_is_in_the_audit_without_a_secret() {
    let server = served().await;
    let ana = server.ana().await;
    let reset = server.operator(&["members", "reset-password", &ana.uid, "--json"]).await.json();
    let uses = ["show", "disable", "enable", "sign-out"];
    for action in uses {
        assert_eq!(server.operator(&["members", action, &ana.email]).await.code, Some(0));
    }
    assert_eq!(server.operator(&["members", "list"]).await.code, Some(0));
    assert_eq!(server.operator(&["keys", "list"]).await.code, Some(0));
    let told = server.operator(&["members", "audit", &ana.uid, "--json"]).await.json();
    let actions: Vec<&str> = told["entries"].as_array().unwrap().iter().rev().map(|e| e["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["members-reset-password", "members-show", "members-disable", "members-enable", "members-sign-out"]);
    assert!(told["entries"].as_array().unwrap().iter().all(|e| e["operator"].as_str().unwrap().contains('@')), "{told}");
    let page = server.operator(&["members", "audit", "--limit", "2", "--json"]).await.json();
    let next = page["next"].as_str().unwrap();
    let rest = server.operator(&["members", "audit", "--after", next, "--json"]).await.json();
    let actions: Vec<&str> = rest["entries"].as_array().unwrap().iter().map(|e| e["action"].as_str().unwrap()).collect();
    assert_eq!(actions[..2], ["members-list", "members-sign-out"], "the newest first: {rest}");
    let mut beside = server.database.connect().await;
    let rows: Vec<String> = sqlx::query_scalar("SELECT audit::text FROM audit ORDER BY at").fetch_all(&mut beside).await.unwrap();
    let password = reset["temporaryPassword"].as_str().unwrap();
    assert!(rows.len() == 10 && !rows.iter().any(|row| row.contains(password) || row.contains(&ana.email)), "{rows:?}");
    server.stop().await;
}

#[tokio::test]
async fn what_is_not_there_is_named_and_leaves_nothing() {
    let server = served().await;
    for action in ["show", "disable", "enable", "reset-password", "sign-out", "remove-factors", "export", "delete"] {
        let said = server.operator(&["members", action, "nobody@example.org"]).await;
        assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{said:?}");
        assert!(said.err.contains("there is no member nobody@example.org"), "{said:?}");
    }
    assert_eq!(server.operator(&["keys", "retire", "none"]).await.code, Some(3));
    for wrong in [&["members"][..], &["members", "show"], &["members", "list", "--limit", "0"], &["keys", "turn"]] {
        assert_eq!(server.operator(wrong).await.code, Some(2), "{wrong:?}");
    }
    let told = server.operator(&["members", "audit", "--json"]).await.json();
    assert_eq!(told["entries"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn the_help_says_what_each_command_does() {
    for (group, commands) in [
        (
            "members",
            &["create", "reset-password", "disable", "enable", "list", "show", "sign-out", "remove-factors", "export", "delete", "audit"][..],
        ),
        ("keys", &["list", "rotate", "retire", "reseal"]),
    ] {
        let help = goodturn(&[], &[group, "--help"]).await.out;
        for command in commands {
            let line = help.lines().find(|l| l.trim_start().starts_with(command)).unwrap_or_default();
            assert!(line.trim().len() > command.len() + 10, "{command}: {help}");
            let own = goodturn(&[], &[group, command, "--help"]).await;
            let (before, _) = own.out.split_once("Settings:").unwrap();
            assert!(own.code == Some(0) && before.contains("--json") && !before.contains("--listen"), "{before}");
        }
    }
}

#[tokio::test]
async fn the_private_postgres_is_used_whether_a_server_runs_on_it_or_not() {
    let data = scratch();
    let environment = [("GOODTURN_DATA_DIR", data.path().to_str().unwrap())];
    let made = goodturn(&environment, &["members", "create", "--email", "ana@example.org", "--name", "Ana Silva"]).await;
    assert_eq!(made.code, Some(0), "{made:?}");
    let mut running = std::process::Command::new(env!("CARGO_BIN_EXE_goodturn"))
        .arg("postgres")
        .env("GOODTURN_DATA_DIR", data.path())
        .env("GOODTURN_WEB_DIR", Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist"))
        .env_remove("DATABASE_URL")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(running.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let listed = goodturn(&environment, &["members", "list"]).await;
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(!url.is_empty() && listed.out.contains("ana@example.org"), "{listed:?}");
}
