// The settings and the screens under them, which Home need not know of.
import { SettingsScreen } from "../features/settings/SettingsScreen";
import { part } from "../lib/parts";
import type { Member } from "../lib/session";

const SecurityScreen = part(() => import("../features/security/SecurityScreen").then((m) => m.SecurityScreen));
const DataScreen = part(() => import("../features/data/DataScreen").then((m) => m.DataScreen));

export function SettingsScreens({ screen, member }: { screen: string; member: Member }) {
  if (screen === "security") return <SecurityScreen member={member} />;
  return screen === "data" ? <DataScreen member={member} /> : <SettingsScreen member={member} />;
}
