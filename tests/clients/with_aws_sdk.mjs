// @aws-sdk/client-cognito-identity-provider, without credentials: every operation, of clients with a secret and without.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import * as sdk from "@aws-sdk/client-cognito-identity-provider";
import { INCORRECT, MISMATCH, PASSWORD, PHONES, REVOKED, advance, another, codeFor, given, over, resetPassword, totp } from "./talk.mjs";

const NEW = "Another-horse-9";
const client = new sdk.CognitoIdentityProviderClient({ region: "us-east-1", endpoint: given.url, maxAttempts: 1 });
const call = (operation, input) => client.send(new sdk[`${operation}Command`](input));

/** That a call fails with an exception of the library's own class. */
async function refused(promise, name, message) {
  const error = await promise.then(() => assert.fail(`${name} was expected`), (e) => e);
  assert.ok(error instanceof sdk[name], `${name} was expected: ${error.stack}`);
  assert.ok(error instanceof sdk.CognitoIdentityProviderServiceException);
  assert.deepEqual([error.$fault, error.$metadata.httpStatusCode], ["client", 400]);
  assert.match(error.$metadata.requestId, /^[0-9a-f-]{36}$/);
  if (message !== undefined) assert.equal(error.message, message);
}

const hash = (username) => createHmac("sha256", given.secret).update(`${username}partner`).digest("base64");
/** How a client names itself, and proves that it is it. */
const CLIENTS = {
  plain: { ClientId: "plain", named: () => ({}), parameters: () => ({}), secret: {} },
  partner: {
    ClientId: "partner",
    named: (username) => ({ SecretHash: hash(username) }),
    parameters: (username) => ({ SECRET_HASH: hash(username) }),
    secret: { ClientSecret: given.secret },
  },
};

