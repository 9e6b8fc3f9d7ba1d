//! Items come in a later release: until then the gate answers every one of these RPCs, after authentication.

use crate::pb::items::items_service_server::ItemsService;

/// Serves no RPC yet.
pub struct Service;

impl ItemsService for Service {}
