//! What the demo members did with each other in the last three weeks, told through the same services that members call.

use super::{
    loans::Loans,
    present::{
        Present,
        When::{self, Clock as At, Hours},
    },
};
use crate::{
    auth::Caller,
    clock::Clock,
    ids::{MemberId, SessionId},
    pb::{
        common::Currency,
        favors::{
            ApplyToFavorRequest, CancelFavorRequest, CompleteFavorRequest, CreateFavorRequest, FavorCategory, FavorResponse, FavorStatus,
            RequestType, RespondToFavorRequest, SettleFavorRequest, favors_service_server::FavorsService,
        },
        friends::{FriendRequestAction, RespondToFriendRequestRequest, SendFriendRequestRequest, friends_service_server::FriendsService},
        groups::{CreateGroupRequest, groups_service_server::GroupsService},
        items::items_service_server::ItemsService,
        notifications::{MarkAllNotificationsReadRequest, notifications_service_server::NotificationsService},
        rentals::rentals_service_server::RentalsService,
    },
};
use time::Duration;
use tonic::{Request, Status};

type Result<T = ()> = std::result::Result<T, Status>;

/// The members of the story; the first is the one that the login screen offers.
pub struct Cast {
    /// Has earned 45 USD by helping, and has favors in every status.
    pub ana: MemberId,
    /// A friend.
    pub ben: MemberId,
    /// A friend.
    pub marcus: MemberId,
    /// A friend.
    pub priya: MemberId,
    /// A friend.
    pub sofia: MemberId,
    /// Has asked Ana to be friends.
    pub lena: MemberId,
    /// Was asked by Ana.
    pub tom: MemberId,
}

/// Tells the story: services whose clock is moved on from three weeks ago to the present.
pub struct Story<'a, Friends, Groups, Favors, Notifications> {
    /// Their clock.
    pub clock: &'a Clock,
    /// When and where it is told.
    pub present: &'a Present,
    /// The service.
    pub friends: &'a Friends,
    /// The service.
    pub groups: &'a Groups,
    /// The service.
    pub favors: &'a Favors,
    /// The service.
    pub notifications: &'a Notifications,
}

/// A favor to be asked: title, description, category, tip in USD, its start and its deadline.
struct Ask(&'static str, &'static str, FavorCategory, f64, When, When);

