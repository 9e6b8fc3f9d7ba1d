// Faces without a picture.
import { expect, it } from "vitest";
import { initialsOf, tintOf } from "./Face";

it.each([
  [{ displayName: "Ana María Ruiz" }, "AR"],
  [{ displayName: "ana" }, "A"],
  [{ displayName: "", email: "ben@example.com" }, "B"],
  [{ displayName: "  " }, "?"],
  [{ displayName: "\u200fשרה לוי" }, "של"],
  [{ displayName: "👩‍👧 Ruiz" }, "👩‍👧R"],
  [{ displayName: "🇩🇪" }, "🇩🇪"],
  [{ displayName: "«Ben» (2)" }, "B2"],
])("%j_shows_%s", (person, initials) => expect(initialsOf(person, "?")).toBe(initials));

it("a_name_always_has_the_same_tint", () => expect(tintOf("Ana Ruiz")).toBe(tintOf("Ana Ruiz")));
