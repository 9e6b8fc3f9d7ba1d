// Digits, as people type and paste them.
import { describe, expect, it } from "vitest";
import { amountFrom } from "./amount";
import { codeFrom, plainDigits, plainPhone } from "./digits";

const isDecimal = (digits: string): boolean => /^\p{Nd}{10}$/u.test(digits);

/** The ten digits of each script that this runtime can write. */
const scripts = Intl.supportedValuesOf("numberingSystem").flatMap((numberingSystem) => {
  const write = new Intl.NumberFormat("en", { numberingSystem, useGrouping: false });
  const digits = Array.from({ length: 10 }, (_, n) => write.format(n)).join("");
  return isDecimal(digits) ? [[numberingSystem, digits] as const] : [];
});

describe("digits", () => {
  it("there_are_scripts_to_look_at", () => expect(scripts.length).toBeGreaterThan(50));

  it.each(scripts)("of_%s_are_read", (_, digits) => expect(plainDigits(digits)).toBe("0123456789"));

  it("are_read_where_scripts_stand_side_by_side", () => {
    // Two rows of Myanmar, and five of mathematics, without a gap between them.
    const rows = [0x11_6d0, 0x11_6da, 0x1_d7ce, 0x1_d7d8, 0x1_d7e2, 0x1_d7ec, 0x1_d7f6];
    for (const zero of rows) expect([zero, plainDigits(String.fromCodePoint(zero + 7))]).toEqual([zero, "7"]);
  });

  it.each(["½", "²", "Ⅳ", "①", "一二三", "O"])("%s_is_none_and_stays", (text) => expect(plainDigits(text)).toBe(text));

  it("marks_that_are_not_seen_go_and_spaces_are_plain", () =>
    expect(plainDigits("\ufeff\u202a7\u200b9\u200e5\u2060\u00a0\u202f\u30001\u00ad7\ufe0f8\u202c\n")).toBe(
      "795   178 ",
    ));
});

describe("a code", () => {
  it.each([
    "795178",
    "７９５１７８",
    "٧٩٥١٧٨",
    "۷۹۵۱۷۸",
    "७९५१७८",
    "৭৯৫১৭৮",
    "๗๙๕๑๗๘",
    "𝟕𝟗𝟓𝟏𝟕𝟖",
    "795-178",
    "795 178",
    "795\u00a0178",
    "795\u202f178",
    "795\u2011178",
    "795\u2013178",
    "79-51-78",
    "7 9 5 1 7 8",
    "795.178",
    "795178\n",
    "\t795178\r\n",
    "795178.",
    "\u200b795178",
    "\u202a795178\u202c",
    "\ufeff795178",
    "G-795178",
    "Your Goodturn code is 795178.",
    "Your code: 7 9 5 1 7 8",
    "795178 is your Goodturn code. It expires in 10 minutes.",
    "<#> 795-178 is your code\nFA+9qCX9VSu",
    "Your code is 795178.\n\n@goodturn.example #795178",
    "2026-11-27: the code is 795178",
    "Code 795178 of 27-11-26",
    "【Goodturn】验证码７９５１７８，10分钟内有效。",
    "رمزك هو ٧٩٥١٧٨",
    "(795178)",
  ])("is_read_in_%j", (text) => expect(codeFrom(text, 6)).toBe("795178"));

  it.each([
    "",
    "Your Goodturn code",
    "7951780",
    "Your code is 79517.",
    "Your code is 7951780.",
    "Use 795178 or 123456",
    "Use 795-178 or 123456",
    "795178 123456",
    "Call 555-010-4477",
    "²95178",
  ])("is_not_guessed_in_%j", (text) => expect(codeFrom(text, 6)).toBe(""));

  it.each([
    ["795", "795"],
    ["７９ ", "79"],
    ["795-", "795"],
  ])("has_a_beginning_in_%j", (text, digits) => expect(codeFrom(text, 6)).toBe(digits));
});

describe("an amount", () => {
  it.each([
    ["1,50", 1.5],
    ["1.50", 1.5],
    ["١٬٢٣٤٫٥٠", 1234.5],
    ["١٢٫٥", 12.5],
    ["١٢،٥", 12.5],
    ["۱۲", 12],
    ["१५", 15],
    ["১৫.৫০", 15.5],
    ["１．５０", 1.5],
    ["１，５０", 1.5],
    ["𝟏𝟓", 15],
    ["1 234,50", 1234.5],
    ["1\u202f234.5", 1234.5],
    ["1\u00a0000\u00a0000", 1_000_000],
    ["\u200f15\u200f", 15],
    ["15\n", 15],
    ["\u200b", 0],
  ])("of_%j_is_%d", (typed, amount) => expect(amountFrom(typed)).toBe(amount));

  it.each([
    "1,234",
    "1.234",
    "1,234.50",
    "1 50",
    "1 2345",
    "12 34 567",
    "١٬٢٣",
    "١٫٢٣٤",
    "-1",
    "−1",
    "－1",
    "1½",
    "①",
    "$5",
  ])("is_not_guessed_in_%j", (typed) => expect(amountFrom(typed)).toBeNaN());
});

describe("a phone number", () => {
  it.each([
    ["٠٥٠١٢٣٤٥٦٧", "0501234567"],
    ["۰۹۱۲ ۳۴۵ ۶۷۸۹", "0912 345 6789"],
    ["＋４９　１５１（２）３", "+49 151(2)3"],
    ["０９０ー１２３４ー５６７８", "090-1234-5678"],
    ["555\u2010010\u20114477", "555-010-4477"],
    ["06·12·34", "06.12.34"],
    ["０１／２３．４", "01/23.4"],
    ["\u202a+1 555\u00a0010\u202f4477\u202c", "+1 555 010 4477"],
    ["tel:+15550104477", "+15550104477"],
    ["555-CALL", "555-CALL"],
  ])("of_%j_is_%j", (text, plain) => expect(plainPhone(text)).toBe(plain));
});
