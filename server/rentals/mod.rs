//! Rentals come in a later release: until then the gate answers every one of these RPCs, after authentication.

use crate::pb::rentals::rentals_service_server::RentalsService;

/// Serves no RPC yet.
pub struct Service;

impl RentalsService for Service {}
