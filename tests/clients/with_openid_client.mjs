// openid-client signs in by the hosted page, as applications of every house do; and by a provider, where one is given, which oidc-provider runs.
import assert from "node:assert/strict";
import * as oidc from "openid-client";
import { Browser } from "./browser.mjs";
import { advance, given, over, PASSWORD } from "./talk.mjs";

const HOME = "http://localhost:3000/";
const BACK = `${HOME}back`;
const issuer = new URL(`${given.url}/${given.pool}`);

/** An application, which checks the signatures of tokens too. */
async function application(id, proof) {
  const config = await oidc.discovery(issuer, id, undefined, proof, { execute: [oidc.allowInsecureRequests] });
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** The beginning of a sign-in: where the member is sent, and what the application keeps. */
async function beginning(config, more = {}) {
  const kept = { pkceCodeVerifier: oidc.randomPKCECodeVerifier(), expectedState: oidc.randomState(), expectedNonce: oidc.randomNonce() };
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: BACK,
    scope: "openid email profile",
    state: kept.expectedState,
    nonce: kept.expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(kept.pkceCodeVerifier),
    code_challenge_method: "S256",
    ...more,
  });
  return { address, kept: { ...kept, idTokenExpected: true } };
}

/** The library takes the address apart. */
const ended = (config, { home }, kept) => oidc.authorizationCodeGrant(config, new URL(home), kept);
const typed = (email) => ({ username: email, password: PASSWORD });

/** That the library itself refuses what came, because of this. */
const unfit = (promise, what) => assert.rejects(promise, ({ cause }) => what.test(cause.message));

/** That the application is refused with this error of the protocol. */
async function refused(promise, error) {
  const failure = await promise.then(() => assert.fail(`${error} was expected`), (e) => e);
  assert.equal(failure.error, error, failure.stack);
}

async function byThePage(id, proof) {
  const config = await application(id, proof);
  assert.ok(config.serverMetadata().supportsPKCE());
  const browser = new Browser(BACK);
  const begun = await beginning(config, { login_hint: given.email });
  const page = await browser.open(begun.address);
  const wrong = await browser.send(page, { username: given.email, password: "another one" });
  assert.ok(wrong.status === 400 && wrong.body.includes("Incorrect username or password."));
  const home = await browser.send(wrong, typed(given.email));
  // Of a sign-in that somebody else began, or with another's answer.
  await unfit(ended(config, home, { ...begun.kept, expectedState: oidc.randomState() }), /state/);
  const foreign = new URL(home.home);
  foreign.searchParams.set("iss", "https://evil.example");
  await unfit(ended(config, { home: foreign }, begun.kept), /iss/);

  const tokens = await ended(config, home, begun.kept);
  const claims = tokens.claims();
  assert.deepEqual([claims.iss, claims.aud, claims.sub, claims.email], [issuer.href, id, given.uid, given.email]);
  assert.equal(tokens.scope, "openid email profile");
  const told = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  assert.deepEqual([told.email, told.email_verified, told.name], [given.email, true, claims.name]);
  await assert.rejects(oidc.fetchUserInfo(config, tokens.id_token, claims.sub));

  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
  assert.deepEqual([renewed.claims().sub, renewed.claims().auth_time], [claims.sub, claims.auth_time]);
  await oidc.tokenRevocation(config, tokens.refresh_token);
  await refused(oidc.refreshTokenGrant(config, tokens.refresh_token), "invalid_grant");
  await assert.rejects(oidc.fetchUserInfo(config, renewed.access_token, claims.sub));

  const out = oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: HOME, id_token_hint: tokens.id_token, state: "s" });
  assert.equal((await new Browser(HOME).open(out)).home.href, `${HOME}?state=s`);
}

