// What a chosen file has to be, and what is made of it.
import { expect, it } from "vitest";
import { PICTURE_BYTES_MAX, wrongFile } from "../../lib/pictureFile";
import { fileOf, isSquare, sideOf } from "./picture";

it.each([
  ["image/jpeg", 1, undefined],
  ["image/jpg", 1, undefined],
  ["IMAGE/PNG", 1, undefined],
  ["image/webp", PICTURE_BYTES_MAX, undefined],
  ["image/webp", 5_242_881, "size"],
  ["image/gif", 1, "format"],
  ["image/svg+xml", 1, "format"],
  ["text/plain", PICTURE_BYTES_MAX + 1, "format"],
  ["", 1, "format"],
])("a_file_that_says_it_is_%s_of_%d_bytes_is_%s", (type, size, wrong) => expect(wrongFile({ type, size })).toBe(wrong));

it("what_is_sent_is_never_larger_than_what_was_chosen_or_kept", () => {
  const sides = [4000, 1024, 300.4, 0.2].map((side) => sideOf({ x: 0, y: 0, width: side, height: side }));
  expect(sides).toEqual([1024, 1024, 300, 1]);
});

it("the_bytes_of_a_picture_are_what_it_says", async () => {
  const file = fileOf(`data:image/jpeg;base64,${btoa("\xff\xd8 and more")}`);
  expect(file.type).toBe("image/jpeg");
  expect([...new Uint8Array(await file.arrayBuffer())].slice(0, 2)).toEqual([0xff, 0xd8]);
});

it("only_what_was_made_here_is_a_picture", () => {
  expect(isSquare("data:image/jpeg;base64,/9j/")).toBe(true);
  expect(["data:,", "data:image/png;base64,iVBO", "https://a.example/a.jpg"].map(isSquare)).toEqual([
    false,
    false,
    false,
  ]);
});
