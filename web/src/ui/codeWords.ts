// The texts of codes that are typed, and of what makes them.
import { spoken } from "../lib/tongue";

export const words = spoken({
  code: "Verification code",
  digit: (place: number, of: number) => `Digit ${place} of ${of}`,
  unread: "We couldn't find a 6-digit code in that. Please type it instead.",
  scan: "Scan this with your authenticator app",
  picture: "QR code for your authenticator app",
  openApp: "Open in your authenticator app",
  orType: "Or enter this key in the app",
  copy: "Copy",
  copyKey: "Copy key",
  copied: "Copied",
  copyFailed: "Your browser didn't allow copying. Select the text instead.",
});
