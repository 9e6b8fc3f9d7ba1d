// A row that is scrolled sideways shows what is chosen.
import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderWith } from "../testing/render";
import { TabRow, Tabs } from "./Tabs";

const row = (value: string) => (
  <Tabs value={value}>
    <TabRow index={["one", "two"].indexOf(value)} aria-label={value}>
      <Tabs.Tab value="one">One</Tabs.Tab>
      <Tabs.Tab value="two">Two</Tabs.Tab>
    </TabRow>
  </Tabs>
);

it("the_tab_that_is_shown_is_in_view_in_its_row", () => {
  const seen = vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function at(this: Element) {
    if (this.textContent === "One") return new DOMRect(0, 0, 100, 48);
    return this.textContent === "Two" ? new DOMRect(600, 0, 100, 48) : new DOMRect(0, 0, 360, 48);
  });
  renderWith(() => undefined, row("one"));
  expect(screen.getByRole("tablist", { name: "one" }).scrollLeft).toBe(0);
  renderWith(() => undefined, row("two"));
  expect(screen.getByRole("tablist", { name: "two" }).scrollLeft).toBe(470);
  seen.mockRestore();
});
