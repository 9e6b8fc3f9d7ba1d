// Where things stand on the screen.
import type { Locator } from "@playwright/test";
import { expect } from "./test";

type Box = { x: number; y: number; width: number; height: number };

export async function boxOf(place: Locator): Promise<Box> {
  let box: Box | null = null;
  // An element that was just removed has no box.
  await expect.poll(async () => (box = await place.boundingBox())).not.toBeNull();
  return box ?? { x: 0, y: 0, width: 0, height: 0 };
}
