// Words of members: an address may be broken behind its signs, and is read and found as it was written.
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Words } from "./Words";

it.each([
  ["ana@goodturn.example", 2],
  ["Ask ana.ruiz@goodturn.example about it.", 3],
  ["Mend the gate. Soon.", 0],
  ["We meet @ noon", 0],
])("%s_has_%i_places_to_break", (text, places) => {
  render(<Words>{text}</Words>);
  expect(screen.getByText(text).querySelectorAll("wbr")).toHaveLength(places);
});
