// Which chosen files are not taken as pictures, and what is said of each.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { parted, type RefusedFile } from "../lib/pictureFile";
import { renderWith } from "../testing/render";
import { RefusedPictures } from "./RefusedPictures";

const file = (name: string, type = "image/jpeg", content = "x"): File => new File([content], name, { type });

function said(refused: readonly RefusedFile[], max = 10): string[] {
  renderWith(() => undefined, <RefusedPictures refused={refused} max={max} />);
  return screen.queryAllByRole("alert").map(({ textContent }) => textContent ?? "");
}

it("each_reason_is_said_once_with_all_its_files", () => {
  const files = [
    file("a.heic", "image/heic"),
    file("b.jpg"),
    file("c.jpg", "image/jpeg", ""),
    file("d.gif", "image/gif"),
    file("e.png", "image/png", ""),
    file("f.webp", "image/webp"),
    file("g", ""),
  ];
  const { taken, refused } = parted(files, 2);
  expect(taken.map(({ name }) => name)).toEqual(["b.jpg", "f.webp"]);
  expect(said(refused)).toEqual([
    "Invalid File FormatWe can't use a.heic and d.gif. Please choose a JPEG, PNG or WebP picture.",
    "Invalid File Formatc.jpg and e.png are empty files. Please choose other pictures.",
    "Too Many PicturesYou can add up to 10 pictures. We didn't add g.",
  ]);
});

it.each([
  ["empty", "Invalid File Formata.jpg is an empty file. Please choose another picture."],
  ["unreadable", "Invalid File FormatWe couldn't read a.jpg. Please choose another picture."],
  ["size", "File Too Largea.jpg is larger than 5 MB even after we made it smaller. Please choose another picture."],
] as const)("a_file_that_is_refused_for_%s_is_named", (why, text) => {
  expect(said([{ name: "a.jpg", why }])).toEqual([text]);
});

it("nothing_is_said_where_all_are_taken", () => {
  const { taken, refused } = parted([file("a.jpg"), file("b.png", "image/png")], 2);
  expect(taken).toHaveLength(2);
  expect(said(refused)).toEqual([]);
});

it("the_name_of_a_file_changes_nothing_around_it", () => {
  expect(said([{ name: "\u05d0\u05d1.heic", why: "kind" }])[0]).toMatch(
    /use \u2068+\u05d0\u05d1\.heic\u2069+\. Please/,
  );
});
