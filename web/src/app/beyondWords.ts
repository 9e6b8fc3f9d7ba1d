// The texts of a path that nobody knows, as documented, and of the pages that can be read without signing in.
import { spoken } from "../lib/tongue";

export const words = spoken({
  route: (path: string) => `Route: ${path}`,
  redirecting: "Redirecting...",
});

export const legalWords = spoken({
  terms: "Terms",
  privacy: "Privacy policy",
  text: "In plain words.",
});
