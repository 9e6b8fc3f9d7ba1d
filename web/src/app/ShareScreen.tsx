// Share Stuff: the hub with its tabs, and the screens under it. Items and rentals are features of their own, which this joins.
import type { ReactNode } from "react";
import { ShareHub } from "../features/items/ShareHub";

/** How the address goes on behind Share Stuff: an item and what is done with it, or a rental. */
type Props = { at: { kind?: string | undefined; id?: string | undefined; deed?: string | undefined }; me: string };

/** The screens of one item. */
function itemScreen(_id: string, deed: string | undefined, _me: string): ReactNode {
  switch (deed) {
    case "borrow":
      return null;
    case "edit":
      return null;
    case "manage":
      return null;
    default:
      return null;
  }
}

/** The screen of one rental. */
const rentalScreen = (_id: string, _me: string): ReactNode => null;

export function ShareScreen({ at: { kind, id = "", deed }, me }: Props) {
  if (kind === "items") return itemScreen(id, deed, me);
  if (kind === "rentals") return rentalScreen(id, me);
  return <ShareHub panels={{ browse: null, create: null, mine: null, requests: null, active: null }} />;
}
