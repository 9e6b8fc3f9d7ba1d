// amazon-cognito-identity-js, as an app uses it, through all that it can do.
import assert from "node:assert/strict";
import identity from "amazon-cognito-identity-js";
import {
  INCORRECT, MISMATCH, PASSWORD, PHONES, REVOKED, advance, another, codeFor, given, over, refused, resetPassword, totp,
} from "./talk.mjs";

const { AuthenticationDetails, CognitoRefreshToken, CognitoUser, CognitoUserAttribute, CognitoUserPool } = identity;
const NEW = "Another-horse-9";

/** Where one browser keeps what the library keeps. */
class Browser {
  #kept = new Map();
  setItem = (name, value) => this.#kept.set(name, value);
  getItem = (name) => this.#kept.get(name) ?? null;
  removeItem = (name) => this.#kept.delete(name);
  clear = () => this.#kept.clear();
  has = (words) => [...this.#kept.keys()].some((name) => name.endsWith(words));
}

const pool = (client, browser = new Browser()) =>
  new CognitoUserPool({ UserPoolId: given.pool, ClientId: client, endpoint: given.url, Storage: browser });
const userOf = (client, email, browser = new Browser()) =>
  new CognitoUser({ Username: email, Pool: pool(client, browser), Storage: browser });
/** What a callback of `(error, value)` is told. */
const told = (start) => new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));
/** What a callback with methods is told: which one was called, and with what. */
const heard = (start) =>
  new Promise((resolve, reject) => {
    const names = [
      "onSuccess", "mfaRequired", "totpRequired", "selectMFAType", "mfaSetup", "customChallenge", "newPasswordRequired",
      "inputVerificationCode", "associateSecretCode",
    ];
    const methods = names.map((name) => [name, (...values) => resolve({ [name]: values })]);
    start({ ...Object.fromEntries(methods), onFailure: reject });
  });
const enter = (user, password = PASSWORD) => {
  const details = new AuthenticationDetails({ Username: user.getUsername(), Password: password });
  return heard((callback) => user.authenticateUser(details, callback));
};
const session = (answer) => {
  assert.ok(answer.onSuccess, `not in: ${JSON.stringify(answer)}`);
  assert.ok(answer.onSuccess[0].isValid());
  return answer.onSuccess[0];
};

let members = 0;
async function member() {
  members += 1;
  const email = `js${members}@example.org`;
  const attributes = [new CognitoUserAttribute({ Name: "name", Value: "Jay Script" })];
  const { userSub } = await told((callback) => pool("plain").signUp(email, PASSWORD, attributes, null, callback));
  const code = await codeFor(email, "verification code");
  assert.equal(await told((callback) => userOf("plain", email).confirmRegistration(code, true, callback)), "SUCCESS");
  return { email, uid: userSub };
}

async function signUp() {
  const email = "js@example.org";
  const attributes = [{ Name: "given_name", Value: "Jay" }, { Name: "family_name", Value: "Script" }, { Name: "email", Value: email }];
  const make = (password) => told((callback) => pool("plain").signUp(email, password, attributes, [], callback, { invite: "x" }));
  await refused(make("short"), "InvalidPasswordException", "Password did not conform with policy: Password not long enough");
  const made = await make(PASSWORD);
  assert.equal(made.userConfirmed, false);
  assert.match(made.userSub, /^[0-9a-f-]{36}$/);
  assert.deepEqual(made.codeDeliveryDetails, { AttributeName: "email", DeliveryMedium: "EMAIL", Destination: "j***@e***" });
  const user = userOf("plain", email);
  await refused(enter(user), "UserNotConfirmedException", "User is not confirmed.");
  const first = await codeFor(email, "verification code");
  const confirm = (code, force) => told((callback) => userOf("plain", email).confirmRegistration(code, force, callback));
  await refused(confirm(another(first), false), "CodeMismatchException", MISMATCH);
  // By now the library names the member by the id that it was told, and ids tell nothing of addresses.
  assert.equal(user.getUsername(), made.userSub);
  await told((callback) => user.resendConfirmationCode(callback));
  await codeFor(email, "verification code");
  const sent = await told((callback) => userOf("plain", email).resendConfirmationCode(callback));
  assert.equal(sent.CodeDeliveryDetails.Destination, "j***@e***");
  assert.equal(await confirm(await codeFor(email, "verification code"), true), "SUCCESS");
  const again = "User cannot be confirmed. Current status is CONFIRMED";
  await refused(confirm(first, false), "NotAuthorizedException", again);
  // At a member's address a sign-up is answered as any other, and its mail tells the owner.
  assert.equal((await make(PASSWORD)).userConfirmed, false);
  await refused(told((callback) => pool("nobody").signUp(email, PASSWORD, [], null, callback)), "ResourceNotFoundException");
}

