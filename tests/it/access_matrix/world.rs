//! The people of the matrix, and the things that its requests name.
//!
//! A word of a request stands for a thing that is made when a row first names it. After each call that was let in all things are
//! forgotten and made anew, so that no cell meets what another one has changed; a call that was refused has changed nothing.

use super::{raw::Raw, rows::CALLERS};
use crate::{
    borrowing::wish,
    harness::{Bearer, Member, PASSWORD, Refused, START, TestServer, drawn},
    lending::{ladder, listed, public},
    srp_client::SrpClient,
};
use bytes::Bytes;
use goodturn::{
    clock::Clock,
    edge::limits::Rate,
    pb::{
        self, favors as f, friends as fr, groups as g, identity as i,
        items::{BrowseFeedRequest, CreateItemRequest, ListMyItemsRequest},
        notifications as n,
        rentals::{self as r, RentalAction as Lent},
    },
};
use image::ImageFormat;
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use serde_json::{Value, json};
use std::collections::HashMap;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};
use tonic::{Request, client::Grpc, service::interceptor::InterceptedService, transport::Channel};
use uuid::Uuid;

/// Where those whose things are made stand among the callers.
const PRIYA: usize = 4;
const BEN: usize = 5;
const CLEO: usize = 6;
const ANA: usize = 7;
/// When Ben could help.
const IN_TWO_DAYS: OffsetDateTime = START.saturating_add(Duration::days(2));

/// The faces that speak of RPCs by their names.
#[derive(Clone, Copy)]
pub enum Face {
    /// HTTP/2.
    Grpc,
    /// What the browser speaks.
    GrpcWeb,
}

/// A server, those who call, and their things.
pub struct World {
    server: TestServer,
    channel: Channel,
    callers: [Option<Member>; CALLERS.len()],
    /// What stays as it is.
    lasting: HashMap<&'static str, Value>,
    /// What a call may use up.
    things: HashMap<String, Value>,
    /// How many members and addresses were made.
    made: usize,
}

impl World {
    /// The people of the columns; Max was a friend of Ana's until now.
    pub async fn new() -> Self {
        // Wrong passwords are part of the table; lock-outs are not.
        let plenty = |c: &mut goodturn::config::Config| {
            (c.tries_password, c.tries_network, c.tries_code, c.sends_code) = (10_000, 10_000, 10_000, 10_000);
            c.rate_find_friend = Rate::new(10_000, 10_000);
            (c.mail_delay_s, c.favors_per_day) = (0, 10_000);
        };
        let server = TestServer::start_with(Clock::fixed(START), plenty).await;
        let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
        let (priya, cleo, max) =
            (server.member("Priya", "Nair").await, server.member("Cleo", "Moreau").await, server.member("Max", "Hale").await);
        for friend in [&priya, &ben, &cleo, &max] {
            server.befriend(&ana, friend).await;
        }
        part(&server, &ana, &max).await;
        let ended = server.signed_in_again(&ana).await;
        let client_id = server.web_client_id.clone();
        let end = i::RevokeTokenRequest { client_id: client_id.clone(), token: ended.refresh_token.clone(), ..Default::default() };
        server.identity(None).revoke_token(end).await.unwrap();
        let lasting = HashMap::from([
            ("$client", json!(client_id)),
            ("$password", json!(PASSWORD)),
            ("$ana", json!(ana.uid)),
            ("$ben", json!(ben.uid)),
            ("$priya", json!(priya.uid)),
            ("$in_two_days", json!(IN_TWO_DAYS.format(&Rfc3339).unwrap())),
            ("$max", json!(max.uid)),
            ("$unknown", json!(Uuid::from_u128(1))),
            ("$ended_token", json!(ended.token)),
            ("$ended_refresh", json!(ended.refresh_token)),
            ("$login", json!({ "USERNAME": ben.email, "PASSWORD": PASSWORD })),
            ("$wrong_login", json!({ "USERNAME": ben.email, "PASSWORD": "wrong" })),
            ("$unknown_login", json!({ "USERNAME": "nobody@example.org", "PASSWORD": PASSWORD })),
        ]);
        let callers = [None, Some(ended), Some(eve), Some(max), Some(priya), Some(ben), Some(cleo), Some(ana)];
        Self { channel: server.channel(), server, callers, lasting, things: HashMap::new(), made: 0 }
    }

