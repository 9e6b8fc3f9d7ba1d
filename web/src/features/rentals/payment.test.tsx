// The payment section of a rental: the pay panel, the state of price and deposit, and recording a payment.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  RentalAction as A,
  RentalEventKind,
  RentalPayment,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { refusal } from "../../testing/refusals";
import { showRental } from "../../testing/rentals";

const { questions, opened } = vi.hoisted(() => ({
  questions: { asked: [] as string[], answer: true },
  opened: [] as string[],
}));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, text }: { title: string; text: string }): Promise<boolean> {
    questions.asked.push(`${title} ${text}`.replaceAll(/[\u2068\u2069]/g, "").replaceAll("\u00a0", " "));
    return Promise.resolve(questions.answer);
  },
}));
vi.mock("../../lib/opening", () => ({
  openApp: (link: string) => Promise.resolve(opened.push(link) < 0),
  openPage: () => false,
}));
vi.mock("../../ui/useDesktop", () => ({ useDesktop: () => false, useSplit: () => false }));

beforeEach(() => {
  questions.asked = [];
  questions.answer = true;
  opened.length = 0;
});

const { ACCEPTED, ACTIVE, RETURNED, COMPLETED, CANCELLED, PENDING } = RentalStatus;
const NOON = timestampFromDate(new Date(new Date().getFullYear(), 10, 20, 12));
const section = () => within(screen.getByRole("region", { name: "Payment" }));
const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u2068\u2069]/g, "").replaceAll("\u00a0", " ");
/** The weekday of a date depends on the year of the test run. */
const WEEKDAY = /\b[A-Z][a-z]{2}, /;
const states = (): string[] => {
  const region = screen.queryByRole("region", { name: "Payment" });
  return [...(region?.querySelectorAll(".card .b6") ?? [])].map((state) =>
    plain(state.textContent).replace(WEEKDAY, ""),
  );
};
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name }));

it.each([ACCEPTED, ACTIVE, RETURNED, COMPLETED])("a_borrower_pays_what_is_due_in_status_%d", async (rentalStatus) => {
  showRental("ben", { rentalStatus, due: 17, deposit: 0, allowedActions: [A.MARK_PAID] });
  const panel = within(await screen.findByRole("region", { name: "Ways to pay" }));
  expect(panel.getByRole("heading")).toHaveTextContent(/^Pay .*Ana.* for .*Projector.*$/);
  await userEvent.click(await panel.findByRole("button", { name: "Pay with Venmo" }));
  expect(opened).toEqual(["venmo://paycharge?txn=pay&recipients=ana-silva&amount=17.00&note=Projector"]);
  const byHand = await panel.findByText(/^Open Venmo, find/);
  expect(plain(byHand.textContent)).toBe("Open Venmo, find @ana-silva and pay $17.00 USD. Then mark it as paid.");
  await userEvent.click(panel.getByRole("button", { name: "Pay with PayPal" }));
  expect(await panel.findByText("Payment Method Not Available")).toBeInTheDocument();
});

const DUE = { rentalStatus: ACCEPTED, due: 15, allowedActions: [A.MARK_PAID, A.RECEIVE_DEPOSIT] };
const panel = async () => within(await screen.findByRole("region", { name: "Ways to pay" }));
const panelText = async (): Promise<string> =>
  plain((await screen.findByRole("region", { name: "Ways to pay" })).querySelector(".grow")?.textContent ?? "");

it.each([
  ["price_and_deposit", DUE, "Pay Ana for Projector$55.00 USD$15.00 price + $40.00 deposit"],
  [
    "gratitude_too",
    { ...DUE, due: 20, gratitude: 5 },
    "Pay Ana for Projector$60.00 USD$20.00 price and gratitude + $40.00 deposit",
  ],
  ["deposit_alone", { ...DUE, due: 0, paid: 15 }, "Pay Ana the deposit for Projector$40.00 USD"],
  ["received_deposit", { ...DUE, depositReceivedAt: NOON }, "Pay Ana for Projector$15.00 USD"],
  // The item is back: nobody pays a deposit for it any more.
  ["item_that_is_back", { ...DUE, rentalStatus: RETURNED }, "Pay Ana for Projector$15.00 USD"],
] as const)("the_panel_names_what_is_due_with_%s", async (_what, rental, text) => {
  showRental("ben", { ...rental, allowedActions: [...rental.allowedActions] });
  expect(await panelText()).toBe(text);
});

