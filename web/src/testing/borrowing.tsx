// The screen on which an item is asked for, before a server that notes what it is asked.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { BorrowScreen } from "../features/rentals/BorrowScreen";
import { Currency } from "../gen/later/goodturn/common/v1/currency_pb";
import { type Item, ItemSchema, ItemsService, ItemStatus } from "../gen/later/goodturn/items/v1/items_service_pb";
import { RentalsService } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lengthOf } from "../lib/days";
import { lost, refusal } from "./refusals";
import { renderWith } from "./render";

type Init = Exclude<MessageInitShape<typeof ItemSchema>, Item>;
let lastId = 0;

export function show(part: Init = {}, search = "", daysFail?: ConnectError) {
  lastId += 1;
  const id = `item${lastId}`;
  const state = {
    id,
    sent: [] as Record<string, unknown>[],
    keys: [] as (string | null)[],
    changed: {} as Partial<Item>,
    itemFails: undefined as ConnectError | undefined,
    daysFail,
    checkFails: undefined as ConnectError | undefined,
    sendFails: undefined as ConnectError | undefined,
    /** So many answers are lost. */
    answersLost: 0,
    known: new Map<string | null, string>(),
    taken: [] as string[],
    booked: ["2026-11-25", "2026-11-26"],
  };
  window.history.replaceState(null, "", `/share/items/${id}/borrow${search}`);
  const item = create(ItemSchema, {
    itemId: id,
    title: "Projector",
    description: "Bright enough for a wall.",
    status: ItemStatus.LISTED,
    pricePerDay: 5,
    deposit: 40,
    currency: Currency.USD,
    maxDays: 7,
    terms: "t1",
    owner: { name: "Ana Silva" },
    ...part,
  });
  const draw = () =>
    renderWith(
      ({ service }) => {
        service(ItemsService, {
          getItem() {
            if (state.itemFails !== undefined) throw state.itemFails;
            return { item: create(ItemSchema, { ...item, ...state.changed }) };
          },
        });
        service(RentalsService, {
          checkAvailability({ startDate, endDate }) {
            const free = { today: "2026-11-21", bookedDates: state.booked };
            if (startDate === "" && state.daysFail !== undefined) throw state.daysFail;
            if (startDate === "") return { available: true, ...free };
            if (state.checkFails !== undefined) throw state.checkFails;
            const days = lengthOf(startDate, endDate);
            const { pricePerDay, deposit, currency } = item;
            const subtotal = pricePerDay * days;
            const estimate = { days, subtotal, deposit, total: subtotal + deposit, currency };
            return { available: !state.taken.includes(startDate), ...free, estimate };
          },
          requestRental({ itemId, startDate, endDate, message, gratitude, terms }, { requestHeader }) {
            const key = requestHeader.get("idempotency-key");
            state.keys.push(key);
            if (state.sendFails !== undefined) throw state.sendFails;
            const asked = { itemId, startDate, endDate, message, gratitude };
            const before = state.known.get(key) ?? JSON.stringify(asked);
            if (before !== JSON.stringify(asked)) throw refusal("IDEMPOTENCY_KEY_REUSED");
            if (terms !== (state.changed.terms ?? item.terms)) throw refusal("CONFLICT");
            if (!state.known.has(key)) state.sent.push(asked);
            state.known.set(key, before);
            if (state.answersLost > 0) {
              state.answersLost -= 1;
              throw lost();
            }
            return { rental: { requestId: "r" } };
          },
        });
      },
      <BorrowScreen id={id} me="ben" />,
    );
  return { state, view: draw(), draw };
}

export const day = (n: number, month = "November"): Promise<HTMLElement> =>
  screen.findByRole("button", { name: new RegExp(`^${month} ${n}, 2026`) });
export async function choose(first: number, last: number): Promise<void> {
  await userEvent.click(await day(first));
  await userEvent.click(await day(last));
}
export const send = async (): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name: "Send Borrow Request" }));
export const plain = (text: string | null | undefined): string =>
  (text ?? "")
    .replaceAll(/[\u2068\u2069]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
