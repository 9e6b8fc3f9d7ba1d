//! Members of tests. Servers in the test's process get them seeded; `signs_up` walks the real path.

use super::{Faces, until};
use goodturn::pb::{
    friends::{FriendRequestAction, RespondToFriendRequestRequest, SendFriendRequestRequest},
    identity::{Attribute, AuthFlow, ConfirmSignUpRequest, InitiateAuthRequest, SignUpRequest},
};
use serde_json::Value;

/// The password of everybody here.
pub const PASSWORD: &str = "Correct-horse-7";

/// A confirmed member with the tokens of one sign-in.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// The subject of the tokens.
    pub uid: String,
    /// The address.
    pub email: String,
    /// The full name.
    pub name: String,
    /// The access token.
    pub token: String,
    /// The id token.
    pub id_token: String,
    /// The refresh token.
    pub refresh_token: String,
}

impl Faces {
    /// Ana, who asks for favors.
    pub async fn ana(&self) -> Member {
        self.member("Ana", "Silva").await
    }

    /// Ben, whom she asks.
    pub async fn ben(&self) -> Member {
        self.member("Ben", "Okafor").await
    }

    /// Eve, a stranger to both.
    pub async fn eve(&self) -> Member {
        self.member("Eve", "Stone").await
    }

    /// A new member of any name; the address is the first name's.
    pub async fn member(&self, given_name: &str, family_name: &str) -> Member {
        let email = format!("{}@example.org", given_name.to_lowercase());
        let uid = match &self.seeder {
            Some(seeder) => seeder.member(&email, given_name, family_name).await,
            None => self.signs_up(&email, given_name, family_name).await,
        };
        self.sign_in(uid, email, format!("{given_name} {family_name}")).await
    }

    /// Signs up and confirms by the code in the mail, as a person would. Returns the id.
    pub async fn signs_up(&self, email: &str, given_name: &str, family_name: &str) -> String {
        let client_id = self.web_client_id.clone();
        let attribute = |name: &str, value: &str| Attribute { name: name.into(), value: value.into() };
        let account = SignUpRequest {
            client_id: client_id.clone(),
            username: email.to_owned(),
            password: PASSWORD.into(),
            user_attributes: vec![attribute("given_name", given_name), attribute("family_name", family_name)],
            ..Default::default()
        };
        let uid = self.identity(None).sign_up(account).await.unwrap().into_inner().user_sub;
        let confirmation_code = self.code_for(email).await;
        let confirm = ConfirmSignUpRequest { client_id, username: email.to_owned(), confirmation_code, ..Default::default() };
        self.identity(None).confirm_sign_up(confirm).await.unwrap();
        uid
    }

    async fn sign_in(&self, uid: String, email: String, name: String) -> Member {
        let parameters = [("USERNAME", email.as_str()), ("PASSWORD", PASSWORD)];
        let request = InitiateAuthRequest {
            auth_flow: AuthFlow::UserPasswordAuth.into(),
            client_id: self.web_client_id.clone(),
            auth_parameters: parameters.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
            ..Default::default()
        };
        let tokens = self.identity(None).initiate_auth(request).await.unwrap().into_inner().authentication_result.unwrap();
        Member { uid, email, name, token: tokens.access_token, id_token: tokens.id_token, refresh_token: tokens.refresh_token.unwrap() }
    }

    /// The same member, signed in once more.
    pub async fn signed_in_again(&self, member: &Member) -> Member {
        self.sign_in(member.uid.clone(), member.email.clone(), member.name.clone()).await
    }

    /// Makes two members friends.
    pub async fn befriend(&self, one: &Member, other: &Member) {
        let ask = SendFriendRequestRequest { receiver_uid: other.uid.clone(), ..Default::default() };
        let asked = self.friends(one).send_friend_request(ask).await.unwrap().into_inner();
        let answer = RespondToFriendRequestRequest {
            request_id: asked.friend_request,
            action: FriendRequestAction::Accept.into(),
            ..Default::default()
        };
        self.friends(other).respond_to_friend_request(answer).await.unwrap();
    }

    /// The newest 6-digit code that was sent to an address.
    pub async fn code_for(&self, email: &str) -> String {
        let mail = self.mail_to(email, |body| code_in(body).is_some()).await;
        code_in(mail["body"].as_str().unwrap()).unwrap()
    }

    /// The code in the newest mail about a new password that went to an address.
    pub async fn reset_code_for(&self, email: &str) -> String {
        let mail = self.mail_to(email, |body| body.contains("new password") && code_in(body).is_some()).await;
        code_in(mail["body"].as_str().unwrap()).unwrap()
    }

    /// The newest mail to an address whose body fits. It is sent by a job: it may take a moment.
    pub async fn mail_to(&self, email: &str, fits: impl Fn(&str) -> bool) -> Value {
        let mut found = None;
        until("the mail was sent", async || {
            let path = format!("/dev/outbox.json?to={}", email.replace('+', "%2B"));
            let (_, outbox) = self.rest("GET", &path, None, None).await;
            let fitting = |m: &&Value| fits(m["body"].as_str().unwrap());
            found = outbox["messages"].as_array().unwrap().iter().find(fitting).cloned();
            found.is_some()
        })
        .await;
        found.unwrap()
    }
}

fn code_in(body: &str) -> Option<String> {
    let digits = |word: &&str| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit());
    body.split(|c: char| !c.is_ascii_alphanumeric()).find(digits).map(str::to_owned)
}
