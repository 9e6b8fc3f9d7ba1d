//! Favors as tests ask them.

use crate::harness::{Member, Refused, START, TestServer};
use goodturn::pb::{
    favors::{
        AcceptProposedTimeRequest, ApplyToFavorRequest, ChooseApplicantRequest, CreateFavorRequest, DeclineProposedTimeRequest, Favor,
        FavorEventKind, FavorResponse, FavorStatus, GetFavorRequest, GetFavorStoryRequest, RequestType, RespondToFavorRequest,
        WithdrawFromFavorRequest,
    },
    notifications::{ListNotificationsRequest, Notification, NotificationType},
    timestamp,
};
use time::Duration;
use tonic::{Response, Status};

/// A favor for tomorrow, posted to these members.
pub fn asking(recipients: &[&Member]) -> CreateFavorRequest {
    CreateFavorRequest {
        status: FavorStatus::Active.into(),
        start_date: Some(timestamp(START + Duration::DAY)),
        recipients: recipients.iter().map(|m| m.uid.clone()).collect(),
        tip: 12.5,
        ..drafting()
    }
}

/// A public favor for tomorrow, posted to all friends.
pub fn asking_all() -> CreateFavorRequest {
    CreateFavorRequest { request_type: RequestType::Public.into(), ..asking(&[]) }
}

/// A draft with nothing but its texts.
pub fn drafting() -> CreateFavorRequest {
    CreateFavorRequest { title: " Walk the dog ".into(), description: "Twice around the block".into(), ..Default::default() }
}

/// The start that `propose` proposes.
pub fn proposed(hours: i64) -> time::OffsetDateTime {
    START + Duration::days(2) + Duration::hours(hours)
}

/// Why a call was refused.
pub fn refused<T: std::fmt::Debug>(answer: Result<Response<T>, Status>) -> Refused {
    answer.expect_err("the call is refused").into()
}

/// The reasons of a refusal's fields, as `title: REQUIRED`.
pub fn fields(refused: &Refused) -> Vec<String> {
    refused.fields.iter().map(|(field, reason)| format!("{field}: {reason}")).collect()
}

impl TestServer {
    /// Makes a favor.
    pub async fn favor(&self, creator: &Member, favor: CreateFavorRequest) -> Favor {
        self.favors(creator).create_favor(favor).await.unwrap().into_inner().favor.unwrap()
    }

    /// A favor with the eyes of a member.
    pub async fn seen(&self, viewer: &Member, id: &str) -> Favor {
        self.favors(viewer).get_favor(GetFavorRequest { id: id.into() }).await.unwrap().into_inner().favor.unwrap()
    }

    /// A recipient's answer, given again while the server is busy: nothing was done then.
    pub async fn answer(&self, who: &Member, id: &str, response: FavorResponse, message: &str) -> Result<Favor, Refused> {
        let request = RespondToFavorRequest { id: id.into(), response: response.into(), message: message.into(), ..Default::default() };
        loop {
            match self.favors(who).respond_to_favor(request.clone()).await.map_err(Refused::from) {
                Ok(answer) => return Ok(answer.into_inner().favor.unwrap()),
                Err(refused) if refused.reason == "OVERLOADED" => {}
                Err(refused) => return Err(refused),
            }
        }
    }

    /// Steps back as the helper or a back-up, or takes an offer back.
    pub async fn withdraw(&self, who: &Member, id: &str, message: &str) -> Result<Favor, Refused> {
        let request = WithdrawFromFavorRequest { id: id.into(), message: message.into() };
        Ok(self.favors(who).withdraw_from_favor(request).await?.into_inner().favor.unwrap())
    }

    /// Offers help for a public favor.
    pub async fn apply(&self, who: &Member, id: &str, message: &str) -> Result<Favor, Refused> {
        let request = ApplyToFavorRequest { id: id.into(), message: message.into(), ..Default::default() };
        Ok(self.favors(who).apply_to_favor(request).await?.into_inner().favor.unwrap())
    }

    /// Picks one who offers help.
    pub async fn choose(&self, creator: &Member, id: &str, whom: &Member) -> Result<Favor, Refused> {
        let request = ChooseApplicantRequest { id: id.into(), uid: whom.uid.clone() };
        Ok(self.favors(creator).choose_applicant(request).await?.into_inner().favor.unwrap())
    }

    /// Could help at another time, which is a day after the start of the favors of these tests and so many hours.
    pub async fn propose(&self, who: &Member, id: &str, hours: i64) -> Result<Favor, Refused> {
        let request = RespondToFavorRequest {
            id: id.into(),
            response: FavorResponse::AnotherTime.into(),
            proposed_start: Some(timestamp(proposed(hours))),
            ..Default::default()
        };
        Ok(self.favors(who).respond_to_favor(request).await?.into_inner().favor.unwrap())
    }

    /// Takes such a time.
    pub async fn accept_time(&self, creator: &Member, id: &str, whom: &Member, hours: i64) -> Result<Favor, Refused> {
        let proposed_start = Some(timestamp(proposed(hours)));
        let request = AcceptProposedTimeRequest { id: id.into(), uid: whom.uid.clone(), proposed_start };
        Ok(self.favors(creator).accept_proposed_time(request).await?.into_inner().favor.unwrap())
    }

    /// Declines another time, whichever it is.
    pub async fn decline_time(&self, creator: &Member, id: &str, whom: &Member, message: &str) -> Result<Favor, Refused> {
        let request = DeclineProposedTimeRequest { id: id.into(), uid: whom.uid.clone(), message: message.into(), proposed_start: None };
        Ok(self.favors(creator).decline_proposed_time(request).await?.into_inner().favor.unwrap())
    }

    /// The steps of a favor's story that a member may know.
    pub async fn steps(&self, viewer: &Member, id: &str) -> Vec<FavorEventKind> {
        let story = self.favors(viewer).get_favor_story(GetFavorStoryRequest { id: id.into() }).await.unwrap().into_inner();
        story.events.iter().map(|event| event.kind()).collect()
    }

    /// What a member was told, newest first.
    pub async fn news(&self, member: &Member) -> Vec<Notification> {
        let request = ListNotificationsRequest { limit: Some(100), ..Default::default() };
        self.notifications(member).list_notifications(request).await.unwrap().into_inner().notifications
    }

    /// How many notifications a member has not read.
    pub async fn unread(&self, member: &Member) -> i32 {
        let request = ListNotificationsRequest { limit: Some(1), ..Default::default() };
        self.notifications(member).list_notifications(request).await.unwrap().into_inner().unread_count
    }

    /// The types of what a member was told, newest first.
    pub async fn told(&self, member: &Member) -> Vec<NotificationType> {
        self.news(member).await.iter().map(Notification::r#type).collect()
    }
}