async function passwords() {
  const { email, uid } = await member();
  const browser = new Browser();
  const user = userOf("plain", email, browser);
  await refused(enter(user, "wrong password"), "NotAuthorizedException", INCORRECT);
  await refused(enter(userOf("plain", "nobody@example.org")), "NotAuthorizedException", INCORRECT);
  const tokens = session(await enter(user));
  assert.equal(tokens.getIdToken().payload.email, email);
  assert.equal(tokens.getAccessToken().payload.username, uid);
  assert.equal(user.getUsername(), uid, "the library goes on with the name that the server told it");
  assert.equal((await told((callback) => pool("plain", browser).getCurrentUser().getSession(callback))).isValid(), true);
  const attributes = await told((callback) => user.getUserAttributes(callback));
  const named = Object.fromEntries(attributes.map((a) => [a.getName(), a.getValue()]));
  assert.deepEqual([named.sub, named.email, named.email_verified, named.name], [uid, email, "true", "Jay Script"]);
  assert.equal((await told((callback) => user.getUserData(callback))).Username, uid);
  const data = await told((callback) => user.getUserData(callback, { bypassCache: true }));
  assert.equal(data.UserMFASettingList?.length ?? 0, 0);

  const plain = userOf("plain", email);
  plain.setAuthenticationFlowType("USER_PASSWORD_AUTH");
  await refused(enter(plain, "wrong password"), "NotAuthorizedException", INCORRECT);
  const others = session(await enter(plain));
  const refreshed = await told((callback) => plain.refreshSession(others.getRefreshToken(), callback));
  assert.equal(refreshed.getRefreshToken().getToken(), others.getRefreshToken().getToken(), "this flow does not rotate");
  assert.equal(refreshed.getAccessToken().payload.origin_jti, others.getAccessToken().payload.origin_jti);

  const change = (old, next) => told((callback) => user.changePassword(old, next, callback));
  await refused(change("wrong password", NEW), "NotAuthorizedException", INCORRECT);
  await refused(change(PASSWORD, "short"), "InvalidPasswordException");
  assert.equal(await change(PASSWORD, NEW), "SUCCESS");
  await refused(told((callback) => plain.getUserAttributes(callback)), "NotAuthorizedException", REVOKED);

  const asked = await heard((callback) => user.forgotPassword(callback));
  assert.equal(asked.inputVerificationCode[0].CodeDeliveryDetails.DeliveryMedium, "EMAIL");
  await codeFor(email, "new password");
  await advance(1);
  const forgetful = userOf("plain", email);
  await heard((callback) => forgetful.forgotPassword(callback));
  const code = await codeFor(email, "new password");
  const set = (given, password) => heard((callback) => forgetful.confirmPassword(given, password, callback));
  await refused(set(another(code), PASSWORD), "CodeMismatchException", MISMATCH);
  await refused(set(code, "short"), "InvalidPasswordException");
  assert.deepEqual(await set(code, PASSWORD), { onSuccess: ["SUCCESS"] });
  await heard((callback) => userOf("plain", "nobody@example.org").forgotPassword(callback));
  session(await enter(userOf("plain", email)));
}

