// Sends a borrow request: once, however often it is tried, and also when its screen is left or the page is loaded anew.
import { useMemo } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { messageOf, sentence, violationsOf } from "../../lib/refusals";
import { mayKeep } from "../../lib/keeping";
import { forget } from "../../lib/kept";
import { byKey, newKey } from "../../lib/keys";
import { createTurns } from "../../lib/turns";
import { onceStaying } from "../../lib/unload";
import { itemWords } from "../../ui/itemWords";
import { type Asked, BLANK, type Borrow, borrowOf, formOf, gratitudeFrom, isSame, NO_TRY, type } from "./borrow";
import { borrowWords as words } from "./borrowWords";
import { type RentalsApi, useRentalsApi } from "./deeds";

/**
 * `rental` is the request that was made, and `other` what it asks where that is not what stands in the form. `isTaken`: somebody else has some of the days
 * by now. `isChanged`: the terms are others by now. `isOver`: the item is not to be had any more, and its form goes.
 */
export type Outcome =
  | { ok: true; item: string; rental: string; other: Asked | null }
  | { ok: false; item: string; text: string; isLost: boolean; isTaken: boolean; isChanged: boolean; isOver: boolean };

const WHAT = "send";
const turns = createTurns<Outcome>(({ ok }) => ok);
const lineOf = (me: string, item: string): string => `${me} ${formOf(item)}`;

export const isUnderWay = (me: string, item: string): boolean => turns.underWay(lineOf(me, item)) !== "";

export const useUnderWay = (me: string, item: string, attend: (outcome: Outcome) => void): boolean =>
  turns.useTurns(lineOf(me, item), attend) !== "";

function failureOf(item: string, error: unknown): Outcome {
  // The server says it as it is; what it found in a field says more than that something is wrong.
  const said = sentence(violationsOf(error)[0]?.description) || messageOf(error) || words.sendFailed;
  const texts = {
    FRIENDS_ONLY: itemWords.friendsOnly,
    NOT_FOUND: words.goneText,
    WRONG_STATE: words.unlistedText,
    DAYS_TAKEN: words.notAvailableText,
    CONFLICT: words.changed,
    ALREADY_SENT: words.askedAlready,
    RATE_LIMITED: words.tooMany,
  };
  const text = textOf(error, texts, said);
  const [isTaken, isChanged] = [hasReason(error, "DAYS_TAKEN"), hasReason(error, "CONFLICT")];
  const isOver = hasReason(error, "NOT_FOUND", "WRONG_STATE", "FRIENDS_ONLY");
  return { ok: false, item, text, isLost: isUnreached(error), isTaken, isChanged, isOver };
}

type Client = RentalsApi["client"];
type Try = { item: string; key: string; terms: string };
/** What has arrived, and as which request. */
type Arrived = { rental: string; asked: Asked };

async function once(client: Client, { item: itemId, key, terms }: Try, asked: Asked): Promise<Arrived> {
  const { start: startDate, end: endDate, message } = asked;
  const request = { itemId, startDate, endDate, message: message.trim(), terms };
  const answer = await client.requestRental({ ...request, gratitude: gratitudeFrom(asked.gratitude) }, byKey(key));
  return { rental: answer.rental?.requestId ?? "", asked };
}

/** Which of the tries before had arrived: that one is told again by its key. Blank where it is none that is known. */
async function earlier(client: Client, by: Try, tries: readonly Asked[]): Promise<Arrived> {
  for (const one of tries) {
    const arrived = await once(client, by, one).catch((why: unknown) => {
      if (!hasReason(why, "IDEMPOTENCY_KEY_REUSED")) throw why;
    });
    if (arrived !== undefined) return arrived;
  }
  return { rental: "", asked: BLANK };
}

/** Where no answer came it is sent once more by its key, before a failure is told: it may have arrived. */
async function arriving(client: Client, by: Try, asked: Asked, tries: readonly Asked[]): Promise<Arrived> {
  try {
    return await once(client, by, asked).catch((error: unknown) => {
      if (!isUnreached(error)) throw error;
      return once(client, by, asked);
    });
  } catch (error) {
    if (!hasReason(error, "IDEMPOTENCY_KEY_REUSED")) throw error;
    return earlier(
      client,
      by,
      tries.filter((one) => one !== asked),
    );
  }
}

async function sent(api: RentalsApi, me: string, by: Try, asked: Asked, tries: readonly Asked[]): Promise<Outcome> {
  const { client, touched, itemChanged } = api;
  const { item, key } = by;
  const isKept = (): boolean => mayKeep(me, formOf(item));
  const become = (part: Partial<Borrow>): void => {
    if (isKept()) type(me, item, part);
  };
  function arrived({ rental, asked: other }: Arrived): Outcome {
    const isOther = isKept() && !isSame(other, borrowOf(me, item));
    // What was changed since is nobody's yet: it stays in the form.
    if (isOther) type(me, item, NO_TRY);
    else forget(me, formOf(item));
    return { ok: true, item, rental, other: isOther ? other : null };
  }
  const settle = (): void => {
    if (!isUnderWay(me, item) && borrowOf(me, item).key === key) become({ sending: false });
  };
  try {
    return arrived(await arriving(client, by, asked, tries));
  } catch (error) {
    // What is refused may be another item by now: unlisted, lent for fewer days, or gone.
    if (!isUnreached(error)) itemChanged();
    // As long as no answer came it may have arrived: the next try has the same key.
    if (isUnreached(error)) onceStaying(settle);
    else become(NO_TRY);
    return failureOf(item, error);
  } finally {
    touched();
  }
}

/**
 * Sends what stands in the form, or what was sent before the page was loaded anew, by the terms that are shown; `missed` hears how it went when the
 * screen was left meanwhile.
 */
export function useAsking(me: string, { itemId: item, terms: shown }: Item, missed: (outcome: Outcome) => void) {
  const api = useRentalsApi();
  return useMemo(
    () =>
      (before?: Asked): void => {
        const { key: last, terms: known, tries: all, ...typed } = borrowOf(me, item);
        const { start, end, message, gratitude } = before ?? typed;
        const asked = { start, end, message, gratitude };
        // One that may have arrived is sent again as it was.
        const [key, terms] = last === "" ? [newKey(), shown] : [last, known];
        const tries = [...all.filter((one) => !isSame(one, asked)), asked];
        type(me, item, { key, terms, tries, sending: true });
        turns.take(lineOf(me, item), WHAT, () => sent(api, me, { item, key, terms }, asked, tries), missed);
      },
    [me, item, shown, api, missed],
  );
}
