// JPEGs with and without their end.
import { expect, it } from "vitest";
import { isWholeJpeg } from "./wholeJpeg";

const START = [0xff, 0xd8];
const TABLE = [0xff, 0xdb, 0, 5, 1, 0xff, 0xd9];
const SCAN = [0xff, 0xda, 0, 4, 1, 2, 7, 0xff, 0, 8, 0xff, 0xd3, 9];
const END = [0xff, 0xd9];
const isWhole = (...parts: number[][]): boolean => isWholeJpeg(Uint8Array.from(parts.flat()));

/** A thumbnail before the picture, as cameras write it. */
const THUMBNAIL = [0xff, 0xe1, 0, 2 + START.length + SCAN.length + END.length, ...START, ...SCAN, ...END];

it.each([
  ["plain", [START, TABLE, SCAN, END]],
  ["with_several_scans", [START, TABLE, SCAN, SCAN, END]],
  ["with_a_thumbnail", [START, THUMBNAIL, TABLE, SCAN, END]],
  ["with_fill_bytes", [START, [0xff, 0xff], TABLE, SCAN, [0xff], END]],
  ["with_something_behind_it", [START, TABLE, SCAN, END, START, [1, 2, 3]]],
])("a_jpeg_%s_is_whole", (_what, parts) => expect(isWhole(...parts)).toBe(true));

it.each([
  ["cut_in_a_scan", [START, TABLE, SCAN]],
  ["cut_before_its_last_byte", [START, TABLE, SCAN, [0xff]]],
  ["cut_in_a_table", [START, TABLE.slice(0, 5)]],
  ["cut_after_its_thumbnail", [START, THUMBNAIL, TABLE, SCAN.slice(0, 9)]],
  ["without_a_picture", [START, TABLE, END]],
  ["empty", [[]]],
])("a_jpeg_%s_is_not", (_what, parts) => expect(isWhole(...parts)).toBe(false));

it("a_jpeg_is_not_whole_wherever_it_is_cut", () => {
  const whole = [START, THUMBNAIL, TABLE, SCAN, END].flat();
  for (let length = 0; length < whole.length; length++) expect(isWhole(whole.slice(0, length))).toBe(false);
});
