// The lists of rentals: which side and status each asks for, its counts, its texts, and what its cards show.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { Currency } from "../../gen/later/goodturn/common/v1/currency_pb";
import {
  type Rental,
  RentalAction,
  type RentalCounts,
  RentalSchema,
  RentalsService,
  RentalStatus,
  Side,
  StatusWord,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { pullDown } from "../../testing/pull";
import { renderWith } from "../../testing/render";
import { ActiveTab } from "./ActiveTab";
import { RequestsTab } from "./RequestsTab";
import { refusal } from "../../testing/refusals";

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed: () => Promise.resolve(true),
}));

const PAGE = 20;

/** The ends of lists that are watched: a test says when they come into view. */
let ends: (() => void)[] = [];
beforeEach(() => {
  ends = [];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      #seen: () => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.#seen = () => tell([{ isIntersecting: true }]);
      }
      observe(): void {
        ends.push(this.#seen);
      }
      disconnect(): void {
        ends = ends.filter((end) => end !== this.#seen);
      }
    },
  );
});

type Part = Partial<Omit<Rental, "$typeName" | "$unknown" | "item" | "owner" | "borrower">>;
const rentalOf = (n: number, part: Part = {}): Rental =>
  create(RentalSchema, {
    requestId: `r${n}`,
    itemId: `i${n}`,
    item: { title: `Thing ${n}` },
    owner: { uid: "ana", name: "Ana Silva", email: "ana@example.com" },
    borrower: { uid: "ben", name: "Ben Okafor", email: "ben@example.com" },
    startDate: "2026-11-28",
    endDate: "2026-12-01",
    totalPrice: 20,
    deposit: 40,
    currency: Currency.USD,
    rentalStatus: RentalStatus.PENDING,
    ...part,
  });
const many = (count: number, part: Part = {}): Rental[] => Array.from({ length: count }, (_, n) => rentalOf(n, part));

const WORD: Partial<Record<RentalStatus, StatusWord>> = {
  [RentalStatus.PENDING]: StatusWord.PENDING,
  [RentalStatus.ACCEPTED]: StatusWord.ACCEPTED,
  [RentalStatus.DECLINED]: StatusWord.DECLINED,
  [RentalStatus.ACTIVE]: StatusWord.ACTIVE,
  [RentalStatus.RETURNED]: StatusWord.RETURNED,
};
const wordOf = ({ rentalStatus }: Rental): StatusWord => WORD[rentalStatus] ?? StatusWord.UNSPECIFIED;

function countsFor(rentals: readonly Rental[]): Omit<RentalCounts, "$typeName" | "$unknown"> {
  const count = (...words: StatusWord[]): number => rentals.filter((r) => words.includes(wordOf(r))).length;
  return {
    all: rentals.length,
    pending: count(StatusWord.PENDING),
    accepted: count(StatusWord.ACCEPTED, StatusWord.ACTIVE, StatusWord.RETURNED),
    declined: count(StatusWord.DECLINED),
    active: count(StatusWord.ACTIVE, StatusWord.RETURNED),
  };
}

type Asked = { cursor: string; limit?: number; status: StatusWord[] };
/** A page of these, as a server gives it. */
function pageOf(rentals: readonly Rental[], { cursor, limit = PAGE, status }: Asked) {
  const some = status.length === 0 ? rentals : rentals.filter((r) => status.includes(wordOf(r)));
  const from = Number(cursor || "0");
  const hasMore = from + limit < some.length;
  const page = { rentals: some.slice(from, from + limit), cursor: hasMore ? String(from + limit) : "", hasMore };
  return { ...page, counts: countsFor(rentals) };
}

/** A server with what was asked of Ana, and what Ana asked for. */
function serve(path: string, { received = many(0), sent = many(0) } = {}, fails?: ConnectError) {
  const state = { fails, received, asked: 0 };
  const may = (): void => {
    state.asked += 1;
    if (state.fails !== undefined) throw state.fails;
  };
  window.history.replaceState(null, "", path);
  const list = (rentals: readonly Rental[], asked: Asked) => {
    may();
    return pageOf(rentals, asked);
  };
  renderWith(
    ({ service }) =>
      service(RentalsService, {
        listReceivedRentals: (asked) => list(state.received, asked),
        listSentRentals: (asked) => list(sent, asked),
        listRentals: ({ side, ...asked }) => list(side === Side.OWNER ? state.received : sent, asked),
        getRental: ({ requestId }) => ({ rental: state.received.find((rental) => rental.requestId === requestId) }),
        acceptRental() {
          throw refusal("WRONG_STATE");
        },
        completeRental({ requestId }) {
          state.received = state.received.filter((rental) => rental.requestId !== requestId);
          return { rental: { requestId, rentalStatus: RentalStatus.COMPLETED } };
        },
      }),
    path.includes("requests") ? <RequestsTab me="ana" /> : <ActiveTab me="ana" />,
  );
  return { state };
}

