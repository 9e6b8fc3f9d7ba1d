// How the creator of a completed favor pays its tip, and what is said where that does not go by itself.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { Currency } from "../../gen/goodturn/common/v1/currency_pb";
import { type Favor, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { FavorEventKind, FavorsService } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorDetails } from "./FavorDetails";

const { opened, place } = vi.hoisted(() => ({
  opened: { links: [] as string[], app: (): Promise<boolean> => Promise.resolve(true), page: (): boolean => true },
  place: { desktop: false },
}));

vi.mock("../../lib/opening", () => ({
  openApp(link: string): Promise<boolean> {
    opened.links.push(link);
    return opened.app();
  },
  openPage(link: string): boolean {
    opened.links.push(link);
    return opened.page();
  },
}));
vi.mock("../../ui/useDesktop", () => ({ useDesktop: () => place.desktop, useSplit: () => false }));

beforeEach(() => {
  opened.links = [];
  opened.app = () => Promise.resolve(true);
  opened.page = () => true;
  place.desktop = false;
});

type Init = Exclude<MessageInitShape<typeof FavorSchema>, Favor>;
type Handles = { venmoUsername?: string; paypalUsername?: string };
const BOTH = { venmoUsername: "ben-carter", paypalUsername: "benc" };

const COMPLETED: Init = {
  id: "f",
  title: "Walk Biscuit",
  createdBy: "ana",
  status: FavorStatus.COMPLETED,
  helper: { uid: "ben", displayName: "Ben Carter" },
  tip: 15,
  currency: Currency.USD,
};

async function show(paymentInfo: Handles, favor: Init = {}, kinds: FavorEventKind[] = [], me = "ana"): Promise<void> {
  renderWith(
    ({ service }) => {
      service(FavorsService, { getFavorStory: () => ({ events: kinds.map((kind) => ({ kind })) }) });
      service(ProfileService, {
        getProfile: ({ uid }) => ({ profile: { data: uid === "ben" ? { paymentInfo } : {} } }),
      });
    },
    <FavorDetails favor={create(FavorSchema, { ...COMPLETED, ...favor })} me={me} onEdit={vi.fn()} onGone={vi.fn()} />,
  );
  await screen.findByRole("list", { name: "The story so far" });
}

const pay = async (service: "Venmo" | "PayPal"): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name: `Pay with ${service}` }));
async function shows(text: string | RegExp): Promise<void> {
  expect(await screen.findByText(text)).toBeInTheDocument();
}

it("a_phone_opens_the_apps_with_whom_and_how_much", async () => {
  await show(BOTH);
  await shows("Thank Ben with a tip");
  await pay("Venmo");
  await shows("@ben-carter");
  await pay("PayPal");
  await shows("@benc");
  expect(opened.links).toEqual([
    "venmo://paycharge?txn=pay&recipients=ben-carter&amount=15.00&note=Walk%20Biscuit",
    "https://paypal.me/benc/15.00USD",
  ]);
  expect(screen.queryByRole("img")).not.toBeInTheDocument();
});

it("an_app_that_does_not_come_up_is_told_with_the_way_by_hand", async () => {
  await show(BOTH);
  opened.app = () => Promise.resolve(false);
  await pay("Venmo");
  await shows("Venmo App Not Installed");
  await shows(/Open Venmo, find @.*ben-carter.* and pay .*15\.00 USD/);
  opened.page = () => false;
  await pay("PayPal");
  await shows("PayPal Not Available");
  expect(screen.queryByText("Venmo App Not Installed")).not.toBeInTheDocument();
});

it("what_cannot_be_opened_at_all_can_be_tried_again", async () => {
  await show(BOTH);
  opened.app = () => Promise.reject(new Error("forbidden"));
  await pay("Venmo");
  await shows("Failed to open payment app. Please try again.");
  opened.app = () => Promise.resolve(true);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await shows("@ben-carter");
  expect(opened.links).toHaveLength(2);
});

it("an_account_that_was_not_set_up_is_told", async () => {
  await show({ paypalUsername: "@benc" });
  await pay("Venmo");
  await shows("Payment Method Not Available");
  await shows(/Ben.* has not set up a Venmo account\./);
  await pay("PayPal");
  await shows("@benc");
  expect(screen.queryByText("Payment Method Not Available")).not.toBeInTheDocument();
  expect(opened.links).toEqual(["https://paypal.me/benc/15.00USD"]);
});

it("a_helper_without_venmo_and_paypal_is_paid_another_way", async () => {
  await show({});
  await shows(/^Ben hasn't set up Venmo or PayPal\. Pay in cash or another way, then mark the favor as settled\.$/);
  const buttons = ["Venmo", "PayPal"].map((name) => screen.getByRole("button", { name: `Pay with ${name}` }));
  expect(buttons.map((button) => button.dataset["variant"])).toEqual(["default", "default"]);
  await pay("PayPal");
  await shows("Payment Method Not Available");
});

it("venmo_is_not_opened_for_another_currency", async () => {
  await show(BOTH, { currency: Currency.INR });
  await pay("Venmo");
  await shows("Payment Method Not Available");
  await shows(/Venmo only pays in US dollars, and this tip is in .*INR/);
  expect(opened.links).toEqual([]);
});

it("a_desk_shows_the_way_to_the_phone_and_what_to_copy", async () => {
  place.desktop = true;
  const written: string[] = [];
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation((text) => Promise.resolve(void written.push(text)));
  await show(BOTH);
  await user.click(await screen.findByRole("button", { name: "Pay with PayPal" }));
  expect(await screen.findByRole("img", { name: "QR code that opens PayPal" })).toBeInTheDocument();
  const link = screen.getByRole("link", { name: "Open PayPal" });
  expect(link).toHaveAttribute("href", "https://paypal.me/benc/15.00USD");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await user.click(screen.getByRole("button", { name: "Copy the username" }));
  await user.click(screen.getByRole("button", { name: "Copy the amount" }));
  expect(written).toEqual(["benc", "15.00"]);
  expect(opened.links).toEqual([]);
});

it.each<[string, Init, string]>([
  ["who_helps", {}, "ben"],
  ["a_favor_without_tip", { tip: 0 }, "ana"],
  ["an_accepted_favor", { status: FavorStatus.ACCEPTED }, "ana"],
  ["a_settled_favor", { status: FavorStatus.SETTLED }, "ana"],
])("%s_has_nothing_to_pay", async (_who, favor, me) => {
  await show(BOTH, favor, [FavorEventKind.SETTLED], me);
  expect(screen.queryByRole("region", { name: "Payment" })).not.toBeInTheDocument();
});

it("a_tip_that_did_not_arrive_can_be_paid_again", async () => {
  await show(BOTH, { status: FavorStatus.SETTLED }, [FavorEventKind.SETTLED, FavorEventKind.TIP_MISSING]);
  expect(await screen.findByRole("button", { name: "Pay with Venmo" })).toBeInTheDocument();
  expect(screen.getByText(/^.?Ben Carter.? said the tip didn't arrive$/)).toBeInTheDocument();
});
