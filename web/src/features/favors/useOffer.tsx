// Offering help from a card. The sheet belongs to the list: it stays when the card goes.
import { type ReactNode, useRef, useState } from "react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { part } from "../../lib/parts";
import { rememberFocus } from "../../ui/focus";
import { Piece } from "../../ui/Piece";

const OfferSheet = part(() => import("./OfferSheet").then((m) => m.OfferSheet));

/** @returns what opens the sheet, and the sheet. */
export function useOffer(me: string): [offer: (favor: Favor) => void, sheet: ReactNode] {
  const [favor, setFavor] = useState<Favor | null>(null);
  const giveBack = useRef<() => void>(undefined);

  function offer(to: Favor): void {
    giveBack.current = rememberFocus();
    setFavor(to);
  }

  function close(): void {
    setFavor(null);
    giveBack.current?.();
  }

  const sheet = favor !== null && (
    <Piece skeleton={null}>
      <OfferSheet favor={favor} me={me} onClose={close} />
    </Piece>
  );
  return [offer, sheet];
}
