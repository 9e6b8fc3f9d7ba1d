// The texts of codes that are typed, and of what makes them.
import { spoken } from "../lib/tongue";

export const words = spoken({
  code: "Verification code",
  digit: (place: number, of: number) => `Digit ${place} of ${of}`,
  scan: "Scan this with your authenticator app",
  picture: "A picture that an authenticator app reads from the screen",
  openApp: "Open in authenticator",
  orType: "Or type this key into the app",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "This browser does not let the app copy. Select the text instead.",
});
