//! How often one address or one member may call.

use crate::error::{Error, Reason, Result};
use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    state::keyed::DefaultKeyedStateStore,
};
use ipnet::{IpNet, Ipv4Net};
use std::{hash::Hash, net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

/// The address that a request came from; behind a trusted proxy, the one that it tells.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

/// Calls a second over time, and at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Calls a second over time.
    pub per_second: NonZeroU32,
    /// Calls at once after a pause.
    pub burst: NonZeroU32,
}

impl Rate {
    /// A rate; zeros count as one.
    pub const fn new(per_second: u32, burst: u32) -> Self {
        Self { per_second: at_least_one(per_second), burst: at_least_one(burst) }
    }
}

const fn at_least_one(n: u32) -> NonZeroU32 {
    match NonZeroU32::new(n) {
        Some(n) => n,
        None => NonZeroU32::MIN,
    }
}

const SWEEP_EVERY: Duration = Duration::from_secs(30);

/// Counts the calls of each key, in this node. Keys that have been quiet are forgotten, so that memory stays bounded.
#[derive(Clone)]
pub struct Limiter<K: Hash + Eq + Clone>(Arc<RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock>>);

impl<K: Hash + Eq + Clone + Send + Sync + 'static> Limiter<K> {
    /// Starts to count, within a tokio runtime.
    pub fn new(rate: Rate) -> Self {
        let quota = Quota::per_second(rate.per_second).allow_burst(rate.burst);
        let limiter = Arc::new(RateLimiter::keyed(quota));
        let weak = Arc::downgrade(&limiter);
        tokio::spawn(async move {
            while let Some(limiter) = weak.upgrade() {
                limiter.retain_recent();
                drop(limiter);
                tokio::time::sleep(SWEEP_EVERY).await;
            }
        });
        Self(limiter)
    }

    /// Counts one call.
    ///
    /// # Errors
    /// RATE_LIMITED with the time to wait.
    pub fn count(&self, key: &K) -> Result<()> {
        self.0.check_key(key).map_err(|refused| {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            Error::new(Reason::RateLimited, "too many requests; try again later").retry_after(wait)
        })
    }
}

/// The key of an address: an IPv6 network of 64 bits is one household.
pub fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6((u128::from(v6) & !u128::from(u64::MAX)).into()),
        },
    }
}

/// Networks by their addresses, whichever way a dual-stack port tells an IPv4 address.
#[derive(Clone, Debug, Default)]
pub struct Networks(Arc<[IpNet]>);

impl Networks {
    /// These ones; a network within `::ffff:0:0/96` is the IPv4 network that it maps.
    pub fn new(networks: impl IntoIterator<Item = IpNet>) -> Self {
        Self(networks.into_iter().map(unmapped).collect())
    }

    /// Whether an address is in one of them.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

fn unmapped(network: IpNet) -> IpNet {
    let IpNet::V6(v6) = network else { return network };
    let bits = v6.prefix_len().checked_sub(96);
    let v4 = v6.addr().to_ipv4_mapped().zip(bits).and_then(|(address, bits)| Ipv4Net::new(address, bits).ok());
    v4.map_or(network, IpNet::V4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_call_after_the_burst_is_refused_and_others_are_not() {
        let limiter = Limiter::new(Rate::new(1, 3));
        for _ in 0..3 {
            limiter.count(&"ana").unwrap();
        }
        assert_eq!(limiter.count(&"ana").unwrap_err().reason(), Reason::RateLimited);
        limiter.count(&"ben").unwrap();
    }

    #[test]
    fn one_network_is_one_household() {
        let key = |text: &str| household(text.parse().unwrap());
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("::ffff:10.0.0.1"), key("10.0.0.1"));
        assert_ne!(key("10.0.0.1"), key("10.0.0.2"));
    }

    #[test]
    fn a_mapped_address_is_in_the_network_of_its_ipv4_address() {
        let networks = |list: &[&str]| Networks::new(list.iter().map(|text| text.parse::<IpNet>().unwrap()));
        let has = |list: &[&str], address: &str| networks(list).contain(address.parse().unwrap());
        assert!(has(&["10.0.0.0/8"], "10.200.0.1"));
        assert!(has(&["10.0.0.0/8"], "::ffff:10.0.0.1"));
        assert!(has(&["::ffff:10.0.0.0/104"], "10.0.0.1"));
        assert!(has(&["2001:db8::/32", "10.0.0.1/32"], "2001:db8:1::1"));
        assert!(!has(&["10.0.0.0/8", "2001:db8::/32"], "11.0.0.1"));
        assert!(!has(&["10.0.0.0/8"], "::10.0.0.1"));
        assert!(!has(&[], "127.0.0.1"));
    }
}
