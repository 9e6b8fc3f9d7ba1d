// What Home and the favors area ask the server. What the area alone asks: laterQueries.ts. What each answer changes: deeds.ts.
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { type Favor, FavorsService, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { ofService } from "../../lib/freshen";

const { method } = FavorsService;
export const PAGE = 50;

export const isOfFavors = ofService(FavorsService);

export type Page = { favors: Favor[]; cursor: string; hasMore: boolean };
export const paging = {
  pageParamKey: "cursor",
  getNextPageParam: (page: Page) => (page.hasMore ? page.cursor : undefined),
} as const;

export const useActiveFavors = () => useInfiniteQuery(method.listActiveFavors, { limit: PAGE, cursor: "" }, paging);
/** Those that wait for the caller's answer, and those that the caller helps with. */
export const useReceivedFavors = () => useInfiniteQuery(method.listReceivedFavors, { limit: PAGE, cursor: "" }, paging);

type Pages = { pages: Page[] };
export const favorsOf = ({ pages }: Pages): Favor[] => pages.flatMap((page) => page.favors);
/** Whether the member was asked, and nobody does it yet. */
export const isAsked = (favor: Favor): boolean => favor.status === FavorStatus.PENDING;
/** Whether it waits for the member: once they offered another time it is the creator's turn. */
export const isWaiting = (favor: Favor): boolean => isAsked(favor) && !favor.answered;

/** Whether it is a draft whose recipients were chosen. */
export const choosesWhom = ({ status, requestType, recipients, groupIds }: Favor): boolean =>
  status === FavorStatus.DRAFT && (requestType === RequestType.PUBLIC || recipients.length + groupIds.length > 0);
