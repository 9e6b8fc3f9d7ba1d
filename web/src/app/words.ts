// The texts of the frame, and of what stands there before the server has answered. Those of the rest of Home: homeWords.ts.
import { plural, spoken } from "../lib/tongue";

export const words = spoken({
  main: "Main",
  back: "Back",
  skip: "Skip to content",
  home: "Home",
  friends: "Friends",
  favors: "Favors",
  favor: "Favor Details",
  newFavor: "New favor",
  share: "Share Stuff",
  newItem: "Share Item with Friends",
  // Under Share Stuff, by how their addresses call them.
  items: "Item Details",
  borrow: "Borrow Request",
  edit: "Edit Item",
  manage: "Manage Item",
  rentals: "Rental Details",
  notifications: "Notifications",
  settings: "Settings",
  security: "Sign-in and security",
  data: "Your data",
  blocked: "Blocked members",
  profile: "Edit Profile",
  notificationsUnread: (count: number) => plural(count, (n) => ({ other: `Notifications, ${n} unread` })),
  /** Amounts in several currencies are not added up. */
  earned: (amounts: readonly string[]) => `${amounts.join(" + ")} earned`,
  earnedByHelping: "Earned by helping",
  greetings: {
    morning: (name: string) => (name === "" ? "Good morning" : `Good morning, ${name}`),
    afternoon: (name: string) => (name === "" ? "Good afternoon" : `Good afternoon, ${name}`),
    evening: (name: string) => (name === "" ? "Good evening" : `Good evening, ${name}`),
  },
  requestFavor: "Request a Favor",
  loadingHome: "Loading Home...",
  loadingScreen: "Loading...",
});
