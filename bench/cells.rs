//! All that is measured in a round: each call over every face, beside each other.

use crate::{
    accepts::Requests,
    asked::{self, All, BROWSE, CREATE, Check, GET_ACTIVE, GET_PROFILE, GET_USER, INITIATE_AUTH, LIST_RECEIVED, REFUSED, SEARCH},
    bare,
    calls::{HttpCall, Rest, Rpc, Srp, channels},
    crowd::Crowd,
    lending::{self, BROWSE_FEED, Feed, Feeds},
    load::{self, Figures, Watched},
    people::Signer,
    pgbench::Scripts,
    probe,
    recorded::Recorded,
    repeat::Repeater,
    rounds::Cell,
    servers::Server,
    what::{ALONE, Build, CROWD, Face, Key, STEER, What},
};
use anyhow::Result;
use goodturn::pb::items::BrowseFeedResponse;
use prost::Message;
use std::{path::PathBuf, sync::Arc, time::Duration};

/// A build of the server that runs, and the members who call it, with tokens that it gave them.
pub struct Node {
    /// Which build.
    pub build: Build,
    /// The server.
    pub server: Server,
    /// The members.
    pub signers: Arc<[Signer]>,
}

/// What there is to measure.
pub struct Ground {
    /// What stands here.
    pub this: Node,
    /// What it is compared with.
    pub before: Option<Node>,
    /// Those with many friends, with tokens of what stands here.
    pub crowd: Crowd,
    /// The bare service.
    pub bare: Server,
    /// The database of all.
    pub database_url: String,
    /// The parent of all Postgres processes, when it runs here.
    pub postgres: Option<u32>,
    /// pgbench, when there is one.
    pub pgbench: Option<PathBuf>,
    /// How long each figure is measured.
    pub lasting: Duration,
}

/// A read: how it is asked over each face.
struct Read<Q, A> {
    what: What,
    path: &'static str,
    asked: fn(&[Signer]) -> Result<All<Q>>,
    check: Check<A>,
    rest: fn(&str, &Signer) -> Result<HttpCall>,
}

/// Who is called, and watched.
#[derive(Clone)]
struct Target {
    url: String,
    watched: Watched,
    lasting: Duration,
}

impl Ground {
    /// Everything, in the order of a round.
    ///
    /// # Errors
    /// When a path does not answer as it must.
    pub async fn cells(&self, recorded: &Recorded) -> Result<Vec<Cell>> {
        let mut cells = self.sign_ins(recorded).await?;
        cells.extend(self.tokens()?);
        let circle =
            Read { what: What::GetActive, path: GET_ACTIVE, asked: asked::actives, check: asked::all_friends, rest: asked::get_active };
        cells.extend(self.read(circle, &recorded.get_active).await?);
        let received =
            Read { what: What::Received, path: LIST_RECEIVED, asked: asked::lists, check: asked::a_page, rest: asked::get_received };
        cells.extend(self.read(received, &recorded.received).await?);
        cells.extend(self.people()?);
        cells.extend(self.feeds(&recorded.feeds));
        cells.extend(self.accepts(&recorded.accepts));
        cells.extend(self.favors(recorded)?);
        cells.extend(self.empty()?);
        Ok(cells)
    }

