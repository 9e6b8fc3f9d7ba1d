// Sends a picture to where the server says, tells how far it is, and can be stopped.
import { session } from "./current";
import { isReached } from "./reach";
import { words } from "./uploadWords";

/** Nothing was taken for so long: nobody is there any more. */
const SILENCE_MAX_MS = 30_000;

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
      else reject(new UploadFailed(words.failed(statusText || String(status)), status >= 500));
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

/** Where it is put, and under which key it waits to be taken. */
type Place = { uploadUrl: string; key: string };

type Options = {
  file: Blob;
  ask: (signal: AbortSignal) => Promise<Place>;
  /** Told how far it is, of 1, and how it is stopped. */
  onPart: (part: number, stop: () => void) => void;
};

/** It goes on only as long as the member is signed in who began it. @returns the key under which it waits to be taken. */
export async function sendFile({ file, ask, onPart }: Options): Promise<string> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  const who = whoIsIn();
  const stopLooking = session.subscribe(() => who !== whoIsIn() && stop());
  onPart(0, stop);
  try {
    const { uploadUrl, key } = await ask(stopped.signal);
    if (uploadUrl === "" || key === "") throw new UploadFailed(words.noKey, false);
    await put(uploadUrl, file, stopped.signal, (part) => onPart(part, stop));
    return key;
  } catch (error) {
    throw stopped.signal.aborted ? new Stopped() : error;
  } finally {
    stopLooking();
  }
}