async function endings() {
  const { email } = await member();
  const [here, there] = [userOf("plain", email), userOf("plain", email)];
  session(await enter(here));
  const elsewhere = session(await enter(there));
  await told((callback) => here.signOut(callback));
  assert.equal(here.getSignInUserSession(), null);
  await told((callback) => there.getUserAttributes(callback));
  assert.deepEqual(await heard((callback) => there.globalSignOut(callback)), { onSuccess: ["SUCCESS"] });
  await refused(told((callback) => there.getUserAttributes(callback)), "NotAuthorizedException", REVOKED);
  // The library tries again for seconds, whatever the refusal says: what it is told is the last of them.
  const request = { ClientId: "plain", AuthFlow: "REFRESH_TOKEN_AUTH", AuthParameters: { REFRESH_TOKEN: elsewhere.getRefreshToken().getToken() } };
  await refused(told((callback) => there.client.request("InitiateAuth", request, callback)), "NotAuthorizedException", "Refresh Token has been revoked");
  assert.ok(new CognitoRefreshToken({ RefreshToken: "x" }).getToken());
  const rotating = userOf("rotating", email);
  const tokens = session(await enter(rotating));
  const flow = { ...request, ClientId: "rotating", AuthParameters: { REFRESH_TOKEN: tokens.getRefreshToken().getToken() } };
  await refused(told((callback) => there.client.request("InitiateAuth", flow, callback)), "UnsupportedOperationException");
}

async function codesByMail() {
  const { email } = await member();
  const user = userOf("plain", email);
  const details = new AuthenticationDetails({ Username: email });
  const asked = await heard((callback) => user.initiateAuth(details, callback));
  assert.equal(asked.customChallenge[0].CODE_DELIVERY_DESTINATION, "j***@e***");
  const code = await codeFor(email, "is signing in");
  await refused(heard((callback) => user.sendCustomChallengeAnswer(another(code), callback)), "CodeMismatchException", MISMATCH);
  session(await heard((callback) => user.sendCustomChallengeAnswer(code, callback)));

  const careful = userOf("always", email);
  careful.setAuthenticationFlowType("CUSTOM_AUTH");
  assert.ok((await enter(careful)).customChallenge, "the password, and then a code");
  session(await heard(async (callback) => careful.sendCustomChallengeAnswer(await codeFor(email, "is signing in"), callback)));
  assert.ok((await enter(careful)).customChallenge);
  const next = await codeFor(email, "is signing in");
  session(await heard((callback) => careful.sendCustomChallengeAnswer(next, callback)));
}

async function withAuthenticator(user) {
  const { associateSecretCode } = await heard((callback) => user.associateSoftwareToken(callback));
  const [secret] = associateSecretCode;
  const verify = (code) => heard((callback) => user.verifySoftwareToken(code, "My phone", callback));
  await refused(verify(another(await totp(secret))), "EnableSoftwareTokenMFAException");
  const verified = await verify(await totp(secret));
  assert.equal(verified.onSuccess[0].Status, "SUCCESS");
  await prefer(user, null, { Enabled: true, PreferredMfa: true });
  await advance(30);
  return secret;
}

const prefer = (user, sms, authenticator) => told((callback) => user.setUserMfaPreference(sms, authenticator, callback));

const update = (user, Name, Value) => told((callback) => user.updateAttributes([new CognitoUserAttribute({ Name, Value })], callback));
const verify = (user, name, code) => heard((callback) => user.verifyAttribute(name, code, callback));

async function givePhone(user, number) {
  assert.equal(await update(user, "phone_number", number), "SUCCESS");
  const code = await codeFor(number, "code");
  await refused(verify(user, "phone_number", another(code)), "CodeMismatchException", MISMATCH);
  assert.deepEqual(await verify(user, "phone_number", code), { onSuccess: ["SUCCESS"] });
}

