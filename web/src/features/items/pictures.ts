// Pictures that were chosen for an item and are not its own yet: those of a new one wait until it is there, the others are sent at once. They
// are files, which no page outlasts, and may be as large as a camera makes them: what is sent is smaller.
import { PictureFormat } from "../../gen/later/goodturn/common/v1/picture_pb";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { parted, PictureRefused, type RefusedFile } from "../../lib/pictureFile";
import { createPictureLines, newPicture } from "../../lib/pictureLines";
import { preparePicture } from "../../lib/preparePicture";
import { sendFile, Stopped, UploadFailed } from "../../lib/upload";
import type { ItemImage } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { fileWords } from "../../ui/fileWords";
import type { ItemsApi } from "./deeds";
import { imageWords } from "./imageWords";

export const IMAGES_MAX = 10;

/** What was uploaded: by which key it is confirmed, and what it is called as a picture of its item. */
type Upload = { key: string; imageId: string };

/**
 * `name` is that of its file, and `made` what is sent of it. `part` of 1 while it is sent. `upload` once it arrived: it may be
 * the item's although nothing answered. `failed` says why it was not sent; `isLost`: the same may go well later.
 */
export type Chosen = {
  id: string;
  name: string;
  made: Promise<Blob>;
  address: string;
  part: number | null;
  stop: (() => void) | null;
  upload: Upload | null;
  failed: string;
  isLost: boolean;
};

/** The lines of items that are to be listed once their pictures are sent. */
const toList = new Set<string>();
/** New items that are there and not finished, by their member: what was chosen for them is still in the line of the new one. */
const making = new Map<string, string>();
/** Those of them that were deleted meanwhile. */
const deleted = new Set<string>();
const lines = createPictureLines<Chosen>((line) => toList.delete(line));
const { become, change, drop, tell, useTold } = lines;

/** Of a new item the id is empty. */
const lineOf = (me: string, item: string): string => `${me} ${item}`;

export const chosenOf = (me: string, item: string): readonly Chosen[] => lines.of(lineOf(me, item));
export const useChosen = (me: string, item: string): readonly Chosen[] => lines.useLine(lineOf(me, item));

/** What is chosen now goes to an item that has just been made, until it is finished. */
export function beginMaking(me: string, item: string): void {
  making.set(me, item);
  tell();
}

export function endMaking(me: string): void {
  deleted.delete(making.get(me) ?? "");
  making.delete(me);
  tell();
}

const isMade = (item: string): boolean => [...making.values()].includes(item);
const isOf = (line: string, item: string): boolean => line.endsWith(` ${item}`) || (line.endsWith(" ") && isMade(item));
const linesTo = (item: string): string[] => lines.names().filter((line) => isOf(line, item));
const isWaiting = ({ failed }: Chosen): boolean => failed === "";
const comingTo = (item: string): number => linesTo(item).flatMap((line) => lines.of(line).filter(isWaiting)).length;
const isToBeListed = (item: string): boolean =>
  isMade(item) || (comingTo(item) > 0 && linesTo(item).some((line) => toList.has(line)));

/** Whether it is a new one that is not finished. */
export const useIsMade = (item: string): boolean => useTold(() => isMade(item));
/** How many pictures are on their way to an item. */
export const useComing = (item: string): number => useTold(() => comingTo(item));
/** Whether what is sent to an item decides whether it is listed. */
export const useIsToBeListed = (item: string): boolean => useTold(() => isToBeListed(item));

/** An item is gone: nothing is sent to it any more. */
export function forgetItem(item: string): void {
  if (isMade(item)) deleted.add(item);
  for (const line of linesTo(item)) drop(line);
}

export const isDeleted = (item: string): boolean => deleted.has(item);

/** All of it was sent, and the server draws it: how long that takes is not known. */
export const isFinishing = ({ part }: Chosen): boolean => part === 1;

/** Takes what may be a picture, `room` at most. @returns why others were not taken. */
export function choose(me: string, item: string, files: readonly File[], room: number): RefusedFile[] {
  const { taken, refused } = parted(files, room);
  const line = lineOf(me, item);
  const chosen = taken.map((file): Chosen => {
    const made = preparePicture(file);
    const rest = { part: null, stop: null, upload: null, failed: "", isLost: false };
    return { ...newPicture(file), name: file.name, made, ...rest };
  });
  become(line, [...chosenOf(me, item), ...chosen]);
  // What cannot be sent is told before anything of it is sent.
  for (const { id, name, made } of chosen) made.catch((error: unknown) => change(line, id, failureOf(error, name)));
  return refused;
}

export const unchoose = (me: string, item: string, id: string): void => lines.remove(lineOf(me, item), id);

/** What stands among the item's pictures waits no more. */
export function unchooseTaken(me: string, item: string, images: readonly ItemImage[]): void {
  for (const { id, upload } of chosenOf(me, item))
    if (images.some(({ imageId }) => imageId === upload?.imageId)) unchoose(me, item, id);
}

export const unchooseAll = (me: string, item: string): void => drop(lineOf(me, item));

export function reorder(me: string, item: string, chosen: readonly Chosen[]): void {
  become(lineOf(me, item), chosen);
}

/** The new item is there: what could not be sent waits for it from now on, and it is listed after that where it is to be `listed`. */
export function handOver(me: string, item: string, listed: boolean): void {
  const chosen = chosenOf(me, "");
  become(lineOf(me, ""), []);
  if (listed) toList.add(lineOf(me, item));
  become(lineOf(me, item), [...chosenOf(me, item), ...chosen]);
}

/** Whether an item is to be listed once its pictures are sent. */
export const isToList = (me: string, item: string): boolean => toList.has(lineOf(me, item));

