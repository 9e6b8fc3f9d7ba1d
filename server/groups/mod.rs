//! Groups come in a later release: until then the gate answers every one of these RPCs, after authentication.

use crate::pb::groups::groups_service_server::GroupsService;

/// Serves no RPC yet.
pub struct Service;

impl GroupsService for Service {}