async function attributes() {
  const { email, uid } = await member();
  const user = userOf("plain", email);
  session(await enter(user));
  const named = async () => {
    const all = await told((callback) => user.getUserAttributes(callback));
    return Object.fromEntries(all.map((a) => [a.getName(), a.getValue()]));
  };
  await update(user, "given_name", "Jane");
  await update(user, "zoneinfo", "Europe/Paris");
  await refused(update(user, "sub", uid), "InvalidParameterException");
  await refused(update(user, "favorite_color", "red"), "InvalidParameterException");
  assert.deepEqual([(await named()).given_name, (await named()).zoneinfo], ["Jane", "Europe/Paris"]);
  assert.equal(await told((callback) => user.deleteAttributes(["zoneinfo"], callback)), "SUCCESS");
  await refused(told((callback) => user.deleteAttributes(["email"], callback)), "InvalidParameterException");
  const moved = `moved-${email}`;
  await update(user, "email", moved);
  await codeFor(moved, "code");
  assert.equal((await named()).email, email, "until the code is given");
  const sent = await heard((callback) => user.getAttributeVerificationCode("email", callback));
  assert.equal(sent.inputVerificationCode[0].CodeDeliveryDetails.Destination, "m***@e***");
  const code = await codeFor(moved, "code");
  await refused(verify(user, "email", another(code)), "CodeMismatchException", MISMATCH);
  await verify(user, "email", code);
  assert.deepEqual([(await named()).email, (await named()).email_verified], [moved, "true"]);
  await givePhone(user, PHONES[2]);
  assert.equal((await named()).phone_number_verified, "true");
  session(await enter(userOf("plain", moved)));
  await refused(enter(userOf("plain", email)), "NotAuthorizedException", INCORRECT);
  assert.equal(await told((callback) => user.deleteUser(callback)), "SUCCESS");
  await refused(enter(userOf("plain", moved)), "NotAuthorizedException", INCORRECT);
}

async function secondFactors() {
  const { email } = await member();
  const settings = userOf("plain", email);
  session(await enter(settings));
  const secret = await withAuthenticator(settings);
  const user = userOf("plain", email);
  const asked = await enter(user);
  assert.deepEqual([asked.totpRequired[0], asked.totpRequired[1].FRIENDLY_DEVICE_NAME], ["SOFTWARE_TOKEN_MFA", "My phone"]);
  const give = (code, kind) => heard((callback) => user.sendMFACode(code, callback, kind));
  const code = await totp(secret);
  await refused(give(another(code), "SOFTWARE_TOKEN_MFA"), "CodeMismatchException", MISMATCH);
  session(await give(code, "SOFTWARE_TOKEN_MFA"));

  await givePhone(settings, PHONES[0]);
  assert.equal(await told((callback) => settings.enableMFA(callback)), "SUCCESS");
  assert.deepEqual(await told((callback) => settings.getMFAOptions(callback)), [{ AttributeName: "phone_number", DeliveryMedium: "SMS" }]);
  await prefer(settings, { Enabled: true, PreferredMfa: false }, { Enabled: true, PreferredMfa: false });
  const choice = await enter(user);
  assert.deepEqual(JSON.parse(choice.selectMFAType[1].MFAS_CAN_CHOOSE), ["SMS_MFA", "SOFTWARE_TOKEN_MFA"]);
  const sms = await heard((callback) => user.sendMFASelectionAnswer("SMS_MFA", callback));
  assert.deepEqual([sms.mfaRequired[0], sms.mfaRequired[1].CODE_DELIVERY_DESTINATION], ["SMS_MFA", "+*******1234"]);
  session(await give(await codeFor(PHONES[0], "code")));
  await enter(user);
  const app = await heard((callback) => user.sendMFASelectionAnswer("SOFTWARE_TOKEN_MFA", callback));
  assert.equal(app.totpRequired[0], "SOFTWARE_TOKEN_MFA");
  await advance(30);
  session(await give(await totp(secret), "SOFTWARE_TOKEN_MFA"));
  await prefer(settings, { Enabled: true, PreferredMfa: true }, null);
  assert.equal((await enter(user)).mfaRequired[0], "SMS_MFA");
  session(await give(await codeFor(PHONES[0], "code")));
  assert.equal(await told((callback) => settings.disableMFA(callback)), "SUCCESS");
  await prefer(settings, null, { Enabled: false, PreferredMfa: false });
  session(await enter(user));
}

