//! What open notification streams cost in memory.

use crate::{calls::bearer, people::Signer, servers::Server, usage};
use anyhow::Result;
use goodturn::pb::notifications::{WatchNotificationsRequest, WatchNotificationsResponse};
use std::time::Duration;
use tonic::{
    Request, Streaming,
    client::Grpc,
    codegen::http::uri::PathAndQuery,
    transport::{Channel, Endpoint},
};
use tonic_prost::ProstCodec;

/// How many are opened.
pub const STREAMS: usize = 1000;
const PER_CONNECTION: usize = 50;
const PATH: &str = "/goodturn.notifications.v1.NotificationsService/WatchNotifications";
/// Until what opening took is given back.
const SETTLES_WITHIN: Duration = Duration::from_secs(1);

/// How much the resident memory of a server grew with 1,000 open streams, in MB.
///
/// # Errors
/// When one is refused.
pub async fn memory_mb(server: &Server, signers: &[Signer]) -> Result<f64> {
    let before = usage::memory_mb(server.pid());
    let mut open: Vec<Streaming<WatchNotificationsResponse>> = Vec::new();
    for (connection, n) in (0..STREAMS).step_by(PER_CONNECTION).enumerate() {
        let channel: Channel = Endpoint::from_shared(server.url.clone())?.connect().await?;
        let signers = signers.iter().cycle().skip(connection).take(PER_CONNECTION.min(STREAMS - n));
        for signer in signers {
            let mut request = Request::new(WatchNotificationsRequest::default());
            request.metadata_mut().insert("authorization", bearer(&signer.token)?);
            let mut client = Grpc::new(channel.clone());
            client.ready().await?;
            let stream = client.server_streaming(request, PathAndQuery::from_static(PATH), ProstCodec::default()).await?;
            open.push(stream.into_inner());
        }
    }
    tokio::time::sleep(SETTLES_WITHIN).await;
    Ok(usage::memory_mb(server.pid()) - before)
}
