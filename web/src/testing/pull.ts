// A finger that pulls a list down, for tests.
import { fireEvent } from "@testing-library/react";

/** So many pixels, from where the list begins. */
export function pullDown(px: number): void {
  // jsdom knows no size of letters.
  document.documentElement.style.fontSize = "16px";
  const list = document.querySelector(".pull");
  if (list === null) throw new Error("nothing to pull");
  fireEvent.touchStart(list, { touches: [{ clientY: 0 }] });
  fireEvent.touchMove(list, { touches: [{ clientY: px }] });
  fireEvent.touchEnd(list);
}
