// What stands there until a screen has come has the shape of that screen.
import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderWith } from "../testing/render";
import { WaitingScreen } from "./Waiting";

function waitingAt(path: string): HTMLElement {
  cleanup();
  window.history.replaceState(null, "", path);
  renderWith(() => undefined, <WaitingScreen member={{ uid: "ana", name: "Ana Ruiz", pictureUrl: "" } as never} />);
  return screen.getByRole("status", { name: /^Loading/ });
}

it("browsing_is_waited_for_in_a_grid_also_of_one_friends_things", () => {
  for (const path of ["/share", "/share?owner=b2e5c9a0-1111-4222-8333-444455556666"])
    expect(waitingAt(path).querySelector(".thingshapes")).not.toBeNull();
  expect(waitingAt("/share?tab=mine").querySelector(".thingshapes")).toBeNull();
});

it("an_item_is_waited_for_in_its_own_shape", () => {
  const shape = waitingAt("/share/items/i1");
  expect(shape.closest(".itemshape")).not.toBeNull();
  for (const path of ["/share/items/i1/manage", "/share/rentals/r1", "/favors/f1"])
    expect(waitingAt(path).closest(".itemshape")).toBeNull();
});
