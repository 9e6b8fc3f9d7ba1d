//! The RPCs of profiles.

use crate::{
    auth,
    deps::Deps,
    error::Result,
    favors, friends,
    ids::MemberId,
    pb::profile::{Earning, GetStatsRequest, GetStatsResponse, Stats, profile_service_server::ProfileService},
    read,
};
use tonic::{Request, Response, Status};

/// ProfileService.
#[derive(Clone)]
pub struct Service {
    deps: Deps,
}

impl Service {
    /// With what every service is given.
    pub fn new(deps: Deps) -> Self {
        Self { deps }
    }

    /// Counts anew at each call: nothing is kept that could differ from the favors.
    async fn stats(&self, me: MemberId) -> Result<Stats> {
        read!(self.deps.pool, |conn| {
            let counts = favors::counts(conn, me).await?;
            let helped = favors::helped(conn, &[me]).await?;
            let friends = friends::count_friends(conn, me).await?;
            let earned = favors::earnings(conn, me).await?;
            Ok(Stats {
                favors_posted: small(counts.posted),
                favors_completed: small(counts.completed),
                favors_helped: small(helped.get(&me).copied().unwrap_or(0)),
                // Items and rentals come in a later release: there are none to count.
                items_shared: 0,
                rentals_completed: 0,
                friends: small(friends),
                earnings: earned.into_iter().map(|(currency, tips)| earning(currency, tips.units())).collect(),
            })
        })
    }
}

fn earning(currency: favors::Currency, amount: f64) -> Earning {
    Earning { currency: favors::currency_word(currency).into(), amount }
}

fn small(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

#[tonic::async_trait]
impl ProfileService for Service {
    async fn get_stats(&self, request: Request<GetStatsRequest>) -> std::result::Result<Response<GetStatsResponse>, Status> {
        let caller = auth::caller(&request)?;
        caller.must_be(&request.get_ref().uid)?;
        Ok(Response::new(GetStatsResponse { stats: Some(self.stats(caller.member).await?) }))
    }
}
