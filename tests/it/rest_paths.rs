//! The JSON that REST clients read, by snapshot: one story over every path that is built, with ids and cursors named.

use crate::{
    contract::assert_snapshot,
    harness::{Member, TestServer, drawn},
};
use goodturn::mail_links::Purpose;
use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};
use std::{collections::HashMap, fmt::Write};

/// Calls, and writes down what was answered.
struct Scribe {
    server: TestServer,
    names: HashMap<String, String>,
    text: String,
}

impl Scribe {
    async fn call<'m>(&mut self, method: &str, path: &str, who: impl Into<Option<&'m Member>>, body: impl Into<Option<Value>>) -> Value {
        let (status, answer) = self.server.rest(method, path, who, body).await;
        let path = self.named(path);
        let shown = self.shown(&answer);
        writeln!(self.text, "{method} {path} -> {status}\n{}\n", serde_json::to_string_pretty(&shown).unwrap()).unwrap();
        answer
    }

    fn named(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (id, name)| text.replace(id.as_str(), name))
    }

    /// Ids by the name that the story gives them, or by the order in which they came; what is random by what it is.
    fn shown(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => {
                let next = format!("<id {}>", self.names.len());
                Value::String(self.names.entry(text.clone()).or_insert(next).clone())
            }
            Value::Array(list) => list.iter().map(|v| self.shown(v)).collect(),
            Value::Object(members) => members.iter().map(|(name, v)| (name.clone(), self.member(name, v))).collect(),
            other => other.clone(),
        }
    }

    fn member(&mut self, name: &str, value: &Value) -> Value {
        match name {
            "cursor" | "nextToken" | "resumeToken" if value != "" => json!("<cursor>"),
            "requestId" => json!("<request id>"),
            "uploadUrl" | "profilePictureUrl" | "profile_picture_url" | "mainImage" | "url" => {
                let (path, signed) =
                    value.as_str().unwrap().split_once('?').map_or((value.as_str().unwrap(), ""), |(path, _)| (path, "?<signed>"));
                json!(format!("{}{signed}", self.named(path)))
            }
            _ => self.shown(value),
        }
    }
}

#[tokio::test]
async fn every_path_answers_in_the_documented_shape() {
    let server = TestServer::start().await;
    let (ana, ben, eve) = (server.ana().await, server.ben().await, server.eve().await);
    let names = [(&ana, "<ana>"), (&ben, "<ben>"), (&eve, "<eve>")].map(|(m, name)| (m.uid.clone(), name.to_owned()));
    let mut scribe = Scribe { server, names: names.into(), text: String::new() };
    friends(&mut scribe, &ana, &ben, &eve).await;
    groups(&mut scribe, &ana, &ben, &eve).await;
    favors(&mut scribe, &ana, &ben).await;
    received(&mut scribe, &ana, &ben).await;
    promises(&mut scribe, &ana, &ben).await;
    items(&mut scribe, &ana, &ben, &eve).await;
    notifications(&mut scribe, &ana).await;
    profiles(&mut scribe, &ana, &ben, &eve).await;
    rentals(&mut scribe, &ana, &ben).await;
    apart(&mut scribe, &ana, &ben).await;
    errors(&mut scribe, &ana, &eve).await;
    assert_snapshot("rest.txt", &scribe.text);
    scribe.server.stop().await;
}