const down = (): ConnectError => new ConnectError("down", Code.Internal);

const plain = (text: string | null): string =>
  (text ?? "")
    .replaceAll(/[\u2068\u2069]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
const cards = (): HTMLElement[] => screen.queryAllByRole("article");
const buttonsOf = (card: HTMLElement | undefined) =>
  within(card ?? document.body)
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
const titles = (): string[] => cards().map((card) => plain(within(card).getByRole("heading").textContent));
const sides = (): string[] => screen.getAllByRole("radio").map((radio) => plain(radio.nextSibling?.textContent ?? ""));
const chips = (): string[] =>
  within(screen.getByRole("group", { name: "Which status" }))
    .getAllByRole("button")
    .map((chip) => plain(chip.textContent));

const REQUESTS = "/share?tab=requests";
const mixed = [
  rentalOf(1),
  rentalOf(2, { rentalStatus: RentalStatus.ACCEPTED }),
  rentalOf(3, { rentalStatus: RentalStatus.ACTIVE, daysLeft: 1 }),
  rentalOf(4, { rentalStatus: RentalStatus.DECLINED }),
];

it("both_sides_and_all_statuses_have_their_counts", async () => {
  serve(REQUESTS, { received: mixed, sent: many(1) });
  await waitFor(() => expect(titles()).toEqual(["Thing 1", "Thing 2", "Thing 3", "Thing 4"]));
  await waitFor(() => expect(sides()).toEqual(["Incoming (4)", "Sent (1)"]));
  expect(chips()).toEqual(["All 4", "Pending 1", "Accepted 2", "Declined 1"]);
});

it("a_chip_shows_what_stands_so_whether_it_is_out_by_now_or_not", async () => {
  serve(REQUESTS, { received: mixed });
  await userEvent.click(await screen.findByRole("button", { name: /Accepted/ }));
  await waitFor(() => expect(titles()).toEqual(["Thing 2", "Thing 3"]));
  await userEvent.click(screen.getByRole("button", { name: /Declined/ }));
  await waitFor(() => expect(titles()).toEqual(["Thing 4"]));
  expect(screen.getByRole("button", { name: /Declined/ })).toHaveAttribute("aria-pressed", "true");
});

it.each([
  ["", /All/, "No received requests"],
  ["", /Pending/, "No pending received requests"],
  ["", /Accepted/, "No accepted received requests"],
  ["", /Declined/, "No declined received requests"],
  ["&view=sent", /All/, "No sent requests"],
  ["&view=sent", /Pending/, "No pending sent requests"],
  ["&view=sent", /Accepted/, "No accepted sent requests"],
  ["&view=sent", /Declined/, "No declined sent requests"],
])("nothing_under_%s_%s_says_%s", async (view, chip, title) => {
  serve(REQUESTS + view);
  await userEvent.click(await screen.findByRole("button", { name: chip }));
  expect(await screen.findByRole("heading", { name: title })).toBeInTheDocument();
});

it.each([
  [REQUESTS, "Failed to load received requests"],
  [`${REQUESTS}&view=sent`, "Failed to load sent requests"],
  ["/share?tab=active", "Failed to load renting rentals"],
  ["/share?tab=active&view=lending", "Failed to load lending rentals"],
])("what_fails_on_%s_says_so_and_is_tried_again", async (path, text) => {
  const part = { rentalStatus: RentalStatus.ACTIVE, daysLeft: 2 };
  const { state } = serve(path, { received: many(1, part), sent: many(1, part) }, down());
  expect(await screen.findByText(text)).toBeInTheDocument();
  state.fails = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(titles()).toEqual(["Thing 0"]));
});

it.each([
  [
    refusal("FRIENDS_ONLY", Code.PermissionDenied, "no"),
    "This item is only available to friends. Send a friend request to the owner to access their items.",
  ],
  [
    refusal("RATE_LIMITED", Code.ResourceExhausted, "too many requests; try again later"),
    "Too many attempts in a short time. Please wait a moment and try again.",
  ],
  [refusal("LIMIT_REACHED", Code.ResourceExhausted, "That is enough for now."), "That is enough for now."],
])("why_a_list_does_not_come_is_said_where_the_server_knows", async (error, text) => {
  serve(REQUESTS, {}, error);
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByText("Failed to load received requests")).toBeNull();
});

