// The settings and the screens under them, which Home need not know of.
import { useHeld } from "../features/profile/kept";
import { SettingsScreen } from "../features/settings/SettingsScreen";
import { part, quiet } from "../lib/parts";
import type { Member } from "../lib/session";

const SecurityScreen = part(() => import("../features/security/SecurityScreen").then((m) => m.SecurityScreen));
const DataScreen = part(() => import("../features/data/DataScreen").then((m) => m.DataScreen));
const ProfileScreen = part(() => import("../features/profile/ProfileScreen").then((m) => m.ProfileScreen));
const HeardScreens = part(() => import("./HeardScreens").then((m) => m.HeardScreens));
const OpenWithOthers = quiet(
  () => import("../features/rentals/OpenWithOthers").then((m) => m.OpenWithOthers),
  () => "soon",
);
const HelpingNow = quiet(
  () => import("../features/favors/HelpingNow").then((m) => m.HelpingNow),
  () => "soon",
);

/** What is open with other members, for whoever is about to delete the account. */
const Open = ({ me }: { me: string }) => (
  <>
    <HelpingNow me={me} />
    <OpenWithOthers me={me} />
  </>
);

export function SettingsScreens({ screen, member }: { screen: string; member: Member }) {
  const isUnsaved = useHeld(member.uid) !== null;
  switch (screen) {
    case "security":
      return <SecurityScreen member={member} />;
    case "data":
      return <DataScreen member={member} warning={<Open me={member.uid} />} />;
    case "notifications":
    case "blocked":
      return <HeardScreens isOfBlocked={screen === "blocked"} email={member.email} />;
    case "profile":
      return <ProfileScreen member={member} />;
    default:
      return <SettingsScreen member={member} isUnsaved={isUnsaved} />;
  }
}