async function setUp(client) {
  const { email } = await member();
  const browser = new Browser();
  const user = userOf(client, email, browser);
  const asked = await enter(user);
  assert.deepEqual(JSON.parse(asked.mfaSetup[1].MFAS_CAN_SETUP), ["SOFTWARE_TOKEN_MFA"]);
  const { associateSecretCode } = await heard((callback) => user.associateSoftwareToken(callback));
  const verify = (code) => heard((callback) => user.verifySoftwareToken(code, "", callback));
  await refused(verify(another(await totp(associateSecretCode[0]))), "EnableSoftwareTokenMFAException");
  const tokens = session(await verify(await totp(associateSecretCode[0])));
  // The library never learns of the device here, and refreshes without it.
  assert.ok(!browser.has("deviceKey"));
  await told((callback) => user.refreshSession(tokens.getRefreshToken(), callback));
  await told((callback) => user.getUserAttributes(callback));
  await advance(30);
  assert.equal((await enter(userOf(client, email))).totpRequired[0], "SOFTWARE_TOKEN_MFA");
}

async function newPassword() {
  const { email, uid } = await member();
  for (const client of ["plain", "always"]) {
    const user = userOf(client, email);
    const asked = await enter(user, await resetPassword(uid));
    const [attributes, required] = asked.newPasswordRequired;
    assert.deepEqual([attributes.email, required], [email, []]);
    const set = (password, more) => heard((callback) => user.completeNewPasswordChallenge(password, more, callback));
    await refused(set("short", {}), "InvalidPasswordException");
    session(await set(NEW, { name: "Jay Script" }));
    await told((callback) => user.getUserAttributes(callback));
    session(await enter(userOf(client, email), NEW));
  }
}

