// A password is proved in its normal form, and once more as it was typed.
import { hasReason } from "./errors";
import { normalized } from "./password";

/**
 * Proves a typed password. An old one may have been set before passwords were normalized, so it is
 * tried once as it was typed. Each wrong try counts: this is one more only if the two forms differ.
 */
export async function proved<T>(typed: string, prove: (password: string) => Promise<T>): Promise<T> {
  const password = normalized(typed);
  try {
    return await prove(password);
  } catch (error) {
    if (password === typed || !hasReason(error, "NOT_AUTHORIZED")) throw error;
    return prove(typed);
  }
}
