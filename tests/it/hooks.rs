//! Hooks: what an area sets off above itself is there with it, or not at all.

use crate::{
    asking::{asking, drafting},
    harness::{Member, PASSWORD, TestServer},
};
use goodturn::{
    app,
    budgets::{MAILS_OF_NETWORK, MAILS_TO_ADDRESS},
    db::Tx,
    deps::Deps,
    edge::limits::Rate,
    error::{Error, Reason, Result},
    favors, friends,
    identity::{self, Keys, Lives, Mails, PasswordPolicy, Settings, UserPool, lockout::Limits},
    ids::MemberId,
    notifications::{self, New, Target, Told},
    pb::{
        favors::{CreateFavorRequest, Favor, FavorResponse, FavorStatus, GetFavorRequest, ListActiveFavorsRequest},
        friends::GetActiveRequest,
        identity::{
            Attribute, ConfirmSignUpRequest, DeleteUserRequest, GetUserRequest, SignUpRequest, UpdateUserAttributesRequest,
            identity_service_server::IdentityService,
        },
        notifications::{NotificationType, TargetKind, WatchNotificationsRequest},
    },
    transact,
};
use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::Request;

/// Welcomes each member who is confirmed; and then fails, as long as it is told to.
struct Welcome {
    deps: Deps,
    fails: AtomicBool,
}

#[tonic::async_trait]
impl identity::Hook for Welcome {
    async fn confirmed(&self, tx: &mut Tx, member: MemberId) -> Result<()> {
        let (title, message) = ("Welcome".to_owned(), "Look around.".to_owned());
        let (kind, target) = (NotificationType::System, Target(TargetKind::Member, member.0));
        let new = New { member, kind, title, message, actor: None, target, about: member.0, about_unread: None, action_required: false };
        notifications::push(tx, &self.deps, &[new]).await?;
        self.may()
    }

    async fn renamed(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        self.may()
    }

    async fn deleted(&self, _tx: &mut Tx, _member: MemberId) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(Error::new(Reason::ItemsOut, "give it back first"));
        }
        Ok(())
    }
}

impl Welcome {
    fn may(&self) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(Error::new(Reason::LimitReached, "not today"));
        }
        Ok(())
    }
}

/// A second user pool on a server's database, with a hook.
async fn pool_with(server: &TestServer, hook: Arc<Welcome>) -> (identity::Service, DropGuard) {
    let (config, stop) = (&server.config, CancellationToken::new());
    let settings = Settings {
        sms: config.has_sms(),
        providers: Vec::new(),
        pool_id: config.pool_id.clone(),
        public_url: config.public_url(),
        clients: vec![identity::Client { rotates: true, ..identity::Client::new(config.web_client_id.clone()) }],
        keys: Keys::from_secrets(config.first_key().unwrap().bytes(), []),
        limits: Limits::new(5, 100, 5),
        mails: Mails { of_network: MAILS_OF_NETWORK, to_address: MAILS_TO_ADDRESS },
        password_policy: PasswordPolicy::default(),
        lives: Lives::default(),
    };
    let pool = UserPool::open(server.node.deps.clone(), settings, vec![hook], stop.clone()).await.unwrap();
    (identity::Service(pool), stop.drop_guard())
}

async fn rows(server: &TestServer) -> (i64, i64) {
    let mut beside = server.database.connect().await;
    let confirmed = sqlx::query_scalar("SELECT count(*) FROM members WHERE status = 'confirmed'").fetch_one(&mut beside).await.unwrap();
    let written = sqlx::query_scalar("SELECT count(*) FROM notifications").fetch_one(&mut beside).await.unwrap();
    (confirmed, written)
}

