// A rental on its screen before a server that notes what it is asked.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { act } from "@testing-library/react";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { expect } from "vitest";
import { RentalDetails } from "../features/rentals/RentalDetails";
import { Currency } from "../gen/later/goodturn/common/v1/currency_pb";
import { CancellationPolicy, ItemCategory, ItemsService } from "../gen/later/goodturn/items/v1/items_service_pb";
import { type Rental, RentalSchema, RentalsService } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { lost } from "./refusals";
import { renderWith } from "./render";

export const ANA = { uid: "ana", name: "Ana Silva", email: "ana@example.com", rating: 4.8 };
const BEN = { uid: "ben", name: "Ben Okafor", email: "ben@example.com" };
const ITEM = {
  itemId: "i",
  description: "Bright enough for a wall.",
  category: ItemCategory.ELECTRONICS,
  pricePerDay: 5,
  maxDays: 7,
  location: { city: "Porto" },
  images: [{ imageId: "p1" }, { imageId: "p2" }],
  owner: { ...ANA, favorsCompleted: 3 },
};
type Init = Exclude<MessageInitShape<typeof RentalSchema>, Rental>;
type Call = { name: string } & Record<string, unknown>;

const VISIT = "visit";

function Visits({ children }: { children: ReactNode }) {
  const [visit, setVisit] = useState(0);
  useEffect(() => {
    const begin = (): void => setVisit((before) => before + 1);
    window.addEventListener(VISIT, begin);
    return () => window.removeEventListener(VISIT, begin);
  }, []);
  return <Fragment key={visit}>{children}</Fragment>;
}

/** The screen is left, with its sheet, and gone to again. */
export const comeBack = (): void => act(() => void window.dispatchEvent(new Event(VISIT)));

let lastId = 0;

/** Shows a rental of Ana's item, which Ben borrows. `next` is how it stands after whatever is done with it. */
export function showRental(me: "ana" | "ben", part: Init, next: Init = {}) {
  lastId += 1;
  let uploads = 0;
  let now: Init = {};
  const state = {
    calls: [] as Call[],
    /** What was done elsewhere, which the live stream has the app ask for, as who comes back to its window does. */
    becomes(changed: Init): void {
      now = changed;
      act(() => void window.dispatchEvent(new Event("visibilitychange")));
    },
    fails: undefined as ConnectError | undefined,
    itemFails: undefined as ConnectError | undefined,
    policy: CancellationPolicy.STRICT,
    daysFail: undefined as ConnectError | undefined,
    isFree: true,
    /** Whether Ana has set up a payment service. */
    hasHandles: true,
    /** What is asked for is done, and its answer is lost. */
    isSilent: false,
    /** What is asked for was done by the other side before. */
    refuses: undefined as ConnectError | undefined,
    /** How it stands cannot be read. */
    readFails: undefined as ConnectError | undefined,
    /** What is asked for is done when this comes. */
    waits: Promise.resolve(),
  };
  const whole: Init = {
    requestId: `r${lastId}`,
    itemId: "i",
    item: { title: "Projector" },
    owner: ANA,
    borrower: BEN,
    startDate: "2026-11-20",
    endDate: "2026-11-22",
    today: "2026-11-21",
    totalPrice: 15,
    deposit: 40,
    currency: Currency.USD,
    ...part,
  };
  type Request = Record<string, unknown>;
  async function answer(name: string, { itemId, requestId, ...with_ }: Request): Promise<{ rental: Init }> {
    await state.waits;
    if (state.fails !== undefined) throw state.fails;
    expect([itemId, requestId]).toEqual(["i", whole.requestId]);
    const { $typeName: _, ...rest } = with_;
    state.calls.push({ name, ...rest });
    if (state.isSilent) throw lost();
    if (state.refuses !== undefined) throw state.refuses;
    return { rental: { ...whole, allowedActions: [], ...next } };
  }
  const rental = create(RentalSchema, whole);
  renderWith(
    ({ service }) => {
      service(ItemsService, {
        getItem() {
          if (state.itemFails !== undefined) throw state.itemFails;
          return { item: { ...ITEM, cancellationPolicy: state.policy } };
        },
      });
      service(ProfileService, {
        getProfile: ({ uid }) => ({
          profile: { data: uid === ANA.uid && state.hasHandles ? { paymentInfo: { venmoUsername: "ana-silva" } } : {} },
        }),
      });
      service(RentalsService, {
        getRental() {
          const fails = state.readFails ?? state.fails;
          if (fails !== undefined) throw fails;
          return { rental: { ...whole, ...(state.calls.length > 0 ? { allowedActions: [], ...next } : {}), ...now } };
        },
        acceptRental: (r) => answer("accept", r),
        declineRental: (r) => answer("decline", r),
        cancelRental: (r) => answer("cancel", r),
        moveRental: (r) => answer("move", r),
        startRental: (r) => answer("start", r),
        returnRental: (r) => answer("return", r),
        completeRental: (r) => answer("complete", r),
        rateRental: (r) => answer("rate", r),
        extendRental: (r) => answer("extend", r),
        acceptExtension: (r) => answer("acceptExtension", r),
        declineExtension: (r) => answer("declineExtension", r),
        recordRentalPayment: (r) => answer("recordPayment", r),
        createRentalPictureUpload() {
          uploads += 1;
          return { key: `key${uploads}`, uploadUrl: "/put" };
        },
        checkAvailability({ startDate }) {
          if (state.daysFail !== undefined) throw state.daysFail;
          return {
            available: state.isFree,
            today: "2026-11-21",
            bookedDates: ["2026-11-25"],
            borrowedDates: ["2026-11-21", "2026-11-22"],
            ...(startDate === "" ? {} : { estimate: { days: 2, subtotal: 90, deposit: 400, total: 490 } }),
          };
        },
      });
    },
    <Visits>
      <RentalDetails rental={rental} me={me} />
    </Visits>,
  );
  return Object.assign(state, { rental });
}
