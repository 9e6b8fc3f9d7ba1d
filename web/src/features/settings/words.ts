// Every text of the settings, as documented.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  title: "Settings",
  profile: "Edit Profile",
  profileSub: "Picture, name, phone, payment methods",
  unsaved: "You have unsaved changes.",
  security: "Sign-in and security",
  securitySub: "Password, second step, devices",
  notifications: "Notifications",
  notificationsSub: "Emails and muted members",
  blocked: "Blocked members",
  blockedSub: "People you don't want to see here",
  data: "Your data",
  dataSub: "Download it, or delete your account",
  help: "Help & FAQ",
  report: "Report a Problem",
  privacy: "Privacy & Terms",
  signOut: "Sign Out",
  ask: {
    title: "Sign Out",
    text: "You can sign back in anytime. Anything you typed but didn't send is removed from this device.",
    yes: "Sign Out",
  },
  appearance: "Appearance",
  version: (version: string) => `Version ${version}`,
  schemes: { auto: "Automatic", light: "Light", dark: "Dark" },
});
