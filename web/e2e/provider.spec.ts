// Signing in at a provider: away with a proof of possession, back with a code for this browser.
import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { DESKTOP, expect } from "./test";
import { joined, offerOwnPage, tokensOf } from "./backstage";
import { baseURL, clientId } from "./calls";
import { look, test } from "./looks";
import { expectHome, expectLogin, visit } from "./people";

test.use(DESKTOP);

/** A hosted sign-in that sends everybody back, with `answer` in the address. */
async function hosted(page: Page, answer: (asked: URLSearchParams) => Record<string, string>) {
  const seen: { asked?: URLSearchParams; form?: URLSearchParams } = {};
  await page.route("/config.json", async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    const oauth = {
      providers: ["Google"],
      authorize: `${baseURL()}/oauth2/authorize`,
      token: `${baseURL()}/oauth2/token`,
      callback: `${baseURL()}/auth/callback`,
      scope: "openid email profile aws.cognito.signin.user.admin",
    };
    await route.fulfill({ json: { ...config, oauth } });
  });
  await page.route(/\/oauth2\/authorize/, (route) => {
    seen.asked = new URL(route.request().url()).searchParams;
    const back = new URLSearchParams(answer(seen.asked));
    return route.fulfill({ status: 302, headers: { location: `/auth/callback?${back}` } });
  });
  return seen;
}

const google = (page: Page) => page.getByRole("button", { name: "Continue with Google" });

test("a_provider_brings_a_member_back_with_a_code", async ({ page }, info) => {
  const tokens = await tokensOf(await joined("Eve Lang"));
  const seen = await hosted(page, (asked) => ({ code: "a code", state: asked.get("state") ?? "" }));
  await page.route(/\/oauth2\/token$/, async (route) => {
    seen.form = new URLSearchParams(route.request().postData() ?? "");
    await expect(page.getByText("Completing sign in...")).toBeVisible();
    await route.fulfill({ json: tokens });
  });
  await page.goto("/");
  await expect(google(page)).toBeVisible();
  await look(page, info, "login-google");
  await google(page).click();
  await expectHome(page);
  expect(new URL(page.url()).pathname).toBe("/");

  const { asked, form } = seen;
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    response_type: "code",
    client_id: await clientId(),
    identity_provider: "Google",
    redirect_uri: `${baseURL()}/auth/callback`,
    code_challenge_method: "S256",
  });
  expect(Object.fromEntries(form ?? [])).toMatchObject({ grant_type: "authorization_code", code: "a code" });
  const verifier = form?.get("code_verifier") ?? "";
  expect(createHash("sha256").update(verifier).digest("base64url")).toBe(asked?.get("code_challenge"));
  // Nothing of it is left in the browser.
  expect(await page.evaluate(() => sessionStorage.getItem("goodturn.oauth"))).toBeNull();
});

test("a_code_of_another_sign_in_leads_back_to_the_door", async ({ page }) => {
  await hosted(page, () => ({ code: "somebody's", state: "another" }));
  await page.goto("/");
  await google(page).click();
  await expectLogin(page);
  await expect(page.getByText("Failed to complete OAuth login")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("a_code_of_the_hosted_sign_in_becomes_a_lasting_session", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await offerOwnPage(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Continue with Neighbors" }).click();
  await page.locator("input[name=username]").fill(eve.email);
  await page.locator("input[name=password]").fill(eve.password);
  await page.keyboard.press("Enter");
  await expectHome(page);
  // Its refresh token is one of the web app.
  const refreshed = page.waitForResponse(/GetTokensFromRefreshToken$/);
  await page.evaluate(() => localStorage.setItem("goodturn.clock_drift_s", "-100000"));
  await page.reload();
  await refreshed;
  await expectHome(page);
  await visit(page, "/settings/security");
  await expect(page.getByRole("list", { name: "Where you're signed in" }).getByText("This device")).toBeVisible();
});
