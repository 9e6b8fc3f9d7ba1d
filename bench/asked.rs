//! The messages of the calls, and what their answers must be.

use crate::{
    calls::{Asked, CLIENT_ID, HttpCall, bearer},
    crowd,
    people::Signer,
    seed,
};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use goodturn::pb::{
    favors::{
        BrowseFavorsRequest, BrowseFavorsResponse, CreateFavorRequest, CreateFavorResponse, FavorStatus, ListReceivedFavorsRequest,
        ListReceivedFavorsResponse, SearchFavorsRequest, SearchFavorsResponse,
    },
    friends::{GetActiveRequest, GetActiveResponse},
    identity::{GetUserRequest, GetUserResponse, InitiateAuthRequest, InitiateAuthResponse},
    profile::{GetProfileRequest, GetProfileResponse},
    timestamp,
};
use reqwest::{Method, header::HeaderMap};
use std::{collections::HashMap, sync::Arc};
use time::OffsetDateTime;
use tonic::{Code, Status};
use uuid::Uuid;

/// Entries of a page of the received list.
pub const PAGE: usize = 25;

pub const INITIATE_AUTH: &str = "/goodturn.identity.v1.IdentityService/InitiateAuth";
pub const GET_USER: &str = "/goodturn.identity.v1.IdentityService/GetUser";
pub const GET_ACTIVE: &str = "/goodturn.friends.v1.FriendsService/GetActive";
pub const GET_PROFILE: &str = "/goodturn.profile.v1.ProfileService/GetProfile";
pub const LIST_RECEIVED: &str = "/goodturn.favors.v1.FavorsService/ListReceivedFavors";
pub const BROWSE: &str = "/goodturn.favors.v1.FavorsService/BrowseFavors";
pub const SEARCH: &str = "/goodturn.favors.v1.FavorsService/SearchFavors";
pub const CREATE: &str = "/goodturn.favors.v1.FavorsService/CreateFavor";
/// What every favor has in its title.
pub const WORD: &str = "sofa";
/// What every favor has in its description, with a typo.
pub const TYPO: &str = "heawy";
/// Friends whom one favor asks.
pub const RECIPIENTS: usize = 20;
/// It names no rental: the call is authenticated and logged, and then refused.
pub const REFUSED: &str = "/goodturn.rentals.v1.RentalsService/GetRental";

/// A message for each of the members.
pub type All<Q> = Arc<[Asked<Q>]>;
/// An answer, checked.
pub type Check<A> = fn(Result<A, Status>) -> Result<()>;

pub fn sign_ins(signers: &[Signer]) -> All<InitiateAuthRequest> {
    signers.iter().map(|s| (s.sign_in(), None)).collect()
}

pub fn refreshes(signers: &[Signer]) -> All<InitiateAuthRequest> {
    signers.iter().map(|s| (s.refresh(), None)).collect()
}

pub fn users(signers: &[Signer]) -> All<GetUserRequest> {
    signers.iter().map(|s| (GetUserRequest { access_token: s.token.clone() }, None)).collect()
}

/// Calls with tokens of which the signature alone is wrong.
pub fn forged(signers: &[Signer]) -> Result<All<ListReceivedFavorsRequest>> {
    let forged = |token: &str| {
        let (message, signature) = token.rsplit_once('.').context("a token has parts")?;
        bearer(&format!("{message}.{}", signature.chars().rev().skip(1).chain(['A']).collect::<String>()))
    };
    signers.iter().map(|s| Ok((ListReceivedFavorsRequest::default(), Some(forged(&s.token)?)))).collect()
}

pub fn actives(signers: &[Signer]) -> Result<All<GetActiveRequest>> {
    asked(signers, |s| GetActiveRequest { uid: s.id.to_string() })
}

pub fn profiles(signers: &[Signer]) -> Result<All<GetProfileRequest>> {
    asked(signers, |s| GetProfileRequest { uid: s.id.to_string() })
}

pub fn lists(signers: &[Signer]) -> Result<All<ListReceivedFavorsRequest>> {
    let limit = i32::try_from(PAGE)?;
    asked(signers, |s| ListReceivedFavorsRequest { uid: s.id.to_string(), limit: Some(limit), ..Default::default() })
}

pub fn browses(signers: &[Signer]) -> Result<All<BrowseFavorsRequest>> {
    let limit = i32::try_from(PAGE)?;
    asked(signers, |_| BrowseFavorsRequest { limit: Some(limit), ..Default::default() })
}

pub fn searches(signers: &[Signer], term: &str) -> Result<All<SearchFavorsRequest>> {
    let limit = i32::try_from(PAGE)?;
    asked(signers, |_| SearchFavorsRequest { limit: Some(limit), search_term: term.to_owned(), ..Default::default() })
}

/// Favors that ask some of each member's friends, as seed::friends_of tells them.
pub fn creates(signers: &[Signer], friends: &HashMap<Uuid, Vec<String>>, start: OffsetDateTime) -> Result<All<CreateFavorRequest>> {
    asked(signers, |s| CreateFavorRequest {
        title: "Carry a sofa".to_owned(),
        description: "Two flights of stairs and a narrow door.".to_owned(),
        status: FavorStatus::Active.into(),
        start_date: Some(timestamp(start)),
        recipients: friends.get(&s.id).cloned().unwrap_or_default(),
        ..Default::default()
    })
}

