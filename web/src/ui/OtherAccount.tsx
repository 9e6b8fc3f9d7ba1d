// The way to another account from a page that this one may not see. The address stays, so signing in leads back to it.
import { Button } from "@mantine/core";
import { confirmed } from "./confirm";
import { signOut } from "./signOut";
import { signOutWords as words } from "./signOutWords";

async function leave(): Promise<void> {
  if (await confirmed(words.otherAsk)) await signOut();
}

export function OtherAccount() {
  return (
    <Button variant="default" onClick={() => void leave()}>
      {words.otherAccount}
    </Button>
  );
}
