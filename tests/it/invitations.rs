//! Invitations: the mail with its two links, what becomes of them, and what neither the inviter nor anybody else can tell by them.

mod joining;
mod refusals;
mod sent;

use crate::harness::{Member, PASSWORD, Refused, START, TestServer};
use futures_util::future::join_all;
use goodturn::{
    adapters::mail::{Mail, Mailer, Refused as NotTaken},
    clock::Clock,
    edge::limits::Rate,
    friends::{InvitationSweep, SendInvitation},
    jobs::{Handler, Sweep},
    pb::{
        friends::{
            AllowInvitationsRequest, DeclineInvitationsRequest, FindFriendRequest, FriendRequest, GetActiveRequest, GetInvitationRequest,
            GetInvitationResponse, InvitationLink, ListFriendRequestsRequest, RespondToFriendRequestRequest, SendInviteRequest,
            SendInviteResponse,
        },
        identity::{Attribute, ConfirmSignUpRequest, SignUpRequest, SignUpResponse},
        notifications::NotificationType as Told,
        timestamp,
    },
    transact,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use time::Duration;
use tokio_util::sync::CancellationToken;
use tonic::Request;

const ZOE: &str = "zoe@example.org";

/// The tokens in the mail of an invitation.
pub struct Links {
    /// To sign up.
    pub join: String,
    /// To get no more.
    pub refuse: String,
}

impl TestServer {
    async fn invites(&self, who: &Member, contact: &str, message: &str) -> Result<SendInviteResponse, Refused> {
        let request = SendInviteRequest { contact: contact.into(), message: message.into(), ..Default::default() };
        Ok(self.friends(who).send_invite(request).await?.into_inner())
    }

    /// What stands in the links of the newest invitation to an address.
    pub async fn links(&self, email: &str) -> Links {
        let mail = self.mail_to(email, |body| body.contains("/join#")).await;
        links_in(mail["body"].as_str().unwrap())
    }

    async fn looked_at(&self, token: &str) -> Result<GetInvitationResponse, Refused> {
        Ok(self.friends(None).get_invitation(GetInvitationRequest { token: token.into() }).await?.into_inner())
    }

    async fn refuses(&self, token: &str) -> Result<(), Refused> {
        Ok(self.friends(None).decline_invitations(DeclineInvitationsRequest { token: token.into() }).await.map(drop)?)
    }

    async fn allows(&self, token: &str) -> Result<(), Refused> {
        Ok(self.friends(None).allow_invitations(AllowInvitationsRequest { token: token.into() }).await.map(drop)?)
    }

    /// Signs up, maybe by a link, and may have to wait for a code.
    async fn signs_up(&self, email: &str, invite: Option<&str>) -> Result<SignUpResponse, Refused> {
        let account = SignUpRequest {
            client_id: self.web_client_id.clone(),
            username: email.into(),
            password: PASSWORD.into(),
            user_attributes: vec![Attribute { name: "name".into(), value: "Zoe Quinn".into() }],
            client_metadata: invite.map(|token| ("invite".to_owned(), token.to_owned())).into_iter().collect(),
            ..Default::default()
        };
        Ok(self.identity(None).sign_up(account).await?.into_inner())
    }

    async fn confirms(&self, email: &str, uid: &str) -> Member {
        let confirmation_code = self.code_for(email).await;
        let client_id = self.web_client_id.clone();
        let confirm = ConfirmSignUpRequest { client_id, username: uid.into(), confirmation_code, ..Default::default() };
        self.identity(None).confirm_sign_up(confirm).await.unwrap();
        self.signs_in(email, uid).await
    }

    async fn signs_in(&self, email: &str, uid: &str) -> Member {
        let member = Member { uid: uid.into(), email: email.into(), name: "Zoe Quinn".into(), ..Default::default() };
        self.signed_in_again(&member).await
    }

    async fn joins(&self, email: &str, invite: Option<&str>) -> Member {
        let account = self.signs_up(email, invite).await.unwrap();
        match account.user_confirmed {
            true => self.signs_in(email, &account.user_sub).await,
            false => self.confirms(email, &account.user_sub).await,
        }
    }

    async fn lists(&self, who: &Member) -> (Vec<FriendRequest>, Vec<FriendRequest>) {
        let lists = self.friends(who).list_friend_requests(ListFriendRequestsRequest::default()).await.unwrap().into_inner();
        (lists.received, lists.sent)
    }

    /// How many mails went to an address.
    async fn mails(&self, email: &str) -> usize {
        let (_, outbox) = self.rest("GET", "/dev/outbox.json", None, None).await;
        outbox["messages"].as_array().unwrap().iter().filter(|m| m["to"] == email).count()
    }

    /// The job of an invitation, with a mailer that counts.
    async fn mailing(&self) -> (SendInvitation, Arc<Counting>) {
        let mailer = Arc::new(Counting::default());
        let pool = goodturn::app::user_pool(&self.config, &self.node.deps, &CancellationToken::new()).await.unwrap();
        (SendInvitation { pool, mailer: mailer.clone() }, mailer)
    }
}

fn links_in(body: &str) -> Links {
    let behind = |path: &str| {
        let (_, token) = body.split_once(path).expect(path);
        token.split_whitespace().next().unwrap().to_owned()
    };
    Links { join: behind("/join#"), refuse: behind("/no-invitations#") }
}

/// Keeps what it is sent, also what it then fails with.
#[derive(Default)]
struct Counting {
    sent: Mutex<Vec<Mail>>,
    fails: Mutex<Option<anyhow::Error>>,
}

impl Counting {
    fn sent(&self) -> usize {
        self.sent.lock().unwrap().len()
    }
}

#[tonic::async_trait]
impl Mailer for Counting {
    async fn send(&self, mail: Mail) -> anyhow::Result<()> {
        self.sent.lock().unwrap().push(mail);
        self.fails.lock().unwrap().take().map_or(Ok(()), Err)
    }
}

#[tokio::test]
async fn an_invitation_leads_to_a_sign_up_and_a_friend_request() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let find = FindFriendRequest { contact: ZOE.into(), ..Default::default() };
    assert!(server.friends(&ana).find_friend(find).await.unwrap().into_inner().invitable);
    let sent = server.invites(&ana, " Zoe@example.org", "Join us at https://evil.example").await;
    assert!(sent.is_err(), "the address has white space");
    let sent = server.invites(&ana, "Zoe@example.org", " Join us at https://evil.example ").await.unwrap();
    assert_eq!(sent.expires_at, Some(timestamp(START + Duration::days(30))));
    let mail = server.mail_to("Zoe@example.org", |body| body.contains("/join#")).await;
    let body = mail["body"].as_str().unwrap();
    assert_eq!(mail["subject"], "Ana Silva invited you to Goodturn");
    assert!(body.contains("July 16, 2026") && !body.contains("https://evil.example"), "{body}");
    let links = links_in(body);
    let seen = server.looked_at(&links.join).await.unwrap();
    assert_eq!(
        (seen.link(), seen.counts, seen.inviter_name.as_str(), seen.email.as_str()),
        (InvitationLink::Join, true, "Ana Silva", "Zoe@example.org")
    );

    let zoe = server.joins(ZOE, Some(&links.join)).await;
    let (received, _) = server.lists(&zoe).await;
    assert_eq!((received.len(), received[0].message.as_str()), (1, "Join us at https://evil.example"));
    assert_eq!(received[0].user.clone().unwrap().uid, ana.uid);
    assert_eq!(server.told(&zoe).await, [Told::FriendRequest]);
    let (_, hers) = server.lists(&ana).await;
    assert_eq!((hers.len(), hers[0].user.clone().unwrap().email), (1, ZOE.to_owned()));
    let gone = server.looked_at(&links.join).await.unwrap();
    assert_eq!(
        (gone.link(), gone.counts, gone.inviter_name.as_str(), gone.email.as_str()),
        (InvitationLink::Join, false, "", ""),
        "it counts once"
    );
    let accept = RespondToFriendRequestRequest { request_id: received[0].friend_request.clone(), action: 1, ..Default::default() };
    server.friends(&zoe).respond_to_friend_request(accept).await.unwrap();
    let active = server.friends(&ana).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
    assert_eq!(active.friends.unwrap().list[0].uid, zoe.uid);
    server.stop().await;
}

