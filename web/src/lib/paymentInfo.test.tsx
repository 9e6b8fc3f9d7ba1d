// The payment usernames of another member are those of now.
import { createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { createCache } from "./cache";
import { usePaymentInfo } from "./paymentInfo";

function Panel() {
  const { data } = usePaymentInfo("ben");
  return <p>{data === undefined ? "unknown" : `venmo ${data.venmo}, paypal ${data.paypal}`}</p>;
}

function show() {
  const state = { venmoUsername: "", paypalUsername: "", asked: 0 };
  const transport = createRouterTransport(({ service }) =>
    service(ProfileService, {
      getProfile() {
        state.asked += 1;
        const { venmoUsername, paypalUsername } = state;
        return { profile: { data: { paymentInfo: { venmoUsername, paypalUsername } } } };
      },
    }),
  );
  const cache = createCache();
  const screenOf = (isOpen: boolean) => (
    <QueryClientProvider client={cache}>
      <TransportProvider transport={transport}>{isOpen && <Panel />}</TransportProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(screenOf(true));
  return { state, open: (isOpen: boolean) => rerender(screenOf(isOpen)) };
}

it("new_ones_are_seen_by_whoever_comes_back_to_the_window", async () => {
  const { state } = show();
  expect(await screen.findByText("venmo , paypal")).toBeInTheDocument();
  state.venmoUsername = "@ben-carter";
  act(() => void window.dispatchEvent(new Event("visibilitychange")));
  expect(await screen.findByText("venmo ben-carter, paypal")).toBeInTheDocument();
});

it("new_ones_are_seen_by_whoever_opens_the_panel_again", async () => {
  const { state, open } = show();
  expect(await screen.findByText("venmo , paypal")).toBeInTheDocument();
  open(false);
  state.paypalUsername = "https://paypal.me/benc";
  open(true);
  expect(await screen.findByText("venmo , paypal benc")).toBeInTheDocument();
  expect(state.asked).toBe(2);
});
