// What the profile form reads, compares, refuses and sends.
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ProfileSchema } from "../../gen/goodturn/profile/v1/profile_service_pb";
import type { ProfileValues } from "./fields";
import { changedFields, changeOf, check, fieldOf, merged, shownName, valuesOf } from "./form";
import { words } from "./words";

const ANA: ProfileValues = {
  firstName: "Ana",
  lastName: "Ruiz",
  displayName: "",
  country: "US",
  phone: "(555) 010-4477",
  venmo: "ana-ruiz",
  paypal: "",
};

const profileOf = (displayName: string) =>
  create(ProfileSchema, {
    details: { displayName, firstName: "Ana", lastName: "Ruiz", phoneNumber: "+15550104477", countryCode: "US" },
    data: { paymentInfo: { venmoUsername: "ana-ruiz" } },
  });

it("a_display_name_that_is_the_first_and_last_name_is_none", () => {
  expect(valuesOf(profileOf("Ana Ruiz"))).toEqual(ANA);
  expect(valuesOf(profileOf("Anita")).displayName).toBe("Anita");
  expect(shownName(ANA)).toBe("Ana Ruiz");
  expect(shownName({ ...ANA, displayName: " Anita " })).toBe("Anita");
  expect(changedFields({ ...ANA, displayName: "Ana Ruiz" }, ANA)).toEqual([]);
});

it("the_same_in_another_spelling_is_no_change", () => {
  expect(changedFields({ ...ANA, phone: "5550104477", venmo: " @ana-ruiz", firstName: "Ana " }, ANA)).toEqual([]);
  expect(changedFields({ ...ANA, phone: "", paypal: "ana" }, ANA)).toEqual(["phone", "paypal"]);
});

it.each(["call me", "+", "555 010 4477 ext 5", "①②③"])("%j_is_no_empty_number", (phone) => {
  const none = { ...ANA, phone: "" };
  expect(changedFields({ ...ANA, phone }, none)).toEqual(["phone"]);
  expect(check({ ...ANA, phone })).toEqual({ phone: words.badPhone });
});

it("only_what_has_changed_is_sent", () => {
  expect(changeOf({ ...ANA, lastName: " Ruiz-Diaz ", phone: "", paypal: "@ana" }, ANA)).toEqual({
    details: { lastName: "Ruiz-Diaz", phoneNumber: "" },
    data: { paymentInfo: { paypalUsername: "ana" } },
    updateMask: { paths: ["details.last_name", "details.phone_number", "data.payment_info.paypal_username"] },
  });
  expect(changeOf({ ...ANA, country: "DE", phone: "01512 3456789" }, ANA).updateMask.paths).toEqual([
    "details.country_code",
    "details.phone_number",
  ]);
});

it("what_is_wrong_is_said_as_documented", () => {
  expect(check(ANA)).toEqual({});
  expect(check({ ...ANA, firstName: " ", lastName: "" })).toEqual({
    firstName: words.needNames,
    lastName: words.needNames,
  });
  expect(check({ ...ANA, phone: "555", venmo: "@", paypal: "ana ruiz" })).toEqual({
    phone: words.badPhone,
    venmo: words.needUsername,
    paypal: words.badUsername,
  });
  expect(check({ ...ANA, phone: "" })).toEqual({});
  // It can be asked for: a sign without a name is a change.
  expect(changedFields({ ...ANA, paypal: "@" }, ANA)).toEqual(["paypal"]);
});

it("what_was_typed_stays_and_the_rest_is_brought_up_to_date", () => {
  const typed = { ...ANA, lastName: "Diaz" };
  const now = { ...ANA, firstName: "Anna" };
  expect(merged(typed, ANA, now)).toEqual({
    values: { ...ANA, firstName: "Anna", lastName: "Diaz" },
    both: [],
    isNewer: true,
  });
  expect(merged(typed, ANA, { ...ANA, lastName: "Ruiz y Diaz" }).both).toEqual(["lastName"]);
  expect(merged(typed, ANA, { ...ANA, lastName: "Diaz" })).toMatchObject({ both: [], isNewer: false });
  const abroad = { ...ANA, country: "DE", phone: "01512 3456789" };
  expect(merged({ ...ANA, phone: "(555) 010-0000" }, ANA, abroad).values).toMatchObject({
    country: "US",
    phone: "(555) 010-0000",
  });
});

it("the_server_names_fields_by_their_path", () => {
  expect(["details.first_name", "data.payment_info.venmo_username", "uid"].map(fieldOf)).toEqual([
    "firstName",
    "venmo",
    undefined,
  ]);
});
