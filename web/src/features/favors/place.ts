// Where a favor belongs. Beside paths.ts, which Home needs before it knows what a favor is.
import { type Favor, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Place } from "./paths";

type Placed = Pick<Favor, "createdBy" | "status" | "helper" | "backUps" | "applicants">;

function placeOfOwn(status: FavorStatus): Place {
  switch (status) {
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
      return status satisfies never;
  }
}

/** Of a friend's favor. What somebody else helps with, or was declined, stands in no list: it was among those that were asked. */
function placeOfTheirs({ status, helper, backUps, applicants }: Placed, me: string): Place {
  const isHelper = helper?.uid === me;
  switch (status) {
    case FavorStatus.OPEN:
      return { tab: "browse", view: applicants.some(({ person }) => person?.uid === me) ? "applied" : "open" };
    case FavorStatus.ACCEPTED:
      return { tab: "active", view: isHelper || backUps.some(({ uid }) => uid === me) ? "helping" : "asked" };
    case FavorStatus.COMPLETED:
    case FavorStatus.SETTLED:
      return isHelper ? { tab: "completed", view: "helped" } : { tab: "active", view: "asked" };
    case FavorStatus.UNSPECIFIED:
    case FavorStatus.DRAFT:
    case FavorStatus.ACTIVE:
    case FavorStatus.PENDING:
    case FavorStatus.DECLINED:
    case FavorStatus.CANCELLED:
      return { tab: "active", view: "asked" };
    default:
      return status satisfies never;
  }
}

/** The list that a favor belongs to, as this member sees it. */
export const placeOf = (favor: Placed, me: string): Place =>
  favor.createdBy === me ? placeOfOwn(favor.status) : placeOfTheirs(favor, me);