it("price_and_deposit_are_paid_in_one", async () => {
  showRental("ben", DUE);
  await userEvent.click(await (await panel()).findByRole("button", { name: "Pay with Venmo" }));
  expect(opened).toEqual(["venmo://paycharge?txn=pay&recipients=ana-silva&amount=55.00&note=Projector"]);
  const byHand = await (await panel()).findByText(/^Open Venmo, find/);
  expect(plain(byHand.textContent)).toMatch(/Then mark both as paid\.$/);
});

it.each([
  [
    "a_held_deposit",
    { rentalStatus: COMPLETED, paid: 15, depositReceivedAt: NOON, allowedActions: [A.RETURN_DEPOSIT] },
    "Return Ben's deposit for Projector$40.00 USD",
  ],
  [
    "a_cancelled_rental",
    { rentalStatus: CANCELLED, paid: 15, allowedActions: [A.REFUND] },
    "To refund Ben for Projector$15.00 USD",
  ],
  [
    "a_deposit_before_a_refund",
    { rentalStatus: CANCELLED, paid: 15, depositReceivedAt: NOON, allowedActions: [A.REFUND, A.RETURN_DEPOSIT] },
    "Return Ben's deposit for Projector$40.00 USD",
  ],
] as const)("an_owner_pays_back_%s", async (_what, rental, text) => {
  showRental("ana", { ...rental, allowedActions: [...rental.allowedActions] });
  expect(await panelText()).toBe(text);
});

it("an_owner_without_venmo_and_paypal_is_paid_another_way", async () => {
  const state = showRental("ben", { ...DUE, deposit: 0 });
  state.hasHandles = false;
  const text = "Ana hasn't set up Venmo or PayPal. Pay in cash or another way, then mark it as paid.";
  expect(await (await panel()).findByText(text)).toBeInTheDocument();
  const buttons = (await panel()).getAllByRole("button");
  expect(buttons.map((button) => button.dataset["variant"])).toEqual(["default", "default"]);
  await userEvent.click(buttons[0] ?? document.body);
  expect(await (await panel()).findByText("Ana has not set up a Venmo account.")).toBeInTheDocument();
});

it.each([
  ["the_owner", "ana", { rentalStatus: COMPLETED, due: 15 }],
  ["who_has_paid", "ben", { rentalStatus: COMPLETED, paid: 15 }],
  ["who_owes_somebody_who_left", "ben", { rentalStatus: COMPLETED, due: 15, owner: { uid: "" } }],
] as const)("%s_pays_nobody", (_who, me, rental) => {
  showRental(me, rental);
  expect(section().getByText("Price")).toBeInTheDocument();
  expect(screen.queryByRole("region", { name: "Ways to pay" })).toBeNull();
});

it.each([
  ["asked_for", { rentalStatus: PENDING }, []],
  ["free", { rentalStatus: ACTIVE, deposit: 0, totalPrice: 0 }, []],
  ["agreed", { rentalStatus: ACCEPTED, due: 15 }, ["$15.00 USD due", "Not received yet"]],
  [
    "prolonged",
    { rentalStatus: ACTIVE, paid: 15, due: 10, depositReceivedAt: NOON },
    ["Paid $15.00 USD, $10.00 USD still due", "Received on Nov 20"],
  ],
  [
    "settled",
    { rentalStatus: COMPLETED, paid: 15, depositReceivedAt: NOON, depositReturnedAt: NOON },
    ["Paid $15.00 USD", "Returned on Nov 20"],
  ],
  // A deposit is not expected after the return.
  ["over", { rentalStatus: COMPLETED, paid: 15 }, ["Paid $15.00 USD"]],
  ["called_off", { rentalStatus: CANCELLED, depositReceivedAt: NOON }, ["Received on Nov 20"]],
  [
    "paid_and_called_off",
    { rentalStatus: CANCELLED, paid: 15, allowedActions: [A.REFUND] },
    ["Paid $15.00 USD. The rental was cancelled, so please agree on whether to refund it."],
  ],
  [
    "called_off_and_paid_back",
    { rentalStatus: CANCELLED, story: [{ kind: RentalEventKind.REFUNDED }] },
    ["Payment settled"],
  ],
])("the_money_of_a_rental_that_is_%s_stands_so", (_what, rental, told) => {
  showRental("ana", rental);
  expect(states()).toEqual(told);
});

const K = RentalEventKind;
const steps = (...all: [RentalEventKind, string][]) => all.map(([kind, actorId]) => ({ kind, actorId }));
const RECEIVED = { rentalStatus: ACTIVE, depositReceivedAt: NOON };
const GIVEN_BACK = { rentalStatus: COMPLETED, depositReceivedAt: NOON, depositReturnedAt: NOON };