async fn friends(s: &mut Scribe, ana: &Member, ben: &Member, eve: &Member) {
    let path = |m: &Member, rest: &str| format!("/v2/users/{}/{rest}", m.uid);
    s.call("POST", &path(ana, "find-friend"), ana, json!({"contact": "ben@example.org", "contactType": "email"})).await;
    s.call("POST", &path(ana, "find-friend"), ana, json!({"contact": "unknown@example.org", "contactType": "email"})).await;
    s.call("POST", &path(ana, "find-friend"), ana, json!({"contact": "+1 555 123 4567", "contactType": "phone"})).await;
    let asked = s.call("POST", &path(ana, "add-friend"), ana, json!({"receiverEmail": "ben@example.org", "message": "Hello Ben"})).await;
    s.call("POST", &path(ana, "add-friend"), ana, json!({"receiverEmail": "ben@example.org"})).await;
    s.call("GET", &path(ben, "friend-requests"), ben, None).await;
    s.call("GET", &path(ana, "friend-requests"), ana, None).await;
    let id = asked["data"]["friendRequest"].as_str().unwrap();
    s.call("POST", &path(ben, &format!("friend-requests/{id}/respond")), ben, json!({"action": "accepted"})).await;
    s.call("GET", &path(ana, "active"), ana, None).await;
    let sent = s.call("POST", &path(ana, "add-friend"), ana, json!({"userId": eve.uid})).await;
    let id = sent["data"]["friendRequest"].as_str().unwrap();
    s.call("DELETE", &path(ana, &format!("friend-requests/{id}")), ana, None).await;
}

async fn groups(s: &mut Scribe, ana: &Member, ben: &Member, eve: &Member) {
    let made = s.call("POST", "/groups", ana, json!({"group_name": "Our street", "friend_ids": [ben.uid]})).await;
    let id = made["group_id"].as_str().unwrap().to_owned();
    s.call("POST", "/groups", ana, json!({"groupName": "OUR  STREET", "friendIds": [ben.uid]})).await;
    s.call("POST", "/groups", ana, json!({"group_name": " ", "friend_ids": []})).await;
    s.call("POST", "/groups", ana, json!({"group_name": "Others", "friend_ids": [ben.uid, eve.uid]})).await;
    s.call("GET", "/groups", ana, None).await;
    s.call("GET", &format!("/v2/users/{}/active", ana.uid), ana, None).await;
    s.call("PUT", &format!("/groups/{id}"), ana, json!({"group_name": "Our road", "members": [ben.uid]})).await;
    s.call("PUT", &format!("/groups/{id}"), ben, json!({"group_name": "Mine", "members": [ana.uid]})).await;
    s.call("DELETE", &format!("/groups/{id}"), ben, None).await;
    s.call("DELETE", &format!("/groups/{id}"), ana, None).await;
    s.call("DELETE", &format!("/groups/{id}"), ana, None).await;
}

async fn favors(s: &mut Scribe, ana: &Member, ben: &Member) {
    let draft = json!({"title": "Walk Biscuit", "description": "Round the park", "category": "pet_care", "status": "draft", "tip": "12.5"});
    let made = s.call("POST", "/favor/favor-create", ana, draft).await;
    let id = made["id"].as_str().unwrap().to_owned();
    let change = json!({"recepients": [ben.uid], "startDate": "2026-06-17T10:00:00.000Z", "currency": "eur"});
    s.call("POST", &format!("/favor/{id}/favor-update"), ana, change).await;
    s.call("POST", &format!("/favor/{id}/publish"), ana, json!({})).await;
    s.call("GET", "/favor/active", ana, None).await;
    s.call("GET", &format!("/api/users/{}/favors/active?limit=1&order=recent", ana.uid), ana, None).await;
    s.call("GET", &format!("/api/users/{}/requests/received?status=pending", ben.uid), ben, None).await;
    s.call("POST", &format!("/api/favors/{id}/respond"), ben, json!({"response": "accepted", "message": "Gladly"})).await;
    s.call("GET", &format!("/api/favors/{id}"), ana, None).await;
    s.call("GET", &format!("/api/users/{}/dashboard", ana.uid), ana, None).await;
    s.call("GET", "/api/analytics/trending-categories", ana, None).await;
    s.call("POST", &format!("/favor/{id}/favor-update"), ben, json!({"status": "completed"})).await;
    s.call("POST", &format!("/favor/{id}/favor-update"), ana, json!({"status": "settled"})).await;
    s.call("GET", "/favor/completed", ana, None).await;
    s.call("GET", &format!("/api/users/{}/favors/historical", ana.uid), ana, None).await;
    s.call("GET", &format!("/api/users/{}/stats", ben.uid), ben, None).await;
}

