// The favors that the member changed last. Home asks for them after all else.
import { useQuery } from "@connectrpc/connect-query";
import { type Favor, FavorOrder, FavorsService } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { favorsOf, useActiveFavors } from "./queries";

const RECENT = 3;

const changedAt = ({ updatedAt }: Favor): number =>
  Number(updatedAt?.seconds ?? 0n) * 1e3 + (updatedAt?.nanos ?? 0) / 1e6;

/** The last changed of one's own: among the active ones when those are all there, else the server says which. */
export function useRecentFavors() {
  const active = useActiveFavors();
  const asked = useQuery(
    FavorsService.method.listActiveFavors,
    { limit: RECENT, order: FavorOrder.RECENT },
    { select: (page) => page.favors, enabled: active.hasNextPage },
  );
  if (active.hasNextPage) return asked;
  const data =
    active.data &&
    favorsOf(active.data)
      .toSorted((a, b) => changedAt(b) - changedAt(a))
      .slice(0, RECENT);
  return { ...active, data };
}
