// The texts of the settings of notifications.
import { spoken } from "../../lib/tongue";

export const settingsWords = spoken({
  title: "Notifications",
  settings: "Settings",
  sub: (address: string) => `You'll always see these in the app. Choose which ones we also email to ${address}.`,
  loading: "Loading settings...",
  failed: "Failed to load the settings. Please try again.",
  saved: (topic: string) => `Saved: ${topic}`,
  notSaved: (topic: string) => `Not saved: ${topic}`,
  emails: "Emails",
  howMuch: "How much email you get",
  presets: {
    everything: { label: "Everything", text: "An email right away, every time." },
    important: {
      label: "Important",
      text: "Right away when someone asks, answers or cancels, or something is due. Other news once a day.",
    },
    quiet: { label: "Quiet", text: "No emails, except notices from Goodturn." },
    custom: { label: "Custom", text: "What you chose for each topic." },
  },
  customize: "Customize",
  frequencies: { off: "Off", atOnce: "Instant", daily: "Daily" },
  areas: { friends: "Friends", favors: "Favors", stuff: "Share Stuff", goodturn: "Goodturn" },
});
