//! Clients of other houses drive the server as apps would: a script for each goes through all that it can do, and asserts what an app is told.

use crate::harness::{TestServer, scratch};
use goodturn::clock::Clock;
use serde_json::{Value, json};
use std::{
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
};
use time::Duration;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::Command,
};

const SECRET: &str = "a-secret-that-nobody-guesses";
const CLIENTS: &str = r#"
[[client]]
id = "plain"
callbacks = ["http://localhost:3000/back"]
sign_outs = ["http://localhost:3000/"]

[[client]]
id = "partner"
secret = "a-secret-that-nobody-guesses"
callbacks = ["http://localhost:3000/back"]
sign_outs = ["http://localhost:3000/"]

[[client]]
id = "rotating"
rotates = true

[[client]]
id = "always"
devices = "always"

[[client]]
id = "asking"
devices = "opt-in"

[[client]]
id = "strict"
mfa = "required"

[[client]]
id = "strictalways"
mfa = "required"
devices = "always"

[[client]]
id = "lax"
mfa = "off"

[[client]]
id = "srponly"
flows = ["USER_SRP_AUTH"]
"#;
/// Clients write the time of this machine into their proofs, and a clock may be five minutes off: so far the test may go ahead.
const BEHIND: Duration = Duration::seconds(210);

/// A server that calls itself by the address that it is reached at: tokens name it, and clients compare.
async fn server() -> TestServer {
    server_with("").await
}

/// Free now; the moment until somebody binds it is the test's risk.
fn address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// The same with more in the file of clients.
async fn server_with(more: &str) -> TestServer {
    let (file, address) = (scratch().keep().join("clients.toml"), address());
    std::fs::write(&file, format!("{CLIENTS}{more}")).unwrap();
    TestServer::start_with(Clock::fixed(Clock::system().now() - BEHIND), |config| {
        config.listen = address;
        config.public_url = Some(format!("http://{address}"));
        config.clients_file = Some(file);
    })
    .await
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What scripts of a language are run by; the set-up of the tests installs it.
fn interpreter(script: &str) -> PathBuf {
    let (program, needs) = if script.ends_with(".py") {
        let python = root().join(".tools/venv/bin/python");
        (python.clone(), python)
    } else {
        (PathBuf::from("node"), root().join("tests/clients/node_modules"))
    };
    assert!(needs.exists(), "scripts/setup-test.sh makes {}", needs.display());
    program
}

/// Runs a script to its end, and does for it what no client can.
async fn run(server: &TestServer, script: &str, mut given: Value) {
    given["url"] = json!(server.url(""));
    given["pool"] = json!(server.config.pool_id);
    given["secret"] = json!(SECRET);
    let mut child = Command::new(interpreter(script))
        .arg(root().join("tests/clients").join(script))
        .arg(given.to_string())
        // Neither credentials nor settings of whoever runs the tests.
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .env("AWS_CONFIG_FILE", "/dev/null")
        .env("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let (mut answers, asked) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(asked).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        let asked: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{script} said {line}"));
        let answer = serve(server, &asked).await;
        // Who has ended does not listen: its status tells why.
        let _ = answers.write_all(format!("{answer}\n").as_bytes()).await;
    }
    let status = child.wait().await.unwrap();
    assert!(status.success(), "{script} ended with {status}");
}

/// What a script asks for, and the server's time.
async fn serve(server: &TestServer, asked: &Value) -> Value {
    let mut password = Value::Null;
    if let Some(seconds) = asked["advance"].as_i64() {
        server.clock.advance(Duration::seconds(seconds));
    } else if let Some(uid) = asked["reset"].as_str() {
        password = server.operator(&["members", "reset-password", uid, "--json"]).await.json()["temporaryPassword"].take();
    } else {
        panic!("a script asks for {asked}");
    }
    json!({"now": server.clock.now().unix_timestamp(), "password": password})
}

macro_rules! scripts {
    ($($name:ident: $script:literal, $given:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            let server = server().await;
            run(&server, $script, $given).await;
            server.stop().await;
        }
    )*};
}

scripts! {
    amazon_cognito_identity_js_makes_and_keeps_accounts: "with_identity_js.mjs", json!({"part": "accounts"});
    amazon_cognito_identity_js_takes_every_step_of_a_sign_in: "with_identity_js.mjs", json!({"part": "steps"});
    the_aws_sdk_for_javascript_calls_every_operation: "with_aws_sdk.mjs", json!({});
    boto3_calls_every_operation: "with_boto3.py", json!({});
    pycognito_does_all_that_it_can: "with_pycognito.py", json!({});
}

#[tokio::test]
async fn verifiers_of_other_houses_take_the_tokens_by_the_published_keys() {
    let server = server().await;
    let ana = server.ana().await;
    let issuer = server.url(&format!("/{}", server.config.pool_id));
    let given = json!({"issuer": issuer, "client": server.web_client_id, "uid": ana.uid, "access": ana.token, "id": ana.id_token});
    run(&server, "with_verifiers.mjs", given).await;
    server.stop().await;
}

#[tokio::test]
async fn openid_client_signs_in_by_the_hosted_page() {
    let server = server().await;
    let ana = server.ana().await;
    run(&server, "with_openid_client.mjs", json!({"uid": ana.uid, "email": ana.email})).await;
    server.stop().await;
}

#[tokio::test]
async fn members_of_oidc_provider_come_to_an_application_of_openid_client() {
    let upstream = format!("http://{}", address());
    let provider = |name: &str, more: &str| {
        let id = name.to_lowercase();
        format!("[[provider]]\nname = \"{name}\"\nissuer = \"{upstream}\"\nclient_id = \"{id}\"\n{more}\n")
    };
    let file = provider("Club", &format!("client_secret = \"{SECRET}\"")) + &provider("Guild", "");
    let server = server_with(&file).await;
    let ana = server.ana().await;
    let given = json!({"uid": ana.uid, "email": ana.email, "upstream": upstream});
    run(&server, "with_openid_client.mjs", given).await;
    server.stop().await;
}
