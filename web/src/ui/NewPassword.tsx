// A new password, typed twice, and the present one.
import { PasswordInput } from "@mantine/core";
import { type Errors, type Fields, textField } from "../lib/fields";
import { lengthOf, normalized } from "../lib/password";
import { words } from "./passwordWords";

const PASSWORD_LENGTH_MIN = 8;

export type NewPasswordValues = { password: string; again: string };

export function checkNewPassword(values: NewPasswordValues): Errors<NewPasswordValues> {
  const errors: Errors<NewPasswordValues> = {};
  if (values.password === "") errors.password = words.fillAll;
  else if (lengthOf(values.password) < PASSWORD_LENGTH_MIN) errors.password = words.tooShort;
  if (values.again === "") errors.again = words.fillAll;
  else if (normalized(values.again) !== normalized(values.password)) errors.again = words.mismatch;
  return errors;
}

export const PresentPassword = PasswordInput.withProps({ autoComplete: "current-password" });

type Props<V extends NewPasswordValues & Record<string, unknown>> = {
  fields: Fields<V>;
  label?: string;
  labelAgain?: string;
};

export function NewPassword<V extends NewPasswordValues & Record<string, unknown>>({
  fields,
  label = words.newPassword,
  labelAgain = words.newPasswordAgain,
}: Props<V>) {
  return (
    <>
      <PasswordInput
        label={label}
        description={words.rule}
        autoComplete="new-password"
        {...textField(fields, "password")}
      />
      <PasswordInput label={labelAgain} autoComplete="new-password" {...textField(fields, "again")} />
    </>
  );
}
