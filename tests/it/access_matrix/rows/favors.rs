//! Rows of favors.

use super::{
    ANY_MEMBER, BAD_CURSOR, IS_ACCEPTED, IS_ACTIVE, IS_COMPLETED, IS_DRAFT, NO_APPLICANT, NO_FAVOR, NO_FRIEND, NO_FRIEND_TO_ASK,
    NO_GROUP_TO_ASK, NO_RECIPIENT, OK, OWN_PATH, Rows, WRONG_PARTY, ana_alone, favor, members, public,
};

// A row is a line, so that the cells of one RPC can be compared.
#[rustfmt::skip]
pub const TABLE: &[(&str, Rows)] = &[
    ("favors.v1.FavorsService/CreateFavor", &[
        (r#"{"title":"A","description":"B"}"#, ANY_MEMBER),
        (r#"{"title":"A","description":"B","recipients":["$ben"]}"#, ana_alone(NO_FRIEND)),
        (r#"{"title":"A","description":"B","recipients":["$max"]}"#, members(NO_FRIEND)),
        (r#"{"title":"A","description":"B","recipients":["$unknown"]}"#, members(NO_FRIEND)),
        (r#"{"title":"A","description":"B","groupIds":["$unknown"]}"#, members(NO_GROUP_TO_ASK)),
        (r#"{"title":"A","description":"B","groupIds":["$group"]}"#, ana_alone(NO_GROUP_TO_ASK)),
    ]),
    ("favors.v1.FavorsService/ListActiveFavors", &[
        (r#"{"uid":"$ana"}"#, OWN_PATH),
        (r#"{"uid":"$me"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","limit":1,"cursor":"$favors_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("favors.v1.FavorsService/ListCompletedFavors", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("favors.v1.FavorsService/ListCancelledFavors", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("favors.v1.FavorsService/ListReceivedFavors", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("favors.v1.FavorsService/GetFavor", &[
        (r#"{"id":"$active"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$accepted"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$public"}"#, public(OK, OK, OK, OK)),
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
    ]),
    ("favors.v1.FavorsService/GetFavorStory", &[
        (r#"{"id":"$active"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$accepted"}"#, favor(OK, OK, OK)),
        (r#"{"id":"$public"}"#, public(OK, OK, OK, OK)),
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
    ]),
    ("favors.v1.FavorsService/UpdateFavor", &[
        (r#"{"id":"$active","title":"C"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$draft","title":"C"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$accepted","title":"C"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
        (r#"{"id":"$accepted","status":"FAVOR_STATUS_COMPLETED"}"#, favor(WRONG_PARTY, OK, OK)),
        (r#"{"id":"$draft","recipients":["$max"]}"#, favor(NO_FAVOR, NO_FAVOR, NO_FRIEND)),
        (r#"{"id":"$draft","recipients":["$unknown"]}"#, favor(NO_FAVOR, NO_FAVOR, NO_FRIEND)),
        (r#"{"id":"$draft","groupIds":["$group"]}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$draft","groupIds":["$unknown"]}"#, favor(NO_FAVOR, NO_FAVOR, NO_GROUP_TO_ASK)),
    ]),
    ("favors.v1.FavorsService/PublishFavor", &[
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/RespondToFavor", &[
        (r#"{"id":"$active","response":"FAVOR_RESPONSE_ACCEPT"}"#, favor(OK, OK, WRONG_PARTY)),
        (r#"{"id":"$active","response":"FAVOR_RESPONSE_DECLINE"}"#, favor(OK, OK, WRONG_PARTY)),
        (r#"{"id":"$active","response":"FAVOR_RESPONSE_ANOTHER_TIME","message":"On Friday?"}"#, favor(OK, OK, WRONG_PARTY)),
        (r#"{"id":"$accepted","response":"FAVOR_RESPONSE_ACCEPT"}"#, favor(IS_ACCEPTED, OK, WRONG_PARTY)),
        (r#"{"id":"$draft","response":"FAVOR_RESPONSE_ACCEPT"}"#, favor(NO_FAVOR, NO_FAVOR, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/CompleteFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, OK, OK)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACTIVE)),
    ]),
    ("favors.v1.FavorsService/SettleFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACTIVE)),
    ]),
    ("favors.v1.FavorsService/CancelFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$completed"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_COMPLETED)),
    ]),
    ("favors.v1.FavorsService/AskMember", &[
        (r#"{"id":"$active","member_id":"$friend"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$active","member_id":"$ben"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$active","member_id":"$max"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_FRIEND_TO_ASK)),
        (r#"{"id":"$active","member_id":"$unknown"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_FRIEND_TO_ASK)),
        (r#"{"id":"$draft","member_id":"$friend"}"#, favor(NO_FAVOR, NO_FAVOR, IS_DRAFT)),
        (r#"{"id":"$accepted","member_id":"$friend"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/ApplyToFavor", &[
        (r#"{"id":"$public"}"#, public(OK, WRONG_PARTY, WRONG_PARTY, WRONG_PARTY)),
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/WithdrawFromFavor", &[
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, OK, WRONG_PARTY)),
        (r#"{"id":"$completed"}"#, favor(WRONG_PARTY, IS_COMPLETED, WRONG_PARTY)),
        (r#"{"id":"$public"}"#, public(OK, WRONG_PARTY, WRONG_PARTY, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/ChooseApplicant", &[
        (r#"{"id":"$public","uid":"$priya"}"#, public(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$public","uid":"$ben"}"#, public(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY, NO_APPLICANT)),
        (r#"{"id":"$public","uid":"$unknown"}"#, public(WRONG_PARTY, WRONG_PARTY, WRONG_PARTY, NO_APPLICANT)),
        (r#"{"id":"$accepted","uid":"$priya"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/AcceptProposedTime", &[
        (r#"{"id":"$offered","uid":"$ben","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$offered","uid":"$priya","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_RECIPIENT)),
        (r#"{"id":"$offered","uid":"$unknown","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_RECIPIENT)),
        (r#"{"id":"$accepted","uid":"$ben","proposed_start":"$in_two_days"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/DeclineProposedTime", &[
        (r#"{"id":"$offered","uid":"$ben"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$offered","uid":"$priya"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_RECIPIENT)),
        (r#"{"id":"$offered","uid":"$unknown"}"#, favor(WRONG_PARTY, WRONG_PARTY, NO_RECIPIENT)),
        (r#"{"id":"$accepted","uid":"$ben"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/ReportMissingTip", &[
        (r#"{"id":"$settled"}"#, favor(WRONG_PARTY, OK, WRONG_PARTY)),
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, IS_ACCEPTED, WRONG_PARTY)),
    ]),
    ("favors.v1.FavorsService/DeleteFavor", &[
        (r#"{"id":"$active"}"#, favor(WRONG_PARTY, WRONG_PARTY, OK)),
        (r#"{"id":"$draft"}"#, favor(NO_FAVOR, NO_FAVOR, OK)),
        (r#"{"id":"$accepted"}"#, favor(WRONG_PARTY, WRONG_PARTY, IS_ACCEPTED)),
    ]),
    ("favors.v1.FavorsService/BrowseFavors", &[
        (r#"{"uid":"$ana"}"#, OWN_PATH),
        (r#"{"uid":"$me"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","limit":1,"cursor":"$favors_cursor"}"#, members(BAD_CURSOR)),
    ]),
    ("favors.v1.FavorsService/SearchFavors", &[
        (r#"{"uid":"$ana","searchTerm":"dog"}"#, OWN_PATH),
        (r#"{"uid":"$me","searchTerm":"dog"}"#, ANY_MEMBER),
    ]),
    ("favors.v1.FavorsService/ListFavorsByCategory", &[
        (r#"{"uid":"$ana","category":"FAVOR_CATEGORY_GENERAL"}"#, OWN_PATH),
        (r#"{"uid":"$me","category":"FAVOR_CATEGORY_GENERAL"}"#, ANY_MEMBER),
    ]),
    ("favors.v1.FavorsService/ListFavorsByLocation", &[
        (r#"{"uid":"$ana","location":"lane"}"#, OWN_PATH),
        (r#"{"uid":"$me","location":"lane"}"#, ANY_MEMBER),
    ]),
];
