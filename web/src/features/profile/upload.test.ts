// An upload ends with the session in which it was begun.
import { expect, it, vi } from "vitest";
import { Stopped } from "../../lib/upload";
import { upload } from "./upload";

const { here } = vi.hoisted(() => ({ here: { uid: "ana", listeners: new Set<() => void>() } }));

vi.mock("../../lib/current", () => ({
  session: {
    get: () => (here.uid === "" ? { kind: "signedOut" } : { kind: "signedIn", member: { uid: here.uid } }),
    subscribe(listener: () => void) {
      here.listeners.add(listener);
      return () => here.listeners.delete(listener);
    },
  },
}));

function become(uid: string): void {
  here.uid = uid;
  for (const listener of here.listeners) listener();
}

const picture = `data:image/jpeg;base64,${btoa("a picture")}`;

function begun() {
  const asked: AbortSignal[] = [];
  const client = {
    createPictureUpload: (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<never>((_resolve, reject) => {
        if (signal !== undefined) asked.push(signal);
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  };
  return { asked, done: upload(client, picture) };
}

it.each(["", "ben"])("it_is_stopped_when_the_session_becomes_that_of_%s", async (uid) => {
  here.uid = "ana";
  const { asked, done } = begun();
  become("ana");
  expect(asked[0]?.aborted).toBe(false);
  become(uid);
  await expect(done).rejects.toBeInstanceOf(Stopped);
  expect(asked[0]?.aborted).toBe(true);
  expect(here.listeners.size).toBe(0);
});
