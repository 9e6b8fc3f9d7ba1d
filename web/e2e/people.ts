// Who takes part in a test: members of their own for each run, and how they come in through the browser.
import { expect, type Page, request } from "@playwright/test";
import { baseURL, entered, toldAtStart } from "./calls";

export const DEMO = { name: "Ana Ruiz", email: "ana@goodturn.example", password: "goodturn-demo" };
export type Person = { name: string; email: string; password: string };

let made = 0;

/** Somebody nobody has heard of: the address is new in every run and worker. */
export function person(name: string): Person {
  made += 1;
  const given =
    name
      .toLowerCase()
      .replaceAll(/ .*|[^a-z]/g, "")
      .slice(0, 20) || "somebody";
  const email = `${given}.${Date.now().toString(36)}${made}.${process.pid}@e2e.example`;
  return { name, email, password: "a good turn a day" };
}

type Message = { number: number; to: string; subject: string; body: string };
type Outbox = { messages: Message[] };

/** The newest mail to an address that says this: it is sent some seconds later. */
export async function mailTo(email: string, says: string): Promise<Message> {
  const http = await request.newContext({ baseURL: baseURL() });
  let mail: Message | undefined;
  await expect(async () => {
    const { messages } = (await (await http.get("/dev/outbox.json")).json()) as Outbox;
    mail = messages.find((m) => m.to === email && `${m.subject}\n${m.body}`.includes(says));
    expect(mail, `a mail to ${email} that says ${says}`).toBeDefined();
  }).toPass({ timeout: 20_000 });
  await http.dispose();
  return mail as Message;
}

/** What was mailed to an address, the last first. */
export async function mailsTo(email: string): Promise<readonly string[]> {
  const http = await request.newContext({ baseURL: baseURL() });
  const { messages } = (await (await http.get("/dev/outbox.json")).json()) as Outbox;
  await http.dispose();
  return messages.filter(({ to }) => to === email).map(({ body }) => body);
}

/** The path of a page that the last mail to an address leads to, with its token. */
export async function linkFor(email: string, page: string): Promise<string> {
  let link = "";
  await expect(async () => {
    const mail = (await mailsTo(email)).find((body) => body.includes(`${page}#`)) ?? "";
    link = new RegExp(`${page}#[\\w-]+`).exec(mail)?.[0] ?? "";
    expect(link, `a link to ${page} for ${email}`).not.toBe("");
  }).toPass({ timeout: 20_000 });
  return link;
}

/** The latest code that was mailed to an address, in a mail that says this. */
export async function codeFor(email: string, says = ""): Promise<string> {
  const http = await request.newContext({ baseURL: baseURL() });
  let code = "";
  await expect(async () => {
    const { messages } = (await (await http.get("/dev/outbox.json")).json()) as Outbox;
    const mails = messages.filter((m) => m.to === email && m.body.includes(says));
    // Mails about notifications have none.
    code = mails.map((m) => m.body.match(/\b\d{6}\b/)?.[0]).find((found) => found !== undefined) ?? "";
    expect(code, `a code for ${email}`).not.toBe("");
  }).toPass({ timeout: 10_000 });
  await http.dispose();
  return code;
}

/** One of two or three values beside each other; the input itself is hidden behind its label. */
export async function choose(page: Page, value: string): Promise<void> {
  await page.locator("label").filter({ hasText: value }).filter({ visible: true }).click();
}

type Session = { accessToken?: string; idToken?: string; refreshToken?: string };

/** A browser that has a session from before, as after a reload: most tests are about what comes after the door. */
async function goOn(page: Page, { accessToken, idToken, refreshToken }: Session): Promise<void> {
  made += 1;
  const { sub } = JSON.parse(Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
  const past = { [`goodturn.phone_step.${sub}`]: "over" };
  const stored = { access_token: accessToken, id_token: idToken, refresh_token: refreshToken, ...past };
  await page.addInitScript(
    ([once, entries]) => {
      if (!location.protocol.startsWith("http") || localStorage.getItem(once) !== null) return;
      for (const [key, value] of [[once, "done"] as const, ...entries])
        if (value !== undefined) localStorage.setItem(key, value);
    },
    [`e2e.${made}`, Object.entries(stored)] as const,
  );
  await page.goto("/");
  await expectHome(page);
}

export async function signIn(page: Page, who: Pick<Person, "email" | "password">): Promise<void> {
  await goOn(page, await entered(who));
}

export async function asDemo(page: Page): Promise<void> {
  await goOn(page, (await toldAtStart()).demo);
}

/** The same by the form that a member types into. */
export async function signInAtTheDoor(page: Page, who: Pick<Person, "email" | "password">): Promise<void> {
  await enterAtTheDoor(page, who);
  await expectHome(page);
}

/** Wherever that leads. */
export async function enterAtTheDoor(page: Page, who: Pick<Person, "email" | "password">): Promise<void> {
  await page.goto("/");
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Who is in for the first time is asked for a phone number, and goes on to Home without one. */
export async function skipPhoneStep(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Skip for now" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Skip for now" }).click();
  await expectHome(page);
}

/** Goes on to a screen of the app as a link in it does, without loading everything anew. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, "", to), path);
}

export async function fillSignUp(page: Page, who: Person): Promise<void> {
  await page.goto("/");
  await choose(page, "Sign Up");
  await page.getByLabel("Full name").fill(who.name);
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByLabel("Confirm password").fill(who.password);
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Digit 1 of 6").focus();
  await page.keyboard.type(code);
}

/** From the first form to Home, with the code out of the mail. */
export async function signUp(page: Page, who: Person): Promise<void> {
  await fillSignUp(page, who);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  await typeCode(page, await codeFor(who.email));
  await page.getByRole("button", { name: "Verify" }).click();
  await skipPhoneStep(page);
}

export async function expectHome(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: /^Good (morning|afternoon|evening)/ })).toBeVisible();
}

export async function expectLogin(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: /^Welcome/ })).toBeVisible();
}

/** Whether the screen is laid out for a phone. */
export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 900;

/** The tab at the foot of a phone, or the row of a desktop's rail. */
export async function goTo(
  page: Page,
  tab: "Home" | "Friends" | "Favors" | "Share Stuff" | "Notifications",
): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: tab }).click();
}

/** From the form of a new favor to the lists: it is a screen of its own on a phone, and a tab on a desktop. */
export async function leaveForm(page: Page): Promise<void> {
  const phone = (page.viewportSize()?.width ?? 0) < 900;
  await (phone ? page.getByRole("button", { name: "Back" }) : page.getByRole("tab", { name: "Active" })).click();
}

export async function openSecurity(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByRole("link", { name: /^Sign-in and security/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign-in and security" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Second step" })).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expectLogin(page);
}