async fn received(s: &mut Scribe, ana: &Member, ben: &Member) {
    let posted = json!({"title": "Carry a sofa", "description": "Two flights", "category": "physical_help", "status": "active",
                        "startDate": "2026-06-18T10:00:00+02:00", "recipients": [ben.uid]});
    let made = s.call("POST", "/api/favors/create", ana, posted).await;
    let id = made["id"].as_str().unwrap().to_owned();
    s.call("GET", "/api/favors/browse?category=physical_help&limit=5", ben, None).await;
    s.call("GET", "/api/favors/search?searchTerm=sofa&limit=1", ana, None).await;
    s.call("GET", "/api/favors/search", ana, None).await;
    s.call("GET", "/api/categories/physical_help/favors", ana, None).await;
    s.call("GET", "/api/locations/Mill%20Lane/favors", ana, None).await;
    s.call("POST", &format!("/api/favors/{id}/respond"), ben, json!({"response": "another_time", "message": "On Friday?"})).await;
    s.call("POST", &format!("/favor/{id}/favor-update"), ana, json!({"status": "cancelled"})).await;
    s.call("GET", "/favor/cancelled", ana, None).await;
    let made = s.call("POST", "/favor/favor-create", ana, json!({"title": "Later", "description": "Perhaps"})).await;
    let id = made["id"].as_str().unwrap().to_owned();
    s.call("DELETE", &format!("/favor/{id}"), ana, None).await;
}

async fn promises(s: &mut Scribe, ana: &Member, ben: &Member) {
    let public = json!({"title": "Catch my cat", "description": "She is on the roof", "status": "active", "requestType": "public",
                        "startDate": "2026-06-19T10:00:00Z", "tip": 3});
    let made = s.call("POST", "/api/favors/create", ana, public).await;
    let id = made["id"].as_str().unwrap().to_owned();
    s.call("POST", &format!("/api/favors/{id}/apply"), ben, json!({"message": "I have a ladder"})).await;
    s.call("POST", &format!("/api/favors/{id}/applicants/{}:choose", ben.uid), ana, json!({})).await;
    s.call("POST", &format!("/api/favors/{id}/withdraw"), ben, json!({"message": "It broke"})).await;
    let later = json!({"response": "another_time", "proposedStart": "2026-06-20T10:00:00Z"});
    s.call("POST", &format!("/api/favors/{id}/respond"), ben, later.clone()).await;
    let declined = json!({"message": "I'm away then", "proposedStart": "2026-06-20T10:00:00Z"});
    s.call("POST", &format!("/api/favors/{id}/recipients/{}:declineTime", ben.uid), ana, declined).await;
    s.call("POST", &format!("/api/favors/{id}/respond"), ben, later).await;
    let taken = json!({"proposedStart": "2026-06-20T10:00:00Z"});
    s.call("POST", &format!("/api/favors/{id}/recipients/{}:acceptTime", ben.uid), ana, taken).await;
    let asking = json!({"title": "Brush my cat", "description": "Once", "status": "active", "startDate": "2026-06-19T10:00:00Z",
                        "requestType": "public", "maxResponses": 2});
    let made = s.call("POST", "/api/favors/create", ana, asking).await;
    let id = made["id"].as_str().unwrap().to_owned();
    s.call("POST", &format!("/api/favors/{id}/requests"), ana, json!({"userId": ben.uid, "message": "You know her"})).await;
}

