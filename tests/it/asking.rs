//! Favors as tests ask them.

use crate::harness::{Member, Refused, START, TestServer};
use goodturn::pb::{
    favors::{CreateFavorRequest, Favor, FavorResponse, FavorStatus, GetFavorRequest, RespondToFavorRequest},
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

/// A draft with nothing but its texts.
pub fn drafting() -> CreateFavorRequest {
    CreateFavorRequest { title: " Walk the dog ".into(), description: "Twice around the block".into(), ..Default::default() }
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

    /// A recipient's answer.
    pub async fn answer(&self, who: &Member, id: &str, response: FavorResponse, message: &str) -> Result<Favor, Refused> {
        let request = RespondToFavorRequest { id: id.into(), response: response.into(), message: message.into(), ..Default::default() };
        match self.favors(who).respond_to_favor(request).await {
            Ok(answer) => Ok(answer.into_inner().favor.unwrap()),
            Err(status) => Err(status.into()),
        }
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