#[tokio::test]
async fn who_comes_by_the_address_alone_or_by_the_link_with_another_address_is_asked_too() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    for inviter in [&ana, &ben] {
        server.invites(inviter, ZOE, "").await.unwrap();
    }
    let links = server.links(ZOE).await;
    // By a link that is none, and at the address.
    let zoe = server.joins(ZOE, Some("no link of ours")).await;
    let mut asked: Vec<_> = server.lists(&zoe).await.0.into_iter().map(|r| r.user.unwrap().uid).collect();
    asked.sort();
    let mut both = vec![ana.uid.clone(), ben.uid.clone()];
    both.sort();
    assert_eq!(asked, both);
    assert!(!server.looked_at(&links.join).await.unwrap().counts);
    let late = server.joins("late@example.org", Some(&links.join)).await;
    assert!(server.lists(&late).await.0.is_empty(), "it was used");

    // By the link, at another address: the inviter does not learn which.
    server.invites(&ana, "max@example.org", "").await.unwrap();
    let links = server.links("max@example.org").await;
    let max = server.joins("other@example.org", Some(&links.join)).await;
    assert_eq!(server.lists(&max).await.0.len(), 1);
    let sent = server.lists(&ana).await.1.into_iter().find(|r| r.user.as_ref().unwrap().uid == max.uid).unwrap();
    assert_eq!(sent.user.unwrap().email, "");
    // The address itself is free, and nobody waits there any more.
    let second = server.joins("max@example.org", None).await;
    assert!(server.lists(&second).await.0.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn of_two_who_come_by_one_link_at_once_one_is_asked() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    let addresses: Vec<_> = (0..4).map(|n| format!("guest{n}@example.org")).collect();
    let ids = join_all(addresses.iter().map(|address| server.signs_up(address, Some(&links.join)))).await;
    let ids: Vec<_> = ids.into_iter().map(|account| account.unwrap().user_sub).collect();
    let members = join_all(addresses.iter().zip(&ids).map(|(address, id)| server.confirms(address, id))).await;
    let asked = join_all(members.iter().map(|member| server.lists(member))).await;
    assert_eq!(asked.iter().map(|(received, _)| received.len()).sum::<usize>(), 1);
    assert_eq!(server.lists(&ana).await.1.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn one_address_is_invited_once_a_week_by_one_member_and_twenty_a_day() {
    let plenty = |c: &mut goodturn::config::Config| c.rate_find_friend = Rate::new(1000, 1000);
    let server = TestServer::start_with(Clock::fixed(START), plenty).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let at_once = join_all((0..5).map(|_| server.invites(&ana, ZOE, ""))).await;
    let (sent, refused): (Vec<_>, Vec<_>) = at_once.into_iter().partition(Result::is_ok);
    assert_eq!((sent.len(), refused.len()), (1, 4));
    for refused in refused {
        let refused = refused.unwrap_err();
        assert!(refused.reason == "ALREADY_INVITED" && refused.message.contains("already invited"), "{refused:?}");
    }
    assert_eq!(server.invites(&ana, "ZOE@example.org", "").await.unwrap_err().reason, "ALREADY_INVITED");
    server.invites(&ben, ZOE, "").await.unwrap();
    for n in 1..20 {
        server.invites(&ana, &format!("guest{n}@example.org"), "").await.unwrap();
    }
    assert_eq!(server.invites(&ana, "another@example.org", "").await.unwrap_err().reason, "RATE_LIMITED");
    assert_eq!(server.invites(&ana, &ana.email, "").await.unwrap_err().reason, "RATE_LIMITED");
    let first = server.links(ZOE).await;
    server.clock.advance(Duration::days(7));
    let (ana, _) = (server.signed_in_again(&ana).await, first);
    assert_eq!(server.invites(&ana, &ana.email, "").await.unwrap_err().reason, "SELF_REQUEST");
    let again = server.invites(&ana, ZOE, "Again").await.unwrap();
    let id = &sent[0].as_ref().unwrap().invitation;
    assert_eq!((&again.invitation, again.expires_at), (id, Some(timestamp(START + Duration::days(37)))), "it is the same one, for longer");
    server.mail_to(ZOE, |body| body.contains("Again")).await;
    let (status, answer) = server
        .rest("POST", &format!("/v2/users/{}/send-invite", ana.uid), &ana, json!({"contact": ZOE, "method": "email", "message": "x"}))
        .await;
    assert_eq!((status, &answer["code"]), (409, &json!("ALREADY_INVITED")));
    server.stop().await;
}

#[tokio::test]
async fn one_idempotency_key_is_one_invitation() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let invite = || async {
        let mut request = Request::new(SendInviteRequest { contact: ZOE.into(), ..Default::default() });
        request.metadata_mut().insert("idempotency-key", "the-same".parse().unwrap());
        server.friends(&ana).send_invite(request).await.unwrap().into_inner()
    };
    let answers = join_all((0..8).map(|_| invite())).await;
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    server.links(ZOE).await;
    assert_eq!(server.mails(ZOE).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_member_is_asked_instead_with_the_same_answer() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    server.befriend(&ana, &eve).await;
    let mails = server.mails(&ben.email).await;
    let shape = |answer: SendInviteResponse| (answer.invitation.len(), answer.expires_at);
    let unknown = shape(server.invites(&ana, ZOE, "").await.unwrap());
    for member in [&ben, &eve] {
        assert_eq!(shape(server.invites(&ana, &member.email, "It is Ana").await.unwrap()), unknown);
        assert_eq!(server.invites(&ana, &member.email, "").await.unwrap_err().reason, "ALREADY_INVITED");
    }
    let (received, _) = server.lists(&ben).await;
    assert_eq!((received.len(), received[0].message.as_str()), (1, "It is Ana"));
    assert!(server.lists(&eve).await.0.is_empty(), "she is a friend");
    // Who has asked becomes a friend by it.
    let id = server.invites(&ben, &ana.email, "").await.unwrap();
    assert_eq!(shape(id), unknown);
    let active = server.friends(&ana).get_active(GetActiveRequest::default()).await.unwrap().into_inner();
    assert_eq!(active.friends.unwrap().list.len(), 2);
    server.links(ZOE).await;
    assert_eq!(server.mails(&ben.email).await, mails, "no member is invited by mail");
    server.stop().await;
}

#[tokio::test]
async fn to_one_who_hides_an_invitation_is_one_to_nobody() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    server.block(&ben, &ana).await.unwrap();
    let (told, mails) = (server.told(&ben).await, server.mails(&ben.email).await);
    let answer = server.invites(&ana, &ben.email, "Please").await.unwrap();
    assert_eq!(answer.expires_at, Some(timestamp(START + Duration::days(30))));
    assert_eq!(server.lists(&ana).await.1, [], "as after one to nobody");
    assert!(server.lists(&ben).await.0.is_empty());
    let (job, mailer) = server.mailing().await;
    job.run(&json!({ "invitation": answer.invitation })).await.unwrap();
    assert_eq!((server.told(&ben).await, server.mails(&ben.email).await, mailer.sent()), (told, mails, 0));
    assert_eq!(server.invites(&ana, &ben.email, "").await.unwrap_err().reason, "ALREADY_INVITED");
    server.stop().await;
}

#[tokio::test]
async fn links_expire_and_what_is_no_link_is_refused_by_its_field() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.invites(&ana, ZOE, "").await.unwrap();
    let links = server.links(ZOE).await;
    for bad in ["x", "not a token", &links.join[1..]] {
        assert_eq!(server.looked_at(bad).await.unwrap_err().fields, [("token".to_owned(), "INVALID".to_owned())], "{bad}");
        assert_eq!(server.refuses(bad).await.unwrap_err().reason, "INVALID_ARGUMENT", "{bad}");
    }
    server.signs_up("never@example.org", Some(&links.join)).await.unwrap();
    server.clock.advance(Duration::days(30));
    let late = server.looked_at(&links.join).await.unwrap();
    assert_eq!((late.link(), late.counts), (InvitationLink::Join, false));
    assert!(server.looked_at(&links.refuse).await.unwrap().counts);
    let zoe = server.joins(ZOE, Some(&links.join)).await;
    assert!(server.lists(&zoe).await.0.is_empty(), "it came too late");
    server.clock.advance(Duration::days(340));
    assert!(!server.looked_at(&links.refuse).await.unwrap().counts);
    assert_eq!(server.refuses(&links.refuse).await.unwrap_err().reason, "EXPIRED_LINK");
    let count = async || -> i64 {
        let sql = "SELECT (SELECT count(*) FROM invitations) + (SELECT count(*) FROM invitation_claims)";
        sqlx::query_scalar(sql).fetch_one(&mut server.database.connect().await).await.unwrap()
    };
    assert_eq!(count().await, 2, "the invitation, and who signed up by it and never came");
    for _ in 0..2 {
        let now = server.clock.now();
        let swept: goodturn::error::Result<u64> = transact!(server.node.deps.pool, |tx| InvitationSweep.sweep(tx, now).await);
        swept.unwrap();
    }
    assert_eq!(count().await, 0);
    server.stop().await;
}