async fn items(s: &mut Scribe, ana: &Member, ben: &Member, eve: &Member) {
    let drill = json!({"title": "Drill", "description": "With a set of bits", "category": "Tools & Equipment", "url": "https://drills.example/1",
                       "visibility": "friends", "pricePerDay": 2.5, "currency": "USD", "deposit": "20", "maxDays": 7,
                       "cancellationPolicy": "MODERATE", "location": {"city": "Oakland"}});
    let made = s.call("POST", "/items", ana, drill).await;
    let id = made["item_id"].as_str().unwrap().to_owned();
    s.call("POST", "/items", ana, json!({"title": "", "description": "x", "pricePerDay": 0.001})).await;
    s.call("PATCH", &format!("/items/{id}"), ana, json!({"status": "LISTED", "url": "", "location": {"city": ""}})).await;
    s.call("GET", &format!("/items/{id}"), ben, None).await;
    s.call("GET", &format!("/items/{id}"), eve, None).await;
    s.call("GET", "/me/items?status=LISTED&category=Tools&q=drill&limit=1", ana, None).await;
    s.call("GET", "/feed?category=Tools&q=dril&limit=5", ben, None).await;
    let file = drawn(ImageFormat::Png, 40, 30);
    let told =
        s.call("POST", &format!("/items/{id}/images/presign"), ana, json!({"contentType": "image/png", "fileSize": file.len()})).await;
    assert_eq!(s.server.put_file(told["uploadUrl"].as_str().unwrap(), "image/png", file).await, 200);
    let image = s.call("POST", &format!("/items/{id}/images/confirm"), ana, json!({"key": told["key"]})).await;
    let image = image["image_id"].as_str().unwrap().to_owned();
    s.call("GET", &format!("/items/{id}/images"), ben, None).await;
    s.call("PUT", &format!("/items/{id}/images:order"), ana, json!({"imageIds": [image]})).await;
    s.call("DELETE", &format!("/items/{id}/images/{image}"), ana, None).await;
    let ranges =
        json!({"ranges": [{"startDate": "2026-07-03", "endDate": "2026-07-04"}, {"startDate": "2026-07-01", "endDate": "2026-07-02"}]});
    s.call("PUT", &format!("/items/{id}/blackout-days"), ana, ranges).await;
    s.call("GET", &format!("/items/{id}/blackout-days"), ana, None).await;
    s.call("DELETE", &format!("/items/{id}"), ben, None).await;
    s.call("DELETE", &format!("/items/{id}"), ana, None).await;
}

async fn rentals(s: &mut Scribe, ana: &Member, ben: &Member) {
    let item = s.server.lends(ana, "Ladder").await;
    s.names.insert(item.clone(), "<ladder>".to_owned());
    let requests = format!("/items/{item}/requests");
    s.call("GET", &format!("/items/{item}/availability"), ben, None).await;
    s.call("GET", &format!("/items/{item}/availability?start_date=2026-06-20&end_date=2026-06-22"), ben, None).await;
    let wish = json!({"startDate": "2026-06-20", "endDate": "2026-06-22", "message": "For my apples", "gratitude": 5});
    s.call("POST", &requests, ben, json!({"startDate": "2026-06-20", "gratitude": 10000})).await;
    let asked = s.call("POST", &requests, ben, wish.clone()).await;
    let one = format!("{requests}/{}", asked["request_id"].as_str().unwrap());
    s.call("GET", &one, ana, None).await;
    s.call("GET", &format!("{requests}?status=PENDING"), ana, None).await;
    s.call("GET", "/me/requests?status=INITIATED&limit=1", ben, None).await;
    s.call("GET", "/owners/me/requests", ana, None).await;
    s.call("GET", "/me/borrow-requests?as=borrower&status=PENDING", ben, None).await;
    s.call("GET", "/me/borrow-requests?as=&limit=1", ana, None).await;
    s.call("PATCH", &format!("{one}:move"), ben, json!({"startDate": "2026-06-16", "endDate": "2026-06-17"})).await;
    s.call("PATCH", &format!("{one}:accept"), ana, json!({})).await;
    let announced = json!({"content_type": "image/png", "file_size": 1000});
    s.call("POST", &format!("{one}/pictures/presign"), ben, announced).await;
    s.call("PATCH", &format!("{one}:start"), ben, json!({"note": "All steps are there"})).await;
    s.call("PATCH", &format!("{one}:extend"), ben, json!({"endDate": "2026-06-18"})).await;
    s.call("PATCH", &format!("{one}:accept-extension"), ana, json!({"endDate": "2026-06-18"})).await;
    s.call("PATCH", &format!("{one}:extend"), ben, json!({"endDate": "2026-06-19"})).await;
    s.call("PATCH", &format!("{one}:decline-extension"), ana, json!({})).await;
    s.call("GET", &format!("/items/{item}/availability?start_date=2026-06-17&end_date=2026-06-18"), ben, None).await;
    s.call("POST", &requests, ben, json!({"startDate": "2026-06-17", "endDate": "2026-06-17"})).await;
    s.call("PATCH", &format!("{one}%3Areturn"), ben, json!({"note": "A step is loose"})).await;
    s.call("PATCH", &format!("{one}:complete"), ana, json!({"note": "Glued again", "picture_keys": []})).await;
    s.call("POST", &format!("/txns/{}/complete", asked["request_id"].as_str().unwrap()), ana, json!({})).await;
    s.call("PATCH", &format!("{one}:rate"), ben, json!({"rating": 5})).await;
    s.call("PATCH", &format!("{one}:rate"), ana, json!({"rating": 6})).await;
    s.call("GET", &format!("/items/{item}/stats"), ana, None).await;
    s.call("PATCH", &format!("{one}:accept"), ana, json!({})).await;
    for action in ["reject", "cancel"] {
        let asked = s.call("POST", &requests, ben, wish.clone()).await;
        let who = if action == "reject" { ana } else { ben };
        s.call("PATCH", &format!("{requests}/{}:{action}", asked["request_id"].as_str().unwrap()), who, json!({})).await;
    }
}

