// Which favor a form stands for, in which version it was read, and what became of that elsewhere since.
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { keep, kept, useKept } from "../../lib/kept";
import { type FavorValues, isBlank, isSame, isSentAs, readValues, valuesOf } from "./form";

/** The favor as it was when the form took it over; `sent` is what may have become of it since, when no answer came. */
export type Base = {
  id: string;
  draft: boolean;
  etag: string;
  at: number;
  values: FavorValues;
  sent: FavorValues | null;
};
/** A favor of which nobody knows whether it was made: no answer came. All tries to make it have one key, so that one of them counts at most. */
export type Try = { draft: boolean; values: FavorValues };
export type Unsure = { key: string; tries: readonly Try[] };
/** What a member can do with a form. */
const DEEDS = ["draft", "post", "update"] as const;
export type Deed = (typeof DEEDS)[number];
/**
 * What a form holds, kept as one thing, so that its words never stand beside another favor's version. `sending` is what is under way: a page
 * that begins with it was loaded anew before the answer came.
 */
export type Held = {
  values: FavorValues | null;
  base: Base | null;
  unsure: Unsure | null;
  sending: Deed | null;
  failed: Unsent | null;
};
/** The last try, which went wrong, until the next one. `isLost`: the server was not reached, as far as is known. `page` is the one that heard it. */
export type Unsent = { deed: Deed; text: string; isLost: boolean; page: number };

/** What the form of a new favor is kept as, and that of a change. */
export const NEW = "favor";
export const formOf = (id: string): string => `${NEW}-${id}`;

export const NOTHING: Held = { values: null, base: null, unsure: null, sending: null, failed: null };

/** When a favor last changed, in microseconds. An answer that was under way longer may be older than what is known. */
const changedAt = ({ updatedAt }: Favor): number =>
  updatedAt === undefined ? 0 : Number(updatedAt.seconds) * 1_000_000 + updatedAt.nanos / 1000;

export const baseOf = (favor: Favor): Base => ({
  id: favor.id,
  draft: favor.status === FavorStatus.DRAFT,
  etag: favor.etag,
  at: changedAt(favor),
  values: valuesOf(favor),
  sent: null,
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function readBase(value: unknown): Base | null {
  if (!isObject(value)) return null;
  const values = readValues(value["values"]);
  const { id, draft, etag, at } = value;
  if (values === null || typeof id !== "string" || typeof etag !== "string" || typeof at !== "number") return null;
  return { id, draft: draft === true, etag, at, values, sent: readValues(value["sent"]) };
}

function readTry(value: unknown): Try | null {
  const values = isObject(value) ? readValues(value["values"]) : null;
  return values === null || !isObject(value) ? null : { draft: value["draft"] === true, values };
}

function readUnsure(value: unknown): Unsure | null {
  if (!isObject(value) || !Array.isArray(value["tries"]) || typeof value["key"] !== "string") return null;
  const tries = value["tries"].map(readTry).filter((one) => one !== null);
  return tries.length === 0 ? null : { key: value["key"], tries };
}

export const readDeed = (value: unknown): Deed | null => DEEDS.find((deed) => deed === value) ?? null;

function readUnsent(value: unknown): Unsent | null {
  const deed = isObject(value) ? readDeed(value["deed"]) : null;
  if (deed === null || !isObject(value)) return null;
  return { deed, text: String(value["text"]), isLost: value["isLost"] === true, page: Number(value["page"]) };
}

function readHeld(value: unknown): Held | null {
  if (!isObject(value)) return null;
  return {
    values: readValues(value["values"]),
    base: readBase(value["base"]),
    unsure: readUnsure(value["unsure"]),
    sending: readDeed(value["sending"]),
    failed: readUnsent(value["failed"]),
  };
}

export const heldOf = (me: string, form: string): Held => kept(me, form, readHeld) ?? NOTHING;
export const useHeld = (me: string, form: string): Held => useKept(me, form, readHeld) ?? NOTHING;

export function hold(me: string, form: string, part: Partial<Held>): void {
  keep(me, form, { ...heldOf(me, form), ...part });
}

/** Whether a form holds words that the server does not have. */
export function isUnsaved({ values, base }: Pick<Held, "values" | "base">): boolean {
  if (values === null) return false;
  return base === null ? !isBlank(values) : !isSame(values, base.values);
}

/** Whether a newer version holds nothing that this form does not know: it is what was read, or what was sent. */
export const isOurs = (newer: FavorValues, { values, sent }: Base): boolean =>
  isSame(newer, values) || (sent !== null && isSentAs(newer, sent));

/** What became of a form's favor elsewhere. */
export type Meanwhile =
  | { kind: "nothing" }
  /** Changed, in nothing that the form shows. */
  | { kind: "touched"; favor: Favor }
  | { kind: "changed"; favor: Favor }
  | { kind: "posted"; favor: Favor }
  /** It cannot be changed any more. */
  | { kind: "closed"; favor: Favor }
  | { kind: "gone" };

/** `favor` is as it is known now; undefined while it is not. */
export function meanwhile(base: Base | null, favor: Favor | undefined, gone: boolean): Meanwhile {
  if (base === null) return { kind: "nothing" };
  if (gone) return { kind: "gone" };
  if (favor === undefined || favor.etag === base.etag || changedAt(favor) < base.at) return { kind: "nothing" };
  if (!favor.allowedActions.includes(FavorAction.EDIT)) return { kind: "closed", favor };
  if (base.draft && favor.status !== FavorStatus.DRAFT) return { kind: "posted", favor };
  return { kind: isOurs(valuesOf(favor), base) ? "touched" : "changed", favor };
}
