// Offering help from a card. The sheet belongs to the list: it stays when the card goes.
import { type ReactNode, useState } from "react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { part } from "../../lib/parts";
import { Piece } from "../../ui/Piece";

const OfferSheet = part(() => import("./OfferSheet").then((m) => m.OfferSheet));

/** @returns what opens the sheet, and the sheet. */
export function useOffer(me: string): [offer: (favor: Favor) => void, sheet: ReactNode] {
  const [favor, setFavor] = useState<Favor | null>(null);
  const sheet = favor !== null && (
    <Piece skeleton={null}>
      <OfferSheet favor={favor} me={me} onClose={() => setFavor(null)} />
    </Piece>
  );
  return [setFavor, sheet];
}
