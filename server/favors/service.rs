//! The RPCs of favors: the face, and what only reads.

use super::{
    Favor, Place,
    acts::Act,
    rules::{self, Action},
    store,
    wire::{self, Update},
};
use crate::{
    auth::{self, Caller},
    deps::Deps,
    error::{Error, Result},
    idempotency,
    ids::{FavorId, MemberId},
    keyed_mutex::{SEARCHES_AT_ONCE, Turns},
    page::{self, FIRST, LAST, bound, micros},
    pb::{favors as pb, favors::favors_service_server::FavorsService},
    read, text,
};
use tonic::{Request, Response, Status};

const CREATE: &str = "favors.CreateFavor";
/// The most steps of a story that are shown.
const STEPS_MAX: i64 = 100;

/// FavorsService.
#[derive(Clone)]
pub struct Service {
    pub(super) deps: Deps,
    pub(super) turns: Turns<MemberId>,
}

/// One page of a list.
#[derive(Default)]
pub(super) struct Page {
    pub(super) favors: Vec<pb::Favor>,
    pub(super) cursor: String,
    pub(super) has_more: bool,
}

impl Service {
    /// With what every service is given.
    pub fn new(deps: Deps) -> Self {
        Self { deps, turns: Turns::new(SEARCHES_AT_ONCE) }
    }

    async fn get(&self, me: MemberId, id: FavorId) -> Result<pb::Favor> {
        read!(self.deps.pool, |conn| {
            let (favor, _) = self.seen(conn, me, id).await?;
            self.show(me, favor)
        })
    }

    async fn story(&self, me: MemberId, id: FavorId) -> Result<pb::GetFavorStoryResponse> {
        read!(self.deps.pool, |conn| {
            let (favor, view) = self.seen(conn, me, id).await?;
            let newest = store::events(conn, id, rules::steps_of_all(view), me, STEPS_MAX + 1).await?;
            let (mut events, has_earlier) = page::cut(newest, STEPS_MAX);
            events.reverse();
            let recipients = store::recipients(conn, id).await?;
            let ids: Vec<_> = events.iter().map(|e| e.actor).chain(recipients.iter().map(|r| r.member)).collect();
            let people = store::people(conn, me, &ids, rules::going_on_with(&favor, me)).await?;
            let story = wire::Story { events: &events, has_earlier, recipients: &recipients };
            Ok(wire::story(view, me, &favor, &story, (&people, &self.deps.pictures)))
        })
    }

    /// What stands in some places of the caller's, the first due first. `list` names it in the cursor.
    async fn by_due(&self, me: MemberId, list: &str, places: &[Place], limit: Option<i32>, cursor: &str) -> Result<Page> {
        let (limit, key) = (page::limit(limit), self.deps.cursors.read(list, me, ("cursor", cursor))?);
        if places.is_empty() {
            return Ok(Page::default());
        }
        read!(self.deps.pool, |conn| {
            let favors = store::by_due(conn, me, places, bound(key, FIRST), limit + 1).await?;
            self.page(me, list, favors, limit)
        })
    }

    /// What stands in one place of the caller's own favors, the last changed first.
    async fn by_change(&self, me: MemberId, list: &str, place: Place, limit: Option<i32>, cursor: &str) -> Result<Page> {
        let (limit, key) = (page::limit(limit), self.deps.cursors.read(list, me, ("cursor", cursor))?);
        read!(self.deps.pool, |conn| {
            let favors = store::by_change(conn, me, &[place], bound(key, LAST), limit + 1).await?;
            self.page(me, list, favors, limit)
        })
    }

    fn page(&self, me: MemberId, list: &str, favors: Vec<Favor>, limit: i64) -> Result<Page> {
        let (favors, has_more) = page::cut(favors, limit);
        let cursor = match favors.last() {
            Some(last) if has_more => self.deps.cursors.write(list, me, &(micros(last.key), last.id.0))?,
            _ => String::new(),
        };
        let now = self.deps.clock.now();
        let show = |f: Favor| rules::view(&f, me, now).map(|view| wire::favor(f, view, me, &self.deps.pictures));
        Ok(Page { favors: favors.into_iter().filter_map(show).collect(), cursor, has_more })
    }
}

pub(super) fn not_found() -> Error {
    Error::not_found("favor")
}

type Answered<T> = std::result::Result<Response<T>, Status>;

