// Share Stuff: the hub with its tabs, and the screens under it. Items and rentals are features of their own, which this joins. Each screen comes by
// itself, so that Home need not know of what they are made.
import type { ReactNode } from "react";
import { part } from "../lib/parts";

const ShareTabs = part(() => import("./ShareTabs").then((m) => m.ShareTabs));
const BorrowScreen = part(() => import("../features/rentals/BorrowScreen").then((m) => m.BorrowScreen));
const RentalScreen = part(() => import("../features/rentals/RentalScreen").then((m) => m.RentalScreen));
const ItemScreen = part(() => import("../features/items/ItemScreen").then((m) => m.ItemScreen));
const EditScreen = part(() => import("../features/items/EditScreen").then((m) => m.EditScreen));
const ManageScreen = part(() => import("../features/items/ManageScreen").then((m) => m.ManageScreen));

/** How the address goes on behind Share Stuff: an item and what is done with it, or a rental. */
type Props = { at: { kind?: string | undefined; id?: string | undefined; deed?: string | undefined }; me: string };

/** The screens of one item. */
function itemScreen(id: string, deed: string | undefined, me: string): ReactNode {
  switch (deed) {
    case "borrow":
      return <BorrowScreen key={id} id={id} me={me} />;
    case "edit":
      return <EditScreen key={id} id={id} me={me} />;
    case "manage":
      return <ManageScreen key={id} id={id} />;
    default:
      return <ItemScreen key={id} id={id} />;
  }
}

export function ShareScreen({ at: { kind, id = "", deed }, me }: Props) {
  if (kind === "items" && id !== "") return itemScreen(id, deed, me);
  if (kind === "rentals" && id !== "") return <RentalScreen key={id} id={id} me={me} />;
  return <ShareTabs me={me} />;
}
