// What tells that a step was taken, where its answer was lost: what it would have made of the rental.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { RentalAction, RentalSchema, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { isDone } from "./deeds";

const A = RentalAction;
const asked = { endDate: "2026-11-24" };
const at = timestampFromDate(new Date());
const before = { startDate: "2026-11-20", endDate: "2026-11-22", allowedActions: [A.RATE], paid: 5, due: 10 };
const after = { ...before, allowedActions: [] };

it.each([
  [A.ACCEPT, {}, { rentalStatus: RentalStatus.ACCEPTED }, { rentalStatus: RentalStatus.DECLINED }],
  [A.DECLINE, {}, { rentalStatus: RentalStatus.DECLINED }, { rentalStatus: RentalStatus.CANCELLED }],
  [A.CANCEL, {}, { rentalStatus: RentalStatus.CANCELLED }, { rentalStatus: RentalStatus.PENDING }],
  [A.START, {}, { rentalStatus: RentalStatus.ACTIVE }, { rentalStatus: RentalStatus.ACCEPTED }],
  [A.RETURN, {}, { rentalStatus: RentalStatus.RETURNED }, { rentalStatus: RentalStatus.ACTIVE }],
  [A.RETURN, {}, { rentalStatus: RentalStatus.COMPLETED }, { rentalStatus: RentalStatus.ACCEPTED }],
  [A.COMPLETE, {}, { rentalStatus: RentalStatus.COMPLETED }, { rentalStatus: RentalStatus.RETURNED }],
  [A.MOVE, { startDate: "2026-11-26", endDate: "2026-11-27" }, { startDate: "2026-11-26", endDate: "2026-11-27" }, {}],
  [A.RATE, { rating: 4 }, {}, { allowedActions: [A.RATE] }],
  [A.EXTEND, { endDate: "2026-11-24" }, { extension: asked }, { extension: { endDate: "2026-11-23" } }],
  [A.ACCEPT_EXTENSION, {}, { endDate: "2026-11-24" }, { extension: asked }],
  [A.DECLINE_EXTENSION, {}, {}, { extension: asked }],
  // They were agreed to.
  [A.WITHDRAW_EXTENSION, {}, {}, { endDate: "2026-11-24" }],
  // An extension may have raised what is due.
  [A.MARK_PAID, {}, { paid: 15, due: 5 }, { due: 20 }],
  [A.UNMARK_PAID, {}, { paid: 0, due: 15 }, {}],
  [A.REFUND, {}, { paid: 0 }, { allowedActions: [A.REFUND] }],
  [A.UNMARK_DEPOSIT_RECEIVED, {}, {}, { depositReceivedAt: at }],
  [A.UNMARK_DEPOSIT_RETURNED, {}, { depositReceivedAt: at }, { depositReceivedAt: at, depositReturnedAt: at }],
  [A.RECEIVE_DEPOSIT, {}, { depositReceivedAt: at }, {}],
  [A.RETURN_DEPOSIT, {}, { depositReceivedAt: at, depositReturnedAt: at }, { depositReceivedAt: at }],
  [A.UNSPECIFIED, {}, {}, {}],
])("action_%d_is_told_by_what_it_changes", (action, with_, done, other) => {
  const rental = create(RentalSchema, { ...before, extension: asked });
  const step = { rental, action, ...with_ };
  expect(isDone(step, create(RentalSchema, { ...after, ...done }))).toBe(action !== A.UNSPECIFIED);
  expect(isDone(step, create(RentalSchema, { ...after, ...other }))).toBe(false);
});
