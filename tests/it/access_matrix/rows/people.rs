//! Rows of friends, groups, notifications and profiles.

use super::{
    ANY_MEMBER, ANYBODY, BAD_CODE, BAD_CURSOR, BAD_TOKEN_TO_RESUME, INVITED, NO_FIRST_NAME, NO_FRIEND_IN_GROUP, NO_LINK, NO_MEMBER,
    NO_NOTIFICATION, NO_NUMBER, NO_REQUEST, NO_TOKEN, NO_UPLOAD, OK, OWN_PATH, Rows, TWICE, ana_alone, anybody, group, members,
};

// A row is a line, so that the cells of one RPC can be compared.
#[rustfmt::skip]
pub const TABLE: &[(&str, Rows)] = &[
    ("friends.v1.FriendsService/ListFriendRequests", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/GetActive", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/RespondToFriendRequest", &[
        (r#"{"uid":"$ana","requestId":"$received","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#, OWN_PATH),
        (r#"{"uid":"$me","requestId":"$received","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#, ana_alone(NO_REQUEST)),
        (r#"{"uid":"$me","requestId":"$received","action":"FRIEND_REQUEST_ACTION_DECLINE"}"#, ana_alone(NO_REQUEST)),
        (r#"{"uid":"$me","requestId":"$sent","action":"FRIEND_REQUEST_ACTION_ACCEPT"}"#, members(NO_REQUEST)),
    ]),
    ("friends.v1.FriendsService/CancelFriendRequest", &[
        (r#"{"uid":"$ana","requestId":"$sent"}"#, OWN_PATH),
        (r#"{"uid":"$me","requestId":"$sent"}"#, ana_alone(NO_REQUEST)),
        (r#"{"uid":"$me","requestId":"$received"}"#, members(NO_REQUEST)),
    ]),
    ("friends.v1.FriendsService/FindFriend", &[
        (r#"{"uid":"$ana","contact":"ben@example.org"}"#, OWN_PATH),
        (r#"{"uid":"$me","contact":"ben@example.org"}"#, ANY_MEMBER),
    ]),
    ("friends.v1.FriendsService/SendFriendRequest", &[
        (r#"{"uid":"$ana","userId":"$another"}"#, OWN_PATH),
        (r#"{"uid":"$me","userId":"$another"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","receiverEmail":"$newcomer"}"#, members(NO_MEMBER)),
        (r#"{"uid":"$me","receiverEmail":"$address"}"#, members(NO_MEMBER)),
        (r#"{"uid":"$me","userId":"$unknown"}"#, members(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/SendInvite", &[
        (r#"{"uid":"$ana","contact":"$address"}"#, OWN_PATH),
        (r#"{"uid":"$me","contact":"$address"}"#, ANY_MEMBER),
        (r#"{"uid":"$me","contact":"$invited"}"#, [NO_TOKEN, NO_TOKEN, OK, OK, OK, OK, OK, INVITED]),
    ]),
    ("friends.v1.FriendsService/ListInvitations", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/CancelInvitation", &[
        (r#"{"uid":"$ana","invitationId":"$unknown"}"#, OWN_PATH),
        (r#"{"uid":"$me","invitationId":"$unknown"}"#, ANY_MEMBER),
    ]),
    ("friends.v1.FriendsService/GetInvitation", &[
        (r#"{"token":"$join_token"}"#, ANYBODY),
        (r#"{"token":"$refuse_token"}"#, ANYBODY),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("friends.v1.FriendsService/DeclineInvitations", &[
        (r#"{"token":"$refuse_token"}"#, ANYBODY),
        (r#"{"token":"$join_token"}"#, anybody(NO_LINK)),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("friends.v1.FriendsService/AllowInvitations", &[
        (r#"{"token":"$refuse_token"}"#, ANYBODY),
        (r#"{"token":"$join_token"}"#, anybody(NO_LINK)),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("friends.v1.FriendsService/RemoveFriend", &[
        (r#"{"uid":"$ana","friendId":"$friend"}"#, OWN_PATH),
        (r#"{"uid":"$me","friendId":"$friend"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","friendId":"$blocked"}"#, ana_alone(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/BlockMember", &[
        (r#"{"uid":"$ana","memberId":"$friend"}"#, OWN_PATH),
        (r#"{"uid":"$me","memberId":"$friend"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$blocked"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$another"}"#, members(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/UnblockMember", &[
        (r#"{"uid":"$ana","memberId":"$blocked"}"#, OWN_PATH),
        (r#"{"uid":"$me","memberId":"$blocked"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$friend"}"#, ana_alone(NO_MEMBER)),
    ]),
    ("friends.v1.FriendsService/ListBlockedMembers", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("friends.v1.FriendsService/ReportMember", &[
        (r#"{"uid":"$ana","memberId":"$friend","reason":"Rude"}"#, OWN_PATH),
        (r#"{"uid":"$me","memberId":"$friend","reason":"Rude"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$blocked","reason":"Rude"}"#, ana_alone(NO_MEMBER)),
        (r#"{"uid":"$me","memberId":"$another","reason":"Rude"}"#, members(NO_MEMBER)),
    ]),
    ("groups.v1.GroupsService/ListGroups", &[("{}", ANY_MEMBER)]),
    ("groups.v1.GroupsService/CreateGroup", &[
        (r#"{"group_name":"A","friend_ids":["$ben"]}"#, ana_alone(NO_FRIEND_IN_GROUP)),
        (r#"{"group_name":"B","friend_ids":["$max"]}"#, members(NO_FRIEND_IN_GROUP)),
        (r#"{"group_name":"B","friend_ids":["$unknown"]}"#, members(NO_FRIEND_IN_GROUP)),
    ]),
    ("groups.v1.GroupsService/UpdateGroup", &[
        (r#"{"group_id":"$group","group_name":"C","friend_ids":["$ben"]}"#, group(OK)),
        (r#"{"group_id":"$group","group_name":"D","friend_ids":["$max"]}"#, group(NO_FRIEND_IN_GROUP)),
        (r#"{"group_id":"$group","group_name":"D","friend_ids":["$unknown"]}"#, group(NO_FRIEND_IN_GROUP)),
    ]),
    ("groups.v1.GroupsService/DeleteGroup", &[(r#"{"group_id":"$group"}"#, group(OK))]),
    ("notifications.v1.NotificationsService/ListNotifications", &[
        ("{}", ANY_MEMBER),
        (r#"{"limit":1,"cursor":"$notifications_cursor"}"#, ana_alone(BAD_CURSOR)),
    ]),
    ("notifications.v1.NotificationsService/MarkNotificationRead", &[(r#"{"id":"$notification"}"#, ana_alone(NO_NOTIFICATION))]),
    ("notifications.v1.NotificationsService/MarkAllNotificationsRead", &[
        ("{}", ANY_MEMBER),
        (r#"{"upToId":"$notification"}"#, ana_alone(NO_NOTIFICATION)),
        (r#"{"upToId":"$unknown"}"#, members(NO_NOTIFICATION)),
    ]),
    ("notifications.v1.NotificationsService/GetNotificationSettings", &[("{}", ANY_MEMBER)]),
    ("notifications.v1.NotificationsService/UpdateNotificationSettings", &[
        ("{}", ANY_MEMBER),
        (r#"{"topics":[{"topic":"NOTIFICATION_TYPE_SYSTEM","mail":"MAIL_FREQUENCY_OFF"}]}"#, ANY_MEMBER),
        (r#"{"topics":[{"topic":"NOTIFICATION_TYPE_SYSTEM"},{"topic":"NOTIFICATION_TYPE_SYSTEM"}]}"#, members(TWICE)),
    ]),
    ("notifications.v1.NotificationsService/GetMailSubscription", &[
        (r#"{"token":"$mail_token"}"#, ANYBODY),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("notifications.v1.NotificationsService/Unsubscribe", &[
        (r#"{"token":"$mail_token"}"#, ANYBODY),
        (r#"{"token":"wrong"}"#, anybody(NO_LINK)),
    ]),
    ("notifications.v1.NotificationsService/MuteMember", &[
        (r#"{"memberId":"$friend"}"#, ana_alone(NO_MEMBER)),
        (r#"{"memberId":"$another"}"#, members(NO_MEMBER)),
    ]),
    ("notifications.v1.NotificationsService/UnmuteMember", &[
        (r#"{"memberId":"$muted"}"#, ana_alone(NO_MEMBER)),
        (r#"{"memberId":"$another"}"#, members(NO_MEMBER)),
    ]),
    ("notifications.v1.NotificationsService/ListMutedMembers", &[("{}", ANY_MEMBER)]),
    ("notifications.v1.NotificationsService/WatchNotifications", &[
        ("{}", ANY_MEMBER),
        (r#"{"resumeToken":"$resume_token"}"#, ana_alone(BAD_TOKEN_TO_RESUME)),
    ]),
    ("profile.v1.ProfileService/GetProfile", &[
        (r#"{"uid":"$ana"}"#, [NO_TOKEN, NO_TOKEN, NO_MEMBER, NO_MEMBER, OK, OK, OK, OK]),
        (r#"{"uid":"$me"}"#, ANY_MEMBER),
        (r#"{"uid":"$unknown"}"#, members(NO_MEMBER)),
    ]),
    ("profile.v1.ProfileService/UpdateProfile", &[
        (r#"{"uid":"$ana","details":{"time_zone":"UTC"}}"#, OWN_PATH),
        (r#"{"uid":"$me","details":{"time_zone":"UTC"}}"#, ANY_MEMBER),
        (r#"{"uid":"$me","whole":true}"#, members(NO_FIRST_NAME)),
    ]),
    ("profile.v1.ProfileService/CreatePictureUpload", &[
        (r#"{"uid":"$ana","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, OWN_PATH),
        (r#"{"uid":"$me","content_type":"PICTURE_FORMAT_PNG","file_size":10}"#, ANY_MEMBER),
    ]),
    ("profile.v1.ProfileService/SetPicture", &[
        (r#"{"uid":"$ana","key":"$upload"}"#, OWN_PATH),
        (r#"{"uid":"$me","key":"$upload"}"#, ana_alone(NO_UPLOAD)),
        (r#"{"uid":"$me","key":"$unknown"}"#, members(NO_UPLOAD)),
    ]),
    ("profile.v1.ProfileService/DeletePicture", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/SkipPhoneStep", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/StartPhoneVerification", &[("{}", members(NO_NUMBER))]),
    ("profile.v1.ProfileService/VerifyPhone", &[(r#"{"code":"000000"}"#, members(BAD_CODE))]),
    ("profile.v1.ProfileService/GetDashboard", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/ListTrendingCategories", &[("{}", ANY_MEMBER)]),
    ("profile.v1.ProfileService/ReportProblem", &[(r#"{"message":"It is slow"}"#, ANY_MEMBER)]),
    ("profile.v1.ProfileService/GetStats", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
];