/// Drafts that they were asked for: no recipient ever sees one, which is known without the database.
pub fn empties(signers: &[Signer]) -> Result<All<ListReceivedFavorsRequest>> {
    asked(signers, |_| ListReceivedFavorsRequest { status: vec![FavorStatus::Draft.into()], ..Default::default() })
}

/// What names nothing.
pub fn unnamed(signers: &[Signer]) -> Result<All<()>> {
    asked(signers, |_| ())
}

pub fn asked<Q>(signers: &[Signer], message: impl Fn(&Signer) -> Q) -> Result<All<Q>> {
    signers.iter().map(|s| asked_by(s, message(s))).collect()
}

/// A message with the token of a member.
pub fn asked_by<Q>(signer: &Signer, message: Q) -> Result<Asked<Q>> {
    Ok((message, Some(bearer(&signer.token)?)))
}

pub fn signed_in(answer: Result<InitiateAuthResponse, Status>) -> Result<()> {
    answer?.authentication_result.map(|_| ()).context("no tokens were given")
}

pub fn a_user(answer: Result<GetUserResponse, Status>) -> Result<()> {
    ensure!(!answer?.user_attributes.is_empty(), "nothing is told of them");
    Ok(())
}

pub fn a_stranger(answer: Result<ListReceivedFavorsResponse, Status>) -> Result<()> {
    match answer {
        Err(status) if status.code() == Code::Unauthenticated => Ok(()),
        other => Err(anyhow::anyhow!("expected a refusal of the token, not {other:?}")),
    }
}

pub fn all_friends(answer: Result<GetActiveResponse, Status>) -> Result<()> {
    let count = answer?.friends.map_or(0, |f| f.list.len());
    ensure!(i64::try_from(count)? == seed::FRIENDS, "{count} friends");
    Ok(())
}

pub fn a_crowd(answer: Result<GetActiveResponse, Status>) -> Result<()> {
    let answer = answer?;
    let (friends, groups) = (answer.friends.map_or(0, |f| f.list.len()), answer.groups.len());
    ensure!(i64::try_from(friends)? == crowd::FRIENDS && i64::try_from(groups)? == crowd::GROUPS, "{friends} friends, {groups} groups");
    Ok(())
}

pub fn a_profile(answer: Result<GetProfileResponse, Status>) -> Result<()> {
    answer?.profile.map(|_| ()).context("nothing is told of them")
}

pub fn a_page(answer: Result<ListReceivedFavorsResponse, Status>) -> Result<()> {
    let count = answer?.favors.len();
    ensure!(count == PAGE, "{count} favors");
    Ok(())
}

pub fn a_browsed_page(answer: Result<BrowseFavorsResponse, Status>) -> Result<()> {
    let count = answer?.favors.len();
    ensure!(count == PAGE, "{count} favors");
    Ok(())
}

pub fn a_found_page(answer: Result<SearchFavorsResponse, Status>) -> Result<()> {
    let count = answer?.favors.len();
    ensure!(count == PAGE, "{count} favors");
    Ok(())
}

pub fn a_favor(answer: Result<CreateFavorResponse, Status>) -> Result<()> {
    let asked = answer?.favor.map_or(0, |f| f.recipients.len());
    ensure!(asked == RECIPIENTS, "{asked} are asked");
    Ok(())
}

pub fn nothing(answer: Result<ListReceivedFavorsResponse, Status>) -> Result<()> {
    ensure!(answer?.favors.is_empty(), "it is not empty");
    Ok(())
}

pub fn refused(answer: Result<(), Status>) -> Result<()> {
    match answer {
        Err(status) if status.code() == Code::InvalidArgument => Ok(()),
        other => Err(anyhow::anyhow!("expected a refusal after authentication, not {other:?}")),
    }
}

/// GetActive over REST.
pub fn get_active(url: &str, signer: &Signer) -> Result<HttpCall> {
    get(signer, format!("{url}/v2/users/{}/active", signer.id))
}

/// The received list over REST.
pub fn get_received(url: &str, signer: &Signer) -> Result<HttpCall> {
    get(signer, format!("{url}/api/users/{}/requests/received?limit={PAGE}", signer.id))
}

fn get(signer: &Signer, url: String) -> Result<HttpCall> {
    let mut headers = HeaderMap::new();
    headers.insert("authorization", format!("Bearer {}", signer.token).parse()?);
    Ok(HttpCall { method: Method::GET, url: url.parse()?, headers, body: Bytes::new(), bytes_min: 0 })
}

/// A sign-in as identity clients make it over HTTP.
pub fn post_sign_in(url: &str, signer: &Signer) -> Result<HttpCall> {
    let mut headers = HeaderMap::new();
    headers.insert("x-amz-target", "AWSCognitoIdentityProviderService.InitiateAuth".parse()?);
    headers.insert("content-type", "application/x-amz-json-1.1".parse()?);
    let body = serde_json::json!({
        "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": CLIENT_ID,
        "AuthParameters": { "USERNAME": signer.email, "PASSWORD": signer.password },
    });
    Ok(HttpCall { method: Method::POST, url: url.parse()?, headers, body: body.to_string().into(), bytes_min: 0 })
}
