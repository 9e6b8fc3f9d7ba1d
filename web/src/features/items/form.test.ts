// The form of an item: what is wrong with it, what is kept of it, and what is sent.
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Currency } from "../../gen/later/goodturn/common/v1/currency_pb";
import {
  CancellationPolicy,
  ItemCategory,
  ItemSchema,
  ItemStatus,
  Visibility,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  blank,
  changedFields,
  check,
  createRequest,
  daysFrom,
  fieldOf,
  isBlank,
  isSame,
  type ItemValues,
  readValues,
  updateRequest,
  valuesOf,
} from "./form";
import { formWords } from "./formWords";

const filled: ItemValues = {
  ...blank(),
  title: "Tent",
  description: "For four",
  category: ItemCategory.SPORTS,
  url: "https://tents.example/4",
  price: "6",
  deposit: "40.50",
  currency: "EUR",
  maxDays: "7",
  policy: CancellationPolicy.STRICT,
  city: "Porto",
  groups: ["b", "a"],
};

describe("what is wrong", () => {
  it("is_told_in_the_documented_order", () => {
    const none = { ...blank(), title: " ", category: ItemCategory.UNSPECIFIED };
    expect(Object.values(check(none))).toEqual([
      "Please enter an item title",
      "Please enter a description",
      "Please select a category",
    ]);
  });

  it("is_nothing_in_a_new_item_with_a_title_and_a_description", () => {
    expect(blank().category).toBe(ItemCategory.OTHER);
    expect(check({ ...blank(), title: "Tent", description: "For four" })).toEqual({});
    expect(check(filled)).toEqual({});
  });

  it.each([
    ["url", "tents.example"],
    ["url", "ftp://tents.example"],
    ["url", "https://two words"],
    ["price", "1.234"],
    ["price", "-1"],
    ["deposit", "1000001"],
    ["maxDays", "0"],
    ["maxDays", "366"],
    ["maxDays", "1.5"],
    ["maxDays", "1 4"],
    ["maxDays", "٣٦٦"],
    ["price", "١٫٢٣٤"],
    ["deposit", "①"],
  ] as const)("%s_is_not_%s", (field, typed) => {
    expect(Object.keys(check({ ...filled, [field]: typed }))).toEqual([field]);
  });

  it("is_no_more_than_twenty_groups_unless_everybody_sees_it", () => {
    const groups = Array.from({ length: 21 }, (_, i) => String(i));
    expect(check({ ...filled, groups }).groups).toBe("Please choose at most 20 groups");
    expect(check({ ...filled, groups, isPublic: true })).toEqual({});
  });

  it.each(["title", "description", "category", "url", "price_per_day", "max_days", "location.city", "group_ids[3]"])(
    "%s_of_the_server_is_a_field_of_the_form",
    (field) => expect(fieldOf(field)).toBeDefined(),
  );
});

it.each([
  ["", 0],
  [" 7 ", 7],
  ["365", 365],
  ["٧", 7],
  ["۳۰", 30],
  ["३६५", 365],
  ["１４", 14],
  ["\u200b14\n", 14],
])("%s_days_are_%d", (typed, days) => expect(daysFrom(typed)).toBe(days));

const item = create(ItemSchema, {
  itemId: "i",
  title: "Tent",
  description: "For four",
  category: ItemCategory.SPORTS,
  url: "https://tents.example/4",
  pricePerDay: 6,
  deposit: 40.5,
  currency: Currency.EUR,
  maxDays: 7,
  cancellationPolicy: CancellationPolicy.STRICT,
  location: { city: "Porto" },
  visibility: Visibility.FRIENDS,
  groupIds: ["a", "b"],
});

it("an_item_is_the_same_as_what_it_was_made_of", () => {
  expect(changedFields(valuesOf(item), filled)).toEqual([]);
  expect(isSame(valuesOf(item), { ...filled, price: "6.00", title: " Tent " })).toBe(true);
});

it("what_was_kept_is_read_again_and_what_has_another_shape_is_not", () => {
  expect(readValues(JSON.parse(JSON.stringify(filled)))).toEqual(filled);
  expect(readValues({ ...filled, groups: undefined })).toBeNull();
  expect(readValues({ ...filled, category: "Sports" })).toBeNull();
  expect(readValues({ ...filled, price: 6 })).toBeNull();
  expect(readValues("tent")).toBeNull();
});

it("a_new_item_is_a_draft_first_with_all_that_was_typed", () => {
  expect(createRequest(filled)).toMatchObject({
    status: ItemStatus.DRAFT,
    title: "Tent",
    pricePerDay: 6,
    deposit: 40.5,
    currency: Currency.EUR,
    maxDays: 7,
    visibility: Visibility.FRIENDS,
    location: { city: "Porto" },
    groupIds: ["a", "b"],
  });
});

it("only_what_was_changed_is_sent_and_what_was_emptied_is_emptied", () => {
  const typed = { ...filled, price: "", city: " " };
  const { updateMask, pricePerDay, location } = updateRequest("i", typed, filled);
  expect(updateMask.paths.toSorted()).toEqual(["location", "price_per_day"]);
  expect([pricePerDay, location.city]).toEqual([0, ""]);
});

it("groups_are_left_where_everybody_sees_it_and_come_back", () => {
  const all = { ...filled, isPublic: true };
  expect(createRequest(all).groupIds).toEqual([]);
  expect(updateRequest("i", all, filled).updateMask.paths.toSorted()).toEqual(["group_ids", "visibility"]);
  expect(createRequest({ ...all, isPublic: false }).groupIds).toEqual(["a", "b"]);
});

it("a_form_is_blank_whatever_spaces_it_has", () => {
  expect(isBlank({ ...blank(), title: "  ", price: "0" })).toBe(true);
  expect(isBlank({ ...blank(), city: "Porto" })).toBe(false);
});

it("what_was_not_sent_ends_its_sentence_before_it_says_that_it_is_kept", () => {
  expect(formWords.notSent(formWords.gone)).toBe("This item no longer exists. We kept what you typed.");
  expect(formWords.notSent(formWords.saveFailed)).toBe(
    "Failed to save item. Please try again. We kept what you typed.",
  );
});