#[tokio::test]
async fn the_mail_goes_once_and_only_while_it_is_true() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    let (job, mailer) = server.mailing().await;
    let hers = server.invites(&ana, ZOE, "").await.unwrap().invitation;
    server.links(ZOE).await;
    crate::harness::until("it is noted", async || {
        let sql = "SELECT count(*) FROM invitations WHERE mailed_at IS NOT NULL";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut server.database.connect().await).await.unwrap() == 1
    })
    .await;
    job.run(&json!({ "invitation": hers })).await.unwrap();
    assert_eq!(mailer.sent(), 0, "it was mailed");
    // Not mailed yet: by hand, since the job has done it.
    let unmailed = async || {
        sqlx::query("UPDATE invitations SET mailed_at = NULL").execute(&mut server.database.connect().await).await.unwrap();
    };
    unmailed().await;
    for in_all in [1, 1] {
        job.run(&json!({ "invitation": hers })).await.unwrap();
        assert_eq!(mailer.sent(), in_all);
    }
    job.run(&json!({ "invitation": uuid::Uuid::nil() })).await.unwrap();
    let his = server.invites(&ben, "max@example.org", "").await.unwrap().invitation;
    unmailed().await;
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ben.token})).await.0, 200);
    job.run(&json!({ "invitation": his })).await.unwrap();
    assert_eq!(mailer.sent(), 1, "who invited has left");
    server.clock.advance(Duration::days(30));
    unmailed().await;
    job.run(&json!({ "invitation": hers })).await.unwrap();
    assert_eq!(mailer.sent(), 1, "it has expired");
    server.stop().await;
}

