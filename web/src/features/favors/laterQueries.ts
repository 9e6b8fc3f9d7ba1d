// What only the favors area asks the server. Its calls are described with it, and so in no first load.
import { useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import {
  type Favor,
  type FavorCategory,
  FavorsService,
  FavorStatus,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { FavorsService as Later } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { PAGE, paging, useReceivedFavors } from "./queries";

const { method } = Later;

export const useCompletedFavors = () =>
  useInfiniteQuery(method.listCompletedFavors, { limit: PAGE, cursor: "" }, paging);
export const useCancelledFavors = () =>
  useInfiniteQuery(method.listCancelledFavors, { limit: PAGE, cursor: "" }, paging);
/** Of those that friends ask of the caller, the ones that stand so. */
const useReceived = (status: FavorStatus[], enabled = true) =>
  useInfiniteQuery(
    FavorsService.method.listReceivedFavors,
    { limit: PAGE, cursor: "", status },
    { ...paging, enabled },
  );

/** Home has asked for all that is open already; where it is more than a page, the list is asked for by itself. */
function useOpen(status: FavorStatus) {
  const open = useReceivedFavors();
  const part = useReceived([status], open.hasNextPage);
  return open.hasNextPage ? part : open;
}

/** Those that wait for the caller's answer, among others. */
export const useAskedFavors = () => useOpen(FavorStatus.PENDING);
/** Those that the caller has declined, also those that are over by now. */
export const useDeclinedFavors = () => useReceived([FavorStatus.DECLINED]);
/** Those that the caller helps with, or would if the helper stepped back, among others. */
export const useHelpingFavors = () => useOpen(FavorStatus.ACCEPTED);
/** Those that the caller has helped with, settled or not, among others. */
export const useHelpedFavors = () => useReceived([FavorStatus.COMPLETED, FavorStatus.SETTLED]);
/** Those of friends who ask everybody, and that the caller has offered to help with. */
export const useAppliedFavors = () => useReceived([FavorStatus.OPEN]);

/** Whether the member helps with it, or would if the helper stepped back. */
export const isHelping = ({ helper, backUps }: Favor, me: string): boolean =>
  helper?.uid === me || backUps.some(({ uid }) => uid === me);

/** Whether the member's proposal of another time waits for the creator: nobody takes it while somebody helps. */
export const isProposed = ({ answered, responses }: Favor): boolean => answered && responses === 0;

/** What is looked for among the favors that can be seen. */
export type Sought = { term: string; category: FavorCategory; location: string };

/** What friends ask everybody, and the caller; with words, whatever the caller may see. What was found before stays until there is an answer. */
export function useFound({ term, category, location }: Sought) {
  const kept = { ...paging, placeholderData: keepPreviousData };
  const page = { limit: PAGE, cursor: "", category, location };
  const browsed = useInfiniteQuery(method.browseFavors, page, { ...kept, enabled: term === "" });
  const found = useInfiniteQuery(method.searchFavors, { ...page, searchTerm: term }, { ...kept, enabled: term !== "" });
  return term === "" ? browsed : found;
}

export const useFriendsToAsk = () =>
  useQuery(FriendsService.method.getActive, {}, { select: (answer) => answer.friends?.list ?? [] });

export const useFavor = (id: string) =>
  useQuery(method.getFavor, { id }, { select: (answer) => answer.favor, enabled: id !== "" });
export const useFavorStory = (id: string) => useQuery(method.getFavorStory, { id }, { enabled: id !== "" });
