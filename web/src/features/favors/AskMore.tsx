// Asks one more friend, beside those who are asked.
import { Button } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { Sheets, useSheets } from "./Sheets";
import { useSteps } from "./steps";
import { actionWords } from "./words";

type Props = { favor: Favor; me: string; onAct?: (() => void) | undefined };

export function AskMore({ favor, me, onAct }: Props) {
  const steps = useSteps();
  const sheets = useSheets();

  function ask(): void {
    onAct?.();
    sheets.show({ kind: "friends" });
  }

  return (
    <div>
      <Button variant="default" leftSection={<IconUserPlus size={20} />} onClick={ask}>
        {actionWords[FavorAction.ASK].label}
      </Button>
      <Sheets favor={favor} me={me} steps={steps} sheets={sheets} />
    </div>
  );
}
