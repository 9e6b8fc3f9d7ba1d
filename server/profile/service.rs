//! The RPCs of profiles.

use super::{
    Found, Kept,
    changes::{self, Changes},
    pictures, reports,
    rules::{self, Shared},
    store, wire,
};
use crate::{
    auth::{self, Caller},
    db::Tx,
    deps::Deps,
    edge::limits::ClientAddress,
    error::{Error, Reason, Result},
    favors, friends, idempotency,
    identity::{UserPool, attributes::profile as details, store as members},
    ids::MemberId,
    items, notifications,
    pb::{
        self,
        friends::Relation,
        notifications::TargetKind,
        profile::{
            CreatePictureUploadRequest, CreatePictureUploadResponse, DeletePictureRequest, DeletePictureResponse, GetDashboardRequest,
            GetDashboardResponse, GetProfileRequest, GetProfileResponse, GetStatsRequest, GetStatsResponse, ListTrendingCategoriesRequest,
            ListTrendingCategoriesResponse, Profile, ReportProblemRequest, ReportProblemResponse, SetPictureRequest, SetPictureResponse,
            SkipPhoneStepRequest, SkipPhoneStepResponse, StartPhoneVerificationRequest, StartPhoneVerificationResponse, Stats,
            UpdateProfileRequest, UpdateProfileResponse, VerifyPhoneRequest, VerifyPhoneResponse, profile_service_server::ProfileService,
        },
    },
    read, rentals, transact,
};
use sqlx::PgConnection;
use std::{net::IpAddr, sync::Arc};
use time::{Duration, OffsetDateTime};
use tonic::{Request, Response, Status};

const REPORT: &str = "profile.ReportProblem";
/// The most entries of each list of a dashboard.
const EACH_MAX: usize = 5;
/// Over how many days favors are counted by category.
const TRENDING_DAYS: i32 = 30;

/// ProfileService.
#[derive(Clone)]
pub struct Service {
    deps: Deps,
    /// Whose names and numbers these are.
    pool: Arc<UserPool>,
    /// Whether reports of problems are mailed.
    mails_reports: bool,
}

impl Service {
    /// With what every service is given, the members, and whether there is an address to which reports of problems are mailed.
    pub fn new(deps: Deps, pool: Arc<UserPool>, mails_reports: bool) -> Self {
        Self { deps, pool, mails_reports }
    }

    async fn get(&self, me: MemberId, asked: &str) -> Result<Profile> {
        let other = if asked.is_empty() { me } else { MemberId::parse("uid", asked)? };
        read!(self.deps.pool, |conn| seen(conn, &self.deps, me, other).await)
    }

    async fn update(&self, caller: &Caller, changes: &Changes, from: Option<IpAddr>) -> Result<Profile> {
        let (me, now) = (caller.member, self.deps.clock.now());
        transact!(self.deps.pool, |tx| {
            let known = store::kept(tx, me).await?;
            let member = members::member(tx, me).await?.ok_or_else(Error::unauthenticated)?;
            let shown = details::number(tx, &member, now).await?.number;
            let wanted = changes.wanted(&known, |said| self.deps.pictures.is_face(said, member.picture), shown.as_deref())?;
            let ready = details::begin(&self.pool, tx, me, &wanted, from, now).await?;
            let done = details::write(&self.pool, tx, caller, (&ready, &wanted), now).await?;
            // Read under the member's lock: what another call has written meanwhile stays.
            let before = store::kept(tx, me).await?;
            if before.country != known.country && changes.number.is_some() {
                return Err(Error::new(Reason::Conflict, "changed at the same time; try again"));
            }
            // Who had a number has been asked for one.
            let after = changes.apply(&before);
            let after = Kept { phone_step_done: after.phone_step_done || shown.is_some(), ..after };
            if after != before {
                store::put(tx, me, &after, now).await?;
            }
            let profile = seen(tx, &self.deps, me, me).await?;
            notifications::changed(tx, me, TargetKind::Member, me.0);
            details::finish(&self.pool, tx, me, &done).await?;
            Ok(profile)
        })
    }

    async fn verify(&self, caller: &Caller, code: &str, from: Option<IpAddr>) -> Result<()> {
        details::verify_number(&self.pool, caller, code, from).await
    }