async function account(name) {
  const { ClientId, named, parameters, secret } = CLIENTS[name];
  const email = `sdk-${name}@example.org`;
  const of = (more = {}) => ({ ClientId, Username: email, ...named(email), ...more });
  const attributes = [{ Name: "name", Value: "Ess Dee Kay" }];
  await refused(call("SignUp", of({ Password: "short", UserAttributes: attributes })), "InvalidPasswordException");
  const made = await call("SignUp", of({ Password: PASSWORD, UserAttributes: attributes, ClientMetadata: { a: "b" } }));
  assert.deepEqual([made.UserConfirmed, made.CodeDeliveryDetails.DeliveryMedium, made.$metadata.httpStatusCode], [false, "EMAIL", 200]);
  assert.match(made.$metadata.requestId, /^[0-9a-f-]{36}$/);
  const first = await codeFor(email, "verification code");
  const initiate = (AuthFlow, given) => call("InitiateAuth", { ClientId, AuthFlow, AuthParameters: { ...given, ...parameters(given.USERNAME ?? made.UserSub) } });
  const enter = (PASSWORD) => initiate("USER_PASSWORD_AUTH", { USERNAME: email, PASSWORD });
  await refused(enter(PASSWORD), "UserNotConfirmedException", "User is not confirmed.");
  await refused(enter("wrong password"), "NotAuthorizedException", INCORRECT);
  await refused(call("ConfirmSignUp", of({ ConfirmationCode: another(first) })), "CodeMismatchException", MISMATCH);
  await call("ResendConfirmationCode", of());
  await refused(call("ConfirmSignUp", of({ ConfirmationCode: first })), "CodeMismatchException");
  const second = await codeFor(email, "verification code");
  await call("ConfirmSignUp", of({ ConfirmationCode: second, ForceAliasCreation: true }));
  await refused(call("ConfirmSignUp", of({ ConfirmationCode: second })), "NotAuthorizedException");
  // At a member's address a sign-up is answered as any other, and its mail tells the owner.
  assert.equal((await call("SignUp", of({ Password: PASSWORD, UserAttributes: attributes }))).UserConfirmed, false);

  await refused(enter("wrong password"), "NotAuthorizedException", INCORRECT);
  const { AuthenticationResult: tokens } = await enter(PASSWORD);
  assert.deepEqual([tokens.ExpiresIn, tokens.TokenType], [3600, "Bearer"]);
  const user = await call("GetUser", { AccessToken: tokens.AccessToken });
  assert.equal(user.Username, made.UserSub);
  for (const flow of ["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"]) {
    const again = await initiate(flow, { REFRESH_TOKEN: tokens.RefreshToken });
    assert.equal(again.AuthenticationResult.RefreshToken, undefined, flow);
  }
  const asked = await initiate("CUSTOM_AUTH", { USERNAME: email });
  const answer = (challenge, ChallengeResponses) =>
    call("RespondToAuthChallenge", {
      ClientId, ChallengeName: challenge.ChallengeName, Session: challenge.Session,
      ChallengeResponses: { USERNAME: email, ...ChallengeResponses, ...parameters(email) },
    });
  const code = await codeFor(email, "is signing in");
  await refused(answer(asked, { ANSWER: another(code) }), "CodeMismatchException", MISMATCH);
  assert.ok((await answer(asked, { ANSWER: code })).AuthenticationResult.AccessToken);
  await refused(answer(asked, { ANSWER: code }), "NotAuthorizedException");

  await call("ForgotPassword", of());
  const reset = await codeFor(email, "new password");
  await refused(call("ConfirmForgotPassword", of({ ConfirmationCode: another(reset), Password: NEW })), "CodeMismatchException", MISMATCH);
  await call("ConfirmForgotPassword", of({ ConfirmationCode: reset, Password: NEW }));
  await refused(call("ConfirmForgotPassword", of({ ConfirmationCode: reset, Password: NEW })), "ExpiredCodeException");
  await refused(call("GetUser", { AccessToken: tokens.AccessToken }), "NotAuthorizedException", REVOKED);
  const { AuthenticationResult: now } = await enter(NEW);
  const change = (PreviousPassword, ProposedPassword) => call("ChangePassword", { AccessToken: now.AccessToken, PreviousPassword, ProposedPassword });
  await refused(change(PASSWORD, PASSWORD), "NotAuthorizedException", INCORRECT);
  await refused(change(NEW, "short"), "InvalidPasswordException");
  await change(NEW, PASSWORD);

  const temporary = await enter(await resetPassword(made.UserSub));
  assert.equal(temporary.ChallengeName, "NEW_PASSWORD_REQUIRED");
  assert.ok((await answer(temporary, { NEW_PASSWORD: NEW })).AuthenticationResult.AccessToken);
  const phone = PHONES[name === "plain" ? 0 : 1];
  await ownAttributes({ email, phone, enter: () => enter(NEW) });
  await factors({ phone, enter: () => enter(NEW), answer });
  await endings({ ClientId, secret, enter: () => enter(NEW) });
}

async function ownAttributes({ email, phone, enter }) {
  const { AccessToken } = (await enter()).AuthenticationResult;
  const update = (Name, Value) => call("UpdateUserAttributes", { AccessToken, UserAttributes: [{ Name, Value }] });
  const verify = (AttributeName, Code) => call("VerifyUserAttribute", { AccessToken, AttributeName, Code });
  const { CodeDeliveryDetailsList } = await update("phone_number", phone);
  assert.deepEqual([CodeDeliveryDetailsList[0].DeliveryMedium, CodeDeliveryDetailsList[0].AttributeName], ["SMS", "phone_number"]);
  await codeFor(phone, "code");
  const again = await call("GetUserAttributeVerificationCode", { AccessToken, AttributeName: "phone_number" });
  assert.match(again.CodeDeliveryDetails.Destination, /^\+\*+\d{4}$/);
  const code = await codeFor(phone, "code");
  await refused(verify("phone_number", another(code)), "CodeMismatchException", MISMATCH);
  await verify("phone_number", code);
  await update("zoneinfo", "Europe/Paris");
  await call("DeleteUserAttributes", { AccessToken, UserAttributeNames: ["zoneinfo"] });
  await refused(call("DeleteUserAttributes", { AccessToken, UserAttributeNames: ["email"] }), "InvalidParameterException");
  await refused(update("email", "x"), "InvalidParameterException");
  if (phone === PHONES[1]) {
    await update("email", "sdk-plain@example.org");
    const theirs = await codeFor("sdk-plain@example.org", "wants to use this email address");
    await refused(verify("email", theirs), "AliasExistsException");
  }
  const { UserAttributes } = await call("GetUser", { AccessToken });
  const named = Object.fromEntries(UserAttributes.map((a) => [a.Name, a.Value]));
  assert.deepEqual([named.email, named.phone_number, named.phone_number_verified], [email, phone, "true"]);
}

