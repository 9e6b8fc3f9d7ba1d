// Sends a picture to where the server says, shows how far it is, and can be stopped.
import type { Client } from "@connectrpc/connect";
import { useSyncExternalStore } from "react";
import { PictureFormat } from "../../gen/later/goodturn/common/v1/picture_pb";
import type { ProfileService } from "../../gen/later/goodturn/profile/v1/profile_service_pb";
import { session } from "../../lib/current";
import { isReached } from "../../lib/reach";
import { fileOf } from "./picture";
import { pictureWords as words } from "./words";

/** Nothing was taken for so long: nobody is there any more. */
const SILENCE_MAX_MS = 30_000;
const LOAD_MAX_MS = 3000;

/** The member has stopped it. */
export class Stopped extends Error {}

/** It did not arrive. `isLost`: the network went. Else the message says what the other side said. */
export class UploadFailed extends Error {
  readonly isLost: boolean;
  constructor(message: string, isLost: boolean) {
    super(message);
    this.isLost = isLost;
  }
}

/** `part` of 1. */
type Sending = { part: number; stop: () => void };

let sending: Sending | null = null;
const listeners = new Set<() => void>();

function become(next: Sending | null): void {
  sending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is being sent; null where nothing is. */
export const useSending = (): Sending | null => useSyncExternalStore(subscribe, () => sending);

/** Only the old way of asking tells how much was sent. */
function put(url: string, file: Blob, stopped: AbortSignal, onPart: (part: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), SILENCE_MAX_MS);
    };
    const lost = (): void => {
      // Whether it is the network: the frame says so then.
      if (!stopped.aborted) void isReached();
      reject(new UploadFailed("", true));
    };
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      watch();
      onPart(total === 0 ? 0 : loaded / total);
    });
    request.addEventListener("load", () => {
      const { status, statusText } = request;
      if (status >= 200 && status < 300) resolve();
      // HTTP/2 knows no texts.
      else reject(new UploadFailed(words.uploadFailed(statusText || String(status)), status >= 500));
    });
    request.addEventListener("error", lost);
    request.addEventListener("abort", lost);
    request.addEventListener("loadend", () => clearTimeout(timer));
    stopped.addEventListener("abort", () => request.abort());
    request.open("PUT", url);
    request.setRequestHeader("content-type", file.type);
    watch();
    request.send(file);
  });
}

function whoIsIn(): string {
  const state = session.get();
  return state.kind === "signedIn" ? state.member.uid : "";
}

/** It goes on only as long as the member is signed in who began it. @returns the key under which it waits to be taken. */
export async function upload(
  client: Pick<Client<typeof ProfileService>, "createPictureUpload">,
  picture: string,
): Promise<string> {
  const file = fileOf(picture);
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  const who = whoIsIn();
  const stopLooking = session.subscribe(() => who !== whoIsIn() && stop());
  become({ part: 0, stop });
  try {
    const about = { fileName: words.fileName, contentType: PictureFormat.JPEG, fileSize: file.size };
    const { uploadUrl, key } = await client.createPictureUpload(about, { signal: stopped.signal });
    if (uploadUrl === "" || key === "") throw new UploadFailed(words.noKey, false);
    await put(uploadUrl, file, stopped.signal, (part) => become({ part, stop }));
    return key;
  } catch (error) {
    throw stopped.signal.aborted ? new Stopped() : error;
  } finally {
    stopLooking();
    become(null);
  }
}

/** Waits until a picture can be drawn, but not for long: what is shown in its place need not blink. */
export async function loadedSoon(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await Promise.race([
    new Promise((resolve) => {
      image.addEventListener("load", resolve);
      image.addEventListener("error", resolve);
    }),
    new Promise((resolve) => setTimeout(resolve, LOAD_MAX_MS)),
  ]);
}
