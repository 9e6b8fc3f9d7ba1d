// An authenticator: RFC 6238, written from it, and members who have one.
import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { as } from "./backstage";
import type { Person } from "./people";

const PERIOD_MS = 30_000;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function unbase32(text: string): Buffer {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * The code that it shows `periods` half minutes from now. The server takes the one of the next half
 * minute too, and each once.
 */
export function totp(secret: string, periods = 0): string {
  const at = Buffer.alloc(8);
  at.writeBigUInt64BE(BigInt(Math.floor(Date.now() / PERIOD_MS) + periods));
  const mac = createHmac("sha1", unbase32(secret)).update(at).digest();
  const from = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Six digits that it does not show. */
export const wrongCode = (secret: string): string =>
  ["000000", "111111", "222222", "333333"].find((code) => ![-1, 0, 1, 2].some((p) => totp(secret, p) === code)) ?? "";

/** Sets one up with the code of the last half minute: those of this one and the next are left. */
export async function withAuthenticator(who: Person): Promise<{ secret: string; recovery: readonly string[] }> {
  const { identity } = await as(who);
  const { secretCode: secret } = await identity.associateSoftwareToken({});
  await identity.verifySoftwareToken({ userCode: totp(secret, -1), friendlyDeviceName: "My phone" });
  await identity.setUserMfaPreference({ softwareTokenMfaSettings: { enabled: true, preferredMfa: true } });
  const { codes: recovery } = await identity.createRecoveryCodes({});
  return { secret, recovery };
}

/** The app is another application of the server's. */
export async function asClient(page: Page, clientId: string): Promise<void> {
  await page.route("/config.json", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), clientId } });
  });
}

/** The key that is shown to be typed. */
export async function keyOf(page: Page): Promise<string> {
  return (await page.locator("code").textContent())?.replaceAll(" ", "") ?? "";
}
