// What a sign-in and sign-up form must hold before it is sent, and how a full name is split.
import { isEmail } from "../../lib/contact";
import type { Errors } from "../../lib/fields";
import { words } from "./words";

const PASSWORD_LENGTH_MIN = 8;
/** After verification the app waits this long and then signs in by itself. */
export const AUTO_SIGN_IN_MS = 1000;

export type SignInValues = { email: string; password: string };
export type SignUpValues = { name: string; email: string; password: string; again: string };

export type ForgotValues = { email: string };
export type ResetValues = { password: string; again: string };

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
  return { ...errors, ...checkReset(values) };
}

export function checkForgot(values: ForgotValues): Errors<ForgotValues> {
  return isEmail(values.email.trim()) ? {} : { email: words.badEmail };
}

export function checkReset(values: ResetValues): Errors<ResetValues> {
  const errors: Errors<ResetValues> = {};
  if (values.password === "") errors.password = words.fillAll;
  else if (values.password.length < PASSWORD_LENGTH_MIN) errors.password = words.tooShort;
  if (values.again === "") errors.again = words.fillAll;
  else if (values.again !== values.password) errors.again = words.mismatch;
  return errors;
}

/** The first word is the given name, the remainder the family name. */
export function splitName(fullName: string): { name: string; givenName: string; familyName: string } {
  const [givenName = "", ...rest] = fullName.trim().split(/\s+/);
  return { name: [givenName, ...rest].join(" "), givenName, familyName: rest.join(" ") };
}