const WHY = {
  RATE_LIMITED: imageWords.why.tooOften,
  LIMIT_REACHED: imageWords.why.tooMany,
  INVALID_ARGUMENT: imageWords.why.wrong,
  TOO_LARGE: fileWords.tooLargeText,
  NOT_FOUND: imageWords.why.expired,
};

function failureOf(error: unknown, name: string): Pick<Chosen, "failed" | "isLost"> {
  if (error instanceof PictureRefused) return { failed: fileWords.why[error.fault]([name]), isLost: false };
  if (error instanceof Stopped) return { failed: imageWords.why.stopped, isLost: true };
  if (error instanceof UploadFailed) return { failed: error.message || imageWords.why.lost, isLost: error.isLost };
  return { failed: textOf(error, WHY, imageWords.why.lost), isLost: isUnreached(error) };
}

type Api = Pick<ItemsApi, "client" | "confirmImage" | "look">;

/** So long is waited before it is asked again whether a picture was taken. */
const AGAIN_MS = [400, 1600];

/** What is asked again by its key is done once: an answer that was lost on the way is given again. */
async function confirmed(api: Api, line: string, item: string, id: string, key: string): Promise<void> {
  for (const wait_ms of AGAIN_MS) {
    try {
      return await api.confirmImage(item, key);
    } catch (error) {
      if (!isUnreached(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait_ms));
    checkWanted(line, id);
  }
  return api.confirmImage(item, key);
}

/** Its member has left, or does not want it any more. */
function checkWanted(line: string, id: string): void {
  if (!lines.of(line).some((one) => one.id === id)) throw new Stopped();
}

/** @returns by which key it is confirmed. */
async function uploaded(api: Api, line: string, item: string, { id, made }: Chosen): Promise<string> {
  const file = await made;
  checkWanted(line, id);
  const about = { itemId: item, contentType: PictureFormat.JPEG, fileSize: file.size };
  let imageId = "";
  const key = await sendFile({
    file,
    async ask(signal) {
      const place = await api.client.presignImage(about, { signal }).catch((error: unknown) => {
        if (hasReason(error, "NOT_FOUND")) forgetItem(item);
        throw error;
      });
      ({ imageId } = place);
      return place;
    },
    onPart: (part, stop) => change(line, id, { part, stop }),
  });
  checkWanted(line, id);
  change(line, id, { upload: { key, imageId } });
  return key;
}

/** Whether what was uploaded before is the item's. Where its answer was lost it was that already, and is not added again. */
async function isTaken(api: Api, line: string, item: string, { id, upload }: Chosen): Promise<boolean> {
  if (upload === null) return false;
  try {
    await confirmed(api, line, item, id, upload.key);
    return true;
  } catch (error) {
    // It waited too long, or was dropped.
    if (hasReason(error, "NOT_FOUND")) return false;
    throw error;
  }
}

/** @returns whether it is the item's now. */
async function sendOne(api: Api, me: string, item: string, from: string, one: Chosen): Promise<boolean> {
  const line = lineOf(me, from);
  change(line, one.id, { failed: "", part: one.upload === null ? 0 : 1 });
  try {
    if (!(await isTaken(api, line, item, one)))
      await confirmed(api, line, item, one.id, await uploaded(api, line, item, one));
    unchoose(me, from, one.id);
    return true;
  } catch (error) {
    change(line, one.id, { ...failureOf(error, one.name), part: null, stop: null });
    return false;
  }
}

/** What failed after it arrived may be the item's all the same: that is looked at before it is told. @returns how many are. */
async function lookFor(api: Api, me: string, item: string, from: string): Promise<number> {
  const before = chosenOf(me, from);
  if (!before.some(({ failed, upload }) => failed !== "" && upload !== null)) return 0;
  try {
    unchooseTaken(me, from, (await api.look(item)).images);
  } catch (error) {
    if (hasReason(error, "NOT_FOUND")) forgetItem(item);
    // Else it stays as it is told.
    return 0;
  }
  return before.length - chosenOf(me, from).length;
}

/** So many have arrived, and so many could not be sent. */
type Sent = { arrived: number; unsent: number };
const sending = new Map<string, Promise<Sent>>();

async function sendLine(api: Api, me: string, item: string, from: string): Promise<Sent> {
  const next = (): Chosen | undefined => chosenOf(me, from).find(({ failed, part }) => failed === "" && part === null);
  let arrived = 0;
  for (let one = next(); one !== undefined; one = next()) arrived += Number(await sendOne(api, me, item, from, one));
  arrived += await lookFor(api, me, item, from);
  return { arrived, unsent: chosenOf(me, from).length };
}

/** Sends what waits to an item, one after another; of one that has just been made `from` is empty. What is taken out meanwhile is not sent. */
export async function sendChosen(api: Api, me: string, item: string, from = item): Promise<Sent> {
  const line = lineOf(me, from);
  const before = sending.get(line);
  const send = (): Promise<Sent> => sendLine(api, me, item, from);
  const all = before === undefined ? send() : before.then(send);
  sending.set(line, all);
  const sent = await all;
  if (sending.get(line) === all) sending.delete(line);
  return sent;
}

/** What could not be sent, and may go well now, waits again: all of it, or those that are named. */
export function tryLostAgain(me: string, item: string, ids?: readonly string[]): void {
  for (const { id, isLost } of chosenOf(me, item))
    if (isLost && ids?.includes(id) !== false) change(lineOf(me, item), id, { failed: "", isLost: false });
}

/** What could not be sent, and may go well now. */
export const lostOf = (chosen: readonly Chosen[]): Chosen[] =>
  chosen.filter(({ failed, isLost }) => failed !== "" && isLost);
