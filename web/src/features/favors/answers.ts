// The answers to a favor that is asked of the member, where the favor is only a card: what they need comes with the tap, or ahead of it.
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { alsoAhead } from "../../lib/parts";
import { say } from "../../ui/said";
import { words as frameWords } from "../../ui/shellWords";

const load = () => import("./steps");
alsoAhead(load);

export function useAnswers() {
  const transport = useTransport();
  const cache = useQueryClient();
  const [busy, setBusy] = useState<FavorAction>();

  async function asked(favor: Favor, action: FavorAction): Promise<void> {
    const steps = await load().catch(() => null);
    if (steps === null) return say(frameWords.missing, "no", { retry: () => void asked(favor, action) });
    await steps.askStep([transport, cache], setBusy, favor, action);
  }

  return { busy, asked };
}
