// What a sign-in and sign-up form must hold before it is sent, and how a full name is split.
import { isEmail } from "../../lib/contact";
import type { Errors } from "../../lib/fields";
import { checkNewPassword } from "../../ui/NewPassword";
import { words } from "./words";

/** After verification the app waits this long and then signs in by itself. */
export const AUTO_SIGN_IN_MS = 1000;

export type SignInValues = { email: string; password: string };
export type SignUpValues = { name: string; email: string; password: string; again: string };

/** What the code of a forgotten password is remembered as while its step is left. */
export const resetCodeOf = (email: string): string => `reset ${email}`;

export type ForgotValues = { email: string };

const isBlank = (text: string): boolean => text.trim() === "";

export function checkSignIn(values: SignInValues): Errors<SignInValues> {
  const errors: Errors<SignInValues> = {};
  if (isBlank(values.email)) errors.email = words.enterBoth;
  if (isBlank(values.password)) errors.password = words.enterBoth;
  return errors;
}

export function checkSignUp(values: SignUpValues): Errors<SignUpValues> {
  const errors: Errors<SignUpValues> = {};
  if (isBlank(values.name)) errors.name = words.fillAll;
  if (isBlank(values.email)) errors.email = words.fillAll;
  else if (!isEmail(values.email.trim())) errors.email = words.badEmail;
  return { ...errors, ...checkNewPassword(values) };
}

export function checkForgot(values: ForgotValues): Errors<ForgotValues> {
  return isEmail(values.email.trim()) ? {} : { email: words.badEmail };
}

/** The first word is the given name, the remainder the family name. */
export function splitName(fullName: string): { name: string; givenName: string; familyName: string } {
  const [givenName = "", ...rest] = fullName.trim().split(/\s+/);
  return { name: [givenName, ...rest].join(" "), givenName, familyName: rest.join(" ") };
}