it.each([REQUESTS, "/share?tab=active&view=lending"])("pulled_down_%s_is_asked_anew", async (path) => {
  const { state } = serve(path, { received: many(1, { rentalStatus: RentalStatus.ACTIVE, daysLeft: 2 }) });
  await waitFor(() => expect(titles()).toEqual(["Thing 0"]));
  const before = state.asked;
  pullDown(200);
  await waitFor(() => expect(state.asked).toBe(before + 1));
});

it("what_is_handed_over_is_noted_by_either_side", async () => {
  const accepted = { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [RentalAction.CANCEL, RentalAction.START] };
  serve(REQUESTS, { received: [rentalOf(1, accepted)] });
  const [card] = await screen.findAllByRole("article");
  expect(buttonsOf(card)).toEqual(["Mark handed over"]);
});

it("a_card_shows_what_is_asked_and_what_can_be_said_to_it", async () => {
  const message = "For a film night";
  const allowedActions = [RentalAction.ACCEPT, RentalAction.DECLINE];
  serve(REQUESTS, { received: [rentalOf(1, { message, allowedActions, daysTaken: true, gratitude: 5 })] });
  const [card] = await screen.findAllByRole("article");
  if (card === undefined) throw new Error("no card");
  expect(plain(card.querySelector("dl")?.textContent ?? "")).toMatch(
    /^DatesNov 28 – Dec 1.* · 4 daysTotal\$20.00 USD \+ \$40.00 deposit \+ \$5.00 gratitude/,
  );
  expect(within(card).getByText("Ben Okafor")).toBeInTheDocument();
  expect(within(card).getByText(message)).toBeInTheDocument();
  expect(within(card).getByText("Some of these dates are no longer available.")).toBeInTheDocument();
  expect(within(card).getByRole("link")).toHaveAttribute("href", "/share/rentals/r1");
  expect(
    within(card)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["Accept", "Decline"]);
});

it("what_the_member_asked_for_can_be_called_off_while_it_waits", async () => {
  const allowedActions = [RentalAction.CANCEL, RentalAction.MOVE];
  const accepted = { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [RentalAction.CANCEL, RentalAction.START] };
  serve(`${REQUESTS}&view=sent`, { sent: [rentalOf(1, { allowedActions }), rentalOf(2, accepted)] });
  const [first, second] = await screen.findAllByRole("article");
  expect(buttonsOf(first)).toEqual(["Cancel request"]);
  expect(buttonsOf(second)).toEqual(["Mark handed over"]);
  expect(within(second ?? document.body).getByText(/^Accepted! Email/)).toBeInTheDocument();
});

it("a_page_follows_when_the_end_comes_into_view", async () => {
  serve(REQUESTS, { received: many(45) });
  await waitFor(() => expect(titles()).toHaveLength(PAGE));
  ends.forEach((end) => end());
  await waitFor(() => expect(titles()).toHaveLength(2 * PAGE));
});

it("what_is_out_shows_when_it_is_due_and_whom_to_write_to", async () => {
  const out = (n: number, daysLeft: number): Rental =>
    rentalOf(n, { rentalStatus: RentalStatus.ACTIVE, daysLeft, allowedActions: [RentalAction.RETURN] });
  const sent = [out(1, -2), out(2, 0), out(3, 5), rentalOf(4, { rentalStatus: RentalStatus.RETURNED }), rentalOf(5)];
  serve("/share?tab=active", { sent, received: many(1, { rentalStatus: RentalStatus.ACTIVE, daysLeft: 3 }) });
  await waitFor(() => expect(titles()).toEqual(["Thing 1", "Thing 2", "Thing 3", "Thing 4"]));
  await waitFor(() => expect(sides()).toEqual(["Renting (4)", "Lending (1)"]));
  const due = cards().map((card) => plain(card.querySelector(".badge.soft")?.textContent ?? ""));
  expect(due).toEqual(["2 days overdue", "Due today", "5 days left", ""]);
  const [first] = cards();
  expect(plain(first?.querySelector("dl")?.textContent ?? "")).toMatch(
    /^PeriodNov 28 – Dec 1.* · 4 daysTotal paid\$20.00 USD · deposit \$40.00/,
  );
});

