// Every text of the items, as documented. Those of the form: formWords.ts; of the pictures: imageWords.ts; of the management: manageWords.ts.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  title: "Share Stuff",
  newItem: "Share Item with Friends",
  tabs: { browse: "Browse", create: "List Item", mine: "My Listings", requests: "Requests", active: "Active" },
  back: "Back",
});
