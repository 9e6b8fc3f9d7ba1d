//! Pictures in a bucket: against a storage that speaks S3 and checks what is signed.

use super::claims;
use crate::harness::{Member, TestServer, drawn, until};
use goodturn::{clock::Clock, config::Config, jobs::Handler, pb::profile::DeletePictureRequest, pictures};
use hyper::{Method, Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use image::ImageFormat;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use serde_json::json;
use std::{fs, path::Path, sync::Arc};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::Semaphore};

/// A storage with one bucket, in a folder.
async fn storage() -> (TempDir, String) {
    storage_behind(Arc::new(Semaphore::new(Semaphore::MAX_PERMITS))).await
}

/// The same, where each rendition waits at a gate before it is written.
async fn storage_behind(gate: Arc<Semaphore>) -> (TempDir, String) {
    let folder = crate::harness::scratch();
    fs::create_dir(folder.path().join("faces")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    service.set_auth(SimpleAuth::from_single("keyid", "canary-secret"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (service, gate) = (service.clone(), gate.clone());
            let gated = service_fn(move |request: Request<Incoming>| {
                let (service, gate) = (service.clone(), gate.clone());
                async move {
                    if request.method() == Method::PUT && request.uri().path().contains("/renditions/") {
                        gate.acquire().await.unwrap().forget();
                    }
                    service.call(request.map(s3s::Body::from)).await
                }
            });
            tokio::spawn(
                async move { Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), gated).await.map_err(drop) },
            );
        }
    });
    (folder, endpoint)
}

/// At the machine's time, by which the storage goes.
async fn server(endpoint: &str) -> TestServer {
    let there = |c: &mut Config| {
        let pictures = &mut c.pictures;
        (pictures.pictures_dir, pictures.pictures_s3_bucket) = (None, Some("faces".into()));
        (pictures.pictures_s3_endpoint, pictures.pictures_s3_key_id) = (Some(endpoint.to_owned()), Some("keyid".into()));
        pictures.pictures_s3_secret = Some("canary-secret".parse().unwrap());
    };
    TestServer::start_with(Clock::system(), there).await
}

/// The pictures in the bucket.
fn objects(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(objects(&path))
        } else if !name.starts_with('.') {
            found.push(name)
        }
    }
    found.sort();
    found
}

async fn put(url: &str, media_type: &str, bytes: Vec<u8>) -> u16 {
    let put = reqwest::Client::new().put(url).header("content-type", media_type).body(bytes);
    put.send().await.unwrap().status().as_u16()
}

async fn uploads(server: &TestServer, who: &Member, bytes: Vec<u8>) -> String {
    let told = server.announces(who, bytes.len()).await.unwrap();
    assert_eq!(put(&told.upload_url, "image/png", bytes).await, 200);
    told.key
}