#[tokio::test]
async fn a_mail_that_was_refused_is_sent_again_and_one_that_may_have_arrived_is_not() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let (job, mailer) = server.mailing().await;
    let invitation = server.invites(&ana, ZOE, "").await.unwrap().invitation;
    server.links(ZOE).await;
    crate::harness::until("it is not noted any more: by hand, since the job does it", async || {
        let sql = "UPDATE invitations SET mailed_at = NULL WHERE mailed_at IS NOT NULL";
        sqlx::query(sql).execute(&mut server.database.connect().await).await.unwrap().rows_affected() == 1
    })
    .await;
    let payload = json!({ "invitation": invitation });
    for (fails, in_all) in [(NotTaken("450".into()).into(), 1), (anyhow::anyhow!("the connection broke off"), 2)] {
        *mailer.fails.lock().unwrap() = Some(fails);
        job.run(&payload).await.unwrap_err();
        assert_eq!(mailer.sent(), in_all);
    }
    job.run(&payload).await.unwrap();
    assert_eq!(mailer.sent(), 2, "it may have arrived");
    server.stop().await;
}

/// One address has three of these mails a day at most, whoever sends them.
#[tokio::test]
async fn an_address_is_not_filled_and_no_inviter_is_told() {
    let server = TestServer::start().await;
    let mut inviters = Vec::new();
    for n in 0..5 {
        inviters.push(server.member(&format!("Inviter{n}"), "Test").await);
    }
    for inviter in &inviters {
        server.invites(inviter, ZOE, "").await.unwrap();
    }
    crate::harness::until("three are noted", async || {
        let sql = "SELECT count(*) FROM invitations WHERE mailed_at IS NOT NULL";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut server.database.connect().await).await.unwrap() == 3
    })
    .await;
    assert_eq!(server.mails(ZOE).await, 3);
    let zoe = server.joins(ZOE, None).await;
    assert_eq!(server.lists(&zoe).await.0.len(), 5, "each of them asks all the same");
    server.stop().await;
}

