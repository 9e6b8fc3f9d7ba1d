// What the server said, and the device keeps for a day (`persisted.ts`), where nobody is signed in. It goes with a sign-out; tokens may go without.
import { CACHE_PREFIX } from "./kept";

export function forgetAnswers(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(CACHE_PREFIX)) localStorage.removeItem(key);
  } catch {
    // Where storage is forbidden nothing is kept.
  }
}
