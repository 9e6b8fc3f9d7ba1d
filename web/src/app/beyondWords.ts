// The texts of a path that nobody knows, as documented.
import { spoken } from "../lib/tongue";

export const words = spoken({
  route: (path: string) => `Route: ${path}`,
  redirecting: "Redirecting...",
});
