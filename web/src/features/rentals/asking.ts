// Sends a borrow request: once, however often it is tried, and also when its screen is left or the page is loaded anew.
import { useMemo } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { hasReason, isUnreached, messageOf, textOf, violationsOf } from "../../lib/errors";
import { mayKeep } from "../../lib/keeping";
import { forget } from "../../lib/kept";
import { byKey, newKey } from "../../lib/keys";
import { createTurns } from "../../lib/turns";
import { itemWords } from "../../ui/itemWords";
import { type Borrow, borrowOf, formOf, gratitudeFrom, type } from "./borrow";
import { borrowWords as words } from "./borrowWords";
import { type RentalsApi, useRentalsApi } from "./deeds";

/** `isTaken`: somebody else has some of the days by now. `isChanged`: the terms are others by now. `isEarlier`: it was another try that had arrived. */
export type Outcome =
  | { ok: true; item: string; isEarlier: boolean }
  | { ok: false; item: string; text: string; isLost: boolean; isTaken: boolean; isChanged: boolean };

const WHAT = "send";
const turns = createTurns<Outcome>(({ ok }) => ok);
const lineOf = (me: string, item: string): string => `${me} ${formOf(item)}`;

export const isUnderWay = (me: string, item: string): boolean => turns.underWay(lineOf(me, item)) !== "";

export const useUnderWay = (me: string, item: string, attend: (outcome: Outcome) => void): boolean =>
  turns.useTurns(lineOf(me, item), attend) !== "";

function failureOf(item: string, error: unknown): Outcome {
  // The server says it as it is; what it found in a field says more than that something is wrong.
  const said = violationsOf(error)[0]?.description ?? (messageOf(error) || words.sendFailed);
  const texts = { FRIENDS_ONLY: itemWords.friendsOnly, DAYS_TAKEN: words.notAvailableText, CONFLICT: words.changed };
  const text = textOf(error, texts, said);
  const [isTaken, isChanged] = [hasReason(error, "DAYS_TAKEN"), hasReason(error, "CONFLICT")];
  return { ok: false, item, text, isLost: isUnreached(error), isTaken, isChanged };
}

async function sent(
  { client, touched, itemChanged }: RentalsApi,
  me: string,
  item: string,
  values: Borrow,
): Promise<Outcome> {
  const become = (part: Partial<Borrow>): void => {
    if (mayKeep(me, formOf(item))) type(me, item, part);
  };
  const { start: startDate, end: endDate, message, terms } = values;
  const request = { itemId: item, startDate, endDate, message: message.trim(), terms };
  try {
    await client.requestRental({ ...request, gratitude: gratitudeFrom(values.gratitude) }, byKey(values.key));
    forget(me, formOf(item));
    return { ok: true, item, isEarlier: false };
  } catch (error) {
    // Of other words, whose answer was lost.
    if (hasReason(error, "IDEMPOTENCY_KEY_REUSED")) {
      forget(me, formOf(item));
      return { ok: true, item, isEarlier: true };
    }
    if (hasReason(error, "CONFLICT")) itemChanged();
    // As long as no answer came it may have arrived: the next try has the same key.
    become(isUnreached(error) ? { sending: false } : { sending: false, key: "" });
    return failureOf(item, error);
  } finally {
    touched();
  }
}

/** By the terms that are shown; `missed` hears how it went when the screen was left meanwhile. */
export function useAsking(me: string, { itemId: item, terms }: Item, missed: (outcome: Outcome) => void) {
  const api = useRentalsApi();
  return useMemo(
    () => (): void => {
      const values = { ...borrowOf(me, item), sending: true };
      // One that may have arrived is sent again as it was.
      if (values.key === "") Object.assign(values, { key: newKey(), terms });
      type(me, item, values);
      turns.take(lineOf(me, item), WHAT, () => sent(api, me, item, values), missed);
    },
    [me, item, terms, api, missed],
  );
}