#[tokio::test]
async fn invitations_are_exported_and_go_with_either_side() {
    let server = TestServer::start_with(Clock::fixed(START), |_| {}).await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.invites(&ana, ZOE, "Hello").await.unwrap();
    server.invites(&ana, &ben.email, "").await.unwrap();
    server.invites(&ben, "max@example.org", "").await.unwrap();
    let (_, export) = server.rest("GET", &format!("/v2/users/{}/export", ana.uid), &ana, None).await;
    let all: Value = serde_json::from_str(export["document"].as_str().unwrap()).unwrap();
    let sent = all["friends"]["invitations"].as_array().unwrap();
    let to_zoe = sent.iter().find(|invitation| invitation["email"] == ZOE).unwrap();
    assert_eq!(*to_zoe, json!({"email": ZOE, "message": "Hello", "sentAt": "2026-06-16T09:00:00Z", "expiresAt": "2026-07-16T09:00:00Z"}));
    assert_eq!(sent.len(), 2);
    let left = async || -> Vec<String> {
        let sql = "SELECT email FROM invitations ORDER BY email";
        sqlx::query_scalar(sql).fetch_all(&mut server.database.connect().await).await.unwrap()
    };
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ben.token})).await.0, 200);
    assert_eq!(left().await, [ZOE]);
    assert_eq!(server.target("DeleteUser", json!({"AccessToken": ana.token})).await.0, 200);
    assert!(left().await.is_empty());
    server.stop().await;
}