    async fn dashboard(&self, me: MemberId) -> Result<GetDashboardResponse> {
        read!(self.deps.pool, |conn| {
            let most = i64::try_from(EACH_MAX).map_err(Error::internal)?;
            let favors = favors::overview(conn, &self.deps, me, most).await?;
            let zone = members::member(conn, me).await?.map(|member| member.time_zone).unwrap_or_default();
            let now = self.deps.clock.now();
            let rentals = rentals::ahead(conn, me, now, most).await?;
            Ok(GetDashboardResponse {
                awaiting_my_answer: favors.awaiting,
                active_favors: favors.active,
                recent_favors: favors.recent,
                upcoming: wire::upcoming(favors.ahead, rentals, &zone, EACH_MAX),
                unread_notifications: notifications::unread(conn, me).await?,
                stats: Some(stats(conn, me).await?),
            })
        })
    }

    async fn trending(&self, me: MemberId) -> Result<ListTrendingCategoriesResponse> {
        let since = self.deps.clock.now() - Duration::days(TRENDING_DAYS.into());
        let found = read!(self.deps.pool, |conn| favors::trends(conn, me, since).await)?;
        Ok(ListTrendingCategoriesResponse { categories: found.iter().map(wire::trending).collect(), days: TRENDING_DAYS })
    }
}

/// Counts anew at each call: nothing is kept that could differ from the favors.
async fn stats(conn: &mut PgConnection, me: MemberId) -> Result<Stats> {
    let counts = favors::counts(conn, me).await?;
    let repute = store::reputes(conn, &[me]).await?.remove(&me).unwrap_or_default();
    let friends = friends::count_friends(conn, me).await?;
    let tips = favors::earnings(conn, me).await?;
    let lent = rentals::earnings(conn, me).await?;
    let rented = rentals::completed(conn, me).await?;
    Ok(Stats {
        favors_posted: wire::small(counts.posted),
        favors_completed: wire::small(counts.completed),
        favors_helped: wire::small(repute.favors_completed),
        items_shared: wire::small(items::shared(conn, me).await?),
        rentals_completed: wire::small(rented),
        friends: wire::small(friends),
        earnings: rules::together(tips.into_iter().chain(lent))
            .into_iter()
            .map(|(currency, amount)| wire::earning(currency, amount.units()))
            .collect(),
        rating: repute.rating,
    })
}

/// Asks a member for no number any more.
///
/// # Errors
/// NOT_AUTHORIZED when there is no such member any more.
pub async fn skip_phone_step(tx: &mut Tx, me: MemberId, now: OffsetDateTime) -> Result<()> {
    details::lock(tx, me).await?;
    let kept = store::kept(tx, me).await?;
    if kept.phone_step_done {
        return Ok(());
    }
    store::put(tx, me, &Kept { phone_step_done: true, ..kept }, now).await?;
    notifications::changed(tx, me, TargetKind::Member, me.0);
    Ok(())
}

/// A profile with the eyes of a member. Who may see nothing of it does not learn whether there is one.
async fn seen(conn: &mut PgConnection, deps: &Deps, me: MemberId, other: MemberId) -> Result<Profile> {
    let now = deps.clock.now();
    let not_found = || Error::not_found("member");
    // All of it is read before any of it is told: time tells no more than the answer.
    let member = members::member(conn, other).await?;
    let relation = friends::relation(conn, me, other, now).await?;
    let shared = if relation == Relation::Self_ { Shared::default() } else { shared(conn, me, other).await? };
    let sees = rules::sees(&rules::ties(relation, shared));
    let (member, sees) = member.zip(sees).ok_or_else(not_found)?;
    let (number, kept) = (details::number(conn, &member, now).await?, store::kept(conn, other).await?);
    Ok(wire::profile(Found { member, number, kept, relation }, sees, &deps.pictures))
}

async fn shared(conn: &mut PgConnection, me: MemberId, other: MemberId) -> Result<Shared> {
    let (favors, rentals) = (favors::ties(conn, me, other).await?, rentals::ties(conn, me, other).await?);
    Ok(Shared { favors, rentals, lends: items::has_public(conn, other).await? })
}

