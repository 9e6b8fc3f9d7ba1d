// What the rentals ask the server. What an answer changes: deeds.ts.
import { skipToken, useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import { ItemsService } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  type CheckAvailabilityResponse,
  type Rental,
  type RentalCounts,
  RentalsService,
  Side,
  StatusWord,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { addDays, type Day } from "../../lib/days";
import { hasReason } from "../../lib/errors";
import type { Bounds, Range } from "../../ui/range";

const { method } = RentalsService;
export const PAGE = 20;
/** So far ahead days can be asked for. */
const AHEAD_DAYS = 365;

export type Page = { rentals: Rental[]; cursor: string; hasMore: boolean; counts?: RentalCounts };
const paging = {
  pageParamKey: "cursor",
  getNextPageParam: (page: Page) => (page.hasMore ? page.cursor : undefined),
} as const;

type Pages = { pages: readonly Page[] };
export const rentalsOf = ({ pages }: Pages): Rental[] => pages.flatMap((page) => page.rentals);
/** How many there are, as the newest answer has it. */
export const countsOf = ({ pages }: Pages): RentalCounts | undefined => pages.at(-1)?.counts;

export const FILTERS = ["all", "pending", "accepted", "declined"] as const;
export type Filter = (typeof FILTERS)[number];

/** In the vocabulary of rentals. What was accepted may be handed over or given back by now. */
const statuses: Record<Filter, StatusWord[]> = {
  all: [],
  pending: [StatusWord.PENDING],
  accepted: [StatusWord.ACCEPTED, StatusWord.ACTIVE, StatusWord.RETURNED],
  declined: [StatusWord.DECLINED],
};

const page = { limit: PAGE, cursor: "" };
export const useReceivedRentals = (filter: Filter, enabled = true) =>
  useInfiniteQuery(method.listReceivedRentals, { ...page, status: statuses[filter] }, { ...paging, enabled });
export const useSentRentals = (filter: Filter, enabled = true) =>
  useInfiniteQuery(method.listSentRentals, { ...page, status: statuses[filter] }, { ...paging, enabled });

/** What is out, or was given back and is not confirmed yet. */
const OUT = [StatusWord.ACTIVE, StatusWord.RETURNED];
export const useOutRentals = (side: Side) =>
  useInfiniteQuery(method.listRentals, { ...page, side, status: OUT }, paging);

const PLANNED = [StatusWord.PENDING, StatusWord.ACCEPTED, StatusWord.ACTIVE, StatusWord.RETURNED];
/** As many as one answer has. */
const PLANNED_MAX = 100;
/** Rentals on either side that are asked for, to be handed over or given back, or wait for a confirmation or a payment. */
export const usePlannedRentals = () =>
  useQuery(
    method.listRentals,
    { limit: PLANNED_MAX, status: PLANNED, openPayments: true },
    { select: (answer) => answer.rentals },
  );

export const useRental = (id: string) =>
  useQuery(method.getRental, { requestId: id }, { select: (answer) => answer.rental, enabled: id !== "" });

/** The item that is asked for. */
export const useItem = (id: string) =>
  useQuery(ItemsService.method.getItem, { itemId: id }, { select: (answer) => answer.item });

/** Whether it is gone, or not for the member any more. */
export const isGone = ({ error }: { error: unknown }): boolean => hasReason(error, "NOT_FOUND", "FRIENDS_ONLY");

/** Which days an item is free, of the next 12 months. */
export const useFreeDays = (itemId: string) => useQuery(method.checkAvailability, { itemId });

/** Whether these days can be had, and what they cost; nothing is asked before both ends are chosen. */
export const useAvailability = (itemId: string, { start, end }: Range) =>
  useQuery(
    method.checkAvailability,
    start === "" || end === "" ? skipToken : { itemId, startDate: start, endDate: end },
  );

type Free = Pick<CheckAvailabilityResponse, "bookedDates" | "borrowedDates" | "blockedDates" | "today">;

/** What can be chosen for a new request. */
export function boundsOf(free: Free, maxDays: number): Bounds {
  const { today, bookedDates, borrowedDates, blockedDates } = free;
  const last = addDays(today, AHEAD_DAYS - 1);
  return { first: today, last, blocked: new Set([...bookedDates, ...borrowedDates, ...blockedDates]), maxDays };
}

/** What can be chosen as a later last day of a rental that is out: of its own days none is in its way. */
export function extensionBounds(free: Free, { startDate: start, endDate: end }: Period, maxDays: number): Bounds {
  const { today, bookedDates, blockedDates } = free;
  const next = addDays(end, 1);
  const blocked = new Set([...bookedDates, ...blockedDates].filter((day) => day > end));
  const bounds = { first: next > today ? next : today, last: addDays(today, AHEAD_DAYS - 1), blocked };
  return { ...bounds, held: { start, end }, maxDays };
}

export type Period = { startDate: Day; endDate: Day };
