//! What members type, in any script and from any keyboard: names, words, digits, passwords and zones.

use crate::{
    harness::{Member, PASSWORD, TestServer},
    lending::{listed, titles},
};
use goodturn::pb::{
    favors::{CreateFavorRequest, GetFavorRequest, RequestType, SearchFavorsRequest},
    friends::SendInviteRequest,
    items::{BrowseFeedRequest, ListMyItemsRequest},
};
use reqwest::Method;
use serde_json::{Value, json};

/// One password, as one keyboard composes it and as another does not.
const COMPOSED: &str = "Zo\u{EB}-horse-1";
const DECOMPOSED: &str = "Zoe\u{308}-horse-1";

async fn patches(server: &TestServer, who: &Member, change: Value) -> (u16, Value) {
    server.rest("PATCH", &format!("/api/users/{}", who.uid), who, change).await
}

async fn signs_in(server: &TestServer, email: &str, password: &str) -> bool {
    let parameters = json!({"USERNAME": email, "PASSWORD": password});
    let body = json!({"ClientId": server.config.web_client_id, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": parameters});
    server.target("InitiateAuth", body).await.0 == 200
}

async fn asks_to_join(server: &TestServer, email: &str, password: &str) -> (u16, Value) {
    let attributes = json!([{"Name": "given_name", "Value": "Zoe"}]);
    let body = json!({"ClientId": server.config.web_client_id, "Username": email, "Password": password, "UserAttributes": attributes});
    server.target("SignUp", body).await
}

async fn confirms(server: &TestServer, email: &str, code: &str) -> (u16, Value) {
    let body = json!({"ClientId": server.config.web_client_id, "Username": email, "ConfirmationCode": code});
    server.target("ConfirmSignUp", body).await
}

#[tokio::test]
async fn names_are_shown_as_written_in_profiles_and_in_mails_to_strangers() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for (n, (first, last, shown)) in [
        ("प्रिया", "शर्मा", "प्रिया शर्मा"),
        ("สมชาย", "น้ำใจ", "สมชาย น้ำใจ"),
        ("தமிழ்", "செல்வி", "தமிழ் செல்வி"),
        ("សុខា", "ខ្មែរ", "សុខា ខ្មែរ"),
        ("မြန်မာ", "အောင်", "မြန်မာ အောင်"),
        ("Zoe\u{308}", "Mu\u{308}ller", "Zoë Müller"),
        ("J.R.", "A-12", "J.R. A-12"),
        ("Siobhán", "O’Neil", "Siobhán O’Neil"),
    ]
    .into_iter()
    .enumerate()
    {
        let (status, answer) = patches(&server, &ana, json!({"profile": {"fname": first, "lname": last, "display_name": ""}})).await;
        assert_eq!((status, &answer["profile"]["display_name"]), (200, &json!(shown)), "{answer}");
        let email = format!("friend{n}@example.org");
        let invite = SendInviteRequest { contact: email.clone(), ..Default::default() };
        server.friends(&ana).send_invite(invite).await.unwrap();
        let mail = server.mail_to(&email, |_| true).await;
        let subject = mail["subject"].as_str().unwrap();
        assert!(subject.contains(shown), "{subject}");
    }
    server.stop().await;
}

#[tokio::test]
async fn words_are_kept_composed_and_as_written() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let asked = CreateFavorRequest { title: "Cafe\u{301} für Zoe\u{308}".into(), ..crate::asking::asking(&[&ben]) };
    let id = server.favor(&ana, asked).await.id;
    let favor = server.favors(&ben).get_favor(GetFavorRequest { id }).await.unwrap().into_inner().favor.unwrap();
    assert_eq!(favor.title, "Caf\u{E9} für Zo\u{EB}");
    assert_eq!(server.news(&ben).await[0].message, "Ana Silva asked you for a favor: “Caf\u{E9} für Zo\u{EB}”.");
    server.stop().await;
}