async fn notifications(s: &mut Scribe, ana: &Member) {
    let list = s.call("GET", "/notifications?limit=2", ana, None).await;
    let id = list["notifications"][0]["id"].as_str().unwrap().to_owned();
    s.call("POST", &format!("/notifications/{id}%3Aread"), ana, json!({})).await;
    s.call("POST", "/notifications:read-all", ana, json!({})).await;
    s.call("GET", "/notifications/settings", ana, None).await;
    s.call("PUT", "/notifications/settings", ana, json!({"topics": [{"topic": "favor_settled", "mail": "off"}]})).await;
    s.call("POST", "/notifications/unsubscribe?token=none", None, None).await;
}

async fn profiles(s: &mut Scribe, ana: &Member, ben: &Member, eve: &Member) {
    let path = format!("/v2/users/{}", ana.uid);
    s.call("GET", &path, ana, None).await;
    let whole = json!({"profile": {"fname": "Ana", "lname": "Silva", "phone_number": "(415) 555-0123", "country_cd": "US"},
                       "data": {"paymentinfo": {"Venmo Username": "ana-s", "PayPal Username": ""}}});
    s.call("PUT", &path, ana, whole).await;
    s.call("PATCH", &format!("/api/users/{}", ana.uid), ana, json!({"profile": {"display_name": "Annie", "time_zone": "Europe/Lisbon"}}))
        .await;
    s.call("GET", &path, ben, None).await;
    s.call("GET", &path, eve, None).await;
    s.call("PUT", &path, ana, json!({"profile": {"fname": "", "phone_number": "555"}})).await;
    s.call("POST", &format!("{path}/phone-step:skip"), ana, json!({})).await;
    pictures(s, &format!("{path}/profile-picture"), ana).await;
}

async fn pictures(s: &mut Scribe, path: &str, ana: &Member) {
    let file = drawn(ImageFormat::Png, 40, 30);
    let asked = json!({"fileName": "me.png", "contentType": "image/png", "fileSize": file.len()});
    let told = s.call("POST", &format!("{path}/upload-url"), ana, asked).await;
    assert_eq!(s.server.put_file(told["uploadUrl"].as_str().unwrap(), "image/png", file).await, 200);
    s.call("PUT", path, ana, json!({"key": told["key"]})).await;
    s.call("DELETE", path, ana, None).await;
}

