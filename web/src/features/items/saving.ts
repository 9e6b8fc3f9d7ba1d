// Making and changing an item: one at a time, also when its screen is left; what came of it is told wherever the member is then.
import { useMemo } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { ItemStatus } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { session } from "../../lib/current";
import { hasReason, isUnreached, type Reason, textOf } from "../../lib/errors";
import { violationsOf } from "../../lib/refusals";
import type { Errors } from "../../lib/fields";
import { mayKeep } from "../../lib/keeping";
import { newKey } from "../../lib/keys";
import { editItemPath, manageItemPath, sharePath } from "../../lib/sharing";
import { createTurns } from "../../lib/turns";
import { onceStaying } from "../../lib/unload";
import { sayFailure } from "../../ui/failure";
import { type About, say } from "../../ui/said";
import { toast } from "../../ui/toast";
import { type ItemsApi, useItemsApi } from "./deeds";
import { fieldOf, isSame, type ItemValues } from "./form";
import { formWords } from "./formWords";
import { imageWords } from "./imageWords";
import { drop, formOf, heldOf, hold, type Unsaved } from "./kept";
import { reachOf } from "./moves";
import {
  beginMaking,
  chosenOf,
  endMaking,
  forgetItem,
  handOver,
  isDeleted,
  isToList,
  lostOf,
  sendChosen,
  tryLostAgain,
} from "./pictures";
import { words } from "./words";

/**
 * `unsent`: so many pictures could not be sent. `waits`: it is listed once they are. `isLost`: they are there, and may go well now. `areGone`: no page
 * has them any more. `isOver`: it was deleted meanwhile, and nothing is told of it.
 */
type Done = {
  ok: true;
  isNew: boolean;
  item: Item;
  unsent: number;
  waits: boolean;
  isLost: boolean;
  areGone?: boolean;
  isOver?: boolean;
};
export type Outcome = Done | ({ ok: false; id: string; fields: Errors<ItemValues> } & Unsaved);

const turns = createTurns<Outcome>(({ ok }) => ok);
const lineOf = (me: string, id: string): string => `${me} ${id}`;

export const isUnderWay = (me: string, id: string): boolean => turns.underWay(lineOf(me, id)) !== "";
/** Whether something is under way; `attend` hears how it went as long as the form is shown. */
export const useUnderWay = (me: string, id: string, attend: (outcome: Outcome) => void): boolean =>
  turns.useTurns(lineOf(me, id), attend) !== "";

const WHY: Partial<Record<Reason, string>> = { LIMIT_REACHED: formWords.tooMany };

/** What the server found wrong with single fields. */
function fieldsOf(error: unknown): Errors<ItemValues> {
  const fields: Errors<ItemValues> = {};
  for (const { field, description } of violationsOf(error)) {
    const name = fieldOf(field);
    if (name !== undefined) fields[name] ??= hasReason(error, "NOT_FOUND") ? formWords.groupGone : description;
  }
  return fields;
}

/** It was made, and could not be listed. */
class NotListed extends Error {}

function failureOf(id: string, error: unknown): Outcome & { ok: false } {
  const { cause } = error instanceof NotListed ? error : { cause: error };
  const fields = fieldsOf(cause);
  const isGone = hasReason(cause, "NOT_FOUND") && fields.groups === undefined;
  const fallback = error instanceof NotListed ? formWords.listFailed : formWords.saveFailed;
  const text = isGone ? formWords.gone : (fields.groups ?? textOf(cause, WHY, fallback));
  return { ok: false, id, fields, text, isLost: isUnreached(cause) };
}

const doneText = ({ isNew, item, unsent, waits, isLost, areGone = false }: Done): string => {
  if (unsent > 0 && waits) return isLost ? formWords.notListedYet(unsent) : formWords.notListedAddAgain(unsent);
  if (unsent > 0 && areGone) return formWords.addPicturesAgain(unsent);
  if (unsent > 0) return isLost ? formWords.unsentPictures(unsent) : formWords.withoutPictures(unsent);
  if (!isNew) return formWords.updated;
  return item.status === ItemStatus.LISTED ? formWords.listed[reachOf(item)] : formWords.saved;
};

/** Nobody shows the form any more. */
function missed(outcome: Outcome): void {
  // Who has left is told nothing.
  if (session.get().kind === "signedOut" || (outcome.ok && outcome.isOver === true)) return undefined;
  if (outcome.ok) {
    const to = { path: editItemPath(outcome.item.itemId), label: words.edit };
    return toast(outcome.unsent > 0 ? { tone: "no", text: doneText(outcome), to } : { text: doneText(outcome) });
  }
  const path = outcome.id === "" ? sharePath("create") : editItemPath(outcome.id);
  return toast({ tone: "no", text: formWords.notSent(outcome.text), to: { path, label: words.open } });
}

function become(me: string, id: string, part: Parameters<typeof hold>[2]): void {
  if (mayKeep(me, formOf(id))) hold(me, id, part);
}