#[tokio::test]
async fn a_search_finds_other_spellings_of_the_same_word() {
    let server = TestServer::start().await;
    let (ana, ben) = (server.ana().await, server.ben().await);
    server.befriend(&ana, &ben).await;
    let table = [
        ("Ben’s ladder", vec!["Ben's", "Ben’s", "benʼs ladder"]),
        ("Ana's drill", vec!["Ana’s", "ana's"]),
        ("L’échelle", vec!["l'echelle", "échelle", "L'ÉCHELLE"]),
        ("e\u{2011}bike", vec!["e-bike", "E–bike", "e\u{2011}bike"]),
        ("ＴＶ stand", vec!["TV", "tv", "ＴＶ"]),
        ("テレビ", vec!["ﾃﾚﾋﾞ", "テレビ"]),
        ("ﾄﾞﾘﾙ", vec!["ドリル"]),
        ("H₂O filter", vec!["h2o", "H₂O"]),
        ("Gartenmöbel", vec!["moebel", "möbel", "mobel", "Gartenmoebel"]),
        ("Muelleimer", vec!["Mülleimer"]),
        ("Smørrebrød board", vec!["smorrebrod", "Smoerrebroed"]),
        ("½ inch wrench", vec!["1/2"]),
        ("Tool №٣", vec!["no3"]),
    ];
    for (title, _) in &table {
        server.item(&ana, listed(title)).await;
        let open = CreateFavorRequest { title: (*title).into(), request_type: RequestType::Public.into(), ..crate::asking::asking(&[]) };
        server.favor(&ana, open).await;
    }
    for (title, queries) in &table {
        for query in queries {
            let feed = server.feed(&ben, BrowseFeedRequest { query: (*query).into(), ..Default::default() }).await;
            assert!(titles(&feed.items).contains(title), "{query} finds {title} in the feed: {:?}", titles(&feed.items));
            let own = ListMyItemsRequest { query: (*query).into(), ..Default::default() };
            let own = server.items(&ana).list_my_items(own).await.unwrap().into_inner();
            assert!(titles(&own.items).contains(title), "{query} finds {title} among the own items");
            let request = SearchFavorsRequest { search_term: (*query).into(), ..Default::default() };
            let favors = server.favors(&ben).search_favors(request).await.unwrap().into_inner().favors;
            assert!(favors.iter().any(|favor| favor.title == *title), "{query} finds {title} among favors");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_password_and_its_code_are_read_from_any_keyboard() {
    let server = TestServer::start().await;
    for (n, (set, typed)) in
        [(DECOMPOSED, COMPOSED), (COMPOSED, DECOMPOSED), ("Grüße-horse-1", "Gru\u{308}ße-horse-1")].into_iter().enumerate()
    {
        let email = format!("zoe{n}@example.org");
        let (status, answer) = asks_to_join(&server, &email, set).await;
        assert_eq!(status, 200, "{answer}");
        let code = server.code_for(&email).await;
        for wrong in ["", "abc", &code[..5], "١٢٣"] {
            assert_ne!(confirms(&server, &email, wrong).await.0, 200, "{wrong}");
        }
        let wide: String = code.chars().map(|c| char::from_u32(u32::from(c) + 0xFEE0).unwrap()).collect();
        let parted = format!("\u{202A}{}-{}\u{202C}\n", &wide[..9], &code[3..]);
        let (status, answer) = confirms(&server, &email, &parted).await;
        assert_eq!(status, 200, "{parted}: {answer}");
        assert!(signs_in(&server, &email, set).await && signs_in(&server, &email, typed).await);
        assert!(!signs_in(&server, &email, "Zoe-horse-1").await, "letters with and without their marks differ");
    }
    let ana = server.ana().await;
    let change = async |previous: &str, proposed: &str| {
        let body = json!({"AccessToken": ana.token, "PreviousPassword": previous, "ProposedPassword": proposed});
        server.target("ChangePassword", body).await.0
    };
    assert_eq!(change(PASSWORD, DECOMPOSED).await, 200);
    assert_eq!(change(COMPOSED, PASSWORD).await, 200);
    server.stop().await;
}

#[tokio::test]
async fn phone_numbers_and_zones_are_read_as_people_write_them() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    for (number, country, read) in [
        ("004915112345678", "DE", "+4915112345678"),
        ("\u{202A}+49 151 12345678\u{202C}", "DE", "+4915112345678"),
        ("0151/12345679", "DE", "+4915112345679"),
        ("0151\u{A0}1234\u{A0}5678", "DE", "+4915112345678"),
        ("٠٥٠١٢٣٤٥٦٧", "AE", "+971501234567"),
        ("0151‑12345677", "DE", "+4915112345677"),
    ] {
        let (status, answer) = patches(&server, &ana, json!({"profile": {"phone_number": number, "country_cd": country}})).await;
        assert_eq!((status, &answer["profile"]["phone_number"]), (200, &json!(read)), "{number}: {answer}");
    }
    for number in ["٠", "0151 CALL", "++49151", "\u{202A}"] {
        let (status, answer) = patches(&server, &ana, json!({"profile": {"phone_number": number}})).await;
        assert_eq!((status, &answer["details"][0]["field"]), (400, &json!("profile.phone_number")), "{number:?}: {answer}");
    }
    for (zone, kept) in [("europe/berlin", "Europe/Berlin"), ("AMERICA/NEW_YORK", "America/New_York"), ("Asia/Calcutta", "Asia/Calcutta")] {
        let (status, answer) = patches(&server, &ana, json!({"profile": {"time_zone": zone}})).await;
        assert_eq!((status, &answer["profile"]["time_zone"]), (200, &json!(kept)), "{answer}");
    }
    for zone in ["Factory", "Etc/Unknown", "localtime", "CEST", "+02:00"] {
        let (status, answer) = patches(&server, &ana, json!({"profile": {"time_zone": zone}})).await;
        assert_eq!((status, &answer["details"][0]["field"]), (400, &json!("profile.time_zone")), "{zone}: {answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_byte_order_mark_before_json_is_passed_over_on_every_face() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let marked = |json: &str| format!("\u{FEFF}{json}");
    let path = format!("/api/users/{}", ana.uid);
    let patched = server.http(Method::PATCH, &path).bearer_auth(&ana.token).header("content-type", "application/json");
    assert_eq!(patched.body(marked(r#"{"profile":{"fname":"Anna"}}"#)).send().await.unwrap().status(), 200);
    let rpc = "/goodturn.notifications.v1.NotificationsService/ListNotifications";
    let connect = server.http(Method::POST, rpc).bearer_auth(&ana.token).header("content-type", "application/json");
    assert_eq!(connect.body(marked(r#"{"limit":1}"#)).send().await.unwrap().status(), 200);
    let target = server.http(Method::POST, "/").header("x-amz-target", "AWSCognitoIdentityProviderService.GetUser");
    let target = target.header("content-type", "application/x-amz-json-1.1").body(marked(&json!({"AccessToken": ana.token}).to_string()));
    assert_eq!(target.send().await.unwrap().status(), 200);
    let twice = server.http(Method::PATCH, &path).bearer_auth(&ana.token).header("content-type", "application/json");
    assert_eq!(twice.body(marked(&marked("{}"))).send().await.unwrap().status(), 400);
    server.stop().await;
}
