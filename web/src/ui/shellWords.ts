// The texts of what stands around every screen.
import { spoken } from "../lib/tongue";

export const words = spoken({
  brand: "Goodturn",
  tagline: "Your community favor network",
  lost: "You're offline. This may be out of date.",
  lostOutside: "You're offline. You can't sign in right now.",
  noConnection: "No connection.",
  broken: "Something went wrong on this screen",
  missing: "This part couldn't load. Check your connection.",
  notUpToDate: "This couldn't be refreshed.",
  nothingLost: "You didn't lose anything.",
  retry: "Retry",
  cancel: "Cancel",
  close: "Close",
  loading: "Loading",
  showMore: "Show more",
  showPassword: "Show password",
});
