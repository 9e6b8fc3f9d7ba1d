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

it("digits_of_every_script_are_read_while_they_are_typed", () => {
  for (const [country, text, phone, e164] of [
    ["AE", "٠٥٠١٢٣٤٥٦٧", "050 123 4567", "+971501234567"],
    ["IR", "۰۹۱۲۳۴۵۶۷۸۹", "0912 345 6789", "+989123456789"],
    ["IN", "९८७६५४३२१०", "98765 43210", "+919876543210"],
    ["BD", "০১৮১২৩৪৫৬৭৮", "01812-345678", "+8801812345678"],
    ["JP", "０９０１２３４５６７８", "090-1234-5678", "+819012345678"],
    ["US", "𝟓𝟓𝟓𝟎𝟏𝟎𝟒𝟒𝟕𝟕", "(555) 010-4477", "+15550104477"],
  ] as const) {
    const begin = { country, phone: "" };
    expect(typing(text, begin)).toEqual({ country, phone });
    for (const now of [typing(text, begin), typed(begin, text, true), tidy(typed(begin, text, true))])
      expect([text, isNumber(now), e164Of(now)]).toEqual([text, true, e164]);
  }
});

it("what_stands_between_digits_and_around_them_does_not_matter", () => {
  for (const [country, text] of [
    ["US", "\u202a+1\u00a0(555)\u202f010\u20114477\u202c"],
    ["DE", "＋１ ５５５－０１０－４４７７"],
    ["US", "555.010.4477\n"],
    ["US", "555/010/4477"],
    ["US", "555\u2013010\u20134477"],
    ["US", "tel:+1-555-010-4477"],
    ["US", "(+1) 555 010 4477"],
    ["US", "\ufeff1 555 010 4477"],
  ] as const)
    expect([text, e164Of(typed({ country, phone: "" }, text, true))]).toEqual([text, "+15550104477"]);
});

it("what_cannot_be_read_stays_and_is_no_number_and_no_empty_one", () => {
  for (const text of ["call me", "555 010 4477 ext 5", "555-CALL-NOW", "①②③④⑤⑥⑦⑧⑨", "+", "()", "五五五"]) {
    const now = typed(NONE, text, true);
    expect([text, now.phone, isNumber(now)]).toEqual([text, text, false]);
    expect(e164Of(now)).not.toBe("");
  }
  expect(e164Of({ country: "US", phone: "  " })).toBe("");
});

it("a_pasted_number_that_is_too_long_stays_and_can_be_shortened", () => {
  const full = typing("5550104477");
  const pasted = typed(full, "447911123456", true);
  expect([pasted.phone, isNumber(pasted)]).toEqual(["447911123456", false]);
  expect(typed(pasted, "44791112345", false).phone).toBe("44791112345");
  expect(typed(full, "44791112345", true).phone).toBe("44791112345");
  expect(typed(full, "1 555 010 4478", true).phone).toBe("(555) 010-4478");
});
