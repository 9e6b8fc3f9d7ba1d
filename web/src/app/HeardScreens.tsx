// The settings of what a member hears, and from whom: notifications with those who are muted, and those who are blocked.
import { BlockedScreen } from "../features/friends/BlockedScreen";
import { Muted } from "../features/friends/Muted";
import { SettingsScreen } from "../features/notifications/SettingsScreen";

export function HeardScreens({ isOfBlocked, email }: { isOfBlocked: boolean; email: string }) {
  if (isOfBlocked) return <BlockedScreen />;
  return (
    <SettingsScreen email={email}>
      <Muted />
    </SettingsScreen>
  );
}
