// The sheet in which help is offered from a card. Loaded when it is opened.
import { useState } from "react";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { rememberFocus } from "../../ui/focus";
import { Sheets, sheetOf } from "./Sheets";
import { useSteps } from "./steps";

type Props = { favor: Favor; me: string; onClose: () => void };

export function OfferSheet({ favor, me, onClose }: Props) {
  const steps = useSteps();
  const [giveBack] = useState(rememberFocus);
  const close = (): void => {
    onClose();
    giveBack();
  };
  const open = sheetOf(FavorAction.APPLY) ?? null;
  return <Sheets favor={favor} me={me} steps={steps} sheets={{ open, show: close, close }} />;
}