    async fn sign_ins(&self, recorded: &Recorded) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for node in self.nodes() {
            let key = Key { what: What::SignIn, face: Face::Grpc(node.build), at_once: STEER };
            cells.push(rpc(key, self.target(&node.server), INITIATE_AUTH, asked::sign_ins(&node.signers), asked::signed_in));
        }
        for node in self.nodes() {
            cells.push(self.rest(What::SignIn, node, asked::post_sign_in).await?);
        }
        cells.push(self.sql(What::SignIn, STEER, &recorded.sign_in));
        cells.extend(self.nodes().map(|node| self.srp(node)));
        Ok(cells)
    }

    /// What tokens cost: to be had anew, to be read, and to be refused.
    fn tokens(&self) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for node in self.nodes() {
            let key = |what| Key { what, face: Face::Grpc(node.build), at_once: STEER };
            let target = || self.target(&node.server);
            cells.push(rpc(key(What::Refresh), target(), INITIATE_AUTH, asked::refreshes(&node.signers), asked::signed_in));
            cells.push(rpc(key(What::GetUser), target(), GET_USER, asked::users(&node.signers), asked::a_user));
            cells.push(rpc(key(What::Forged), target(), LIST_RECEIVED, asked::forged(&node.signers)?, asked::a_stranger));
        }
        Ok(cells)
    }

    async fn read<Q, A>(&self, read: Read<Q, A>, scripts: &Arc<Scripts>) -> Result<Vec<Cell>>
    where
        Q: Message + Clone + 'static,
        A: Message + Default + 'static,
    {
        let mut cells = Vec::new();
        let grpc = |server, face, at_once, signers: &[Signer]| -> Result<Cell> {
            let key = Key { what: read.what, face, at_once };
            Ok(rpc(key, self.target(server), read.path, (read.asked)(signers)?, read.check))
        };
        for node in self.nodes() {
            cells.push(grpc(&node.server, Face::Grpc(node.build), STEER, &node.signers)?);
        }
        for node in self.nodes() {
            cells.push(self.rest(read.what, node, read.rest).await?);
        }
        let this = &self.this;
        cells.push(grpc(&self.bare, Face::Bare, STEER, &this.signers)?);
        cells.push(self.sql(read.what, STEER, scripts));
        for at_once in [ALONE, CROWD] {
            cells.push(grpc(&this.server, Face::Grpc(Build::This), at_once, &this.signers)?);
            cells.push(grpc(&self.bare, Face::Bare, at_once, &this.signers)?);
            cells.push(self.sql(read.what, at_once, scripts));
        }
        Ok(cells)
    }

    /// What a screen asks of members, of the build that stands here alone.
    fn people(&self) -> Result<[Cell; 2]> {
        let key = |what| Key { what, face: Face::Grpc(Build::This), at_once: STEER };
        let target = || self.target(&self.this.server);
        Ok([
            rpc(key(What::GetCrowd), target(), GET_ACTIVE, asked::actives(&self.crowd.hosts)?, asked::a_crowd),
            rpc(key(What::Profile), target(), GET_PROFILE, asked::profiles(&self.this.signers)?, asked::a_profile),
        ])
    }

    /// What is made and found of favors, beside its SQL, of the build that stands here alone.
    fn favors(&self, recorded: &Recorded) -> Result<[Cell; 12]> {
        let key = |what| Key { what, face: Face::Grpc(Build::This), at_once: STEER };
        let target = || self.target(&self.this.server);
        let (signers, hosts) = (&self.this.signers, &self.crowd.hosts);
        Ok([
            rpc(key(What::ReceivedLong), target(), LIST_RECEIVED, asked::lists(hosts)?, asked::a_page),
            self.sql(What::ReceivedLong, STEER, &recorded.received_long),
            rpc(key(What::Browse), target(), BROWSE, asked::browses(signers)?, asked::a_browsed_page),
            self.sql(What::Browse, STEER, &recorded.browse),
            rpc(key(What::Search), target(), SEARCH, asked::searches(signers, asked::WORD)?, asked::a_found_page),
            self.sql(What::Search, STEER, &recorded.search),
            rpc(key(What::SearchTypo), target(), SEARCH, asked::searches(signers, asked::TYPO)?, asked::a_found_page),
            self.sql(What::SearchTypo, STEER, &recorded.search_typo),
            rpc(key(What::SearchLong), target(), SEARCH, asked::searches(hosts, asked::TYPO)?, asked::a_found_page),
            self.sql(What::SearchLong, STEER, &recorded.search_long),
            // Last: what it makes is in the lists of all others, at their ends.
            rpc(key(What::Create), target(), CREATE, recorded.creates.clone(), asked::a_favor),
            self.sql(What::Create, STEER, &recorded.create),
        ])
    }

    /// What friends lend, beside its SQL, of the build that stands here alone; the first page beside the bare service too.
    pub fn feeds(&self, feeds: &Feeds) -> Vec<Cell> {
        let checked = [
            (What::Feed, &feeds.first, lending::a_page as Check<_>),
            (What::FeedDeep, &feeds.deep, lending::a_deep_page),
            (What::FeedCategory, &feeds.category, lending::a_page),
            (What::FeedWord, &feeds.word, lending::a_page),
            (What::FeedTypo, &feeds.typo, lending::a_page),
            (What::FeedCrowd, &feeds.crowd, lending::a_page),
        ];
        let beside = |at_once, (what, feed, check): (What, &Feed, Check<BrowseFeedResponse>)| {
            let key = Key { what, face: Face::Grpc(Build::This), at_once };
            [rpc(key, self.target(&self.this.server), BROWSE_FEED, feed.asked.clone(), check), self.sql(what, at_once, &feed.scripts)]
        };
        let crowd = beside(CROWD, (What::Feed, &feeds.first, lending::a_page));
        let bare = [STEER, CROWD].map(|at_once| {
            let key = Key { what: What::Feed, face: Face::Bare, at_once };
            rpc(key, self.target(&self.bare), BROWSE_FEED, feeds.first.asked.clone(), lending::a_page as Check<_>)
        });
        checked.into_iter().flat_map(|feed| beside(STEER, feed)).chain(crowd).chain(bare).collect()
    }

    /// What owners accept, beside its SQL, of the build that stands here alone.
    fn accepts(&self, requests: &Arc<Requests>) -> Vec<Cell> {
        let key = |what, face| Key { what, face, at_once: STEER };
        let given = || (self.target(&self.this.server), self.database_url.clone(), requests.clone());
        let (each, one) = (given(), given());
        let mut cells = vec![
            Cell::new(key(What::Accept, Face::Grpc(Build::This)), move || {
                let (to, url, requests) = each.clone();
                async move { requests.accept(&to.url, &url, to.watched).await }
            }),
            Cell::new(key(What::AcceptOne, Face::Grpc(Build::This)), move || {
                let (to, url, requests) = one.clone();
                async move { requests.race(&to.url, &url, to.watched).await }
            }),
        ];
        cells.extend(self.pgbench.clone().map(|program| {
            let beside = given();
            Cell::new(key(What::Accept, Face::Pgbench), move || {
                let (program, (to, url, requests)) = (program.clone(), beside.clone());
                async move { requests.repeat(&program, &url, to.watched.postgres).await }
            })
        }));
        cells
    }

    fn empty(&self) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for node in self.nodes() {
            let key = |what| Key { what, face: Face::Grpc(node.build), at_once: STEER };
            let target = || self.target(&node.server);
            cells.push(rpc(key(What::Empty), target(), LIST_RECEIVED, asked::empties(&node.signers)?, asked::nothing));
            cells.push(rpc(key(What::Refused), target(), REFUSED, asked::unnamed(&node.signers)?, asked::refused));
        }
        for (what, asked) in [(What::Empty, Arc::from([((), None)])), (What::Unread, asked::unnamed(&self.this.signers)?)] {
            let key = Key { what, face: Face::Bare, at_once: STEER };
            cells.push(rpc::<(), ()>(key, self.target(&self.bare), bare::EMPTY, asked, |answer| Ok(answer?)));
        }
        Ok(cells)
    }

    fn srp(&self, node: &Node) -> Cell {
        let key = Key { what: What::SignInSrp, face: Face::Grpc(node.build), at_once: STEER };
        let (to, signers) = (self.target(&node.server), node.signers.clone());
        Cell::new(key, move || {
            let (to, signers) = (to.clone(), signers.clone());
            async move {
                let channels = channels(&to.url, key.at_once).await?;
                let callers = channels.into_iter().enumerate().map(|(n, channel)| Srp::new(n, channel, &signers)).collect();
                load::run(to.watched, callers, to.lasting).await
            }
        })
    }

    async fn rest(&self, what: What, node: &Node, call: fn(&str, &Signer) -> Result<HttpCall>) -> Result<Cell> {
        let key = Key { what, face: Face::Rest(node.build), at_once: STEER };
        let mut calls = Vec::new();
        for signer in &*node.signers {
            let mut call = call(&node.server.url, signer)?;
            call.bytes_min = probe::rest(what, &call).await? / 2;
            calls.push(call);
        }
        let (to, calls): (_, Arc<[HttpCall]>) = (self.target(&node.server), calls.into());
        Ok(Cell::new(key, move || {
            let (to, calls) = (to.clone(), calls.clone());
            async move {
                let callers = (0..key.at_once).map(|n| Rest::new(n, &calls)).collect::<Result<_>>()?;
                load::run(to.watched, callers, to.lasting).await
            }
        }))
    }

    /// The SQL alone.
    fn sql(&self, what: What, at_once: usize, scripts: &Arc<Scripts>) -> Cell {
        let (url, postgres, lasting, scripts) = (self.database_url.clone(), self.postgres, self.lasting, scripts.clone());
        let Some(program) = self.pgbench.clone() else {
            let key = Key { what, face: Face::Sqlx, at_once };
            return Cell::new(key, move || repeat(url.clone(), postgres, at_once, lasting, scripts.clone()));
        };
        Cell::new(Key { what, face: Face::Pgbench, at_once }, move || {
            let (program, url, scripts) = (program.clone(), url.clone(), scripts.clone());
            async move { tokio::task::spawn_blocking(move || scripts.run(&program, &url, postgres, at_once, lasting)).await? }
        })
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        std::iter::once(&self.this).chain(&self.before)
    }

    fn target(&self, server: &Server) -> Target {
        let watched = Watched { server: server.pid(), postgres: self.postgres };
        Target { url: server.url.clone(), watched, lasting: self.lasting }
    }
}

fn rpc<Q, A>(key: Key, to: Target, path: &'static str, asked: All<Q>, check: Check<A>) -> Cell
where
    Q: Message + Clone + 'static,
    A: Message + Default + 'static,
{
    Cell::new(key, move || {
        let (to, asked) = (to.clone(), asked.clone());
        async move {
            let callers = Rpc::crowd(channels(&to.url, key.at_once).await?, path, &asked, check);
            load::run(to.watched, callers, to.lasting).await
        }
    })
}

/// Repeats the SQL from connections of this program. There is no server in this: the process that is watched is this one.
async fn repeat(url: String, postgres: Option<u32>, at_once: usize, lasting: Duration, scripts: Arc<Scripts>) -> Result<Figures> {
    let mut callers = Vec::new();
    for n in 0..at_once {
        callers.push(Repeater::new(n, &url, &scripts.calls, scripts.new_ids).await?);
    }
    let figures = load::run(Watched { server: std::process::id(), postgres }, callers, lasting).await?;
    Ok(Figures { server_ms: None, caller_ms: None, memory_mb: None, ..figures })
}