/** What stood there when it failed stays, with why. */
function keepFailed(me: string, id: string, { text, isLost }: Unsaved): void {
  become(me, id, { isSending: isLost, failed: { text, isLost } });
  const settle = (): void => {
    if (!isUnderWay(me, id) && heldOf(me, id).failed !== null) become(me, id, { isSending: false });
  };
  if (isLost) onceStaying(settle);
}

/** Where no answer came it is sent once more by its key, before a failure is told: it may have arrived. */
const created = (api: ItemsApi, values: ItemValues, key: string): Promise<Item> =>
  api.create(values, key).catch((error: unknown) => {
    if (!isUnreached(error)) throw error;
    return api.create(values, key);
  });

/**
 * Makes the item as it is wanted now, under the key of the tries before: one of them may have arrived although its answer was lost. That one is
 * told again by its key then, and changed to what is wanted.
 */
async function made(api: ItemsApi, me: string): Promise<Item> {
  const { values, key: before, tries } = heldOf(me, "");
  const key = before || newKey();
  const others = tries.filter((one) => !isSame(one, values));
  become(me, "", { key, tries: [...others, values] });
  try {
    return await created(api, values, key);
  } catch (error) {
    if (!hasReason(error, "IDEMPOTENCY_KEY_REUSED")) {
      if (!isUnreached(error)) become(me, "", { tries: others });
      throw error;
    }
    for (const one of others) {
      const item = await again(api, one, key);
      if (item !== undefined) return api.update(item.itemId, values, one);
    }
    become(me, "", { key: "", tries: [], made: "" });
    throw error;
  }
}

async function again(api: ItemsApi, values: ItemValues, key: string): Promise<Item | undefined> {
  try {
    return await created(api, values, key);
  } catch (error) {
    if (hasReason(error, "IDEMPOTENCY_KEY_REUSED")) return undefined;
    throw error;
  }
}

async function listed(api: ItemsApi, item: Item): Promise<Item> {
  try {
    return await api.setStatus(item.itemId, ItemStatus.LISTED);
  } catch (cause) {
    throw new NotListed("", { cause });
  }
}

/** How many of the pictures have arrived, and are lost. Those that were chosen before the page was loaded anew are no more, but for what arrived. */
async function arrived(api: ItemsApi, me: string, item: Item): Promise<{ there: number; lost: number }> {
  const { pictures } = heldOf(me, "");
  if (pictures === 0 || chosenOf(me, "").length > 0) return { there: item.images.length, lost: 0 };
  const { images } = await api.look(item.itemId).catch(() => item);
  return { there: images.length, lost: Math.max(0, pictures - images.length) };
}

/** With its pictures, before anybody finds it. */
async function finished(api: ItemsApi, me: string, item: Item): Promise<Done> {
  const { listed: lists } = heldOf(me, "");
  const { there, lost } = await arrived(api, me, item);
  tryLostAgain(me, "");
  const sent = await sendChosen(api, me, item.itemId, "");
  const unsent = lost + sent.unsent;
  if (isDeleted(item.itemId)) return overOf(item);
  become(me, "", { pictures: unsent });
  const left = lostOf(chosenOf(me, "")).length;
  // Where none of them has arrived it is not shown to others without; those that were taken out meanwhile are not waited for.
  const waits = lists && there + sent.arrived === 0 && lost + left > 0 && left === sent.unsent;
  const saved = lists && !waits ? await listed(api, item) : item;
  // Until then they stand in the form, whose next try sends them.
  handOver(me, item.itemId, waits);
  return { ok: true, isNew: true, item: saved, unsent, waits, isLost: left > 0, areGone: lost > 0 };
}

/** Its member has deleted it while it was sent, here or elsewhere. */
const overOf = (item: Item): Done => ({
  ok: true,
  isNew: true,
  item,
  unsent: 0,
  waits: false,
  isLost: false,
  isOver: true,
});

const isOverBy = (item: Item, error: unknown): boolean =>
  isDeleted(item.itemId) || (error instanceof NotListed && hasReason(error.cause, "NOT_FOUND"));

const isRemoved = (api: ItemsApi, { itemId }: Item): Promise<boolean> =>
  api.look(itemId).then(
    () => false,
    (why: unknown) => hasReason(why, "NOT_FOUND"),
  );

/** Who tries again what had arrived, and has deleted that since, wants it once more. */
async function madeAnew(api: ItemsApi, me: string): Promise<Item> {
  const isAgain = heldOf(me, "").key !== "";
  const item = await made(api, me);
  if (!isAgain || !(await isRemoved(api, item))) return item;
  become(me, "", { key: "", tries: [], made: "" });
  return made(api, me);
}

async function createItem(api: ItemsApi, me: string): Promise<Done> {
  const item = await madeAnew(api, me);
  beginMaking(me, item.itemId);
  try {
    return await finished(api, me, item);
  } catch (error) {
    if (isOverBy(item, error)) {
      forgetItem(item.itemId);
      return overOf(item);
    }
    // What was sent of it stands in its form.
    become(me, "", { made: item.itemId });
    throw error;
  } finally {
    endMaking(me);
  }
}

/** What of the pictures is not sent: so many, whether the item is listed once they are, and whether they may go well now. */
type Left = Pick<Done, "unsent" | "waits" | "isLost">;

