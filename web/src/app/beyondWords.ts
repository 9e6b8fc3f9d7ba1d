// The texts of a path without a page, of which the route and the redirect are as documented, and of the pages that can be read without signing in.
import { spoken } from "../lib/tongue";

export const noPageWords = spoken({
  title: "Page not found",
  text: "There's no page at this address.",
  route: (path: string) => `Route: ${path}`,
  redirecting: "Redirecting...",
  toHome: "Go to Home",
});

export const legalWords = spoken({
  terms: "Terms",
  privacy: "Privacy policy",
  text: "In plain words.",
});
