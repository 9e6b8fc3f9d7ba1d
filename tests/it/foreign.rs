//! A gRPC client of another house (Python's grpcio) that learns the contract by reflection.

use crate::harness::TestServer;
use serde_json::Value;
use std::path::Path;
use tokio::process::Command;

#[tokio::test]
async fn a_foreign_client_learns_the_contract_and_calls() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join(".tools/venv/bin/python");
    assert!(python.exists(), "scripts/setup-test.sh makes {}", python.display());
    let run = Command::new(python)
        .arg(root.join("tests/it/foreign_client.py"))
        .args([server.node.address.to_string(), ana.token.clone(), ana.uid.clone()])
        .output()
        .await
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let told: Value = serde_json::from_slice(&run.stdout).unwrap();
    let services = told["services"].as_array().unwrap();
    for service in ["goodturn.favors.v1.FavorsService", "goodturn.identity.v1.IdentityService", "grpc.health.v1.Health"] {
        assert!(services.iter().any(|s| s == service), "{service} is not in {services:?}");
    }
    assert_eq!(told["health"], "SERVING");
    assert_eq!(told["refused"], "UNAUTHENTICATED");
    assert!(told["created"].to_string().contains("Feed the cat"), "{told}");
    assert!(told["listed"].to_string().contains("Feed the cat"), "{told}");
    server.stop().await;
}
