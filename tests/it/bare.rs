//! The program on a machine that has nothing: no zones, no home, no environment, and a folder that it cannot write.

use crate::harness::{Database, Faces, PASSWORD, scratch, until};
use serde_json::json;
use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    process::{Child, Command, Stdio},
};

/// Ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn a_bare_machine_signs_up_members_of_every_zone() {
    let (database, folder, zones) = (Database::create().await, scratch(), scratch());
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    // A machine that has one zone hides those of the other places where zones are looked for.
    fs::write(zones.path().join("UTC"), b"TZif2").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let environment = [
        ("TZDIR", zones.path().to_str().unwrap()),
        ("GOODTURN_MODE", "production"),
        ("GOODTURN_LISTEN", &address),
        ("GOODTURN_SECRET_KEYS", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
        ("GOODTURN_PUBLIC_URL", "https://goodturn.test"),
        ("GOODTURN_SMTP_URL", "smtps://127.0.0.1:1"),
        ("GOODTURN_MAIL_FROM", "Goodturn <hello@goodturn.test>"),
        ("DATABASE_URL", database.url()),
        ("GOODTURN_PICTURES_DIR", zones.path().to_str().unwrap()),
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodturn"));
    command.env_clear().envs(environment).current_dir(folder.path());
    let _running = Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let faces = Faces::new(&address);
    until("it is ready", async || reqwest::get(faces.url("/readyz")).await.is_ok_and(|r| r.status() == 200)).await;

    // The third one is an old name, which browsers still send.
    for (n, zone) in ["Europe/Lisbon", "America/Argentina/Ushuaia", "Asia/Calcutta", "UTC"].into_iter().enumerate() {
        let attributes = json!([{"Name": "name", "Value": "Ana Silva"}, {"Name": "zoneinfo", "Value": zone}]);
        let member = json!({"ClientId": faces.web_client_id, "Username": format!("ana{n}@example.org"), "Password": PASSWORD, "UserAttributes": attributes});
        let (status, body) = faces.target("SignUp", member).await;
        assert_eq!(status, 200, "{zone}: {body}");
    }
    let nowhere = json!([{"Name": "name", "Value": "Ana Silva"}, {"Name": "zoneinfo", "Value": "Europe/Atlantis"}]);
    let member = json!({"ClientId": faces.web_client_id, "Username": "eve@example.org", "Password": PASSWORD, "UserAttributes": nowhere});
    assert_eq!(faces.target("SignUp", member).await.0, 400);
}
