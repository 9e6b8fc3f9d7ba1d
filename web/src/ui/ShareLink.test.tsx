// The link of a thing is copied everywhere, and shared where the device can.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { renderWith } from "../testing/render";
import { ShareLink } from "./ShareLink";

const URL_OF = `${window.location.origin}/share/items/i1`;
afterEach(() => void Reflect.deleteProperty(navigator, "share"));

const show = () =>
  renderWith(() => undefined, <ShareLink path="/share/items/i1" title="Hammer drill" text="Anyone can open it." />);
const withShare = (share: () => Promise<void>) =>
  Object.defineProperty(navigator, "share", { configurable: true, value: share });
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

it("the_whole_address_is_copied", async () => {
  show();
  await userEvent.setup().click(screen.getByRole("button", { name: "Copy link" }));
  expect(await navigator.clipboard.readText()).toBe(URL_OF);
});

it("sharing_is_offered_only_where_the_device_can", () => {
  show();
  expect(screen.queryByRole("button", { name: "Share" })).toBeNull();
});

it("the_device_is_given_the_title_and_the_address", async () => {
  const share = vi.fn(() => Promise.resolve());
  withShare(share);
  show();
  await press("Share");
  expect(share).toHaveBeenCalledWith({ title: "Hammer drill", url: URL_OF });
});

async function shareFails(name: string): Promise<void> {
  withShare(vi.fn<() => Promise<void>>().mockRejectedValue(new DOMException("not shared", name)));
  show();
  await press("Share");
}
const FAILED = "Your browser couldn't share the link. Copy it instead.";

it("a_link_that_could_not_be_shared_says_so", async () => {
  await shareFails("NotAllowedError");
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
});

it("closing_what_the_device_has_opened_is_no_failure", async () => {
  await shareFails("AbortError");
  expect(screen.queryByText(FAILED)).toBeNull();
});
