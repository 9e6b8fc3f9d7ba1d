//! Favors that are found: what is open to a member, what a search finds and in which order, and that nobody finds what they may not see.

mod walks;

use crate::{
    asking::{asking, drafting, fields, refused},
    harness::{Database, Member, START, TestServer, config, until},
    lending::listed,
};
use goodturn::{
    clock::Clock,
    migrate,
    pb::{
        favors::{
            BrowseFavorsRequest, CancelFavorRequest, CreateFavorRequest, Favor, FavorCategory, FavorResponse, FavorStatus,
            ListFavorsByCategoryRequest, ListFavorsByLocationRequest, RequestType, SearchFavorsRequest,
        },
        items::{BrowseFeedRequest, CreateItemRequest, ListMyItemsRequest},
        timestamp,
    },
};
use sqlx::Executor;
use std::{collections::BTreeSet, sync::Arc};
use time::Duration;

/// A favor that is open to all friends, so many hours from now.
fn open(title: &str, hours: i64) -> CreateFavorRequest {
    CreateFavorRequest {
        title: title.into(),
        start_date: Some(timestamp(START + Duration::hours(hours))),
        request_type: RequestType::Public.into(),
        ..asking(&[])
    }
}

fn draft(title: &str) -> CreateFavorRequest {
    CreateFavorRequest { title: title.into(), ..drafting() }
}

fn titles(favors: &[Favor]) -> Vec<&str> {
    favors.iter().map(|f| f.title.as_str()).collect()
}

impl TestServer {
    async fn browsed(&self, who: &Member, request: BrowseFavorsRequest) -> Vec<Favor> {
        self.favors(who).browse_favors(request).await.unwrap().into_inner().favors
    }

    /// What a member finds first by some words.
    async fn sought(&self, who: &Member, search_term: &str) -> Vec<Favor> {
        let request = SearchFavorsRequest { search_term: search_term.into(), ..Default::default() };
        self.favors(who).search_favors(request).await.unwrap().into_inner().favors
    }

    async fn of_category(&self, who: &Member, category: FavorCategory) -> Vec<Favor> {
        let request = ListFavorsByCategoryRequest { category: category.into(), ..Default::default() };
        self.favors(who).list_favors_by_category(request).await.unwrap().into_inner().favors
    }

    async fn of_location(&self, who: &Member, location: &str) -> Vec<Favor> {
        let request = ListFavorsByLocationRequest { location: location.into(), ..Default::default() };
        self.favors(who).list_favors_by_location(request).await.unwrap().into_inner().favors
    }
}

/// Ana with a friend, a friend of that friend's, and a stranger.
async fn neighbors(server: &TestServer) -> (Member, Member, Member, Member) {
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let cleo = server.member("Cleo", "Moreau").await;
    server.befriend(&ana, &ben).await;
    server.befriend(&ben, &cleo).await;
    (ana, ben, cleo, eve)
}

#[tokio::test]
async fn browsing_shows_what_friends_ask_of_everybody_and_what_waits_for_an_answer() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = neighbors(&server).await;
    server.favor(&ben, open("Second", 5)).await;
    let first = server.favor(&ben, open("First", 1)).await;
    let third = server.favor(&ben, CreateFavorRequest { title: "Third".into(), ..asking(&[&ana]) }).await;
    server.favor(&ben, CreateFavorRequest { title: "For Cleo alone".into(), ..asking(&[&cleo]) }).await;
    server.favor(&ben, draft("Not posted")).await;
    server.favor(&ana, open("My own", 2)).await;
    let seen = server.browsed(&ana, BrowseFavorsRequest::default()).await;
    assert_eq!(titles(&seen), ["First", "Second", "Third"], "the first due first");
    let statuses: Vec<_> = seen.iter().map(Favor::status).collect();
    assert_eq!(statuses, [FavorStatus::Open, FavorStatus::Open, FavorStatus::Pending]);
    assert_eq!(titles(&server.browsed(&eve, BrowseFavorsRequest::default()).await), [""; 0]);
    assert_eq!(titles(&server.browsed(&cleo, BrowseFavorsRequest::default()).await), ["First", "Second", "For Cleo alone"]);

    // Who offers another time is still asked; who declined is not, and what was called off asks nobody.
    server.answer(&ana, &third.id, FavorResponse::AnotherTime, "On Friday?").await.unwrap();
    assert_eq!(server.browsed(&ana, BrowseFavorsRequest::default()).await.len(), 3);
    server.answer(&ana, &third.id, FavorResponse::Decline, "").await.unwrap();
    assert_eq!(titles(&server.browsed(&ana, BrowseFavorsRequest::default()).await), ["First", "Second"]);
    server.favors(&ben).cancel_favor(CancelFavorRequest { id: first.id, ..Default::default() }).await.unwrap();
    assert_eq!(titles(&server.browsed(&ana, BrowseFavorsRequest::default()).await), ["Second"]);
    server.clock.advance(Duration::hours(5));
    let ana = server.signed_in_again(&ana).await;
    assert_eq!(titles(&server.browsed(&ana, BrowseFavorsRequest::default()).await), [""; 0], "it has started");
    assert_eq!(titles(&server.sought(&ana, "second").await), [""; 0]);
    assert_eq!(titles(&server.of_category(&ana, FavorCategory::General).await), ["My own", "Third"], "what nobody did is left out");
}

