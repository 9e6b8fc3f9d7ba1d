// The members of tests, new in each run, and how they come in through the browser.
import type { Page } from "@playwright/test";
import { expect } from "./test";
import { baseURL, toldAtStart } from "./calls";
import { sessionOfItsOwn } from "./sessions";

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

/** The messages to an address or a number, the newest first. */
async function messagesTo(to: string): Promise<readonly Message[]> {
  const response = await fetch(`${baseURL()}/dev/outbox.json?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as { messages: Message[] }).messages;
}

/** Polls until `find` returns something: mail is sent by a job, some moments after its cause. */
async function awaitMessage<T>(
  to: string,
  what: string,
  find: (messages: readonly Message[]) => T,
): Promise<NonNullable<T>> {
  let found: T | undefined;
  await expect(async () => {
    found = find(await messagesTo(to));
    expect(found, `${what} for ${to}`).toBeTruthy();
  }).toPass({ timeout: 20_000, intervals: [20, 50, 100, 250] });
  return found as NonNullable<T>;
}

/** The newest mail to an address whose subject or body contains `text`. */
export const mailTo = (email: string, text: string): Promise<Message> =>
  awaitMessage(email, `a mail with "${text}"`, (mails) =>
    mails.find(({ subject, body }) => `${subject}\n${body}`.includes(text)),
  );

/** The bodies of all messages to an address, the newest first. */
export const mailsTo = async (email: string): Promise<readonly string[]> =>
  (await messagesTo(email)).map(({ body }) => body);

/** The path and token of a page that the newest mail to an address links to. */
export const linkFor = (email: string, page: string): Promise<string> =>
  awaitMessage(email, `a link to ${page}`, (mails) => {
    const mail = mails.find(({ body }) => body.includes(`${page}#`));
    return new RegExp(`${page}#[\\w-]+`).exec(mail?.body ?? "")?.[0];
  });

/** The newest 6-digit code that was mailed to an address, in a mail that contains `text`. */
export const codeFor = (email: string, text = ""): Promise<string> =>
  awaitMessage(email, "a code", (mails) =>
    mails
      .filter(({ body }) => body.includes(text))
      // Mails about notifications have no code.
      .map(({ body }) => /\b\d{6}\b/.exec(body)?.[0])
      .find((code) => code !== undefined),
  );

/** One of two or three values beside each other; the input itself is hidden behind its label. */
export async function choose(page: Page, value: string): Promise<void> {
  await page.locator("label").filter({ hasText: value }).filter({ visible: true }).click();
}

type Session = { accessToken?: string; idToken?: string; refreshToken?: string };

/** Gives a browser a session from before, as after a reload: most tests begin behind the door. */
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
  await goOn(page, await sessionOfItsOwn(who));
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
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** The first sign-in asks for a phone number: goes on to Home without one. */
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
  await page.getByLabel("Email").fill(who.email);
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
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await typeCode(page, await codeFor(who.email));
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

/** From the form of a new favor to the lists: a screen on a phone, a tab on a desktop. */
export async function leaveForm(page: Page): Promise<void> {
  const phone = (page.viewportSize()?.width ?? 0) < 900;
  await (phone ? page.getByRole("button", { name: "Back" }) : page.getByRole("tab", { name: "Active" })).click();
}

export async function openSecurity(page: Page): Promise<void> {
  await visit(page, "/settings");
  await page.getByRole("link", { name: /^Sign-in and security/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign-in and security" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Second step" })).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await visit(page, "/settings");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expectLogin(page);
}
