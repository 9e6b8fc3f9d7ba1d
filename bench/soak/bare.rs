//! Row 44: a machine that has nothing: no zones, no home, no environment, and a program folder that cannot be written.

use crate::{
    ground::Ground,
    node::{Node, free_port},
    process::GOODTURN,
    table::Row,
};
use anyhow::{Context, Result};
use serde_json::json;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

const MUST: &str = "starts, and signs up members of every zone";
/// The last two are an old name, which browsers still send, and one that there is not.
const ZONES: [(&str, u16); 6] = [
    ("UTC", 200),
    ("Europe/Lisbon", 200),
    ("America/Argentina/Ushuaia", 200),
    ("Pacific/Chatham", 200),
    ("Asia/Calcutta", 200),
    ("Europe/Atlantis", 400),
];
/// Empties what a machine has, for this process alone: $1 is the program's folder. What follows it is run with nothing in the environment
/// but what it names.
const BARE: &str = r#"set -e
for dir in /usr/share/zoneinfo /usr/lib/zoneinfo /usr/share/lib/zoneinfo /etc /root /home; do
  if [ -d "$dir" ]; then mount -t tmpfs -o ro bare "$dir"; fi
done
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
cd "$1"
shift
if touch written 2>/dev/null || [ -e /etc/localtime ] || [ -e /usr/share/zoneinfo/UTC ]; then exit 9; fi
exec env -i "$@""#;

/// Runs the row.
///
/// # Errors
/// When it cannot be run to its end.
pub async fn row(ground: &mut Ground) -> Result<Row> {
    if let Err(why) = namespace() {
        return Ok(Row::not_run(44, MUST, format!("{why:#}")));
    }
    let mut row = Row::new(44, "no zone files, /etc, home or environment, in a program folder that cannot be written", MUST);
    let folder = ground.dir("row44");
    fs::create_dir_all(&folder)?;
    fs::copy(GOODTURN, folder.join("goodturn"))?;
    let mut node = node(&folder, &ground.database("row44").await?)?;
    match node.ready().await {
        Ok(took) => row.check(true, format!("ready after {} ms", took.as_millis())),
        Err(cause) => {
            row.check(false, format!("{cause:#}"));
            return Ok(row);
        }
    }
    for (n, (zone, wanted)) in ZONES.into_iter().enumerate() {
        let status = sign_up(&node, n, zone).await?;
        row.check(status == wanted, format!("{zone} {status}"));
    }
    Ok(row)
}

/// Whether this machine lets us have mounts of our own.
fn namespace() -> Result<()> {
    let tried = Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "bare", "/etc"]).output().context("unshare")?;
    anyhow::ensure!(tried.status.success(), "no mount namespace: {}", String::from_utf8_lossy(&tried.stderr).trim());
    Ok(())
}

fn node(folder: &Path, database: &str) -> Result<Node> {
    let address = free_port()?;
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", BARE, "sh"]).arg(folder);
    command.arg(format!("DATABASE_URL={database}")).arg(format!("GOODTURN_LISTEN={address}"));
    command.arg("GOODTURN_SECRET_KEYS=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    command.arg("./goodturn").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Node::run(command, address)
}

async fn sign_up(node: &Node, n: usize, zone: &str) -> Result<u16> {
    let attributes = json!([{"Name": "name", "Value": "Ana Silva"}, {"Name": "zoneinfo", "Value": zone}]);
    let asked = json!({
        "ClientId": crate::calls::CLIENT_ID, "Username": format!("zone{n}@ring.example"), "Password": "Correct-horse-7",
        "UserAttributes": attributes,
    });
    let client = reqwest::Client::builder().timeout(Duration::from_secs(5)).build()?;
    let call = client.post(&node.url).header("content-type", "application/x-amz-json-1.1");
    let call = call.header("x-amz-target", "AWSCognitoIdentityProviderService.SignUp").body(asked.to_string());
    Ok(call.send().await?.status().as_u16())
}
