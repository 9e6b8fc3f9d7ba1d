// Share Stuff: the hub with its tabs, and the screens under it. Items and rentals are features of their own, which this joins.
import type { ReactNode } from "react";
import { ShareHub } from "../features/items/ShareHub";
import { part } from "../lib/parts";
import { Piece } from "../ui/Piece";
import { CardSkeletons } from "../ui/Skeletons";
import { words } from "./words";

const RequestsTab = part(() => import("../features/rentals/RequestsTab").then((m) => m.RequestsTab));
const ActiveTab = part(() => import("../features/rentals/ActiveTab").then((m) => m.ActiveTab));
const BorrowScreen = part(() => import("../features/rentals/BorrowScreen").then((m) => m.BorrowScreen));
const RentalScreen = part(() => import("../features/rentals/RentalScreen").then((m) => m.RentalScreen));

/** How the address goes on behind Share Stuff: an item and what is done with it, or a rental. */
type Props = { at: { kind?: string | undefined; id?: string | undefined; deed?: string | undefined }; me: string };

/** The screens of one item. */
function itemScreen(id: string, deed: string | undefined, me: string): ReactNode {
  switch (deed) {
    case "borrow":
      return <BorrowScreen id={id} me={me} />;
    case "edit":
      return null;
    case "manage":
      return null;
    default:
      return null;
  }
}

/** What stands under a tab comes with it. */
const tab = (panel: ReactNode): ReactNode => (
  <Piece skeleton={<CardSkeletons label={words.loadingScreen} />}>{panel}</Piece>
);

export function ShareScreen({ at: { kind, id = "", deed }, me }: Props) {
  if (kind === "items") return itemScreen(id, deed, me);
  if (kind === "rentals") return <RentalScreen id={id} me={me} />;
  return (
    <ShareHub
      panels={{
        browse: null,
        create: null,
        mine: null,
        requests: tab(<RequestsTab me={me} />),
        active: tab(<ActiveTab me={me} />),
      }}
    />
  );
}