async function devices() {
  const { email } = await member();
  const [browser, other] = [new Browser(), new Browser()];
  const user = userOf("always", email, browser);
  const first = session(await enter(user));
  assert.ok(browser.has("deviceKey") && browser.has("randomPasswordKey"), "the library confirmed the device");
  const key = first.getAccessToken().payload.device_key;
  assert.equal(key, user.deviceKey);
  const refreshed = await told((callback) => user.refreshSession(first.getRefreshToken(), callback));
  assert.equal(refreshed.getAccessToken().payload.device_key, key);
  const told1 = await heard((callback) => user.getDevice(callback));
  const kept = Object.fromEntries(told1.onSuccess[0].Device.DeviceAttributes.map((a) => [a.Name, a.Value]));
  assert.equal(kept.device_status, "remembered");
  assert.equal(typeof told1.onSuccess[0].Device.DeviceCreateDate, "number");

  const secret = await withAuthenticator(user);
  // What was remembered before there was a second factor is not any more, until the member says so.
  assert.ok((await enter(userOf("always", email, browser))).totpRequired);
  assert.deepEqual(await heard((callback) => user.setDeviceStatusRemembered(callback)), { onSuccess: ["SUCCESS"] });
  // A remembered device stands in for the second factor: by SRP and by the plain password.
  const again = session(await enter(userOf("always", email, browser)));
  assert.equal(again.getAccessToken().payload.device_key, key);
  // By password the library looks for the device of the name that it was given, so that it names none.
  const byPassword = userOf("always", again.getAccessToken().payload.sub, browser);
  byPassword.setAuthenticationFlowType("USER_PASSWORD_AUTH");
  assert.equal(session(await enter(byPassword)).getAccessToken().payload.device_key, key);
  assert.ok((await enter(userOf("always", email, other))).totpRequired, "another browser is asked");

  // Not remembered: the code, and then the device, with the Session of the step before.
  assert.deepEqual(await heard((callback) => user.setDeviceStatusNotRemembered(callback)), { onSuccess: ["SUCCESS"] });
  const known = userOf("always", email, browser);
  assert.ok((await enter(known)).totpRequired);
  const code = await totp(secret);
  const proved = session(await heard((callback) => known.sendMFACode(code, callback, "SOFTWARE_TOKEN_MFA")));
  assert.equal(proved.getAccessToken().payload.device_key, key);
  assert.deepEqual(await heard((callback) => user.setDeviceStatusRemembered(callback)), { onSuccess: ["SUCCESS"] });
  session(await enter(userOf("always", email, browser)));

  // A code that makes a device: confirmed after it.
  const second = userOf("always", email, other);
  await enter(second);
  await advance(30);
  const next = await totp(secret);
  session(await heard((callback) => second.sendMFACode(next, callback, "SOFTWARE_TOKEN_MFA")));
  assert.ok(other.has("deviceKey") && second.deviceKey !== key);
  const page = (limit, token) => heard((callback) => second.listDevices(limit, token, callback));
  const newest = (await page(1, null)).onSuccess[0];
  const oldest = (await page(1, newest.PaginationToken)).onSuccess[0];
  assert.deepEqual([newest.Devices[0].DeviceKey, oldest.Devices[0].DeviceKey, oldest.PaginationToken], [second.deviceKey, key, undefined]);
  await refused(page(1, "x"), "InvalidParameterException");

  // Forgotten from elsewhere: the library is told so after the password, tries again without it, and is asked for the code.
  assert.deepEqual(await heard((callback) => second.forgetSpecificDevice(key, callback)), { onSuccess: ["SUCCESS"] });
  await refused(heard((callback) => second.forgetSpecificDevice(key, callback)), "ResourceNotFoundException");
  const forgotten = userOf("always", email, browser);
  assert.ok((await enter(forgotten)).totpRequired);
  assert.ok(!browser.has("deviceKey"));
  await advance(30);
  const last = await totp(secret);
  session(await heard((callback) => forgotten.sendMFACode(last, callback, "SOFTWARE_TOKEN_MFA")));
  assert.ok(browser.has("deviceKey") && forgotten.deviceKey !== key, "it is a new device");
  assert.deepEqual(await heard((callback) => second.forgetDevice(callback)), { onSuccess: ["SUCCESS"] });
  await refused(told((callback) => second.getUserAttributes(callback)), "NotAuthorizedException", REVOKED);
}

async function devicesThatOptIn() {
  const { email } = await member();
  const browser = new Browser();
  const user = userOf("asking", email, browser);
  const answer = await enter(user);
  session(answer);
  assert.equal(answer.onSuccess[1], true, "the member is asked");
  const secret = await withAuthenticator(user);
  const known = userOf("asking", email, browser);
  assert.ok((await enter(known)).totpRequired, "it was not said to be remembered");
  const code = await totp(secret);
  const inAgain = await heard((callback) => known.sendMFACode(code, callback, "SOFTWARE_TOKEN_MFA"));
  session(inAgain);
  await heard((callback) => known.setDeviceStatusRemembered(callback));
  session(await enter(userOf("asking", email, browser)));
  // A device of one client is none of another's browser; the plain client keeps none.
  assert.ok((await enter(userOf("plain", email, browser))).totpRequired);
}

const PARTS = {
  accounts: [signUp, passwords, endings, codesByMail, attributes, newPassword],
  steps: [secondFactors, () => setUp("strict"), () => setUp("strictalways"), devices, devicesThatOptIn],
};
for (const part of PARTS[given.part]) await part();
over();
