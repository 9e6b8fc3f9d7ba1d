// The values of the profile form: read from a profile or from what was kept, compared, checked, and turned into a request.
import type { Profile } from "../../gen/goodturn/profile/v1/profile_service_pb";
import type { Errors } from "../../lib/fields";
import { handleIn, type Service } from "../../lib/pay";
import { type Field, FIELDS, type ProfileValues } from "./fields";
import { e164Of, isNumber, read } from "./phone";
import { words } from "./words";

const joined = (values: Pick<ProfileValues, "firstName" | "lastName">): string =>
  [values.firstName, values.lastName]
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .join(" ");

/** The name that others see. */
export const shownName = (values: ProfileValues): string => values.displayName.trim() || joined(values);

export function valuesOf({ details, data }: Profile): ProfileValues {
  const { firstName = "", lastName = "", displayName = "", phoneNumber = "", countryCode = "" } = details ?? {};
  const { venmoUsername = "", paypalUsername = "" } = data?.paymentInfo ?? {};
  return {
    firstName,
    lastName,
    // One that is made of both is none.
    displayName: displayName === joined({ firstName, lastName }) ? "" : displayName,
    ...read(phoneNumber, countryCode),
    venmo: venmoUsername,
    paypal: paypalUsername,
  };
}

/** As the server keeps it. */
function normal(values: ProfileValues): ProfileValues {
  const displayName = values.displayName.trim();
  return {
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    displayName: displayName === joined(values) ? "" : displayName,
    country: values.country,
    phone: e164Of(values),
    venmo: handleIn("venmo", values.venmo),
    paypal: handleIn("paypal", values.paypal),
  };
}

const DETAILS = {
  firstName: ["firstName", "first_name"],
  lastName: ["lastName", "last_name"],
  displayName: ["displayName", "display_name"],
  country: ["countryCode", "country_code"],
  phone: ["phoneNumber", "phone_number"],
} as const;
const HANDLES = { venmo: ["venmoUsername", "venmo_username"], paypal: ["paypalUsername", "paypal_username"] } as const;

const isHandle = (name: Field): name is keyof typeof HANDLES => name in HANDLES;

/** The fields in which two forms differ, whatever way the same is spelled. */
export function changedFields(one: ProfileValues, other: ProfileValues): Field[] {
  const [a, b] = [normal(one), normal(other)];
  // A sign without a name is not the same as none.
  const isSign = (name: Field): boolean => isHandle(name) && a[name] === "" && (one[name] + other[name]).trim() !== "";
  return FIELDS.filter((name) => a[name] !== b[name] || isSign(name));
}

export const isSame = (one: ProfileValues, other: ProfileValues): boolean => changedFields(one, other).length === 0;

/** `picture`: one that is to take the place of the saved one, empty for none, null where that stays. */
export const isChanged = (values: ProfileValues, base: ProfileValues, picture: string | null): boolean =>
  picture !== null || !isSame(values, base);

/**
 * What the form shows when the profile has become `now`: what was typed stays, the rest is brought up to date. `both` was typed, and changed
 * elsewhere in another way.
 */
export function merged(values: ProfileValues, base: ProfileValues, now: ProfileValues) {
  const typed = new Set(changedFields(values, base));
  // A number and its country are one thing.
  if (typed.has("phone") || typed.has("country")) for (const name of ["phone", "country"] as const) typed.add(name);
  const elsewhere = new Set(changedFields(now, base));
  const differs = new Set(changedFields(values, now));
  const next = { ...now };
  for (const name of typed) next[name] = values[name];
  return {
    values: next,
    both: FIELDS.filter((name) => typed.has(name) && elsewhere.has(name) && differs.has(name)),
    isNewer: FIELDS.some((name) => !typed.has(name) && elsewhere.has(name)),
  };
}

function wrongHandle(service: Service, typed: string): string | undefined {
  if (typed.trim() === "") return undefined;
  const handle = handleIn(service, typed);
  if (handle === "") return words.needUsername;
  return /^[A-Za-z0-9._-]{1,64}$/.test(handle) ? undefined : words.badUsername;
}

export function check(values: ProfileValues): Errors<ProfileValues> {
  const wrong: Record<Field, string | undefined> = {
    firstName: values.firstName.trim() === "" ? words.needNames : undefined,
    lastName: values.lastName.trim() === "" ? words.needNames : undefined,
    displayName: undefined,
    country: undefined,
    phone: values.phone.trim() === "" || isNumber(values) ? undefined : words.badPhone,
    venmo: wrongHandle("venmo", values.venmo),
    paypal: wrongHandle("paypal", values.paypal),
  };
  const errors: Errors<ProfileValues> = {};
  for (const name of FIELDS) if (wrong[name] !== undefined) errors[name] = wrong[name];
  return errors;
}

/** Names what has changed, and nothing else: what was changed elsewhere meanwhile stays. */
export function changeOf(values: ProfileValues, base: ProfileValues) {
  const now = normal(values);
  const details: Partial<Record<(typeof DETAILS)[keyof typeof DETAILS][0], string>> = {};
  const paymentInfo: Partial<Record<(typeof HANDLES)[keyof typeof HANDLES][0], string>> = {};
  const paths: string[] = [];
  for (const name of changedFields(values, base)) {
    if (isHandle(name)) {
      paymentInfo[HANDLES[name][0]] = now[name];
      paths.push(`data.payment_info.${HANDLES[name][1]}`);
    } else {
      details[DETAILS[name][0]] = now[name];
      paths.push(`details.${DETAILS[name][1]}`);
    }
  }
  return { details, data: { paymentInfo }, updateMask: { paths } };
}

/** The field that the server means by a path of the contract, as `details.first_name`. */
export function fieldOf(path: string): Field | undefined {
  const last = path.split(".").at(-1);
  return FIELDS.find((name) => (isHandle(name) ? HANDLES[name] : DETAILS[name])[1] === last);
}
