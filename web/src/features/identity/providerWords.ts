// The texts of signing in at a provider.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  continueWith: (provider: string) => `Continue with ${provider}`,
  or: "or",
  completing: "Completing sign in...",
  failed: "Failed to complete OAuth login",
});
