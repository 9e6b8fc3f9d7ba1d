// The texts of a new password.
import { spoken } from "../lib/tongue";

export const words = spoken({
  newPassword: "New password",
  newPasswordAgain: "Confirm new password",
  rule: "At least 8 characters",
  fillAll: "Please fill in all fields",
  mismatch: "Passwords do not match",
  tooShort: "Password must be at least 8 characters long",
});