async function factors({ phone, enter, answer }) {
  const { AccessToken } = (await enter()).AuthenticationResult;
  const { SecretCode } = await call("AssociateSoftwareToken", { AccessToken });
  const verify = (UserCode) => call("VerifySoftwareToken", { AccessToken, UserCode, FriendlyDeviceName: "Mine" });
  await refused(verify(another(await totp(SecretCode))), "EnableSoftwareTokenMFAException");
  assert.equal((await verify(await totp(SecretCode))).Status, "SUCCESS");
  const prefer = (more) => call("SetUserMFAPreference", { AccessToken, ...more });
  await prefer({ SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } });
  await advance(30);
  const asked = await enter();
  assert.equal(asked.ChallengeName, "SOFTWARE_TOKEN_MFA");
  const code = await totp(SecretCode);
  assert.ok((await answer(asked, { SOFTWARE_TOKEN_MFA_CODE: code })).AuthenticationResult);
  await refused(answer(await enter(), { SOFTWARE_TOKEN_MFA_CODE: code }), "ExpiredCodeException");
  await call("SetUserSettings", { AccessToken, MFAOptions: [{ DeliveryMedium: "SMS", AttributeName: "phone_number" }] });
  await prefer({ SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: false } });
  const { UserMFASettingList, PreferredMfaSetting, MFAOptions } = await call("GetUser", { AccessToken });
  assert.deepEqual([UserMFASettingList, PreferredMfaSetting, MFAOptions.length], [["SMS_MFA", "SOFTWARE_TOKEN_MFA"], undefined, 1]);
  const choice = await enter();
  assert.equal(choice.ChallengeName, "SELECT_MFA_TYPE");
  const sms = await answer(choice, { ANSWER: "SMS_MFA" });
  assert.equal(sms.ChallengeName, "SMS_MFA");
  assert.ok((await answer(sms, { SMS_MFA_CODE: await codeFor(phone, "code") })).AuthenticationResult);
  await call("SetUserSettings", { AccessToken, MFAOptions: [] });
  await prefer({ SoftwareTokenMfaSettings: { Enabled: false } });
}

async function endings({ ClientId, secret, enter }) {
  const [one, two] = [(await enter()).AuthenticationResult, (await enter()).AuthenticationResult];
  const refresh = (RefreshToken) => call("GetTokensFromRefreshToken", { ClientId, RefreshToken, ...secret });
  assert.ok((await refresh(one.RefreshToken)).AuthenticationResult.IdToken);
  await refused(call("RevokeToken", { ClientId, Token: one.AccessToken, ...secret }), "UnsupportedTokenTypeException");
  await call("RevokeToken", { ClientId, Token: one.RefreshToken, ...secret });
  await refused(refresh(one.RefreshToken), "NotAuthorizedException", "Refresh Token has been revoked");
  await refused(call("GetUser", { AccessToken: one.AccessToken }), "NotAuthorizedException", REVOKED);
  await call("GlobalSignOut", { AccessToken: two.AccessToken });
  await refused(call("GlobalSignOut", { AccessToken: two.AccessToken }), "NotAuthorizedException", REVOKED);
  await refused(refresh("x"), "NotAuthorizedException", "Invalid Refresh Token");
}

