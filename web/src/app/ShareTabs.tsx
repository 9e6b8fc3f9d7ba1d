// The hub of Share Stuff with what stands under its tabs: what friends lend comes with it, the others when they are opened.
import type { ReactNode } from "react";
import { Browse } from "../features/items/Browse";
import { ShareHub } from "../features/items/ShareHub";
import { part, quiet } from "../lib/parts";
import { Piece } from "../ui/Piece";
import { CardSkeletons } from "../ui/Skeletons";
import { useDesktop } from "../ui/useDesktop";
import { words } from "./words";

const CreateForm = part(() => import("../features/items/CreateForm").then((m) => m.CreateForm));
const MyListings = part(() => import("../features/items/MyListings").then((m) => m.MyListings));
const UnsentItem = quiet(
  () => import("../features/items/UnsentItem").then((m) => m.UnsentItem),
  () => "idle",
);
const RequestsTab = part(() => import("../features/rentals/RequestsTab").then((m) => m.RequestsTab));
const ActiveTab = part(() => import("../features/rentals/ActiveTab").then((m) => m.ActiveTab));

/** What stands under a tab comes with it. */
const tab = (panel: ReactNode): ReactNode => (
  <Piece skeleton={<CardSkeletons label={words.loadingScreen} />}>{panel}</Piece>
);

export function ShareTabs({ me }: { me: string }) {
  const desktop = useDesktop();
  const panels = {
    browse: (
      <>
        <UnsentItem me={me} />
        <Browse me={me} />
      </>
    ),
    // A screen of its own on a phone.
    create: desktop ? tab(<CreateForm me={me} />) : <CreateForm me={me} alone />,
    mine: tab(
      <>
        <UnsentItem me={me} />
        <MyListings />
      </>,
    ),
    requests: tab(<RequestsTab me={me} />),
    active: tab(<ActiveTab me={me} />),
  };
  return <ShareHub panels={panels} />;
}