it.each([
  ["ana", RECEIVED, steps([K.DEPOSIT_RECEIVED, "ben"]), "Ben marked it as paid on Nov 20"],
  ["ben", RECEIVED, steps([K.DEPOSIT_RECEIVED, "ben"]), "Paid on Nov 20"],
  ["ana", RECEIVED, steps([K.DEPOSIT_RECEIVED, "ana"]), "Received on Nov 20"],
  ["ben", RECEIVED, steps([K.DEPOSIT_RECEIVED, "ana"]), "Paid on Nov 20"],
  // The last word counts.
  [
    "ana",
    RECEIVED,
    steps([K.DEPOSIT_RECEIVED, "ben"], [K.DEPOSIT_NOT_RECEIVED, "ana"], [K.DEPOSIT_RECEIVED, "ana"]),
    "Received on Nov 20",
  ],
  ["ben", GIVEN_BACK, steps([K.DEPOSIT_RETURNED, "ana"]), "Ana marked it as returned on Nov 20"],
  ["ana", GIVEN_BACK, steps([K.DEPOSIT_RETURNED, "ana"]), "Returned on Nov 20"],
  ["ben", GIVEN_BACK, steps([K.DEPOSIT_RETURNED, "ben"]), "Returned on Nov 20"],
  ["ana", GIVEN_BACK, steps([K.DEPOSIT_RETURNED, "ben"]), "Returned on Nov 20"],
] as const)("%s_reads_of_a_deposit_whose_word_it_is_%#", (me, rental, story, told) => {
  showRental(me, { ...rental, story: [...story] });
  expect(states()).toEqual([told]);
});

const LEFT = { uid: "", name: "Former member" };

it.each([
  [
    "ben",
    { owner: LEFT, rentalStatus: CANCELLED, paid: 15, depositReceivedAt: NOON },
    [
      "Paid $15.00 USD. Not settled before the owner left Goodturn.",
      "Paid on Nov 20. Not returned before the owner left Goodturn.",
    ],
  ],
  [
    "ana",
    { borrower: LEFT, rentalStatus: COMPLETED, paid: 15, depositReceivedAt: NOON },
    ["Paid $15.00 USD", "Received on Nov 20. Not returned before the borrower left Goodturn."],
  ],
  [
    "ana",
    {
      borrower: LEFT,
      rentalStatus: CANCELLED,
      paid: 15,
      depositReceivedAt: NOON,
      story: steps([K.DEPOSIT_RECEIVED, ""]),
    },
    [
      "Paid $15.00 USD. Not settled before the borrower left Goodturn.",
      "A former member marked it as paid on Nov 20. Not returned before the borrower left Goodturn.",
    ],
  ],
  [
    "ben",
    { ...GIVEN_BACK, owner: LEFT, rentalStatus: CANCELLED, story: steps([K.PAID, "ben"], [K.REFUNDED, "ben"]) },
    ["Payment settled", "Returned on Nov 20"],
  ],
] as const)("%s_reads_what_was_open_when_the_other_side_left_%#", (me, rental, told) => {
  showRental(me, { ...rental, story: "story" in rental ? [...rental.story] : [] });
  expect(states()).toEqual(told);
});

it("a_late_cancellation_is_called_so", async () => {
  const startDate = `${new Date().getFullYear()}-11-25`;
  const story = [{ kind: RentalEventKind.CANCELLED, at: NOON }];
  showRental("ana", { rentalStatus: CANCELLED, paid: 15, startDate, story, allowedActions: [A.REFUND] });
  const late = "The rental was cancelled after free cancellation ended, so please agree on whether to refund it.";
  await expect.poll(states).toEqual([`Paid $15.00 USD. ${late}`]);
});

const P = RentalPayment;
const PAID = "Ana Silva, $15.00 USD. ";

