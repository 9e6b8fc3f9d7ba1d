// Numbers as they are typed, shown, checked and kept.
import { expect, it } from "vitest";
import { e164Of, isNumber, read, tidy, type Typed, typed } from "./phone";

const NONE: Typed = { country: "US", phone: "" };

/** Typed sign by sign, at the end. */
function typing(text: string, begin: Typed = NONE): Typed {
  let now = begin;
  for (const sign of text) now = typed(now, now.phone + sign, true);
  return now;
}

it("a_number_of_the_united_states_is_put_in_form_while_it_is_typed", () => {
  expect(typing("555").phone).toBe("(555)");
  expect(typing("5550104477").phone).toBe("(555) 010-4477");
  expect(typing("55501044778899").phone).toBe("(555) 010-4477");
});

it("what_is_taken_away_stays_away_and_what_is_typed_in_the_middle_stays_where_it_is", () => {
  const number = typing("555");
  expect(typed(number, "(555", true).phone).toBe("(555");
  expect(typed(typing("5550104477"), "(55) 010-4477", false).phone).toBe("(55) 010-4477");
  expect(typed({ country: "US", phone: "(55) 010-4477" }, "(557) 010-4477", false).phone).toBe("(557) 010-4477");
});

it("a_number_in_international_form_brings_its_country", () => {
  expect(typed(NONE, "+49 151 23456789", true)).toMatchObject({ country: "DE" });
  expect(e164Of(typed(NONE, "+49 151 23456789", true))).toBe("+4915123456789");
  expect(typed(NONE, "+1 (555) 010-4477", true)).toEqual({ country: "US", phone: "(555) 010-4477" });
  expect(typed(NONE, "1 555 010 4477", true)).toEqual({ country: "US", phone: "(555) 010-4477" });
  expect(typed(NONE, "+", true).phone).toBe("+");
});

it("a_number_with_1_has_exactly_10_digits_and_others_7_to_15", () => {
  for (const [country, phone, isRight] of [
    ["US", "(555) 010-4477", true],
    ["US", "555010447", false],
    ["US", "1555010447", true],
    ["CA", "5550104477", true],
    ["DE", "123456", false],
    ["DE", "1234567", true],
    ["DE", "01512 3456789", true],
    ["DE", "123456789012345", false],
    ["DE", "+4915", false],
    ["US", "", false],
  ] as const)
    expect([country, phone, isNumber({ country, phone })]).toEqual([country, phone, isRight]);
});

it("a_number_is_kept_with_its_country_and_shown_as_that_writes_it", () => {
  expect(e164Of({ country: "DE", phone: "01512 3456789" })).toBe("+4915123456789");
  expect(e164Of({ country: "US", phone: "(555) 010-4477" })).toBe("+15550104477");
  expect(e164Of(NONE)).toBe("");
  expect(read("+15550104477", "US")).toEqual({ country: "US", phone: "(555) 010-4477" });
  expect(read("+15550104477", "CA")).toEqual({ country: "CA", phone: "(555) 010-4477" });
  expect(read("+4915123456789", "US")).toEqual({ country: "DE", phone: "01512 3456789" });
  expect(read("+15550104477", "DE")).toEqual({ country: "US", phone: "(555) 010-4477" });
  expect(read("", "XX")).toEqual(NONE);
  expect(tidy({ country: "DE", phone: "015123456789" }).phone).toBe("01512 3456789");
  expect(tidy({ country: "DE", phone: "015" }).phone).toBe("015");
});
