// The places of the favors area, and where a favor belongs. Beside paths.ts, which Home needs before it knows what a favor is.
import { useSearchParams } from "wouter";
import { type Favor, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";

export const TABS = ["active", "completed", "browse", "create"] as const;
export type Tab = (typeof TABS)[number];
/** The lists of each tab; the first is the one that it begins with. */
export const VIEWS = {
  active: ["yours", "asked", "helping"],
  completed: ["completed", "helped", "cancelled"],
  browse: ["open", "applied"],
  create: ["yours"],
} as const;
export type View = (typeof VIEWS)[Tab][number];
export type Place = { tab: Tab; view: View };

export function usePlace(): Place & { editing: boolean } {
  const [params] = useSearchParams();
  const tab = TABS.find((t) => t === params.get("tab")) ?? "active";
  const views: readonly View[] = VIEWS[tab];
  const view = views.find((v) => v === params.get("view")) ?? VIEWS[tab][0];
  return { tab, view, editing: params.get("edit") === "1" };
}

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