#[tokio::test]
async fn a_back_up_is_looked_for_until_it_begins() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, _) = neighbors(&server).await;
    let id = server.favor(&ben, CreateFavorRequest { max_responses: 2, ..asking(&[&ana, &cleo]) }).await.id;
    server.answer(&cleo, &id, FavorResponse::Accept, "").await.unwrap();
    assert_eq!(server.browsed(&ana, BrowseFavorsRequest::default()).await.len(), 1);
    server.clock.advance(Duration::DAY + Duration::SECOND);
    let ana = server.signed_in_again(&ana).await;
    assert_eq!(titles(&server.browsed(&ana, BrowseFavorsRequest::default()).await), [""; 0], "it has begun");
    assert_eq!(server.of_category(&ana, FavorCategory::General).await.len(), 1, "which she may see");
}

#[tokio::test]
async fn what_friends_have_open_ends_with_the_friendship_and_with_a_block() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, _) = neighbors(&server).await;
    server.favor(&ben, CreateFavorRequest { location: "Mill Lane 3".into(), ..open("Water the plants", 5) }).await;
    for (friend, ends) in [(&ana, true), (&cleo, false)] {
        assert_eq!(server.browsed(friend, BrowseFavorsRequest::default()).await.len(), 1);
        assert_eq!(server.sought(friend, "plants").await.len(), 1);
        if ends {
            server.remove(friend, &ben).await.unwrap();
        } else {
            server.block(&ben, friend).await.unwrap();
        }
        assert!(server.browsed(friend, BrowseFavorsRequest::default()).await.is_empty());
        assert!(server.sought(friend, "plants").await.is_empty());
        assert!(server.of_category(friend, FavorCategory::General).await.is_empty());
        assert!(server.of_location(friend, "mill").await.is_empty());
    }
    assert_eq!(server.sought(&ben, "plants").await.len(), 1, "it is still one's own");
}

#[tokio::test]
async fn a_list_is_of_one_category_or_of_a_part_of_the_location() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = neighbors(&server).await;
    let of = |title: &str, category: FavorCategory, location: &str, hours| CreateFavorRequest {
        category: category.into(),
        location: location.into(),
        ..open(title, hours)
    };
    server.favor(&ben, of("Biscuit", FavorCategory::PetCare, "Zürich, Straße 100%", 3)).await;
    server.favor(&ben, of("Parcel", FavorCategory::Errands, "Basel 100", 2)).await;
    let own = CreateFavorRequest { category: FavorCategory::PetCare.into(), location: "zürich".into(), ..draft("My cat") };
    server.favor(&ana, own).await;
    let asked = CreateFavorRequest { category: FavorCategory::PetCare.into(), title: "Horse".into(), ..asking(&[&ana]) };
    let asked = server.favor(&ben, asked).await;
    server.answer(&ana, &asked.id, FavorResponse::Decline, "").await.unwrap();

    assert_eq!(titles(&server.of_category(&ana, FavorCategory::PetCare).await), ["My cat", "Biscuit", "Horse"], "drafts have no time");
    assert_eq!(titles(&server.of_category(&cleo, FavorCategory::PetCare).await), ["Biscuit"]);
    assert!(server.of_category(&eve, FavorCategory::PetCare).await.is_empty());
    for zurich in ["ZÜRICH", "zurich", "Zu\u{308}rich"] {
        assert_eq!(titles(&server.of_location(&ana, zurich).await), ["My cat", "Biscuit"], "{zurich}");
    }
    assert_eq!(titles(&server.of_location(&ana, "100%").await), ["Biscuit"], "the sign is nothing but itself");
    assert!(server.of_location(&ana, "B_sel").await.is_empty());
    let browse = |category: FavorCategory, location: &str| BrowseFavorsRequest {
        category: category.into(),
        location: location.into(),
        ..Default::default()
    };
    assert_eq!(titles(&server.browsed(&ana, browse(FavorCategory::PetCare, "")).await), ["Biscuit"]);
    assert_eq!(titles(&server.browsed(&ana, browse(FavorCategory::Unspecified, " basel ")).await), ["Parcel"]);
    assert!(server.browsed(&ana, browse(FavorCategory::PetCare, "basel")).await.is_empty());
    for unseen in [" \u{200B}", "\u{301}"] {
        let nowhere = ListFavorsByLocationRequest { location: unseen.into(), ..Default::default() };
        assert_eq!(fields(&refused(server.favors(&ana).list_favors_by_location(nowhere).await)), ["location: REQUIRED"]);
    }
}

