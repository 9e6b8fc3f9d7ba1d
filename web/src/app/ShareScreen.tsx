// Share Stuff: the hub with its tabs, and the screens under it. Items and rentals are features of their own, which this joins.
import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { Browse } from "../features/items/Browse";
import { ShareHub } from "../features/items/ShareHub";
import { part } from "../lib/parts";
import { sharePath } from "../lib/sharing";
import { Piece } from "../ui/Piece";
import { CardSkeletons } from "../ui/Skeletons";
import { useDesktop } from "../ui/useDesktop";
import { words } from "./words";

const RequestsTab = part(() => import("../features/rentals/RequestsTab").then((m) => m.RequestsTab));
const ActiveTab = part(() => import("../features/rentals/ActiveTab").then((m) => m.ActiveTab));
const BorrowScreen = part(() => import("../features/rentals/BorrowScreen").then((m) => m.BorrowScreen));
const RentalScreen = part(() => import("../features/rentals/RentalScreen").then((m) => m.RentalScreen));
const CreateForm = part(() => import("../features/items/CreateForm").then((m) => m.CreateForm));
const MyListings = part(() => import("../features/items/MyListings").then((m) => m.MyListings));
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

/** What stands under a tab comes with it. */
const tab = (panel: ReactNode): ReactNode => (
  <Piece skeleton={<CardSkeletons label={words.loadingScreen} />}>{panel}</Piece>
);

export function ShareScreen({ at: { kind, id = "", deed }, me }: Props) {
  const desktop = useDesktop();
  if (kind === "items" && id !== "") return itemScreen(id, deed, me);
  if (kind === "rentals" && id !== "") return <RentalScreen key={id} id={id} me={me} />;
  if (kind !== undefined) return <Redirect to={sharePath()} />;
  const panels = {
    browse: <Browse me={me} />,
    create: <CreateForm me={me} alone={!desktop} />,
    mine: <MyListings />,
    requests: tab(<RequestsTab me={me} />),
    active: tab(<ActiveTab me={me} />),
  };
  return <ShareHub panels={panels} />;
}
