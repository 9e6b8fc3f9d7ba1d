// What is done with rentals, and what the answers change: an answer is shown at once, and what it touches is asked again whatever happened.
import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ItemsService } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  GetRentalResponseSchema,
  type Rental,
  RentalAction,
  RentalsService,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { freshen, ofService } from "../../lib/freshen";

const { method } = RentalsService;
const isOfRentals = ofService(RentalsService);
const isOfItems = ofService(ItemsService);

export function rentalsApi(transport: Transport, cache: QueryClient) {
  const keyOf = (requestId: string) =>
    createConnectQueryKey({ schema: method.getRental, input: { requestId }, transport, cardinality: "finite" });
  return {
    client: createClient(RentalsService, transport),
    show: (rental: Rental): unknown =>
      cache.setQueryData(keyOf(rental.requestId), create(GetRentalResponseSchema, { rental })),
    touched: (): void => freshen(cache, isOfRentals),
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

type Answer = { rental?: Rental | undefined };

function answerTo(client: RentalsApi["client"], step: Step): Promise<Answer> {
  const { rental, action, note = "", pictureKeys = [], startDate = "", endDate = "", rating = 0 } = step;
  const about = { itemId: rental.itemId, requestId: rental.requestId };
  switch (action) {
    case RentalAction.ACCEPT:
      // What is agreed to, or not, is what is seen.
      return client.acceptRental({ ...about, startDate: rental.startDate, endDate: rental.endDate });
    case RentalAction.DECLINE:
      return client.declineRental({ ...about, startDate: rental.startDate, endDate: rental.endDate });
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
      return client.rateRental({ ...about, rating });
    case RentalAction.EXTEND:
      return client.extendRental({ ...about, endDate });
    case RentalAction.ACCEPT_EXTENSION:
      return client.acceptExtension({ ...about, endDate: rental.extension?.endDate ?? "" });
    case RentalAction.DECLINE_EXTENSION:
    case RentalAction.WITHDRAW_EXTENSION:
      return client.declineExtension({ ...about, endDate: rental.extension?.endDate ?? "" });
    case RentalAction.UNSPECIFIED:
      throw new Error("not an action that is taken");
    default:
      return action satisfies never;
  }
}

/** Takes one of the allowed actions. Each can be sent again: what is done already is told again, and nothing is done. @returns how it stands then. */
export async function takeStep({ client, show, touched }: RentalsApi, step: Step): Promise<Rental | undefined> {
  try {
    const { rental } = await answerTo(client, step);
    if (rental !== undefined) show(rental);
    return rental;
  } finally {
    touched();
  }
}
