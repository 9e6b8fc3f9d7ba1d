// The texts of what stands around every screen.
import { spoken } from "../lib/tongue";

export const words = spoken({
  brand: "Goodturn",
  tagline: "Your community favor network",
  lost: "You are offline. This may be out of date.",
  lostOutside: "You are offline. You cannot sign in now.",
  noConnection: "There is no connection.",
  broken: "Something went wrong on this screen",
  missing: "This part could not be loaded. Check your connection.",
  notUpToDate: "This could not be brought up to date.",
  nothingLost: "Nothing of yours was lost.",
  retry: "Retry",
  cancel: "Cancel",
  close: "Close",
  loading: "Loading",
  showMore: "Show more",
  showPassword: "Show password",
});
