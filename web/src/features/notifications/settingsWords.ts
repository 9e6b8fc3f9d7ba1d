// The texts of the settings of notifications.
import { spoken } from "../../lib/tongue";

export const settingsWords = spoken({
  title: "Notifications",
  settings: "Settings",
  sub: (address: string) => `All of it stands in Notifications. Choose what is also mailed to ${address}.`,
  loading: "Loading settings...",
  failed: "Failed to load the settings. Please try again.",
  saved: (topic: string) => `Saved: ${topic}`,
  notSaved: (topic: string) => `Not saved: ${topic}`,
  frequencies: { off: "Off", atOnce: "At once", daily: "Daily" },
  areas: { friends: "Friends", favors: "Favors", stuff: "Share Stuff", goodturn: "Goodturn" },
  topics: {
    friendRequest: "Somebody asks to be friends",
    friendAccepted: "Your friend request is accepted",
    favorRequest: "A friend asks you for a favor",
    favorResponse: "Somebody answers your favor",
    favorCompleted: "A favor is completed",
    favorSettled: "A favor is settled",
    favorCancelled: "A favor is cancelled",
    favorReminder: "A favor needs your attention",
    rentalRequest: "Somebody asks to borrow",
    rentalResponse: "Your borrow request is answered",
    rentalStarted: "An item is handed over",
    rentalReturned: "An item is returned",
    rentalCompleted: "A return is confirmed",
    rentalReminder: "An item is due",
    system: "News of Goodturn itself",
  },
});
