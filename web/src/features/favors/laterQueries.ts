// What only the favors area asks the server. Its calls are described with it, and so in no first load.
import { useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import { FavorsService, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorsService as Later } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { PAGE, paging } from "./queries";

const { method } = Later;

export const useCompletedFavors = () =>
  useInfiniteQuery(method.listCompletedFavors, { limit: PAGE, cursor: "" }, paging);
export const useCancelledFavors = () =>
  useInfiniteQuery(method.listCancelledFavors, { limit: PAGE, cursor: "" }, paging);
/** Those that the caller has helped with, settled or not. */
export const useHelpedFavors = () =>
  useInfiniteQuery(
    FavorsService.method.listReceivedFavors,
    { limit: PAGE, cursor: "", status: [FavorStatus.COMPLETED, FavorStatus.SETTLED] },
    paging,
  );

export const useFavor = (id: string) =>
  useQuery(method.getFavor, { id }, { select: (answer) => answer.favor, enabled: id !== "" });
export const useFavorStory = (id: string) => useQuery(method.getFavorStory, { id }, { enabled: id !== "" });

/** By which handles a member is paid, without the "@" that some write; empty means none. */
export const usePaymentInfo = (uid: string) =>
  useQuery(
    ProfileService.method.getProfile,
    { uid },
    {
      select: ({ profile }) => {
        const { venmoUsername = "", paypalUsername = "" } = profile?.data?.paymentInfo ?? {};
        return { venmo: venmoUsername.replace(/^@/, ""), paypal: paypalUsername.replace(/^@/, "") };
      },
    },
  );