    /// The ways in which a caller may write `$me` in a request.
    pub fn spellings(&self, caller: usize, request: &str) -> Vec<String> {
        let uid = self.callers[caller].as_ref().map(|m| m.uid.clone()).filter(|_| request.contains(r#""$me""#));
        uid.into_iter().chain([String::new()]).collect()
    }

    /// Calls with a request of the table, which may be changed before it is sent.
    pub async fn call(
        &mut self,
        face: Face,
        method: &MethodDescriptor,
        caller: usize,
        (request, me): (&str, &str),
        change: impl Fn(&mut DynamicMessage),
    ) -> Result<(), Refused> {
        let mut message = self.message(method, request, me).await;
        change(&mut message);
        let caller = self.callers[caller].as_ref();
        let path = pb::rpc_path(method);
        let answer = match face {
            Face::Grpc => self.over_grpc(&path, caller, message.encode_to_vec().into()).await,
            Face::GrpcWeb => self.server.grpc_web(&path, caller, &message).await,
        };
        if answer.is_ok() {
            self.things.clear();
        }
        answer
    }

    async fn over_grpc(&self, path: &str, caller: Option<&Member>, body: Bytes) -> Result<(), Refused> {
        let bearer = Bearer::new(caller.map(|m| m.token.as_str()));
        let mut grpc = Grpc::new(InterceptedService::new(self.channel.clone(), bearer));
        grpc.ready().await.unwrap();
        let mut answers = grpc.server_streaming(Request::new(body), path.parse().unwrap(), Raw).await?.into_inner();
        answers.message().await?.expect("a call that was let in is answered");
        Ok(())
    }

    async fn message(&mut self, method: &MethodDescriptor, request: &str, me: &str) -> DynamicMessage {
        let mut json = request.to_owned();
        for word in request.split('"').filter(|w| w.starts_with('$')) {
            let value = if word == "$me" { json!(me) } else { self.value(word).await };
            json = json.replace(&format!("\"{word}\""), &value.to_string());
        }
        DynamicMessage::deserialize(method.input(), &mut serde_json::Deserializer::from_str(&json)).unwrap()
    }

    async fn value(&mut self, word: &str) -> Value {
        if let Some(value) = self.lasting.get(word).or_else(|| self.things.get(word)) {
            return value.clone();
        }
        let value = self.make(word).await;
        self.things.insert(word.to_owned(), value.clone());
        value
    }

    async fn make(&mut self, word: &str) -> Value {
        json!(match word {
            "$draft" => self.favor(f::FavorStatus::Draft).await,
            "$active" => self.favor(f::FavorStatus::Active).await,
            "$accepted" => self.helped().await,
            "$completed" => {
                let id = self.helped().await;
                let complete = f::CompleteFavorRequest { id: id.clone(), ..Default::default() };
                self.server.favors(self.who(ANA)).complete_favor(complete).await.unwrap();
                id
            }
            "$settled" => {
                let id = self.helped().await;
                self.server
                    .favors(self.who(ANA))
                    .settle_favor(f::SettleFavorRequest { id: id.clone(), ..Default::default() })
                    .await
                    .unwrap();
                id
            }
            "$public" => {
                let id = self.server.favor(self.who(ANA), self.asked(f::RequestType::Public)).await.id;
                self.server.apply(self.who(PRIYA), &id, "").await.unwrap();
                id
            }
            "$offered" => self.offered().await,
            "$favors_cursor" => self.favors_cursor().await,
            "$own_item" => self.server.item(self.who(ANA), ladder()).await.item_id,
            "$item" => self.server.item(self.who(ANA), listed("Ladder")).await.item_id,
            "$few_item" => {
                let group_ids = vec![self.group().await];
                self.server.item(self.who(ANA), CreateItemRequest { group_ids, ..listed("Ladder") }).await.item_id
            }
            // Whose profile everybody may see by that: nobody's in the table.
            "$public_item" => {
                let owner = self.another().await;
                self.server.item(&owner, public("Ladder")).await.item_id
            }
            "$pictured" | "$image" => {
                let item = self.server.item(self.who(ANA), listed("Ladder")).await;
                let image = self.server.adds_image(self.who(ANA), &item).await.image_id;
                self.things.extend([("$pictured".to_owned(), json!(item.item_id)), ("$image".to_owned(), json!(image))]);
                return self.things[word].clone();
            }
            "$uploading" | "$item_key" => {
                let item = self.server.item(self.who(ANA), ladder()).await;
                let key = self.server.uploads_image(self.who(ANA), &item).await.key;
                self.things.extend([("$uploading".to_owned(), json!(item.item_id)), ("$item_key".to_owned(), json!(key))]);
                return self.things[word].clone();
            }
            "$items_cursor" => {
                self.two_items().await;
                let first = ListMyItemsRequest { limit: Some(1), ..Default::default() };
                self.server.own_items(self.who(ANA), first).await.cursor
            }
            "$feed_cursor" => {
                self.two_items().await;
                self.server.feed(self.who(BEN), BrowseFeedRequest { limit: Some(1), ..Default::default() }).await.cursor
            }
            "$asked" => self.rental(&[]).await,
            "$agreed" => self.rental(&[Lent::Accept]).await,
            "$lent" => self.rental(&[Lent::Accept, Lent::Start]).await,
            "$longer" => self.rental(&[Lent::Accept, Lent::Start, Lent::Extend]).await,
            "$done" => self.rental(&[Lent::Accept, Lent::Start, Lent::Return, Lent::Complete]).await,
            "$given_back" => self.rental(&[Lent::Accept, Lent::Start, Lent::Return]).await,
            "$rentals_cursor" => self.rentals_cursor().await,
            "$group" => self.group().await,
            "$another" => self.another().await.uid,
            "$friend" => self.friend().await.uid,
            "$blocked" => {
                let friend = self.friend().await;
                let block = fr::BlockMemberRequest { member_id: friend.uid.clone(), ..Default::default() };
                self.server.friends(self.who(ANA)).block_member(block).await.unwrap();
                friend.uid
            }
            "$muted" => {
                let friend = self.friend().await;
                let mute = n::MuteMemberRequest { member_id: friend.uid.clone() };
                self.server.notifications(self.who(ANA)).mute_member(mute).await.unwrap();
                friend.uid
            }
            "$received" => {
                let sender = self.another().await;
                ask(&self.server, &sender, self.who(ANA)).await
            }
            "$sent" => {
                let receiver = self.another().await;
                ask(&self.server, self.who(ANA), &receiver).await
            }
            "$notification" => self.notifications().await.notifications[0].id.clone(),
            "$notifications_cursor" => self.notifications().await.cursor,
            "$upload" => self.server.uploads(self.who(ANA), drawn(ImageFormat::Png, 8, 8)).await,
            "$resume_token" => self.resume_token().await,
            "$mail_token" => self.mail_token().await,
            "$address" => self.address(),
            "$invited" => {
                let contact = self.address();
                invite(&self.server, self.who(ANA), &contact).await;
                contact
            }
            "$join_token" | "$refuse_token" => {
                self.links().await;
                return self.things[word].clone();
            }
            "$newcomer" | "$code" => {
                self.newcomer().await;
                return self.things[word].clone();
            }
            "$forgetful" | "$reset_code" => {
                self.forgetful().await;
                return self.things[word].clone();
            }
            "$another_token" => self.another().await.token,
            "$token" => self.server.signed_in_again(self.who(BEN)).await.token,
            "$refresh" => self.server.signed_in_again(self.who(BEN)).await.refresh_token,
            "$proof" => return self.proof(PASSWORD).await,
            "$wrong_proof" => return self.proof("wrong").await,
            _ => panic!("{word} is no word of the table"),
        })
    }

    fn who(&self, caller: usize) -> &Member {
        self.callers[caller].as_ref().unwrap()
    }

    fn address(&mut self) -> String {
        self.made += 1;
        format!("address{}@example.org", self.made)
    }

    /// A member whom nobody here knows.
    async fn another(&mut self) -> Member {
        self.made += 1;
        self.server.member(&format!("Another{}", self.made), "One").await
    }

    /// A friend of Ana's whom nobody else here knows.
    async fn friend(&mut self) -> Member {
        let friend = self.another().await;
        self.server.befriend(self.who(ANA), &friend).await;
        friend
    }

    /// The token of the link that ends such mails as a new member gets when somebody asks them.
    async fn mail_token(&mut self) -> String {
        let (asker, asked) = (self.another().await, self.another().await);
        ask(&self.server, &asker, &asked).await;
        let mail = self.server.mail_to(&asked.email, |body| body.contains("would like to be your friend")).await;
        mail["one_click"].as_str().unwrap().split_once("?token=").unwrap().1.to_owned()
    }

    /// An account that waits for its code: the two are one thing.
    async fn newcomer(&mut self) {
        let username = self.address();
        let account = i::SignUpRequest {
            client_id: self.server.web_client_id.clone(),
            username: username.clone(),
            password: PASSWORD.into(),
            user_attributes: vec![i::Attribute { name: "name".into(), value: "New Comer".into() }],
            ..Default::default()
        };
        self.server.identity(None).sign_up(account).await.unwrap();
        let code = self.server.code_for(&username).await;
        self.things.extend([("$newcomer".to_owned(), json!(username)), ("$code".to_owned(), json!(code))]);
    }

    /// What stands in the links of a mail that invites somebody.
    async fn links(&mut self) {
        let (contact, inviter) = (self.address(), self.another().await);
        invite(&self.server, &inviter, &contact).await;
        let links = self.server.links(&contact).await;
        self.things.extend([("$join_token".to_owned(), json!(links.join)), ("$refuse_token".to_owned(), json!(links.refuse))]);
    }

    /// A member who asked for a new password, and the code.
    async fn forgetful(&mut self) {
        let member = self.another().await;
        let forgot =
            i::ForgotPasswordRequest { client_id: self.server.web_client_id.clone(), username: member.email.clone(), ..Default::default() };
        self.server.identity(None).forgot_password(forgot).await.unwrap();
        let code = self.server.reset_code_for(&member.email).await;
        self.things.extend([("$forgetful".to_owned(), json!(member.email)), ("$reset_code".to_owned(), json!(code))]);
    }

    /// The favor of Ana's that Ben and Cleo are asked.
    async fn favor(&self, status: f::FavorStatus) -> String {
        let request = f::CreateFavorRequest { status: status.into(), ..self.asked(f::RequestType::Direct) };
        self.server.favor(self.who(ANA), request).await.id
    }

    fn asked(&self, request_type: f::RequestType) -> f::CreateFavorRequest {
        let start = self.server.clock.now() + time::Duration::days(1);
        f::CreateFavorRequest {
            title: "Walk Biscuit".into(),
            description: "Round the park".into(),
            status: f::FavorStatus::Active.into(),
            tip: 5.0,
            request_type: request_type.into(),
            start_date: Some(prost_types::Timestamp { seconds: start.unix_timestamp(), nanos: 0 }),
            recipients: [BEN, CLEO].map(|asked| self.who(asked).uid.clone()).into(),
            ..Default::default()
        }
    }

    /// One that Ben could help with in two days.
    async fn offered(&self) -> String {
        let id = self.favor(f::FavorStatus::Active).await;
        let offer = f::RespondToFavorRequest {
            id: id.clone(),
            response: f::FavorResponse::AnotherTime.into(),
            proposed_start: Some(pb::timestamp(IN_TWO_DAYS)),
            ..Default::default()
        };
        self.server.favors(self.who(BEN)).respond_to_favor(offer).await.unwrap();
        id
    }

    /// One that Cleo helps with.
    async fn helped(&self) -> String {
        let id = self.favor(f::FavorStatus::Active).await;
        let accept = f::RespondToFavorRequest { id: id.clone(), response: f::FavorResponse::Accept.into(), ..Default::default() };
        self.server.favors(self.who(CLEO)).respond_to_favor(accept).await.unwrap();
        id
    }

    /// A ladder of Ana's that Ben asks for, and what became of that.
    async fn rental(&self, story: &[Lent]) -> String {
        // Who may ask how often is no part of the table.
        self.server.rewrites("DELETE FROM budgets").await;
        let item = self.server.lends(self.who(ANA), "Ladder").await;
        let id = self.server.wants(self.who(BEN), wish(&item, 0, 2)).await.unwrap().request_id;
        for action in story {
            let who = self.who(if matches!(action, Lent::Accept | Lent::Complete) { ANA } else { BEN });
            self.server.does_with(who, &id, *action, "", (0, 4)).await.unwrap();
        }
        id
    }

    async fn rentals_cursor(&self) -> String {
        self.rental(&[]).await;
        self.rental(&[]).await;
        let first = r::ListReceivedRentalsRequest { limit: Some(1), ..Default::default() };
        self.server.rentals(self.who(ANA)).list_received_rentals(first).await.unwrap().into_inner().cursor
    }

    /// A group of Ana's, of Ben and Cleo.
    async fn group(&mut self) -> String {
        self.made += 1;
        let friend_ids = [BEN, CLEO].map(|friend| self.who(friend).uid.clone()).into();
        let request = g::CreateGroupRequest { group_name: format!("Group {}", self.made), friend_ids };
        self.server.groups(self.who(ANA)).create_group(request).await.unwrap().into_inner().group.unwrap().group_id
    }

    async fn two_items(&self) {
        self.server.item(self.who(ANA), listed("Ladder")).await;
        self.server.item(self.who(ANA), listed("Tent")).await;
    }

    async fn favors_cursor(&self) -> String {
        self.favor(f::FavorStatus::Draft).await;
        self.favor(f::FavorStatus::Draft).await;
        let first = f::ListActiveFavorsRequest { limit: Some(1), ..Default::default() };
        self.server.favors(self.who(ANA)).list_active_favors(first).await.unwrap().into_inner().cursor
    }

    /// The first page of what Ana was told: her friends accepted.
    async fn notifications(&self) -> n::ListNotificationsResponse {
        let first = n::ListNotificationsRequest { limit: Some(1), ..Default::default() };
        self.server.notifications(self.who(ANA)).list_notifications(first).await.unwrap().into_inner()
    }

    async fn resume_token(&self) -> String {
        let watch = n::WatchNotificationsRequest::default();
        let mut events = self.server.notifications(self.who(ANA)).watch_notifications(watch).await.unwrap().into_inner();
        events.message().await.unwrap().unwrap().resume_token
    }

    /// Ben's answer to a challenge. Each answer counts once.
    async fn proof(&self, password: &str) -> Value {
        let client = SrpClient::new(7);
        let parameters = [("USERNAME", self.who(BEN).email.clone()), ("SRP_A", client.srp_a())];
        let begin = i::InitiateAuthRequest {
            auth_flow: i::AuthFlow::UserSrpAuth.into(),
            client_id: self.server.web_client_id.clone(),
            auth_parameters: parameters.map(|(name, value)| (name.to_owned(), value)).into(),
            ..Default::default()
        };
        let challenge = self.server.identity(None).initiate_auth(begin).await.unwrap().into_inner().challenge_parameters;
        let (_, pool_name) = self.server.config.pool_id.split_once('_').unwrap();
        json!(client.answer(pool_name, password, &challenge))
    }
}

async fn ask(server: &TestServer, one: &Member, other: &Member) -> String {
    let request = fr::SendFriendRequestRequest { receiver_uid: other.uid.clone(), ..Default::default() };
    server.friends(one).send_friend_request(request).await.unwrap().into_inner().friend_request
}

async fn invite(server: &TestServer, inviter: &Member, contact: &str) {
    let request = fr::SendInviteRequest { contact: contact.to_owned(), ..Default::default() };
    server.friends(inviter).send_invite(request).await.unwrap();
}

/// Ends a friendship.
async fn part(server: &TestServer, one: &Member, other: &Member) {
    let ids = [one, other].map(|m| m.uid.parse::<Uuid>().unwrap());
    let gone = sqlx::query("DELETE FROM friendships WHERE member_id = ANY($1) AND friend_id = ANY($1)")
        .bind(ids)
        .execute(&mut server.database.connect().await)
        .await
        .unwrap();
    assert_eq!(gone.rows_affected(), 2, "both sides of it");
}