#[tokio::test]
async fn a_picture_goes_through_a_bucket() {
    let ((folder, endpoint), file) = (storage().await, drawn(ImageFormat::Png, 300, 200));
    let bucket = folder.path().join("faces");
    let server = server(&endpoint).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let told = server.announces(&ana, file.len()).await.unwrap();
    assert!(told.upload_url.starts_with(&format!("{endpoint}/faces/uploads/{}?", told.key)), "{}", told.upload_url);
    assert!(!told.upload_url.contains("canary"));
    let edited = told.upload_url.replace("uploads", "renditions");
    for (url, media_type, bytes) in [
        (&told.upload_url, "text/html", file.clone()),
        (&told.upload_url, "image/png", file[1..].to_vec()),
        (&told.upload_url, "image/png", [file.as_slice(), b"x"].concat()),
        (&edited, "image/png", file.clone()),
    ] {
        assert_eq!(put(url, media_type, bytes).await, 403, "{media_type}");
    }
    assert_eq!(server.sets(&ana, &told.key).await.unwrap_err().reason, "NOT_FOUND", "nothing was put there");
    assert_eq!(put(&told.upload_url, "image/png", file.clone()).await, 200);
    let url = server.sets(&ana, &told.key).await.unwrap();
    assert_eq!(server.sets(&ana, &told.key).await.unwrap(), url);
    let given = reqwest::get(&url).await.unwrap();
    assert_eq!(given.status(), 200);
    assert_eq!(given.headers()["content-type"], "image/jpeg");
    assert_eq!(given.headers()["cache-control"], "private, max-age=3600, immutable");
    assert_eq!(given.headers()["content-disposition"], "attachment; filename=\"picture.jpg\"");
    assert_eq!(image::load_from_memory(&given.bytes().await.unwrap()).unwrap().into_rgb8().dimensions(), (256, 171));
    assert_eq!(reqwest::get(url.replace("256.jpg", "64.jpg")).await.unwrap().status(), 403);
    assert_eq!(claims(&server.signed_in_again(&ana).await.id_token)["picture"], url);
    // The app may load it from there, and put it there.
    let page = server.http(reqwest::Method::GET, "/").send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains(&format!("img-src 'self' {endpoint} data:")) && policy.contains(&format!("connect-src 'self' {endpoint};")),
        "{policy}"
    );

    // No picture, and another member's.
    let refused = server.sets(&ben, &uploads(&server, &ben, b"<script>alert(1)</script>".to_vec()).await).await.unwrap_err();
    assert_eq!(refused.fields, [("key".to_owned(), "INVALID".to_owned())]);
    assert_eq!(server.sets(&ben, &told.key).await.unwrap_err().reason, "NOT_FOUND");
    until("the uploads are removed", async || objects(&bucket) == super::RENDITIONS).await;
    server.profile(&ana).delete_picture(DeletePictureRequest::default()).await.unwrap();
    until("the renditions are removed", async || objects(&bucket).is_empty()).await;
    pictures::Clear(server.node.deps.clone()).run(&json!({ "member": ana.uid })).await.unwrap();
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 404);
    server.stop().await;
}

#[tokio::test]
async fn without_its_storage_a_picture_waits() {
    let (_, endpoint) = storage().await;
    let server = server("http://127.0.0.1:1").await;
    let ana = server.ana().await;
    let told = server.announces(&ana, 10).await.unwrap();
    assert!(!told.upload_url.starts_with(&endpoint));
    let refused = server.sets(&ana, &told.key).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (tonic::Code::Unavailable, "UNAVAILABLE"), "{refused:?}");
    assert!(pictures::Clear(server.node.deps.clone()).run(&json!({ "member": ana.uid })).await.is_ok(), "nothing is due");
    server.stop().await;
}

/// A slow bucket keeps nobody waiting but those who want that picture: while it takes what was drawn, nothing of the database is held.
#[tokio::test]
async fn while_a_bucket_is_slow_nothing_is_held() {
    let gate = Arc::new(Semaphore::new(0));
    let (folder, endpoint) = storage_behind(gate.clone()).await;
    let server = server(&endpoint).await;
    let ana = server.ana().await;
    let key = uploads(&server, &ana, drawn(ImageFormat::Png, 40, 30)).await;
    let waits = async {
        until("what was drawn is being written", async || {
            let begun = "SELECT count(*) FROM pictures WHERE drawn_of IS NOT NULL AND drawn_at IS NULL";
            let begun: i64 = sqlx::query_scalar(begun).fetch_one(&mut server.database.connect().await).await.unwrap();
            begun == 1
        })
        .await;
        let mut conn = server.database.connect().await;
        sqlx::query("SELECT FROM pictures FOR UPDATE NOWAIT").execute(&mut conn).await.expect("its row is free");
        // What others do ends by itself; what waited for the bucket would stay as long as that does.
        until("every connection is free too", async || {
            let held = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
            sqlx::query_scalar::<_, i64>(held).fetch_one(&mut conn).await.unwrap() == 0
        })
        .await;
        // So many wait for one thing that the first is dropped, which needs its row.
        for _ in 0..4 {
            server.announces(&ana, 10).await.unwrap();
        }
        gate.add_permits(4);
    };
    let (_, set) = tokio::join!(waits, server.sets(&ana, &key));
    assert!(set.is_ok(), "{set:?}");
    assert_eq!(objects(folder.path()).iter().filter(|name| name.ends_with(".jpg")).count(), 4);
    server.stop().await;
}
