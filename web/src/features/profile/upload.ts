// Sends a picture to where the server says, shows how far it is, and can be stopped.
import type { Client } from "@connectrpc/connect";
import { useSyncExternalStore } from "react";
import { PictureFormat } from "../../gen/later/goodturn/common/v1/picture_pb";
import type { ProfileService } from "../../gen/later/goodturn/profile/v1/profile_service_pb";
import { sendFile } from "../../lib/upload";
import { fileOf } from "./picture";
import { pictureWords as words } from "./words";

const LOAD_MAX_MS = 3000;

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

/** @returns the key under which it waits to be taken. */
export async function upload(
  client: Pick<Client<typeof ProfileService>, "createPictureUpload">,
  picture: string,
): Promise<string> {
  const file = fileOf(picture);
  const about = { fileName: words.fileName, contentType: PictureFormat.JPEG, fileSize: file.size };
  try {
    return await sendFile({
      file,
      ask: (signal) => client.createPictureUpload(about, { signal }),
      onPart: (part, stop) => become({ part, stop }),
    });
  } finally {
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