it.each([
  ["ben", A.MARK_PAID, "Mark as paid", `Did you pay? ${PAID}`, P.PRICE_PAID, "Marked as paid."],
  [
    "ana",
    A.MARK_PAID,
    "Mark payment as received",
    "Did you get paid? Ben Okafor, $15.00 USD. ",
    P.PRICE_PAID,
    "Payment marked as received.",
  ],
  [
    "ben",
    A.UNMARK_PAID,
    "I haven't paid yet",
    "Not paid yet? Ana Silva, $2.00 USD. ",
    P.PRICE_NOT_PAID,
    "Marked as not",
  ],
  [
    "ana",
    A.UNMARK_PAID,
    "It didn't arrive",
    "Payment didn't arrive? ",
    P.PRICE_NOT_PAID,
    "Payment marked as not received.",
  ],
  [
    "ben",
    A.REFUND,
    "Mark payment as settled",
    "Did you settle the payment with each other? Ana Silva, $5.00 USD. ",
    P.PRICE_REFUNDED,
    "Payment marked as settled. We let the",
  ],
  [
    "ana",
    A.REFUND,
    "Mark payment as settled",
    "Did you settle the payment with each other? Ben Okafor, $5.00 USD. ",
    P.PRICE_REFUNDED,
    "Payment marked as settled. We let the",
  ],
  ["ben", A.RECEIVE_DEPOSIT, "Mark deposit as paid", "Did you pay the deposit? ", P.DEPOSIT_RECEIVED, "Deposit marked"],
  [
    "ana",
    A.RECEIVE_DEPOSIT,
    "Mark deposit as received",
    "Did you get the deposit? ",
    P.DEPOSIT_RECEIVED,
    "Deposit marked",
  ],
  [
    "ben",
    A.UNMARK_DEPOSIT_RECEIVED,
    "I haven't paid it yet",
    "Deposit not paid yet? Ana Silva, $40.00 USD. ",
    P.DEPOSIT_NOT_RECEIVED,
    "Deposit marked as not paid.",
  ],
  [
    "ana",
    A.UNMARK_DEPOSIT_RECEIVED,
    "I don't have it",
    "Don't have the deposit? ",
    P.DEPOSIT_NOT_RECEIVED,
    "Deposit marked as not received.",
  ],
  [
    "ben",
    A.RETURN_DEPOSIT,
    "Mark deposit as returned",
    "Did you get the deposit back? ",
    P.DEPOSIT_RETURNED,
    "Deposit marked",
  ],
  [
    "ana",
    A.RETURN_DEPOSIT,
    "Mark deposit as returned",
    "Did you return the deposit? ",
    P.DEPOSIT_RETURNED,
    "Deposit marked",
  ],
  [
    "ben",
    A.UNMARK_DEPOSIT_RETURNED,
    "I didn't get it back",
    "Didn't get the deposit back? ",
    P.DEPOSIT_NOT_RETURNED,
    "Deposit marked as not returned.",
  ],
  [
    "ana",
    A.UNMARK_DEPOSIT_RETURNED,
    "I still have it",
    "Still have the deposit? ",
    P.DEPOSIT_NOT_RETURNED,
    "Deposit marked as not returned.",
  ],
] as const)(
  "%s_is_asked_before_payment_%d_is_noted_and_told_after",
  async (me, action, label, question, payment, done) => {
    const story = [
      { kind: K.PAID, amount: 3 },
      { kind: K.PAID, amount: 2 },
    ];
    const paid = { paid: 5, due: 15, depositReceivedAt: NOON, story };
    const rentalStatus = action === A.REFUND ? CANCELLED : ACTIVE;
    const state = showRental(me, { ...paid, rentalStatus, allowedActions: [A.RETURN, action] });
    questions.answer = false;
    await userEvent.click(section().getByRole("button", { name: label }));
    expect(state.calls).toEqual([]);
    questions.answer = true;
    await userEvent.click(section().getByRole("button", { name: label }));
    expect(await screen.findByText(new RegExp(`^${done}`))).toBeInTheDocument();
    expect(questions.asked[1]?.startsWith(question)).toBe(true);
    expect(questions.asked[1]?.includes("This cannot be undone.")).toBe(false);
    const known: Partial<Record<A, number>> = { [A.MARK_PAID]: 20, [A.UNMARK_PAID]: 5 };
    const amount = known[action] ?? 0;
    expect(state.calls).toEqual([{ name: "recordPayment", payment, amount }]);
  },
);

const paid = (amount: number) => ({ kind: K.PAID, amount });
const NOT_PAID = { kind: K.NOT_PAID };

it.each([
  ["the_only_one", [paid(15)], "$15.00 USD. "],
  ["after_more_days", [paid(15), { kind: K.EXTENDED }, paid(10)], "$10.00 USD. "],
  ["the_one_before_what_was_taken_back", [paid(15), paid(10), NOT_PAID], "$15.00 USD. "],
  ["of_what_was_paid_again", [paid(15), NOT_PAID, paid(25)], "$25.00 USD. "],
  ["after_what_was_settled", [paid(15), { kind: K.REFUNDED }, paid(20)], "$20.00 USD. "],
  ["without_an_amount", [paid(0)], "We'll let"],
])("a_correction_takes_back_the_last_payment_%s", async (_what, story, told) => {
  showRental("ben", { rentalStatus: ACTIVE, paid: 25, story, allowedActions: [A.UNMARK_PAID] });
  questions.answer = false;
  await press("I haven't paid yet");
  const name = told.startsWith("$") ? "Ana Silva, " : "";
  expect(questions.asked[0]?.startsWith(`Not paid yet? ${name}${told}`)).toBe(true);
});