#[tokio::test]
async fn a_hook_that_fails_takes_the_confirmation_back_and_what_it_writes_is_there_with_it() {
    let server = TestServer::start().await;
    let hook = Arc::new(Welcome { deps: server.node.deps.clone(), fails: AtomicBool::new(true) });
    let (service, _stops) = pool_with(&server, hook.clone()).await;
    let (client_id, username) = (server.config.web_client_id.clone(), "ana@example.org".to_owned());
    let account = SignUpRequest {
        client_id: client_id.clone(),
        username: username.clone(),
        password: PASSWORD.into(),
        user_attributes: vec![Attribute { name: "name".into(), value: "Ana Silva".into() }],
        ..Default::default()
    };
    service.sign_up(Request::new(account)).await.unwrap();
    let confirmation_code = server.code_for(&username).await;
    let confirm = || {
        let request = ConfirmSignUpRequest {
            client_id: client_id.clone(),
            username: username.clone(),
            confirmation_code: confirmation_code.clone(),
            ..Default::default()
        };
        service.confirm_sign_up(Request::new(request))
    };
    assert_eq!(confirm().await.unwrap_err().message(), "not today");
    assert_eq!(rows(&server).await, (0, 0));
    hook.fails.store(false, Ordering::Relaxed);
    confirm().await.unwrap();
    assert_eq!(rows(&server).await, (1, 1), "the code was not used up");
}

#[tokio::test]
async fn an_area_may_refuse_a_name_and_keep_an_account() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let hook = Arc::new(Welcome { deps: server.node.deps.clone(), fails: AtomicBool::new(true) });
    let (service, _stops) = pool_with(&server, hook.clone()).await;
    let change = |name: &str, value: &str| {
        let user_attributes = vec![Attribute { name: name.into(), value: value.into() }];
        let request = UpdateUserAttributesRequest { user_attributes, access_token: ana.token.clone(), ..Default::default() };
        service.update_user_attributes(Request::new(request))
    };
    let delete = || service.delete_user(Request::new(DeleteUserRequest { access_token: ana.token.clone() }));
    assert_eq!(change("given_name", "Anna").await.unwrap_err().message(), "not today");
    change("zoneinfo", "Europe/Lisbon").await.expect("that is no name");
    let refused = delete().await.unwrap_err();
    assert_eq!((refused.code(), refused.message()), (tonic::Code::FailedPrecondition, "give it back first"));
    let attributes = server.identity(&ana).get_user(GetUserRequest::default()).await.unwrap().into_inner().user_attributes;
    assert!(attributes.iter().any(|a| a.name == "given_name" && a.value == "Ana"), "all is as it was");
    hook.fails.store(false, Ordering::Relaxed);
    change("given_name", "Anna").await.unwrap();
    delete().await.unwrap();
    assert!(server.identity(&ana).get_user(GetUserRequest::default()).await.is_err());
}

fn id(member: &Member) -> MemberId {
    MemberId(member.uid.parse().unwrap())
}

/// Ends a friendship, as the RPCs of friends do, with these who hear of it.
pub async fn part(server: &TestServer, one: &Member, other: &Member, hooks: Vec<Arc<dyn friends::Hook>>) -> Result<()> {
    let stop = CancellationToken::new();
    let pool = app::user_pool(&server.config, &server.node.deps, &stop).await.unwrap();
    let _stops = stop.drop_guard();
    let service = friends::Service::new(server.node.deps.clone(), pool, Rate::new(1, 1), hooks);
    transact!(server.node.deps.pool, |tx| service.end(tx, id(one), id(other)).await)
}

async fn circle(server: &TestServer, who: &Member) -> usize {
    server.friends(who).get_active(GetActiveRequest::default()).await.unwrap().into_inner().friends.unwrap().list.len()
}

/// Who is asked, as the creator of a favor sees it.
async fn asked(server: &TestServer, creator: &Member, favor: &Favor) -> Vec<String> {
    server.seen(creator, &favor.id).await.recipients
}

