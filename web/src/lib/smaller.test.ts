// How large a picture is that is sent.
import { expect, it } from "vitest";
import { fitted } from "./smaller";

it.each([
  [4032, 3024, 1600, 1200],
  [3024, 4032, 1200, 1600],
  [1600, 1600, 1600, 1600],
  [800, 600, 800, 600],
  [10_000, 1, 1600, 1],
  [1, 1, 1, 1],
])("%d_by_%d_becomes_%d_by_%d", (width, height, w, h) => {
  expect(fitted(width, height)).toEqual({ width: w, height: h });
});
