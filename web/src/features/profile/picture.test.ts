// What is made of a chosen picture.
import { expect, it } from "vitest";
import { fileOf, isSquare, sideOf } from "./picture";

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