#[tokio::test]
async fn a_search_finds_beginnings_parts_and_typos_the_best_first() {
    let server = TestServer::start().await;
    let (ana, ben, _, _) = neighbors(&server).await;
    let of = |title: &str, description: &str| CreateFavorRequest { description: description.into(), ..open(title, 5) };
    for (title, description) in [
        ("Rainwater barrel", "Empty it"),
        ("Balcony", "Some water for the tomatoes"),
        ("Water the garden", "On Sunday"),
        ("Шкаф", "Помоги мне"),
        ("100% wool", "Fold a_b"),
        ("1000 bricks", "Fold axb"),
    ] {
        server.favor(&ben, of(title, description)).await;
    }
    server.clock.advance(Duration::SECOND);
    server.favor(&ana, CreateFavorRequest { location: "3 Mill Lane".into(), ..draft("My own waterfall") }).await;
    let table: &[(&str, &[&str])] = &[
        ("wat", &["My own waterfall", "Water the garden", "Balcony", "Rainwater barrel"]),
        ("WATER", &["My own waterfall", "Water the garden", "Balcony", "Rainwater barrel"]),
        ("tomatos", &["Balcony"]),
        ("gardne", &["Water the garden"]),
        ("water gardn", &["Water the garden"]),
        ("garden, tomatoes", &[]),
        ("balcony water", &["Balcony"]),
        ("шка", &["Шкаф"]),
        ("ПОМОГИ", &["Шкаф"]),
        ("100%", &["100% wool"]),
        ("%", &["100% wool"]),
        ("a_b", &["100% wool"]),
        ("_", &["100% wool"]),
        ("1001", &[]),
        ("(", &[]),
        (r"\", &[]),
        (".*", &[]),
        ("bed", &[]),
    ];
    for (term, found) in table {
        assert_eq!(titles(&server.sought(&ana, term).await), *found, "{term}");
    }
    let errands = SearchFavorsRequest { search_term: "water".into(), category: FavorCategory::Errands.into(), ..Default::default() };
    assert!(server.favors(&ana).search_favors(errands).await.unwrap().into_inner().favors.is_empty());
    let at = |location: &str| SearchFavorsRequest { search_term: "water".into(), location: location.into(), ..Default::default() };
    let found = async |location| server.favors(&ana).search_favors(at(location)).await.unwrap().into_inner().favors;
    assert_eq!(titles(&found(" mill LANE").await), ["My own waterfall"], "what is elsewhere is not found");
    assert!(found("Mill_Lane").await.is_empty(), "each sign is nothing but itself");
    let nothing = SearchFavorsRequest { search_term: "  ".into(), ..Default::default() };
    assert_eq!(fields(&refused(server.favors(&ana).search_favors(nothing).await)), ["search_term: REQUIRED"]);
}

/// Also where trigrams and `lower` of Postgres know ASCII alone, and for what was written before words were folded.
#[tokio::test]
async fn a_search_finds_words_of_any_script_and_accent_in_every_locale() {
    for locale_c in [false, true] {
        let database = if locale_c { Database::of_locale_c().await } else { Database::empty().await };
        migrate::run(database.url()).await.unwrap();
        let mut beside = database.connect().await;
        let ctype = "SELECT format('%s %s', datlocprovider, datctype) FROM pg_database WHERE datname = current_database()";
        let letters: String = sqlx::query_scalar(ctype).fetch_one(&mut beside).await.unwrap();
        let server = TestServer::on(Arc::new(database), config(), Clock::fixed(START)).await;
        let (ana, ben, _, _) = neighbors(&server).await;
        let texts = [
            ("Café am Eck", "Der Gärtner bringt Straßenschilder"),
            ("Садовник", "Нужен на ВЫХОДНЫЕ, ёлки"),
            ("Κηπουρός", "Για το ΣΑΒΒΑΤΟΚΎΡΙΑΚΟ"),
            ("לוח שנה", "שָׁלוֹם לכולם"),
            ("Łódź i İzmir", "Smørrebrød"),
        ];
        for (title, description) in texts {
            // The title is where it is, too.
            let favor = CreateFavorRequest { description: description.into(), location: title.into(), ..open(title, 5) };
            server.favor(&ben, favor).await;
            server.item(&ben, CreateItemRequest { description: description.into(), ..listed(title) }).await;
        }
        let table: &[(&str, &str)] = &[
            ("cafe", "Café am Eck"),
            ("CAFÉ", "Café am Eck"),
            ("cafe\u{301}", "Café am Eck"),
            ("Gartne", "Café am Eck"),
            ("gärtnre", "Café am Eck"),
            ("strassen", "Café am Eck"),
            ("садовик", "Садовник"),
            ("САДОВНИК", "Садовник"),
            ("выхадные", "Садовник"),
            ("елки", "Садовник"),
            ("κηπουρος", "Κηπουρός"),
            ("κηπυρος", "Κηπουρός"),
            ("σαββατοκυριακο", "Κηπουρός"),
            ("שלום", "לוח שנה"),
            ("lodz", "Łódź i İzmir"),
            ("izmir", "Łódź i İzmir"),
            ("smorebrod", "Łódź i İzmir"),
        ];
        for (term, found) in table {
            assert_eq!(titles(&server.sought(&ana, term).await), [*found], "{term}, LC_CTYPE {letters}");
            let query = BrowseFeedRequest { query: (*term).into(), ..Default::default() };
            let items = server.feed(&ana, query).await.items;
            assert_eq!(items.iter().map(|i| i.title.as_str()).collect::<Vec<_>>(), [*found], "{term}, LC_CTYPE {letters}");
            let own = ListMyItemsRequest { query: (*term).into(), ..Default::default() };
            let items = server.own_items(&ben, own).await.items;
            assert_eq!(items.iter().map(|i| i.title.as_str()).collect::<Vec<_>>(), [*found], "{term}, LC_CTYPE {letters}");
        }
        for (location, found) in [("CAFÉ am", "Café am Eck"), ("садовник", "Садовник"), ("ΚΗΠΟΥΡΟΣ", "Κηπουρός"), ("izmir", "Łódź i İzmir")]
        {
            assert_eq!(titles(&server.of_location(&ana, location).await), [found], "{location}, LC_CTYPE {letters}");
        }
        for other in ["писатель", "kirche", "шкаф"] {
            assert!(server.sought(&ana, other).await.is_empty(), "{other}, LC_CTYPE {letters}");
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn nobody_finds_what_they_may_not_see() {
    let server = TestServer::start().await;
    let (ana, ben, cleo, eve) = neighbors(&server).await;
    server.favor(&ben, CreateFavorRequest { title: "Piano for Cleo".into(), ..asking(&[&cleo]) }).await;
    let readied = CreateFavorRequest { title: "Piano for later".into(), status: FavorStatus::Draft.into(), ..asking(&[&ana, &cleo]) };
    server.favor(&ben, readied).await;
    server.favor(&cleo, open("Piano of a friend's friend", 5)).await;
    server.favor(&ben, open("Piano for everybody", 5)).await;
    let found = async |who: &Member| {
        let found = server.sought(who, "piano").await;
        found.into_iter().map(|f| f.title).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found(&ana).await, ["Piano for everybody"]);
    assert_eq!(found(&cleo).await, ["Piano for Cleo", "Piano for everybody", "Piano of a friend's friend"]);
    assert_eq!(found(&ben).await, ["Piano for Cleo", "Piano for everybody", "Piano for later", "Piano of a friend's friend"]);
    assert!(found(&eve).await.is_empty());
    for who in [&ana, &cleo] {
        let seen = server.sought(who, "piano").await;
        assert!(seen.iter().all(|f| f.recipients.iter().all(|r| r == &who.uid || f.created_by == who.uid)), "nor who else was asked");
    }
}

/// There is no place in which a favor is forgotten.
#[tokio::test]
async fn a_favor_is_listed_in_whatever_place_it_stands() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let favor = server.favor(&ana, draft("Somewhere")).await;
    let mut beside = server.database.connect().await;
    let rule: String = sqlx::query_scalar("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'favor_places_place_check'")
        .fetch_one(&mut beside)
        .await
        .unwrap();
    let places: Vec<&str> = rule.split('\'').skip(1).step_by(2).collect();
    assert!(places.len() >= 14, "{rule}");
    for place in places {
        // Only what others ask is there.
        if place == "lapsed" {
            continue;
        }
        let put = "UPDATE favor_places SET place = $1, changed_at = CASE WHEN $1 LIKE 'own%' THEN now() END WHERE favor_id = $2::uuid";
        assert_eq!(sqlx::query(put).bind(place).bind(&favor.id).execute(&mut beside).await.unwrap().rows_affected(), 1);
        assert_eq!(server.of_category(&ana, FavorCategory::General).await.len(), 1, "{place}");
    }
}

/// However long the past is, a search looks at the newest of it, and at all that is newer than the rest.
#[tokio::test]
async fn a_search_is_bounded_to_the_newest() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    server.favor(&ana, draft("Antique clock")).await;
    let many = format!(
        "WITH old AS (
             INSERT INTO favors (id, creator_id, title, description, category, status, tip_cents, currency, location, request_type, max_responses,
                                 responses, created_at, updated_at, cancelled_at, found_by, located_by)
             SELECT ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid, '{}', 'Clock ' || n, 'New', 'general', 'cancelled', 0, 'USD',
                    '', 'direct', 1, 0, now(), now(), now(), E'clock ' || n || E'\\nnew', ''
             FROM generate_series(1, 4999) n
             RETURNING id, creator_id, due_key, updated_at
         )
         INSERT INTO favor_places (favor_id, member_id, place, due_key, changed_at)
         SELECT id, creator_id, 'own_cancelled', due_key, updated_at FROM old",
        ana.uid
    );
    let mut beside = server.database.connect().await;
    beside.execute(sqlx::AssertSqlSafe(many)).await.unwrap();
    assert_eq!(titles(&server.sought(&ana, "antique").await), ["Antique clock"]);
    server.clock.advance(Duration::SECOND);
    server.favor(&ana, draft("One more")).await;
    // The ids of what was put there are newer than any that is made today, so the oldest is what was drafted first.
    assert!(server.sought(&ana, "antique").await.is_empty());
    assert_eq!(server.sought(&ana, "one more").await.len(), 1);
    assert_eq!(server.of_category(&ana, FavorCategory::General).await.len(), 20);
}

/// What its creator never called off does not hide what is still to come.
#[tokio::test]
async fn a_search_finds_what_is_open_behind_however_much_has_passed() {
    let server = TestServer::start().await;
    let (ana, ben, _, _) = neighbors(&server).await;
    let mut beside = server.database.connect().await;
    let passed = format!(
        "INSERT INTO favors (id, creator_id, title, description, category, status, request_type, start_at, tip_cents, currency, location,
                             max_responses, responses, created_at, updated_at, posted_at, found_by, located_by)
         SELECT gen_random_uuid(), '{}', 'Clock ' || n, 'Old', 'general', 'active', 'public', $1::timestamptz - n * interval '1 hour', 0, 'USD',
                '', 1, 0, $1, $1, $1, 'clock ' || n || E'\\nold', ''
         FROM generate_series(1, 60) n",
        ben.uid
    );
    sqlx::query(sqlx::AssertSqlSafe(passed)).bind(START).execute(&mut beside).await.unwrap();
    server.favor(&ben, open("Antique clock", 5)).await;
    assert_eq!(titles(&server.sought(&ana, "clock").await), ["Antique clock"]);
    assert_eq!(titles(&server.of_category(&ana, FavorCategory::General).await), ["Antique clock"]);
    let open = "SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 'favors_open'::regclass";
    let walked: String = sqlx::query_scalar(open).fetch_one(&mut beside).await.unwrap();
    assert!(walked.contains("lapsed_start IS DISTINCT FROM start_at"), "what is known to have passed is not walked over: {walked}");
}

/// To look for a typo costs more than all the rest: counted by Postgres itself.
#[tokio::test]
async fn a_search_looks_for_no_more_words_after_one_that_is_not_found() {
    let database = Arc::new(Database::create().await);
    let mut beside = database.connect().await;
    let count = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET track_functions = ''all''', current_database()); END $$";
    beside.execute(count).await.unwrap();
    let server = TestServer::on(database, config(), Clock::fixed(START)).await;
    let ana = server.ana().await;
    for title in ["Antique clock", "Garden table", "Rain coat"] {
        server.favor(&ana, draft(title)).await;
    }
    assert!(server.sought(&ana, "xylophon quartett violine orchester").await.is_empty());
    let calls = "SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_user_functions WHERE funcname = 'word_similarity'";
    let mut seen = 0;
    until("Postgres tells what was called", async || {
        seen = sqlx::query_scalar::<_, i64>(calls).fetch_one(&mut beside).await.unwrap();
        seen > 0
    })
    .await;
    assert_eq!(seen, 3, "one word of each favor");
    assert_eq!(titles(&server.sought(&ana, "antiqe clock").await), ["Antique clock"]);
}