const { ACCEPTED, ACTIVE, RETURNED, CANCELLED } = RentalStatus;
const held = { depositReceivedAt: timestampFromDate(new Date()) };

it.each([
  ["due", { rentalStatus: ACCEPTED, due: 20 }, ["$20.00 USD due"]],
  ["deposit_not_received", { rentalStatus: ACTIVE, paid: 20 }, ["Deposit not received"]],
  ["deposit_held", { rentalStatus: ACTIVE, paid: 20, ...held }, []],
  [
    "deposit_to_return",
    { rentalStatus: RETURNED, paid: 20, ...held, allowedActions: [RentalAction.RETURN_DEPOSIT] },
    ["Deposit to return"],
  ],
  [
    "payment_to_settle",
    { rentalStatus: CANCELLED, paid: 20, allowedActions: [RentalAction.REFUND] },
    ["Payment to settle"],
  ],
  [
    "payment_and_deposit_of_a_cancelled_rental",
    { rentalStatus: CANCELLED, paid: 20, ...held, allowedActions: [RentalAction.REFUND, RentalAction.RETURN_DEPOSIT] },
    ["Payment to settle", "Deposit to return"],
  ],
  [
    "price_and_deposit_of_what_is_back",
    { rentalStatus: RETURNED, due: 20, ...held, allowedActions: [RentalAction.RETURN_DEPOSIT] },
    ["$20.00 USD due", "Deposit to return"],
  ],
  ["not_agreed", { rentalStatus: RentalStatus.PENDING }, []],
] as const)("a_card_has_short_hints_at_its_money_%s", async (_what, part, told) => {
  const actions = "allowedActions" in part ? [...part.allowedActions] : [];
  serve(REQUESTS, { received: [rentalOf(1, { ...part, allowedActions: actions })] });
  const [card] = await screen.findAllByRole("article");
  const hints = [...(card?.querySelectorAll(".badge.soft") ?? [])].map(({ textContent }) => plain(textContent));
  expect(hints).toEqual(told);
});

it("payments_are_not_recorded_on_a_card", async () => {
  const money = [
    RentalAction.MARK_PAID,
    RentalAction.UNMARK_PAID,
    RentalAction.REFUND,
    RentalAction.UNMARK_DEPOSIT_RECEIVED,
    RentalAction.UNMARK_DEPOSIT_RETURNED,
  ];
  const allowedActions = [RentalAction.START, ...money];
  serve(REQUESTS, { received: [rentalOf(1, { rentalStatus: ACCEPTED, allowedActions })] });
  const [card] = await screen.findAllByRole("article");
  expect(buttonsOf(card)).toEqual(["Mark handed over"]);
});

it("a_return_that_is_confirmed_is_out_of_the_list", async () => {
  const returned = { rentalStatus: RentalStatus.RETURNED, allowedActions: [RentalAction.COMPLETE] };
  serve("/share?tab=active&view=lending", { received: [rentalOf(1, returned)] });
  await userEvent.click(await screen.findByRole("button", { name: "Confirm return" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Confirm the return" }));
  await userEvent.click(await sheet.findByRole("button", { name: "Confirm return" }));
  expect(await screen.findByText("Rental completed. Thank you for sharing!")).toBeInTheDocument();
  expect(await screen.findByRole("heading", { name: "You're not lending anything" })).toBeInTheDocument();
  expect(cards()).toEqual([]);
});

it("a_card_of_what_has_changed_meanwhile_says_how_it_stands_once_its_list_has_come", async () => {
  const { state } = serve(REQUESTS, { received: [rentalOf(1, { allowedActions: [RentalAction.ACCEPT] })] });
  const accept = await screen.findByRole("button", { name: "Accept" });
  Object.assign(state, { received: [rentalOf(1, { rentalStatus: RentalStatus.CANCELLED })], fails: down() });
  await userEvent.click(accept);
  await screen.findByText("This rental just changed, but we couldn't load the latest.");
  expect(accept).toBeInTheDocument();
  state.fails = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await screen.findByText("This rental just changed. Here's the latest.");
  expect(accept).not.toBeInTheDocument();
});

it.each([
  ["/share?tab=active", "You're not renting anything"],
  ["/share?tab=active&view=lending", "You're not lending anything"],
])("nothing_on_%s_has_a_next_step", async (path, title) => {
  serve(path);
  expect(await screen.findByRole("heading", { name: title })).toBeInTheDocument();
});