function leftOf(me: string, id: string): Left {
  const chosen = chosenOf(me, id);
  const unsent = chosen.filter(({ failed }) => failed !== "").length;
  return { unsent, waits: isToList(me, id), isLost: lostOf(chosen).length > 0 };
}

async function updateItem(api: ItemsApi, me: string, id: string): Promise<Done> {
  const { values, base } = heldOf(me, id);
  const item = await api.update(id, values, base ?? values);
  return { ok: true, isNew: false, item, ...leftOf(me, id) };
}

type Named = Pick<Item, "itemId" | "title">;
export const aboutOf = ({ title, itemId }: Named): About => ({ name: title, path: editItemPath(itemId) });

/** A new one whose pictures are there now. One that was listed meanwhile, or was taken off the list, stays as it is. */
async function listLate(api: ItemsApi, item: Named): Promise<void> {
  const about = aboutOf(item);
  try {
    const now = await api.look(item.itemId);
    const isDraft = now.status === ItemStatus.DRAFT;
    if (isDraft) await api.setStatus(item.itemId, ItemStatus.LISTED);
    say(isDraft ? formWords.listed[reachOf(now)] : formWords.picturesSent, "ok", { about });
  } catch (error) {
    sayFailure(error, textOf(error, WHY, formWords.listFailed), () => void listLate(api, item), about);
  }
}

/** Sends again what was lost, or those of it that are named, and lists what waits for that. `tell` hears what is left, unless the listing was told. */
async function sendLost(api: ItemsApi, me: string, item: Named, tell: (left: Left) => void, ids?: readonly string[]) {
  const { itemId: id } = item;
  const waits = isToList(me, id);
  tryLostAgain(me, id, ids);
  await sendChosen(api, me, id);
  if (session.get().kind === "signedOut") return undefined;
  const left = leftOf(me, id);
  return waits && !left.isLost ? listLate(api, item) : tell({ ...left, waits });
}

/** Whoever has changed it is led to its management. */
const doneWith = ({ isNew, item }: Done): About =>
  isNew ? aboutOf(item) : { name: item.title, path: manageItemPath(item.itemId) };

/** The same from where they do not stand: it tells how they went wherever the member is then. */
function sendLostFrom(api: ItemsApi, me: string, item: Named, about: About, tell: (left: Left) => void): void {
  say(formWords.sendingAgain, "busy", { about });
  const went = (left: Left): void => (left.unsent === 0 ? say(formWords.picturesSent, "ok", { about }) : tell(left));
  void sendLost(api, me, item, went);
}

/** Says what came of saving; what could not be sent can be sent again there. */
export function tellDone(api: ItemsApi, me: string, done: Done): void {
  const { item, unsent, isLost, isOver = false } = done;
  if (isOver) return undefined;
  const about = doneWith(done);
  if (unsent === 0) return say(doneText(done), "ok", { about });
  const tell = (left: Left): void => tellDone(api, me, { ...done, ...left });
  const retry = isLost ? (): void => sendLostFrom(api, me, item, about, tell) : undefined;
  return say(doneText(done), "no", { about, retry, isLost });
}

/** What could not be sent of what was chosen for an item that is there stands in its form; once that was left it is said where the member is. */
function tellUnsent(api: ItemsApi, me: string, item: Named, { unsent, waits, isLost }: Left): void {
  const isForm = window.location.pathname === editItemPath(item.itemId);
  if (unsent === 0 || isForm || session.get().kind === "signedOut") return undefined;
  const about = { name: item.title, path: manageItemPath(item.itemId) };
  const tell = (left: Left): void => tellUnsent(api, me, item, left);
  const retry = isLost ? (): void => sendLostFrom(api, me, item, about, tell) : undefined;
  return say((waits ? imageWords.unsentUnlisted : imageWords.unsent)(unsent), "no", { about, retry, isLost });
}

/** Sends what was chosen in the form of an item. */
export async function sendFromForm(api: ItemsApi, me: string, item: Named): Promise<void> {
  await sendChosen(api, me, item.itemId);
  tellUnsent(api, me, item, leftOf(me, item.itemId));
}

/** Sends again what was lost there, or those of it that are named. */
export const sendLostAgain = (api: ItemsApi, me: string, item: Named, ids?: readonly string[]): Promise<void> =>
  sendLost(api, me, item, (left) => tellUnsent(api, me, item, left), ids);

/** Saves what the form holds; `id` is empty for a new item. */
export function useSaving(me: string, id: string): () => void {
  const api = useItemsApi();
  return useMemo(
    () => (): void => {
      hold(me, id, { isSending: true, failed: null });
      const work = async (): Promise<Outcome> => {
        try {
          const done = await (id === "" ? createItem(api, me) : updateItem(api, me, id));
          drop(me, id);
          return done;
        } catch (error) {
          const outcome = failureOf(id, error);
          keepFailed(me, id, outcome);
          return outcome;
        }
      };
      turns.take(lineOf(me, id), "save", work, missed);
    },
    [api, me, id],
  );
}
