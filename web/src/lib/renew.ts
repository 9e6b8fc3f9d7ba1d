// New tokens before their time: names and the picture stand in them too, and the frame has them from there.
import { session } from "./current";
import { readTokens } from "./tokens";

/** Nobody waits for it: where it fails they are renewed within the hour. */
export async function renewTokens(): Promise<void> {
  // A session without a refresh token ends with its tokens, and would end at once by the try.
  if ((readTokens()?.refresh ?? "") === "") return;
  try {
    await session.refresh(await session.accessToken());
  } catch {
    // They are good as they are.
  }
}