impl<Fr: FriendsService, Gr: GroupsService, Fa: FavorsService, No: NotificationsService> Story<'_, Fr, Gr, Fa, No> {
    /// From the first friendship to this hour.
    ///
    /// # Errors
    /// As the services.
    pub async fn tell(&self, cast: &Cast, loans: &Loans<'_, impl ItemsService, impl RentalsService>) -> Result {
        self.make_friends(cast).await?;
        self.sort_friends(cast).await?;
        self.earn(cast).await?;
        loans.past(cast).await?;
        self.own_history(cast).await?;
        loans.late(cast).await?;
        self.together(cast).await?;
        self.this_week(cast).await?;
        loans.running(cast).await?;
        self.waiting(cast).await
    }

    async fn make_friends(&self, c: &Cast) -> Result {
        self.at(-20 * 24);
        for (asks, accepts) in [(c.ben, c.ana), (c.marcus, c.ana), (c.ana, c.priya), (c.sofia, c.ana), (c.ben, c.priya), (c.marcus, c.ben)]
        {
            let id = self.ask_to_be_friends(asks, accepts, "").await?;
            let answer = RespondToFriendRequestRequest { request_id: id, action: FriendRequestAction::Accept.into(), ..Default::default() };
            self.friends.respond_to_friend_request(by(accepts, answer)).await?;
            self.clock.advance(Duration::minutes(7));
        }
        Ok(())
    }

    /// Two groups of Ana's.
    async fn sort_friends(&self, c: &Cast) -> Result {
        for (name, friends) in [("Our street", vec![c.ben, c.marcus, c.priya]), ("Book club", vec![c.priya, c.sofia])] {
            let friend_ids = friends.iter().map(ToString::to_string).collect();
            self.groups.create_group(by(c.ana, CreateGroupRequest { group_name: name.to_owned(), friend_ids })).await?;
        }
        Ok(())
    }

    /// Three favors that Ana helped with and that were settled: 45 USD.
    async fn earn(&self, c: &Cast) -> Result {
        let parcel = Ask(
            "Pick up a parcel from the post office",
            "The slip is on my door. They close at six, and I'm stuck at work until seven.",
            FavorCategory::Errands,
            20.0,
            Hours(-17 * 24),
            Hours(-17 * 24 - 6),
        );
        self.helped((-18 * 24, -17 * 24 + 1), c.ben, c.ana, parcel).await?;
        let cat = Ask(
            "Feed Whiskers over the weekend",
            "Two scoops in the morning, two in the evening, and a little chat. The key is under the blue pot.",
            FavorCategory::PetCare,
            15.0,
            Hours(-12 * 24),
            Hours(-12 * 24 - 10),
        );
        self.helped((-14 * 24, -12 * 24 + 1), c.marcus, c.ana, cat).await?;
        let shelf = Ask(
            "Help me put up a bookshelf",
            "I have the drill and the screws. I just need someone to hold the other end straight.",
            FavorCategory::PhysicalHelp,
            10.0,
            Hours(-9 * 24),
            Hours(-9 * 24 - 4),
        );
        self.helped((-10 * 24, -9 * 24 + 1), c.priya, c.ana, shelf).await
    }

    async fn own_history(&self, c: &Cast) -> Result {
        let cleaning = Ask(
            "Pick up my dry cleaning",
            "It's already paid for. The ticket number is 114.",
            FavorCategory::Errands,
            8.0,
            Hours(-7 * 24),
            Hours(-7 * 24 - 3),
        );
        self.helped((-8 * 24, -7 * 24 + 1), c.ana, c.ben, cleaning).await?;
        self.at(-5 * 24);
        let gate = Ask(
            "Hold the garden gate while I hang it",
            "Ten minutes of holding, and a cup of coffee after.",
            FavorCategory::PhysicalHelp,
            12.0,
            Hours(-3 * 24),
            Hours(-4 * 24),
        );
        let gate = self.ask(c.ana, &[c.marcus, c.sofia], FavorStatus::Active, gate).await?;
        self.at(-4 * 24 - 5);
        self.answer(c.marcus, &gate, FavorResponse::Accept, "").await?;
        self.at(-4 * 24 - 2);
        let letter = Ask(
            "Proofread my cover letter",
            "One page, due on Friday. Be kind but tough.",
            FavorCategory::General,
            0.0,
            Hours(-2 * 24),
            Hours(-3 * 24),
        );
        let letter = self.ask(c.ana, &[c.priya], FavorStatus::Active, letter).await?;
        self.at(-3 * 24 - 2);
        self.favors.cancel_favor(by(c.ana, CancelFavorRequest { id: letter, ..Default::default() })).await?;
        self.at(-3 * 24 + 2);
        self.favors.complete_favor(by(c.marcus, CompleteFavorRequest { id: gate, ..Default::default() })).await?;
        Ok(())
    }

    /// What more than one would help with: a favor of Ana's with a back-up, and a public one of Ben's, for which two offer help.
    async fn together(&self, c: &Cast) -> Result {
        self.at(-2 * 24 - 4);
        let tables = CreateFavorRequest {
            title: "Set up tables for the street party".to_owned(),
            description: "Six folding tables from the church hall to number 12. One helper is enough, with a second as backup.".to_owned(),
            category: FavorCategory::PhysicalHelp.into(),
            max_responses: 2,
            recipients: [c.ben, c.sofia, c.marcus].iter().map(ToString::to_string).collect(),
            ..self.posted(At(5, 10), At(4, 18))
        };
        let tables = self.make(c.ana, tables).await?;
        self.at(-2 * 24 - 2);
        self.answer(c.ben, &tables, FavorResponse::Accept, "Count me in.").await?;
        self.at(-2 * 24);
        self.answer(c.sofia, &tables, FavorResponse::Accept, "I can step in if Ben is busy.").await?;
        self.at(-2 * 24 + 3);
        let books = CreateFavorRequest {
            title: "Carry twelve boxes of books to the library sale".to_owned(),
            description: "They fit in my car in two trips. I need someone to help load and unload. Lunch is on me.".to_owned(),
            category: FavorCategory::Errands.into(),
            tip: 10.0,
            request_type: RequestType::Public.into(),
            ..self.posted(At(4, 11), At(3, 18))
        };
        let books = self.make(c.ben, books).await?;
        for (hours, applicant, words) in
            [(5, c.priya, "I'll be there anyway, with a hand truck."), (7, c.marcus, "I'm free all morning and can bring a second car.")]
        {
            self.at(-2 * 24 + hours);
            let offer = ApplyToFavorRequest { id: books.clone(), message: words.to_owned(), ..Default::default() };
            self.favors.apply_to_favor(by(applicant, offer)).await?;
        }
        Ok(())
    }

    /// What a posted favor has besides its words.
    fn posted(&self, start: When, confirm: When) -> CreateFavorRequest {
        CreateFavorRequest {
            status: FavorStatus::Active.into(),
            start_date: Some(self.present.timestamp(start)),
            confirmation_date: Some(self.present.timestamp(confirm)),
            currency: Currency::Usd.into(),
            ..Default::default()
        }
    }

    async fn this_week(&self, c: &Cast) -> Result {
        self.at(-26);
        let station = Ask(
            "Drive me to the train station with two suitcases",
            "The train won't wait, and the suitcases are heavier than they look.",
            FavorCategory::Errands,
            12.0,
            At(2, 9),
            At(1, 18),
        );
        let station = self.ask(c.sofia, &[c.ana], FavorStatus::Active, station).await?;
        self.at(-24);
        self.answer(c.ana, &station, FavorResponse::Accept, "Happy to. I'll text you ten minutes before.").await?;
        self.at(-22);
        let walk = Ask(
            "Walk Biscuit while I am at the dentist",
            "He knows the loop around the park. The leash and treats are by the door. Twenty minutes is plenty.",
            FavorCategory::PetCare,
            15.0,
            Hours(5),
            Hours(3),
        );
        let walk = self.ask(c.ana, &[c.ben, c.marcus], FavorStatus::Active, walk).await?;
        self.at(-20);
        let sofa = Ask(
            "Carry a sofa up two flights of stairs",
            "It's a loveseat, and the stairs are wide. Four hands will do, but six would be great. Coffee and cinnamon rolls after.",
            FavorCategory::PhysicalHelp,
            25.0,
            At(1, 15),
            Hours(11),
        );
        let sofa = self.ask(c.ana, &[c.ben, c.marcus], FavorStatus::Active, sofa).await?;
        self.at(-18);
        self.answer(c.ben, &walk, FavorResponse::Accept, "Biscuit and I are old friends.").await?;
        self.at(-16);
        let offer = RespondToFavorRequest {
            id: sofa,
            response: FavorResponse::AnotherTime.into(),
            message: "I'm away that day. Would the day after work?".to_owned(),
            proposed_start: Some(self.present.timestamp(At(2, 15))),
            ..Default::default()
        };
        self.favors.respond_to_favor(by(c.marcus, offer)).await.map(drop)
    }

    async fn waiting(&self, c: &Cast) -> Result {
        self.at(-8);
        self.notifications.mark_all_notifications_read(by(c.ana, MarkAllNotificationsReadRequest::default())).await?;
        let seedlings = Ask(
            "Look after my seedlings for a week",
            "A little water every other day, and a few kind words.",
            FavorCategory::General,
            0.0,
            At(6, 10),
            At(4, 18),
        );
        self.ask(c.ana, &[], FavorStatus::Draft, seedlings).await?;
        self.at(-5);
        let balcony = Ask(
            "Water my balcony tomatoes for a week",
            "One watering can every evening. Ben has the spare key.",
            FavorCategory::General,
            15.0,
            At(2, 18),
            Hours(7),
        );
        self.ask(c.priya, &[c.ana, c.ben], FavorStatus::Active, balcony).await?;
        self.at(-3);
        self.ask_to_be_friends(c.lena, c.ana, "Hi Ana, we met at the street party. I live at number 12.").await?;
        self.ask_to_be_friends(c.ana, c.tom, "Are you the Tom with the ladder?").await?;
        Ok(())
    }

    /// Somebody asks, one person helps, and it is settled.
    async fn helped(&self, (asked_at_h, done_at_h): (i64, i64), creator: MemberId, helper: MemberId, ask: Ask) -> Result {
        self.at(asked_at_h);
        let id = self.ask(creator, &[helper], FavorStatus::Active, ask).await?;
        self.at(asked_at_h + 2);
        self.answer(helper, &id, FavorResponse::Accept, "").await?;
        self.at(done_at_h);
        self.favors.complete_favor(by(helper, CompleteFavorRequest { id: id.clone(), ..Default::default() })).await?;
        self.at(done_at_h + 3);
        self.favors.settle_favor(by(creator, SettleFavorRequest { id, ..Default::default() })).await?;
        Ok(())
    }

    async fn ask(&self, creator: MemberId, recipients: &[MemberId], status: FavorStatus, ask: Ask) -> Result<String> {
        let Ask(title, description, category, tip, start, confirm) = ask;
        let request = CreateFavorRequest {
            title: title.to_owned(),
            description: description.to_owned(),
            category: category.into(),
            status: status.into(),
            start_date: Some(self.present.timestamp(start)),
            confirmation_date: Some(self.present.timestamp(confirm)),
            tip,
            currency: Currency::Usd.into(),
            recipients: recipients.iter().map(ToString::to_string).collect(),
            ..Default::default()
        };
        self.make(creator, request).await
    }

    async fn make(&self, creator: MemberId, request: CreateFavorRequest) -> Result<String> {
        let made = self.favors.create_favor(by(creator, request)).await?.into_inner();
        Ok(made.favor.unwrap_or_default().id)
    }

    async fn answer(&self, recipient: MemberId, id: &str, response: FavorResponse, message: &str) -> Result {
        let request =
            RespondToFavorRequest { id: id.to_owned(), response: response.into(), message: message.to_owned(), ..Default::default() };
        self.favors.respond_to_favor(by(recipient, request)).await?;
        Ok(())
    }

    async fn ask_to_be_friends(&self, asks: MemberId, asked: MemberId, message: &str) -> Result<String> {
        let request = SendFriendRequestRequest { receiver_uid: asked.to_string(), message: message.to_owned(), ..Default::default() };
        Ok(self.friends.send_friend_request(by(asks, request)).await?.into_inner().friend_request)
    }

    /// Moves the clock on to some hours from the present.
    fn at(&self, hours: i64) {
        self.present.move_on(self.clock, hours);
    }
}

/// A request as the gate lets it through.
pub fn by<T>(member: MemberId, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(Caller { member, session: SessionId::from(member.0), expires_at_s: i64::MAX, signed_by: "".into() });
    request
}
