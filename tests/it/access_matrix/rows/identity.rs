//! Rows of accounts and sessions.

use super::{
    ANY_MEMBER, ANYBODY, BAD_CODE, BAD_FIRST_CODE, BAD_PASSWORD, BAD_REFRESH, BAD_SESSION, BAD_TOKEN, CONFIRMED, ENDED_REFRESH,
    ENDED_TOKEN, NO_AUTHENTICATOR, NO_DEVICE, NO_IDENTITY, NO_SESSION, OF_A_WRONG_CODE, OF_A_WRONG_PASSWORD, OF_THE_CALLER, OWN_PATH,
    ROTATES, Rows, anybody, of_members,
};

// A row is a line, so that the cells of one RPC can be compared.
#[rustfmt::skip]
pub const TABLE: &[(&str, Rows)] = &[
    ("identity.v1.IdentityService/SignUp", &[
        (r#"{"ClientId":"$client","Username":"$address","Password":"$password","UserAttributes":[{"Name":"name","Value":"A"}]}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/ConfirmSignUp", &[
        (r#"{"ClientId":"$client","Username":"$newcomer","ConfirmationCode":"$code"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$newcomer","ConfirmationCode":"12"}"#, anybody(BAD_CODE)),
        (r#"{"ClientId":"$client","Username":"$address","ConfirmationCode":"$code"}"#, anybody(BAD_CODE)),
        (r#"{"ClientId":"$client","Username":"ana@example.org","ConfirmationCode":"$code"}"#, anybody(CONFIRMED)),
    ]),
    ("identity.v1.IdentityService/ResendConfirmationCode", &[
        (r#"{"ClientId":"$client","Username":"$newcomer"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$address"}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/InitiateAuth", &[
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","AuthParameters":"$login"}"#, ANYBODY),
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","AuthParameters":"$wrong_login"}"#, anybody(BAD_PASSWORD)),
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_USER_PASSWORD_AUTH","AuthParameters":"$unknown_login"}"#, anybody(BAD_PASSWORD)),
        (r#"{"ClientId":"$client","AuthFlow":"AUTH_FLOW_REFRESH_TOKEN_AUTH","AuthParameters":{"REFRESH_TOKEN":"$refresh"}}"#, anybody(ROTATES)),
        (r#"{"ClientId":"goodturncli","AuthFlow":"AUTH_FLOW_REFRESH_TOKEN_AUTH","AuthParameters":{"REFRESH_TOKEN":"$refresh"}}"#,
            anybody(BAD_REFRESH)),
    ]),
    ("identity.v1.IdentityService/RespondToAuthChallenge", &[
        (r#"{"ClientId":"$client","ChallengeName":"CHALLENGE_NAME_PASSWORD_VERIFIER","ChallengeResponses":"$proof"}"#, ANYBODY),
        (r#"{"ClientId":"$client","ChallengeName":"CHALLENGE_NAME_PASSWORD_VERIFIER","ChallengeResponses":"$wrong_proof"}"#,
            anybody(BAD_PASSWORD)),
    ]),
    ("identity.v1.IdentityService/GetTokensFromRefreshToken", &[
        (r#"{"ClientId":"$client","RefreshToken":"$refresh"}"#, ANYBODY),
        (r#"{"ClientId":"$client","RefreshToken":"$ended_refresh"}"#, anybody(ENDED_REFRESH)),
        (r#"{"ClientId":"$client","RefreshToken":"wrong"}"#, anybody(BAD_REFRESH)),
    ]),
    ("identity.v1.IdentityService/GetUser", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/GlobalSignOut", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/RevokeToken", &[
        (r#"{"ClientId":"$client","Token":"$refresh"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Token":"wrong"}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/ForgotPassword", &[
        (r#"{"ClientId":"$client","Username":"$forgetful"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$address"}"#, ANYBODY),
    ]),
    ("identity.v1.IdentityService/ConfirmForgotPassword", &[
        (r#"{"ClientId":"$client","Username":"$forgetful","ConfirmationCode":"$reset_code","Password":"$password"}"#, ANYBODY),
        (r#"{"ClientId":"$client","Username":"$forgetful","ConfirmationCode":"12","Password":"$password"}"#, anybody(BAD_CODE)),
        (r#"{"ClientId":"$client","Username":"$address","ConfirmationCode":"$reset_code","Password":"$password"}"#, anybody(BAD_CODE)),
    ]),
    ("identity.v1.IdentityService/ChangePassword", &[
        (r#"{"PreviousPassword":"wrong","ProposedPassword":"$password"}"#, OF_A_WRONG_PASSWORD),
        (r#"{"PreviousPassword":"$password","ProposedPassword":"$password","AccessToken":"$another_token"}"#, ANYBODY),
        (r#"{"PreviousPassword":"$password","ProposedPassword":"$password","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"PreviousPassword":"$password","ProposedPassword":"$password","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/UpdateUserAttributes", &[
        (r#"{"UserAttributes":[{"Name":"zoneinfo","Value":"UTC"}]}"#, OF_THE_CALLER),
        (r#"{"UserAttributes":[{"Name":"email","Value":"$address"}],"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"UserAttributes":[{"Name":"email","Value":"$address"}],"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"UserAttributes":[{"Name":"email","Value":"$address"}],"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/DeleteUserAttributes", &[
        (r#"{"UserAttributeNames":["zoneinfo"]}"#, OF_THE_CALLER),
        (r#"{"UserAttributeNames":["zoneinfo"],"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"UserAttributeNames":["zoneinfo"],"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"UserAttributeNames":["zoneinfo"],"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/DeleteUser", &[
        (r#"{"AccessToken":"$another_token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/CloseAccount", &[
        (r#"{"Password":"wrong"}"#, OF_A_WRONG_PASSWORD),
        (r#"{"Password":"$password","AccessToken":"$another_token"}"#, ANYBODY),
        (r#"{"Password":"$password","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"Password":"$password","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/GetUserAttributeVerificationCode", &[
        (r#"{"AttributeName":"email"}"#, OF_THE_CALLER),
        (r#"{"AttributeName":"email","AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AttributeName":"email","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AttributeName":"email","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/VerifyUserAttribute", &[
        (r#"{"AttributeName":"email","Code":"12"}"#, OF_A_WRONG_CODE),
        (r#"{"AttributeName":"email","Code":"12","AccessToken":"$token"}"#, anybody(BAD_CODE)),
        (r#"{"AttributeName":"email","Code":"12","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AttributeName":"email","Code":"12","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ExportUserData", &[(r#"{"uid":"$ana"}"#, OWN_PATH), (r#"{"uid":"$me"}"#, ANY_MEMBER)]),
    ("identity.v1.IdentityService/SetUserSettings", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/SetUserMfaPreference", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/AssociateSoftwareToken", &[
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        // In the end each has made the one that waits for its first code.
        ("{}", OF_THE_CALLER),
        (r#"{"Session":"that is no session of ours"}"#, anybody(BAD_SESSION)),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/VerifySoftwareToken", &[
        (r#"{"UserCode":"12"}"#, of_members(BAD_FIRST_CODE)),
        (r#"{"UserCode":"12","Session":"that is no session of ours"}"#, anybody(BAD_SESSION)),
        (r#"{"UserCode":"12","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"UserCode":"12","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/CreateRecoveryCodes", &[
        ("{}", of_members(NO_AUTHENTICATOR)),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ConfirmDevice", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","DeviceSecretVerifierConfig":{"Salt":"AQ==","PasswordVerifier":"Ag=="}}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/GetDevice", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001"}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ForgetDevice", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001"}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/UpdateDeviceStatus", &[
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","DeviceRememberedStatus":"DEVICE_REMEMBERED_STATUS_REMEMBERED"}"#, of_members(NO_DEVICE)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"DeviceKey":"us-east-1_00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ListDevices", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/ListSessions", &[
        ("{}", OF_THE_CALLER),
        (r#"{"AccessToken":"$token"}"#, ANYBODY),
        (r#"{"AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/EndSession", &[
        (r#"{"SessionId":"00000000-0000-0000-0000-000000000001"}"#, of_members(NO_SESSION)),
        (r#"{"SessionId":"00000000-0000-0000-0000-000000000001","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"SessionId":"00000000-0000-0000-0000-000000000001","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
    ("identity.v1.IdentityService/UnlinkProvider", &[
        (r#"{"ProviderName":"Google","UserId":"1"}"#, of_members(NO_IDENTITY)),
        (r#"{"ProviderName":"Google","UserId":"1","AccessToken":"$ended_token"}"#, anybody(ENDED_TOKEN)),
        (r#"{"ProviderName":"Google","UserId":"1","AccessToken":"wrong"}"#, anybody(BAD_TOKEN)),
    ]),
];