/// The caller, on a path that is theirs.
fn own<T>(request: &Request<T>, uid: &str) -> Result<Caller> {
    let caller = auth::caller(request)?;
    caller.must_be(uid)?;
    Ok(caller)
}

/// The caller, and the favor that the request names.
fn on<T>(request: &Request<T>, id: &str) -> Result<(MemberId, FavorId)> {
    Ok((auth::caller(request)?.member, FavorId::parse("id", id)?))
}

#[tonic::async_trait]
impl FavorsService for Service {
    async fn create_favor(&self, request: Request<pb::CreateFavorRequest>) -> Answered<pb::CreateFavorResponse> {
        let me = auth::caller(&request)?.member;
        let key = idempotency::of(&request, me, CREATE)?;
        let new = wire::create(request.get_ref())?;
        Ok(Response::new(self.create(me, key.as_ref(), &new).await?))
    }

    async fn list_active_favors(&self, request: Request<pb::ListActiveFavorsRequest>) -> Answered<pb::ListActiveFavorsResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = match asked.order() {
            pb::FavorOrder::Recent => self.by_change(me, "favors/active/recent", Place::OwnOpen, asked.limit, &asked.cursor).await?,
            pb::FavorOrder::Unspecified => self.by_due(me, "favors/active", &[Place::OwnOpen], asked.limit, &asked.cursor).await?,
        };
        Ok(Response::new(pb::ListActiveFavorsResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn list_completed_favors(&self, request: Request<pb::ListCompletedFavorsRequest>) -> Answered<pb::ListCompletedFavorsResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = self.by_due(me, "favors/completed", &[Place::OwnCompleted], asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::ListCompletedFavorsResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn list_cancelled_favors(&self, request: Request<pb::ListCancelledFavorsRequest>) -> Answered<pb::ListCancelledFavorsResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = self.by_due(me, "favors/cancelled", &[Place::OwnCancelled], asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::ListCancelledFavorsResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn list_received_favors(&self, request: Request<pb::ListReceivedFavorsRequest>) -> Answered<pb::ListReceivedFavorsResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let places = wire::places(asked.status());
        let page = self.by_due(me, &format!("favors/received/{places:?}"), &places, asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::ListReceivedFavorsResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn get_favor(&self, request: Request<pb::GetFavorRequest>) -> Answered<pb::GetFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        Ok(Response::new(pb::GetFavorResponse { favor: Some(self.get(me, id).await?) }))
    }

    async fn get_favor_story(&self, request: Request<pb::GetFavorStoryRequest>) -> Answered<pb::GetFavorStoryResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        Ok(Response::new(self.story(me, id).await?))
    }

    async fn update_favor(&self, request: Request<pb::UpdateFavorRequest>) -> Answered<pb::UpdateFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let known = &request.get_ref().etag;
        let favor = match wire::update(request.get_ref())? {
            Update::To(status) => self.move_by_status(me, id, known, status).await?,
            Update::Fields(changes) => Some(self.edit(me, id, known, &changes).await?),
        };
        Ok(Response::new(pb::UpdateFavorResponse { favor }))
    }

    async fn publish_favor(&self, request: Request<pb::PublishFavorRequest>) -> Answered<pb::PublishFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        Ok(Response::new(pb::PublishFavorResponse {
            favor: self.act(me, id, &Act { known: &request.get_ref().etag, ..Act::of(Action::Publish) }).await?,
        }))
    }

    async fn respond_to_favor(&self, request: Request<pb::RespondToFavorRequest>) -> Answered<pb::RespondToFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let (answer, words, start) = wire::response(request.get_ref())?;
        let act = Act { words: &words, start, terms: &request.get_ref().terms, ..Act::of(rules::action_of(answer)) };
        Ok(Response::new(pb::RespondToFavorResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn complete_favor(&self, request: Request<pb::CompleteFavorRequest>) -> Answered<pb::CompleteFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let words = text::clean(&request.get_ref().message);
        let act = Act { words: &words, ..Act::of(Action::Complete) };
        Ok(Response::new(pb::CompleteFavorResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn settle_favor(&self, request: Request<pb::SettleFavorRequest>) -> Answered<pb::SettleFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let words = text::clean(&request.get_ref().message);
        let act = Act { words: &words, ..Act::of(Action::Settle) };
        Ok(Response::new(pb::SettleFavorResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn cancel_favor(&self, request: Request<pb::CancelFavorRequest>) -> Answered<pb::CancelFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let status = wire::known_status(request.get_ref().known_status())?;
        let act = Act { status, ..Act::of(Action::Cancel) };
        Ok(Response::new(pb::CancelFavorResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn delete_favor(&self, request: Request<pb::DeleteFavorRequest>) -> Answered<pb::DeleteFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        self.act(me, id, &Act::of(Action::Delete)).await?;
        Ok(Response::new(pb::DeleteFavorResponse {}))
    }

    async fn browse_favors(&self, request: Request<pb::BrowseFavorsRequest>) -> Answered<pb::BrowseFavorsResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = self.list(me, &wire::browsed(asked), asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::BrowseFavorsResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn search_favors(&self, request: Request<pb::SearchFavorsRequest>) -> Answered<pb::SearchFavorsResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = self.search(me, &wire::searched(asked)?, asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::SearchFavorsResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn list_favors_by_category(
        &self,
        request: Request<pb::ListFavorsByCategoryRequest>,
    ) -> Answered<pb::ListFavorsByCategoryResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = self.list(me, &wire::of_category(asked), asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::ListFavorsByCategoryResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn list_favors_by_location(
        &self,
        request: Request<pb::ListFavorsByLocationRequest>,
    ) -> Answered<pb::ListFavorsByLocationResponse> {
        let asked = request.get_ref();
        let me = own(&request, &asked.uid)?.member;
        let page = self.list(me, &wire::of_location(asked)?, asked.limit, &asked.cursor).await?;
        Ok(Response::new(pb::ListFavorsByLocationResponse { favors: page.favors, cursor: page.cursor, has_more: page.has_more }))
    }

    async fn ask_member(&self, request: Request<pb::AskMemberRequest>) -> Answered<pb::AskMemberResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let whom = Some(MemberId::parse("member_id", &request.get_ref().member_id)?);
        let act = Act { words: &text::clean(&request.get_ref().message), whom, ..Act::of(Action::Ask) };
        Ok(Response::new(pb::AskMemberResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn apply_to_favor(&self, request: Request<pb::ApplyToFavorRequest>) -> Answered<pb::ApplyToFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let asked = request.get_ref();
        let act = Act { words: &text::clean(&asked.message), terms: &asked.terms, ..Act::of(Action::Apply) };
        Ok(Response::new(pb::ApplyToFavorResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn withdraw_from_favor(&self, request: Request<pb::WithdrawFromFavorRequest>) -> Answered<pb::WithdrawFromFavorResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let act = Act { words: &text::clean(&request.get_ref().message), ..Act::of(Action::Withdraw) };
        Ok(Response::new(pb::WithdrawFromFavorResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn choose_applicant(&self, request: Request<pb::ChooseApplicantRequest>) -> Answered<pb::ChooseApplicantResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let whom = Some(MemberId::parse("uid", &request.get_ref().uid)?);
        Ok(Response::new(pb::ChooseApplicantResponse { favor: self.act(me, id, &Act { whom, ..Act::of(Action::Choose) }).await? }))
    }

    async fn accept_proposed_time(&self, request: Request<pb::AcceptProposedTimeRequest>) -> Answered<pb::AcceptProposedTimeResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let whom = Some(MemberId::parse("uid", &request.get_ref().uid)?);
        let start = wire::instant("proposed_start", request.get_ref().proposed_start.as_ref())?;
        let act = Act { whom, start, ..Act::of(Action::AcceptTime) };
        Ok(Response::new(pb::AcceptProposedTimeResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn decline_proposed_time(&self, request: Request<pb::DeclineProposedTimeRequest>) -> Answered<pb::DeclineProposedTimeResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let asked = request.get_ref();
        let whom = Some(MemberId::parse("uid", &asked.uid)?);
        let start = wire::instant("proposed_start", asked.proposed_start.as_ref())?;
        let act = Act { words: &text::clean(&asked.message), whom, start, ..Act::of(Action::DeclineTime) };
        Ok(Response::new(pb::DeclineProposedTimeResponse { favor: self.act(me, id, &act).await? }))
    }

    async fn report_missing_tip(&self, request: Request<pb::ReportMissingTipRequest>) -> Answered<pb::ReportMissingTipResponse> {
        let (me, id) = on(&request, &request.get_ref().id)?;
        let act = Act { words: &text::clean(&request.get_ref().message), ..Act::of(Action::ReportMissingTip) };
        Ok(Response::new(pb::ReportMissingTipResponse { favor: self.act(me, id, &act).await? }))
    }
}
