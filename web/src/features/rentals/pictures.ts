// The pictures of a hand-over, a return or its confirmation, until it is noted: each is sent as soon as it was taken. They are files, which no page outlasts; a sheet
// that is closed and opened again finds them.
import { useSyncExternalStore } from "react";
import { PictureFormat } from "../../gen/later/goodturn/common/v1/picture_pb";
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { session } from "../../lib/current";
import { isPicture } from "../../lib/pictureFile";
import { smaller, Unreadable } from "../../lib/smaller";
import { sendFile, Stopped } from "../../lib/upload";
import type { RentalsApi } from "./deeds";
import { handoverWords as words } from "./words";

export const PICTURES_MAX = 5;

/** Why it was not sent: what cannot be read is not sent again. */
type Failure = "" | "unreadable" | "lost";

/** `key` is what the server takes it by, once it is there; `part` of 1 while it is sent. */
export type Taken = {
  id: string;
  file: Blob;
  address: string;
  key: string;
  part: number | null;
  stop: (() => void) | null;
  failed: Failure;
};

const NONE: readonly Taken[] = [];
const lines = new Map<string, readonly Taken[]>();
const underWay = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
let lastId = 0;

export const takenFor = (line: string): readonly Taken[] => lines.get(line) ?? NONE;

function become(line: string, taken: readonly Taken[]): void {
  if (taken.length === 0) lines.delete(line);
  else lines.set(line, taken);
  for (const listener of listeners) listener();
}

function change(line: string, id: string, part: Partial<Taken>): void {
  become(
    line,
    takenFor(line).map((one) => (one.id === id ? { ...one, ...part } : one)),
  );
}

export function removePicture(line: string, id: string): void {
  const one = takenFor(line).find((taken) => taken.id === id);
  one?.stop?.();
  if (one !== undefined) URL.revokeObjectURL(one.address);
  become(
    line,
    takenFor(line).filter((taken) => taken.id !== id),
  );
}

export function dropPictures(line: string): void {
  for (const { id } of takenFor(line)) removePicture(line, id);
}

// Another member, or nobody: nothing of the one before stays.
session.subscribe(() => {
  const state = session.get();
  const me = state.kind === "signedIn" ? state.member.uid : "";
  for (const line of lines.keys()) if (state.kind !== "loading" && !line.startsWith(`${me} `)) dropPictures(line);
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTaken = (line: string): readonly Taken[] => useSyncExternalStore(subscribe, () => takenFor(line));

type Client = Pick<RentalsApi["client"], "createRentalPictureUpload">;

async function send(client: Client, rental: Rental, line: string, { id, file }: Taken): Promise<void> {
  change(line, id, { failed: "", part: 0 });
  try {
    const jpeg = await smaller(file);
    const about = { itemId: rental.itemId, requestId: rental.requestId, contentType: PictureFormat.JPEG };
    const key = await sendFile({
      file: jpeg,
      ask: (signal) => client.createRentalPictureUpload({ ...about, fileSize: jpeg.size }, { signal }),
      onPart: (part, stop) => change(line, id, { part, stop }),
    });
    change(line, id, { key, part: null, stop: null });
  } catch (error) {
    if (error instanceof Stopped) return;
    const failed = error instanceof Unreadable ? "unreadable" : "lost";
    change(line, id, { failed, part: null, stop: null });
  }
}

function begin(client: Client, rental: Rental, line: string, one: Taken): void {
  const done = send(client, rental, line, one).finally(() => underWay.delete(one.id));
  underWay.set(one.id, done);
}

/** Takes what is a picture and has room, and sends it. @returns why others were not taken; empty where all were. */
export function takePictures(client: Client, rental: Rental, line: string, files: readonly File[]): string {
  const pictures = files.filter(isPicture);
  const room = PICTURES_MAX - takenFor(line).length;
  for (const file of pictures.slice(0, room)) {
    lastId += 1;
    const address = URL.createObjectURL(file);
    const one = { id: String(lastId), file, address, key: "", part: 0, stop: null, failed: "" } as const;
    become(line, [...takenFor(line), one]);
    begin(client, rental, line, one);
  }
  if (pictures.length < files.length) return words.wrongFormat;
  return pictures.length > room ? words.atMost(PICTURES_MAX) : "";
}

export function sendPictureAgain(client: Client, rental: Rental, line: string, id: string): void {
  const one = takenFor(line).find((taken) => taken.id === id);
  if (one !== undefined && one.part === null) begin(client, rental, line, one);
}

/** When all have arrived, what was lost being sent again first: by which keys they are taken. Else why one could not be sent. */
export async function keysOf(client: Client, rental: Rental, line: string): Promise<string[] | "lost" | "unreadable"> {
  for (const { id, failed } of takenFor(line)) if (failed === "lost") sendPictureAgain(client, rental, line, id);
  await Promise.all(takenFor(line).map(({ id }) => underWay.get(id)));
  const taken = takenFor(line);
  if (taken.some(({ failed }) => failed === "unreadable")) return "unreadable";
  return taken.some(({ key }) => key === "") ? "lost" : taken.map(({ key }) => key);
}
