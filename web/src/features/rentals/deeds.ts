// What is done with rentals, and what the answers change: an answer is shown at once, and what it touches is asked again whatever happened.
import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type GetItemResponse, type Item, ItemsService } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  GetRentalResponseSchema,
  type Rental,
  RentalAction,
  RentalStatus,
  RentalsService,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { isUnreached } from "../../lib/errors";
import { askedBy, freshen, type IsStale, ofService } from "../../lib/freshen";
import { isNoted, isPayment, PAYMENTS } from "./payments";

const { method } = RentalsService;
const isOfRentals = ofService(RentalsService);
const isOfItems = ofService(ItemsService);
const LISTS: ReadonlySet<string | undefined> = new Set([
  method.listRentals.name,
  method.listReceivedRentals.name,
  method.listSentRentals.name,
]);
const isList: IsStale = (query) => LISTS.has(askedBy(query).methodName);

export function rentalsApi(transport: Transport, cache: QueryClient) {
  const keyOf = (requestId: string) =>
    createConnectQueryKey({ schema: method.getRental, input: { requestId }, transport, cardinality: "finite" });
  return {
    client: createClient(RentalsService, transport),
    show: (rental: Rental): unknown =>
      cache.setQueryData(keyOf(rental.requestId), create(GetRentalResponseSchema, { rental })),
    /** Asks again for the lists that are shown. It fails where one does. */
    listAnew: (): Promise<void> => cache.refetchQueries({ predicate: isList, type: "active" }, { throwOnError: true }),
    touched: (): void => freshen(cache, isOfRentals),
    /** The item as it was loaded last. The rental's screen shows it. */
    knownItem(itemId: string): Item | undefined {
      const about = { schema: ItemsService.method.getItem, input: { itemId }, transport };
      return cache.getQueryData<GetItemResponse>(createConnectQueryKey({ ...about, cardinality: "finite" }))?.item;
    },
    itemChanged: (): void => freshen(cache, isOfItems),
  };
}
export type RentalsApi = ReturnType<typeof rentalsApi>;

export function useRentalsApi(): RentalsApi {
  const transport = useTransport();
  const cache = useQueryClient();
  return useMemo(() => rentalsApi(transport, cache), [transport, cache]);
}

/** What goes along with an action. */
export type Step = {
  rental: Rental;
  action: RentalAction;
  note?: string;
  /** What the uploads gave. */
  pictureKeys?: string[];
  startDate?: string;
  endDate?: string;
  rating?: number;
};

const BECOMES: ReadonlyMap<RentalAction, RentalStatus> = new Map([
  [RentalAction.ACCEPT, RentalStatus.ACCEPTED],
  [RentalAction.DECLINE, RentalStatus.DECLINED],
  [RentalAction.CANCEL, RentalStatus.CANCELLED],
  [RentalAction.START, RentalStatus.ACTIVE],
  [RentalAction.RETURN, RentalStatus.RETURNED],
  [RentalAction.COMPLETE, RentalStatus.COMPLETED],
]);

type Answer = { rental?: Rental | undefined };

function answerTo(client: RentalsApi["client"], step: Step): Promise<Answer> {
  const { rental, action, note = "", pictureKeys = [], startDate = "", endDate = "", rating = 0 } = step;
  const about = { itemId: rental.itemId, requestId: rental.requestId };
  switch (action) {
    case RentalAction.ACCEPT:
      // What is agreed to, or not, is what is seen.
      return client.acceptRental({ ...about, startDate: rental.startDate, endDate: rental.endDate });
    case RentalAction.DECLINE:
      return client.declineRental({ ...about, startDate: rental.startDate, endDate: rental.endDate, note });
    case RentalAction.CANCEL:
      return client.cancelRental({ ...about, knownStatus: rental.rentalStatus });
    case RentalAction.MOVE:
      return client.moveRental({ ...about, startDate, endDate });
    case RentalAction.START:
      return client.startRental({ ...about, note, pictureKeys });
    case RentalAction.RETURN:
      return client.returnRental({ ...about, note, pictureKeys });
    case RentalAction.COMPLETE:
      return client.completeRental({ ...about, note, pictureKeys });
    case RentalAction.RATE:
      return client.rateRental({ ...about, rating, note });
    case RentalAction.EXTEND:
      return client.extendRental({ ...about, endDate });
    case RentalAction.ACCEPT_EXTENSION:
      return client.acceptExtension({ ...about, endDate: rental.extension?.endDate ?? "" });
    case RentalAction.DECLINE_EXTENSION:
    case RentalAction.WITHDRAW_EXTENSION:
      return client.declineExtension({ ...about, endDate: rental.extension?.endDate ?? "" });
    case RentalAction.MARK_PAID:
      // The server refuses an amount that is no longer the one due.
      return client.recordRentalPayment({ ...about, payment: PAYMENTS[action], amount: rental.paid + rental.due });
    case RentalAction.UNMARK_PAID:
      // Nor does it take a payment back twice.
      return client.recordRentalPayment({ ...about, payment: PAYMENTS[action], amount: rental.paid });
    case RentalAction.REFUND:
    case RentalAction.RECEIVE_DEPOSIT:
    case RentalAction.UNMARK_DEPOSIT_RECEIVED:
    case RentalAction.RETURN_DEPOSIT:
    case RentalAction.UNMARK_DEPOSIT_RETURNED:
      return client.recordRentalPayment({ ...about, payment: PAYMENTS[action] });
    case RentalAction.UNSPECIFIED:
      throw new Error("not an action that is taken");
    default:
      return action satisfies never;
  }
}

/** Whether it stands as after this step. */
export function isDone({ rental, action, startDate, endDate }: Step, now: Rental): boolean {
  const status = BECOMES.get(action);
  if (isPayment(action)) return isNoted(action, rental, now);
  // An owner's own return is confirmed with that.
  if (action === RentalAction.RETURN && now.rentalStatus === RentalStatus.COMPLETED) return true;
  if (status !== undefined) return now.rentalStatus === status;
  const asked = rental.extension?.endDate;
  switch (action) {
    case RentalAction.MOVE:
      return now.startDate === startDate && now.endDate === endDate;
    case RentalAction.RATE:
      return !now.allowedActions.includes(RentalAction.RATE);
    case RentalAction.EXTEND:
      return now.extension?.endDate === endDate;
    case RentalAction.ACCEPT_EXTENSION:
      return now.extension === undefined && now.endDate === asked;
    case RentalAction.DECLINE_EXTENSION:
    case RentalAction.WITHDRAW_EXTENSION:
      return now.extension === undefined && now.endDate === rental.endDate;
    default:
      return false;
  }
}

/** What was done, and its answer was lost on the way, is no failure: it is looked at before one is told. */
async function foundDone(client: RentalsApi["client"], step: Step, error: unknown): Promise<Rental> {
  if (!isUnreached(error)) throw error;
  const { rental } = await client.getRental({ requestId: step.rental.requestId }).catch(() => ({ rental: undefined }));
  if (rental === undefined || !isDone(step, rental)) throw error;
  return rental;
}

/** Takes one of the allowed actions. Each can be sent again: what is done already is told again, and nothing is done. @returns how it stands then. */
export async function takeStep({ client, show, touched }: RentalsApi, step: Step): Promise<Rental | undefined> {
  try {
    const answer = answerTo(client, step).then(({ rental }) => rental);
    const rental = await answer.catch((error: unknown) => foundDone(client, step, error));
    if (rental !== undefined) show(rental);
    return rental;
  } finally {
    touched();
  }
}
