// What every script here shares: what it was given, the codes that were sent, and what only the test itself can bring about.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createInterface } from "node:readline";

/** Of the server: `url`, `pool`, and the `secret` of the client that has one; and what the test says beside. */
export const given = JSON.parse(process.argv[2]);
export const PASSWORD = "Correct-horse-7";
export const PHONES = ["+15551231234", "+15551232345", "+15551233456"];

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Asks the test for something. */
async function ask(what) {
  process.stdout.write(`${JSON.stringify(what)}\n`);
  return JSON.parse((await answers.next()).value);
}

/** Lets time go by; the server's time, in seconds since the epoch. */
export const advance = async (seconds) => (await ask({ advance: seconds })).now;
/** Has an operator set a member's password; the password. */
export const resetPassword = async (uid) => (await ask({ reset: uid })).password;
/** Ends the script: closing what it reads from lets the process end. */
export const over = () => process.stdin.destroy();

const taken = new Set();

/** The code in the newest message to an address that has these words and was not looked at before. It may take a moment to come. */
export async function codeFor(to, words) {
  for (let n = 0; n < 1000; n += 1) {
    const { messages } = await (await fetch(`${given.url}/dev/outbox.json`)).json();
    const found = messages.find((m) => m.to === to && m.body.includes(words));
    const code = found?.body.match(/\b\d{6}\b/)?.[0];
    if (code && !taken.has(`${to} ${words} ${code}`)) {
      taken.add(`${to} ${words} ${code}`);
      return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no code came for ${to} about "${words}"`);
}

export const another = (code) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** The code of an authenticator at the server's time (RFC 6238). */
export async function totp(secret) {
  const bits = [...secret].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const period = Buffer.alloc(8);
  period.writeBigUInt64BE(BigInt(Math.floor((await advance(0)) / 30)));
  const mac = createHmac("sha1", key).update(period).digest();
  const number = mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** That a promise is refused with this exception, and these words when they are given. */
export async function refused(promise, name, message) {
  const error = await promise.then(
    (answer) => assert.fail(`${name} was expected, but it went well: ${JSON.stringify(answer)}`),
    (e) => e,
  );
  assert.equal(error.name, name, error.stack);
  if (message !== undefined) assert.equal(error.message, message);
  return error;
}

export const MISMATCH = "Invalid verification code provided, please try again.";
export const INCORRECT = "Incorrect username or password.";
export const REVOKED = "Access Token has been revoked";