#[tokio::test]
async fn who_parts_is_not_asked_any_more_and_a_helper_goes_on() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    for (one, other) in [(&ana, &ben), (&ana, &eve), (&ben, &eve)] {
        server.befriend(one, other).await;
    }
    let waiting = server.favor(&ana, asking(&[&ben, &eve])).await;
    let draft = CreateFavorRequest { recipients: vec![ben.uid.clone(), eve.uid.clone()], ..drafting() };
    let draft = server.favor(&ana, draft).await;
    let declined = server.favor(&ana, asking(&[&ben])).await;
    server.answer(&ben, &declined.id, FavorResponse::Decline, "Sorry").await.unwrap();
    let helped = server.favor(&ana, asking(&[&ben])).await;
    server.answer(&ben, &helped.id, FavorResponse::Accept, "").await.unwrap();
    let of_ben = server.favor(&ben, asking(&[&ana, &eve])).await;
    let between_others = server.favor(&ben, asking(&[&eve])).await;
    let (told_ana, told_ben) = (server.told(&ana).await, server.told(&ben).await);
    let mut live = server.notifications(&ben).watch_notifications(WatchNotificationsRequest::default()).await.unwrap().into_inner();

    part(&server, &ben, &ana, app::friends_hooks(&server.node.deps)).await.unwrap();
    part(&server, &ana, &ben, app::friends_hooks(&server.node.deps)).await.unwrap();
    assert_eq!((circle(&server, &ana).await, circle(&server, &ben).await), (1, 1));
    for favor in [&waiting, &draft] {
        assert_eq!(asked(&server, &ana, favor).await, [eve.uid.as_str()]);
    }
    assert_eq!(asked(&server, &ben, &of_ben).await, [eve.uid.as_str()]);
    for favor in [&waiting, &draft] {
        let gone = server.favors(&ben).get_favor(GetFavorRequest { id: favor.id.clone() }).await.unwrap_err();
        assert_eq!(gone.code(), tonic::Code::NotFound);
    }
    assert!(asked(&server, &ana, &declined).await.is_empty(), "who declined could still accept");
    assert_eq!(asked(&server, &ana, &helped).await, [ben.uid.as_str()]);
    assert_eq!(asked(&server, &ben, &between_others).await, [eve.uid.as_str()]);
    let going_on = server.seen(&ben, &helped.id).await;
    assert_eq!((going_on.status(), going_on.helper.unwrap().uid), (FavorStatus::Accepted, ben.uid.clone()));
    // What they had not read of is gone with it, newest first: hers of his favor, his of the one that waited.
    assert_eq!(server.told(&ana).await, told_ana[1..], "nobody is told");
    assert_eq!(server.told(&ben).await.len(), told_ben.len() - 1, "nobody is told");
    let marker = server.favor(&ben, drafting()).await.id;
    let mut hinted = HashSet::new();
    while !hinted.contains(&marker) {
        hinted.extend(live.message().await.unwrap().unwrap().changed.map(|changed| changed.id));
    }
    assert!(hinted.contains(&waiting.id) && hinted.contains(&of_ben.id) && !hinted.contains(&draft.id), "he knows of no draft: {hinted:?}");
    let still: Vec<_> = server.news(&ben).await.into_iter().filter(|n| n.action_required).map(|n| n.target.unwrap().id).collect();
    assert!(!still.contains(&waiting.id), "nothing is expected of who is not asked any more");
    let active = server.favors(&ana).list_active_favors(ListActiveFavorsRequest::default()).await.unwrap().into_inner();
    assert_eq!(active.favors.len(), 4);
}

struct Refuses;

#[tonic::async_trait]
impl friends::Hook for Refuses {
    async fn ended(&self, _: &mut Tx, _: MemberId, _: MemberId) -> Result<Told> {
        Err(Error::new(Reason::LimitReached, "not today"))
    }
}

#[tokio::test]
async fn a_hook_that_fails_keeps_two_members_friends() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let favor = server.favor(&ana, asking(&[&ben])).await;
    let hooks: Vec<Arc<dyn friends::Hook>> = vec![Arc::new(favors::Hooks(server.node.deps.clone())), Arc::new(Refuses)];
    assert_eq!(part(&server, &ana, &ben, hooks).await.unwrap_err().reason(), Reason::LimitReached);
    assert_eq!((circle(&server, &ana).await, circle(&server, &ben).await), (1, 1));
    assert_eq!(asked(&server, &ana, &favor).await, [ben.uid.as_str()]);
}

#[tokio::test]
async fn of_an_answer_and_a_parting_at_once_one_comes_first() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for n in 0..6 {
        let other = server.member(&format!("Other{n}"), "Test").await;
        server.befriend(&ana, &other).await;
        let favor = server.favor(&ana, asking(&[&other])).await;
        let (answered, parted) = tokio::join!(
            server.answer(&other, &favor.id, FavorResponse::Accept, ""),
            part(&server, &ana, &other, app::friends_hooks(&server.node.deps))
        );
        parted.unwrap();
        let helps = asked(&server, &ana, &favor).await == [other.uid.as_str()];
        assert_eq!(helps, answered.is_ok(), "{answered:?}");
    }
}
