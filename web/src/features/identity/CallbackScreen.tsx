// Where a provider sends the browser back to: the code becomes a session, and the way goes on to the root.
import { Loader } from "@mantine/core";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { session } from "../../lib/current";
import { tokensFor } from "../../lib/oauth";
import { useTitle } from "../../lib/title";
import { say } from "../../ui/said";
import { words } from "./providerWords";

/** The code serves once, and React may draw twice. */
let completing: Promise<void> | undefined;

async function complete(search: string): Promise<void> {
  const tokens = await tokensFor(search);
  await session.enter(() => Promise.resolve({ tokens }));
}

export function CallbackScreen() {
  const [, navigate] = useLocation();
  useTitle(words.completing);
  useEffect(() => {
    completing ??= complete(window.location.search);
    completing
      .then(
        () => navigate("/", { replace: true }),
        () => {
          navigate("/", { replace: true });
          say(words.failed, "no");
        },
      )
      .finally(() => {
        completing = undefined;
      });
  }, [navigate]);
  return (
    <main className="redirecting">
      <Loader aria-hidden="true" />
      <h1 className="t18" role="status">
        {words.completing}
      </h1>
    </main>
  );
}
