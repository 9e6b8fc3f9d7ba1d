// A way to the server that a test can cut: all connections at once, and no new ones until mended.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Page, Route } from "@playwright/test";
import { expect } from "./test";

export async function openRelay(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let whole = true;

  const relay = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    return undefined;
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut(): void {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      whole = true;
    },
    close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => relay.close(() => resolve()));
    },
  };
}

/** @returns a function: calls that wait and later ones fail, while the connection stays. */
export async function failLater(page: Page, url: string): Promise<() => void> {
  const waiting: Route[] = [];
  let isFailing = false;
  await page.route(url, (route) => (isFailing ? route.abort() : void waiting.push(route)));
  return () => {
    isFailing = true;
    for (const route of waiting) void route.abort();
  };
}

/**
 * Cuts the network when the code of toasts has come, which waits for an idle moment. The app may
 * load its page anew where code gets lost while it still looks for the server.
 */
export async function goOffline(page: Page): Promise<void> {
  await expect(page.locator(".toasts")).toBeAttached();
  await page.context().setOffline(true);
}