async function rotation() {
  const email = "sdk-plain@example.org";
  const input = { ClientId: "rotating", AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: email, PASSWORD: NEW } };
  const { AuthenticationResult: first } = await call("InitiateAuth", input);
  const refresh = (RefreshToken) => call("GetTokensFromRefreshToken", { ClientId: "rotating", RefreshToken });
  const { AuthenticationResult: second } = await refresh(first.RefreshToken);
  assert.ok(second.RefreshToken && second.RefreshToken !== first.RefreshToken);
  assert.equal((await refresh(first.RefreshToken)).AuthenticationResult.RefreshToken, second.RefreshToken, "its answer was lost");
  await refused(call("InitiateAuth", { ...input, AuthFlow: "REFRESH_TOKEN_AUTH", AuthParameters: { REFRESH_TOKEN: second.RefreshToken } }), "UnsupportedOperationException");
  await advance(60);
  await refused(refresh(first.RefreshToken), "RefreshTokenReuseException");
  await refused(refresh(second.RefreshToken), "NotAuthorizedException");
}

async function devices() {
  const email = "sdk-plain@example.org";
  const input = { ClientId: "asking", AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: email, PASSWORD: NEW } };
  const { AuthenticationResult: tokens } = await call("InitiateAuth", input);
  const { AccessToken, NewDeviceMetadata } = tokens;
  const { DeviceKey } = NewDeviceMetadata;
  const config = { Salt: Buffer.from("0".repeat(16)).toString("base64"), PasswordVerifier: Buffer.alloc(384, 7).toString("base64") };
  await refused(call("ConfirmDevice", { AccessToken, DeviceKey }), "InvalidParameterException");
  const confirmed = await call("ConfirmDevice", { AccessToken, DeviceKey, DeviceSecretVerifierConfig: config, DeviceName: "A script" });
  assert.equal(confirmed.UserConfirmationNecessary, true);
  await call("UpdateDeviceStatus", { AccessToken, DeviceKey, DeviceRememberedStatus: "remembered" });
  const { Device } = await call("GetDevice", { AccessToken, DeviceKey });
  assert.ok(Device.DeviceCreateDate instanceof Date && Device.DeviceLastAuthenticatedDate instanceof Date);
  const { Devices, PaginationToken } = await call("ListDevices", { AccessToken, Limit: 5 });
  assert.deepEqual([Devices.map((d) => d.DeviceKey), PaginationToken], [[DeviceKey], undefined]);
  await call("ForgetDevice", { AccessToken, DeviceKey });
  await refused(call("GetDevice", { AccessToken, DeviceKey }), "NotAuthorizedException", REVOKED);
}

async function deletion() {
  const input = { ClientId: "plain", AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: "sdk-plain@example.org", PASSWORD: NEW } };
  const { AccessToken } = (await call("InitiateAuth", input)).AuthenticationResult;
  await call("DeleteUser", { AccessToken });
  await refused(call("InitiateAuth", input), "NotAuthorizedException", INCORRECT);
  await refused(call("GetUser", { AccessToken }), "NotAuthorizedException");
}

async function refusals() {
  await refused(call("InitiateAuth", { ClientId: "nobody", AuthFlow: "USER_PASSWORD_AUTH" }), "ResourceNotFoundException", "User pool client nobody does not exist.");
  await refused(call("InitiateAuth", { ClientId: "srponly", AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: {} }), "InvalidParameterException");
  await refused(call("InitiateAuth", { ClientId: "plain", AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: "x" } }), "InvalidParameterException", "Missing required parameter SRP_A");
  await refused(call("RespondToAuthChallenge", { ClientId: "plain", ChallengeName: "SMS_MFA", ChallengeResponses: { USERNAME: "x", SMS_MFA_CODE: "1" }, Session: "short" }), "InvalidParameterException");
  await refused(call("GetUser", { AccessToken: "x" }), "NotAuthorizedException", "Invalid Access Token");
  await refused(call("ForgotPassword", { ClientId: "partner", Username: "x" }), "NotAuthorizedException");
}

await account("plain");
await account("partner");
await rotation();
await devices();
await deletion();
await refusals();
over();