it("a_payment_of_a_cancelled_rental_that_was_taken_back_is_marked_again", async () => {
  const story = [paid(15), NOT_PAID];
  const state = showRental("ben", { rentalStatus: CANCELLED, story, allowedActions: [A.MARK_PAID] });
  expect(states()).toEqual(["Not paid"]);
  await press("Mark as paid");
  await waitFor(() => expect(state.calls).toHaveLength(1));
  expect(questions.asked[0]).toMatch(/^Did you pay\? /);
});

it.each(["ana", "ben"] as const)("a_payment_that_is_not_settled_after_all_is_corrected_by_%s", async (me) => {
  const story = [{ kind: RentalEventKind.PAID }, { kind: RentalEventKind.REFUNDED }];
  const state = showRental(me, { rentalStatus: CANCELLED, story, allowedActions: [A.MARK_PAID] });
  expect(states()).toEqual(["Payment settled"]);
  await press("It isn't settled");
  await waitFor(() => expect(state.calls).toEqual([{ name: "recordPayment", payment: P.PRICE_PAID, amount: 0 }]));
  expect(questions.asked[0]).toMatch(/^Payment not settled\? /);
});

it("a_payment_is_noted_where_it_stands_and_not_in_the_bar", () => {
  const allowedActions = [A.RETURN, A.MARK_PAID, A.RECEIVE_DEPOSIT];
  showRental("ben", { rentalStatus: ACTIVE, due: 15, allowedActions });
  const bar = document.querySelector<HTMLElement>(".stick");
  expect([...(bar?.querySelectorAll(".deed") ?? [])].map((deed) => deed.textContent)).toEqual(["Mark returned"]);
  expect(section().getByRole("button", { name: "Mark as paid" })).toBeInTheDocument();
  expect(section().getByRole("button", { name: "Mark deposit as paid" })).toBeInTheDocument();
});

it("a_correction_is_a_quiet_button_beside_what_it_corrects", () => {
  const allowedActions = [A.START, A.UNMARK_PAID, A.UNMARK_DEPOSIT_RECEIVED];
  showRental("ana", { rentalStatus: ACCEPTED, paid: 15, depositReceivedAt: NOON, allowedActions });
  const bar = document.querySelector<HTMLElement>(".stick");
  expect([...(bar?.querySelectorAll(".deed") ?? [])].map((deed) => deed.textContent)).toEqual(["Mark handed over"]);
  const price = section().getByRole("button", { name: "It didn't arrive" });
  expect(price).toHaveAccessibleDescription("Price");
  expect(price).toHaveAttribute("data-variant", "subtle");
  const deposit = section().getByRole("button", { name: "I don't have it" });
  expect(deposit).toHaveAccessibleDescription("Deposit of $40.00 USD");
  expect(deposit).toHaveAttribute("data-variant", "subtle");
});

it("what_is_not_allowed_cannot_be_noted", () => {
  showRental("ben", { rentalStatus: ACTIVE, due: 15, depositReceivedAt: NOON });
  expect(section().queryByRole("button", { name: /deposit|Mark/ })).toBeNull();
});

it("what_was_noted_and_not_answered_is_no_failure", async () => {
  const state = showRental(
    "ben",
    { rentalStatus: ACTIVE, due: 15, allowedActions: [A.MARK_PAID] },
    { paid: 15, due: 0 },
  );
  state.isSilent = true;
  await press("Mark as paid");
  expect(await screen.findByText("Marked as paid. We let the owner know.")).toBeInTheDocument();
  expect(state.calls).toHaveLength(1);
});

it("who_pays_another_amount_than_is_due_by_now_is_told_that_it_has_changed", async () => {
  const state = showRental("ben", { rentalStatus: ACTIVE, due: 15, allowedActions: [A.MARK_PAID] });
  state.refuses = refusal("WRONG_STATE");
  await press("Mark as paid");
  expect(await screen.findByText("This rental just changed. Here's the latest.")).toBeInTheDocument();
  await waitFor(() => expect(state.calls).toMatchObject([{ amount: 15 }]));
});
