// The live stream of a browser: one tab holds it and tells the others; a reconnect goes on where the last event left off.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type WatchNotificationsResponse,
  WatchNotificationsResponseSchema,
} from "../gen/goodturn/notifications/v1/notifications_service_pb";
import { hasReason } from "./errors";
import { exclusively } from "./locks";

const LOCK = "goodturn.live";
const CHANNEL = "goodturn.live";
const BACKOFF_MIN_MS = 500;
const BACKOFF_MAX_MS = 30_000;
/** The server gives a sign of life at least every 20 s: after twice that, nobody is there any more. */
const SILENCE_MAX_MS = 45_000;

export type Watch = (resumeToken: string, signal: AbortSignal) => AsyncIterable<WatchNotificationsResponse>;
export type Listener = {
  event: (event: WatchNotificationsResponse) => void;
  /** The stream begins, or begins again: what is not stored may have been missed before. `unread` is how many are so now, where it is known. */
  connected: (again: boolean, unread?: number) => void;
};

type Told = { kind: "event"; bytes: Uint8Array<ArrayBuffer> } | { kind: "connected" } | { kind: "looked at" };

/** Waits, or less when the device comes back to its network or somebody turns to the app. */
function pause(ms: number, looks: EventTarget, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      looks.removeEventListener("look", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    looks.addEventListener("look", done);
    signal.addEventListener("abort", done);
  });
}

/** Calls back whenever somebody turns to this tab or touches it, until the signal. */
function onLook(look: () => void, signal: AbortSignal): void {
  const shown = (): void => {
    if (document.visibilityState === "visible") look();
  };
  document.addEventListener("visibilitychange", shown, { signal });
  window.addEventListener("focus", look, { signal });
  // Of two windows side by side both are visible, and one may have the focus all the time.
  window.addEventListener("pointerdown", look, { signal });
}

/** An abort signal that also fires when `alive` has not been called for too long. */
function watchdog(outer: AbortSignal): { signal: AbortSignal; alive: () => void; stop: () => void } {
  const inner = new AbortController();
  let timer = setTimeout(() => inner.abort(), SILENCE_MAX_MS);
  return {
    signal: AbortSignal.any([outer, inner.signal]),
    alive: () => {
      clearTimeout(timer);
      timer = setTimeout(() => inner.abort(), SILENCE_MAX_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Follows the live stream until the returned function is called. */
export function follow(watch: Watch, listener: Listener): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel(CHANNEL);
  const looks = new EventTarget();
  let resumeToken = "";
  let begun = false;

  function connected(unread?: number): void {
    listener.connected(begun, unread);
    begun = true;
  }

  function take(event: WatchNotificationsResponse): void {
    resumeToken = event.resumeToken;
    listener.event(event);
  }

  channel.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    if (data.kind === "looked at") return void looks.dispatchEvent(new Event("look"));
    // Another tab has held the stream for this one too.
    begun = true;
    if (data.kind === "connected") connected();
    else take(fromBinary(WatchNotificationsResponseSchema, data.bytes));
  });
  const tell = (told: Told): void => channel.postMessage(told);
  onLook(() => {
    looks.dispatchEvent(new Event("look"));
    tell({ kind: "looked at" });
  }, stop.signal);

  /** Waits until somebody turns to a tab of this browser. */
  function nextLook(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        looks.removeEventListener("look", done);
        stop.signal.removeEventListener("abort", done);
        resolve();
      };
      looks.addEventListener("look", done);
      stop.signal.addEventListener("abort", done);
    });
  }

  /** One connection, until it breaks. */
  async function connection(): Promise<{ received: boolean; replaced: boolean }> {
    const dog = watchdog(stop.signal);
    let received = false;
    let replaced = false;
    try {
      for await (const event of watch(resumeToken, dog.signal)) {
        dog.alive();
        if (!received) {
          received = true;
          connected(event.unreadCount);
          tell({ kind: "connected" });
        }
        take(event);
        tell({ kind: "event", bytes: toBinary(WatchNotificationsResponseSchema, event) });
      }
    } catch (error) {
      if (hasReason(error, "INVALID_CURSOR")) resumeToken = "";
      replaced = hasReason(error, "STREAM_REPLACED");
    } finally {
      dog.stop();
    }
    return { received, replaced };
  }

  async function lead(): Promise<void> {
    for (let tries = 0; !stop.signal.aborted; tries += 1) {
      const { received, replaced } = await connection();
      // The member follows in newer places: coming back at once would push one of those out, and so on in turn.
      if (replaced) await nextLook();
      if (received) tries = 0;
      const wait_ms = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** tries) * (0.5 + Math.random() / 2);
      if (!stop.signal.aborted) await pause(wait_ms, looks, stop.signal);
    }
  }

  // Rejects when it is stopped while it waits for its turn, which is no failure.
  exclusively(LOCK, lead, stop.signal).catch(() => undefined);

  return () => {
    stop.abort();
    channel.close();
  };
}
