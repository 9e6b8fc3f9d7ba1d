// Faces with a picture and without one.
import { fireEvent, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Face, initialsOf, tintOf } from "./Face";

it.each([
  [{ displayName: "Ana María Ruiz" }, "AR"],
  [{ displayName: "ana" }, "A"],
  [{ displayName: "", email: "ben@example.com" }, "B"],
  [{ displayName: "  " }, "?"],
  [{ displayName: "Former member" }, "?"],
  [{ displayName: "\u200fשרה לוי" }, "של"],
  [{ displayName: "👩‍👧 Ruiz" }, "👩‍👧R"],
  [{ displayName: "🇩🇪" }, "🇩🇪"],
  [{ displayName: "«Ben» (2)" }, "B2"],
])("%j_shows_%s", (person, initials) => expect(initialsOf(person, "?")).toBe(initials));

it("a_name_always_has_the_same_tint", () => expect(tintOf("Ana Ruiz")).toBe(tintOf("Ana Ruiz")));

it("a_picture_stands_over_the_initials_and_tells_whether_it_came", () => {
  const person = { displayName: "Ana Ruiz", profilePictureUrl: "/pictures/a.jpg?until=1" };
  const { container, rerender } = render(<Face person={person} />);
  const image = container.querySelector("img") ?? document.createElement("img");
  expect(container).toHaveTextContent("AR");
  expect(image.dataset["came"]).toBeUndefined();
  fireEvent.error(image);
  expect(image.dataset["came"]).toBe("error");
  // The same picture by its next address is the same element: nothing blinks. Another picture is another one.
  rerender(<Face person={{ ...person, profilePictureUrl: "/pictures/a.jpg?until=2" }} />);
  expect(container.querySelector("img")).toBe(image);
  fireEvent.load(image);
  expect(image.dataset["came"]).toBe("load");
  rerender(<Face person={{ ...person, profilePictureUrl: "/pictures/b.jpg?until=2" }} />);
  expect(container.querySelector("img")).not.toBe(image);
  rerender(<Face person={{ displayName: "Ana Ruiz" }} />);
  expect(container.querySelector("img")).toBeNull();
});
