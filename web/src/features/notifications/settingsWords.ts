// The texts of the settings of notifications.
import { spoken } from "../../lib/tongue";

export const settingsWords = spoken({
  title: "Notifications",
  settings: "Settings",
  sub: (address: string) => `You'll always see these in the app. Choose what we also email to ${address}.`,
  loading: "Loading settings...",
  failed: "Failed to load the settings. Please try again.",
  saved: (topic: string) => `Saved: ${topic}`,
  notSaved: (topic: string) => `Not saved: ${topic}`,
  frequencies: { off: "Off", atOnce: "Instant", daily: "Daily" },
  areas: { friends: "Friends", favors: "Favors", stuff: "Share Stuff", goodturn: "Goodturn" },
});