async fn apart(s: &mut Scribe, ana: &Member, ben: &Member) {
    let path = |rest: &str| format!("/v2/users/{}/{rest}", ana.uid);
    let invite = json!({"contact": "zoe@example.org", "contactType": "email", "customMessage": "Join us"});
    s.call("POST", &path("send-invite"), ana, invite.clone()).await;
    s.call("POST", &path("send-invite"), ana, invite).await;
    s.call("POST", &path("reports"), ana, json!({"memberId": ben.uid, "reason": "He shouts"})).await;
    s.call("DELETE", &path(&format!("friends/{}", ben.uid)), ana, None).await;
    s.call("POST", &path(&format!("blocks/{}", ben.uid)), ana, json!({})).await;
    s.call("GET", &path("blocks"), ana, None).await;
    s.call("GET", &format!("/v2/users/{}", ben.uid), ana, None).await;
    s.call("DELETE", &path(&format!("blocks/{}", ben.uid)), ana, None).await;
}

async fn errors(s: &mut Scribe, ana: &Member, eve: &Member) {
    s.call("GET", "/favor/active", None, None).await;
    s.call("GET", &format!("/v2/users/{}/active", ana.uid), eve, None).await;
    s.call("GET", "/favor/active?limit=0", ana, None).await;
    s.call("GET", "/favor/active?cursor=forged", ana, None).await;
    s.call("GET", "/api/favors/not-an-id", ana, None).await;
    let wrong = json!({"title": "", "description": "x", "category": "gardening", "status": "active", "recepients": [eve.uid]});
    s.call("POST", "/favor/favor-create", ana, wrong).await;
    let past = json!({"title": "x", "description": "x", "status": "active", "startDate": "2026-06-01T10:00:00Z", "recepients": [eve.uid]});
    s.call("POST", "/favor/favor-create", ana, past).await;
    s.call("PUT", "/favor/active", ana, json!({})).await;
    s.call("GET", "/me/requests", ana, None).await;
    s.call("GET", "/nowhere", ana, None).await;
}

#[tokio::test]
async fn a_browser_that_opens_the_path_of_a_call_gets_the_app() {
    let server = TestServer::start().await;
    let ana = server.ana().await;
    let opened = async |method: Method, path: &str, token: Option<&str>| {
        let request = server.http(method, path).header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        let answer = token.iter().fold(request, |request, token| request.bearer_auth(token)).send().await.unwrap();
        let kind = answer.headers()["content-type"].to_str().unwrap().split(';').next().unwrap().to_owned();
        (answer.status().as_u16(), kind)
    };
    let (page, json) = ("text/html".to_owned(), "application/json".to_owned());
    let item = format!("/items/{}", ana.uid);
    for path in ["/notifications", "/notifications/settings", "/groups", "/feed?q=drill", "/me/items", &item] {
        for method in [Method::GET, Method::HEAD] {
            assert_eq!(opened(method, path, None).await, (200, page.clone()), "{path}");
        }
        assert_eq!(opened(Method::GET, path, Some(&ana.token)).await.1, json, "{path}");
        assert_eq!(server.http(Method::GET, path).send().await.unwrap().headers()["content-type"], "application/json", "{path}");
    }
    assert_eq!(opened(Method::POST, "/items", None).await, (401, json.clone()));
    for path in ["/api/favors/browse", "/favor/active", &format!("/v2/users/{}", ana.uid)] {
        assert_eq!(opened(Method::GET, path, None).await, (401, json.clone()), "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_apps_own_paths_match_no_binding() {
    let server = TestServer::start().await;
    let settings = ["/settings", "/settings/security", "/settings/data", "/settings/notifications", "/settings/blocked"];
    let paths = ["/", "/friends", "/favors", "/favors/1", "/share", "/inbox", "/profile", "/auth/callback"];
    let shared = ["/items/1", "/items/1/borrow", "/items/1/edit", "/items/1/manage", "/rentals/1"].map(|under| format!("/share{under}"));
    for path in paths.into_iter().chain(settings).chain(shared.iter().map(String::as_str)).chain(Purpose::ALL.map(Purpose::page)) {
        let page = server.http(Method::GET, path).header("accept", "text/html").send().await.unwrap();
        assert_eq!(page.status(), 200, "{path}");
        assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
        assert_eq!(page.headers()["cache-control"], "no-cache", "{path}");
        assert_eq!(page.headers()["x-content-type-options"], "nosniff");
        assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
    }
    server.stop().await;
}