async function refusals() {
  const config = await application("plain", oidc.None());
  const signIn = async (begun) => new Browser(BACK).open(begun.address);
  const one = await beginning(config);
  const browser = new Browser(BACK);
  const home = await browser.send(await browser.open(one.address), typed(given.email));
  await refused(ended(config, home, { ...one.kept, pkceCodeVerifier: oidc.randomPKCECodeVerifier() }), "invalid_grant");
  const first = (await ended(config, home, one.kept)).claims();
  // The browser is signed in from now on, until something ends what it began: as a code does that comes twice.
  const silent = await beginning(config, { prompt: "none" });
  const again = (await ended(config, await browser.open(silent.address), silent.kept)).claims();
  assert.deepEqual([again.sub, again.auth_time], [first.sub, first.auth_time]);
  await refused(ended(config, home, one.kept), "invalid_grant");
  const late = await beginning(config, { prompt: "none" });
  await refused(ended(config, await browser.open(late.address), late.kept), "login_required");
  // Another's nonce in a token that is good otherwise.
  const two = await beginning(config);
  const second = await browser.send(await browser.open(two.address), typed(given.email));
  await unfit(ended(config, second, { ...two.kept, expectedNonce: oidc.randomNonce() }), /nonce/);
  for (const [more, error] of [
    [{ scope: "openid everything" }, "invalid_scope"],
    [{ prompt: "none" }, "login_required"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
  ]) {
    const begun = await beginning(config, more);
    await refused(ended(config, await signIn(begun), begun.kept), error);
  }
  const begun = await beginning(config);
  const empty = await browser.send(await new Browser(BACK).open(begun.address));
  assert.equal(empty.status, 400, "nothing was typed");
  await refused(application("partner", oidc.ClientSecretPost("another secret")).then((wrong) => oidc.refreshTokenGrant(wrong, "x")), "invalid_client");
}

/** Signs in at the provider as somebody, and allows what is asked. */
async function atTheProvider(browser, page, who) {
  let seen = await browser.send(page, { login: who, password: "any" });
  while (seen.at?.origin === given.upstream) seen = await browser.send(seen);
  return seen;
}

async function byAProvider() {
  const { start } = await import("./provider.mjs");
  const upstream = await start(given);
  // The provider has the time of this machine.
  await advance(210);
  const config = await application("plain", oidc.None());
  const visit = async (provider, who) => {
    const [browser, begun] = [new Browser(BACK), await beginning(config, { identity_provider: provider })];
    const page = await browser.open(begun.address);
    assert.equal(page.at.origin, given.upstream, page.body);
    return { browser, begun, seen: await atTheProvider(browser, page, who) };
  };
  const tokensOf = async ({ begun, seen }) => {
    assert.ok(seen.home, seen.body);
    return await ended(config, seen, begun.kept);
  };
  const first = (await tokensOf(await visit("Club", "nia"))).claims();
  assert.deepEqual([first["cognito:username"], first.email, first.email_verified], ["Club_nia", "nia@example.org", true]);
  assert.deepEqual([first.given_name, first.family_name, first.identities[0].userId], ["Nia", "Adams", "nia"]);
  assert.equal((await tokensOf(await visit("Club", "nia"))).claims().sub, first.sub);
  // Another provider, which signs by curves and gave no secret: it is somebody else to this server, until she says that she is the same.
  const twice = await visit("Guild", "nia");
  assert.ok(twice.seen.body.includes("You already have an account"), twice.seen.body);

  const known = await visit("Guild", "ana");
  assert.ok(known.seen.body.includes("You already have an account"), known.seen.body);
  const linked = await known.browser.send(known.seen, { password: PASSWORD });
  assert.equal((await tokensOf({ ...known, seen: linked })).claims().sub, given.uid);
  assert.equal((await tokensOf(await visit("Guild", "ana"))).claims().sub, given.uid);

  const unverified = await visit("Club", "una");
  assert.ok(unverified.seen.body.includes("verified your email address"), unverified.seen.body);

  const [browser, begun] = [new Browser(BACK), await beginning(config, { identity_provider: "Club" })];
  const left = await browser.follow(await browser.open(begun.address), "Cancel");
  await refused(ended(config, left, begun.kept), "access_denied");
  upstream.close();
}

if (given.upstream === undefined) {
  await byThePage("plain", oidc.None());
  await byThePage("partner", oidc.ClientSecretBasic(given.secret));
  await byThePage("partner", oidc.ClientSecretPost(given.secret));
  await refusals();
} else {
  await byAProvider();
}
over();