fn address<T>(request: &Request<T>) -> Option<IpAddr> {
    request.extensions().get::<ClientAddress>().map(|a| a.0)
}

/// The caller, on a path that is theirs.
fn own<T>(request: &Request<T>, uid: &str) -> Result<Caller> {
    let caller = auth::caller(request)?;
    caller.must_be(uid)?;
    Ok(caller)
}

type Answered<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl ProfileService for Service {
    async fn get_profile(&self, request: Request<GetProfileRequest>) -> Answered<GetProfileResponse> {
        let me = auth::caller(&request)?.member;
        Ok(Response::new(GetProfileResponse { profile: Some(self.get(me, &request.get_ref().uid).await?) }))
    }

    async fn update_profile(&self, request: Request<UpdateProfileRequest>) -> Answered<UpdateProfileResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        let changes = changes::read(request.get_ref())?;
        let profile = self.update(&caller, &changes, address(&request)).await?;
        Ok(Response::new(UpdateProfileResponse { profile: Some(profile) }))
    }

    async fn skip_phone_step(&self, request: Request<SkipPhoneStepRequest>) -> Answered<SkipPhoneStepResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        let now = self.deps.clock.now();
        transact!(self.deps.pool, |tx| skip_phone_step(tx, caller.member, now).await)?;
        Ok(Response::new(SkipPhoneStepResponse {}))
    }

    async fn start_phone_verification(&self, request: Request<StartPhoneVerificationRequest>) -> Answered<StartPhoneVerificationResponse> {
        let sent = details::prove_number(&self.pool, &auth::caller(&request)?, address(&request)).await?;
        let expires_at = Some(pb::timestamp(sent.expires_at));
        Ok(Response::new(StartPhoneVerificationResponse { destination: sent.destination, expires_at }))
    }

    async fn verify_phone(&self, request: Request<VerifyPhoneRequest>) -> Answered<VerifyPhoneResponse> {
        self.verify(&auth::caller(&request)?, &request.get_ref().code, address(&request)).await?;
        Ok(Response::new(VerifyPhoneResponse {}))
    }

    async fn create_picture_upload(&self, request: Request<CreatePictureUploadRequest>) -> Answered<CreatePictureUploadResponse> {
        let me = own(&request, &request.get_ref().uid)?.member;
        Ok(Response::new(pictures::announce(&self.deps, me, request.get_ref()).await?))
    }

    async fn set_picture(&self, request: Request<SetPictureRequest>) -> Answered<SetPictureResponse> {
        let me = own(&request, &request.get_ref().uid)?.member;
        Ok(Response::new(SetPictureResponse { profile_picture_url: pictures::set(&self.deps, me, &request.get_ref().key).await? }))
    }

    async fn delete_picture(&self, request: Request<DeletePictureRequest>) -> Answered<DeletePictureResponse> {
        let me = own(&request, &request.get_ref().uid)?.member;
        pictures::delete(&self.deps, me).await?;
        Ok(Response::new(DeletePictureResponse {}))
    }

    async fn get_stats(&self, request: Request<GetStatsRequest>) -> Answered<GetStatsResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        let stats = read!(self.deps.pool, |conn| stats(conn, caller.member).await)?;
        Ok(Response::new(GetStatsResponse { stats: Some(stats) }))
    }

    async fn get_dashboard(&self, request: Request<GetDashboardRequest>) -> Answered<GetDashboardResponse> {
        let caller = own(&request, &request.get_ref().uid)?;
        Ok(Response::new(self.dashboard(caller.member).await?))
    }

    async fn list_trending_categories(&self, request: Request<ListTrendingCategoriesRequest>) -> Answered<ListTrendingCategoriesResponse> {
        Ok(Response::new(self.trending(auth::caller(&request)?.member).await?))
    }

    async fn report_problem(&self, request: Request<ReportProblemRequest>) -> Answered<ReportProblemResponse> {
        let me = auth::caller(&request)?.member;
        let key = idempotency::of(&request, me, REPORT)?;
        Ok(Response::new(reports::report(&self.deps, self.mails_reports, me, key.as_ref(), request.get_ref()).await?))
    }
}
