// Where a favor belongs. Beside paths.ts, which Home needs before it knows what a favor is.
import { type Favor, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Place } from "./paths";

/** The list that a favor belongs to, as this member sees it. */
export function placeOf(favor: Pick<Favor, "createdBy" | "status" | "helper">, me: string): Place {
  if (favor.createdBy !== me) return { tab: "active", view: favor.helper?.uid === me ? "helping" : "asked" };
  switch (favor.status) {
    case FavorStatus.COMPLETED:
    case FavorStatus.SETTLED:
      return { tab: "completed", view: "completed" };
    case FavorStatus.CANCELLED:
    case FavorStatus.DECLINED:
      return { tab: "completed", view: "cancelled" };
    case FavorStatus.UNSPECIFIED:
    case FavorStatus.DRAFT:
    case FavorStatus.ACTIVE:
    case FavorStatus.PENDING:
    case FavorStatus.OPEN:
    case FavorStatus.ACCEPTED:
      return { tab: "active", view: "yours" };
    default:
      return favor.status satisfies never;
  }
}
