// The values of the form of an item: blank, read from one or from what was kept; checked; and turned into a request.
import {
  CancellationPolicy,
  type Item,
  ItemCategory,
  ItemStatus,
  Visibility,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import { amountFrom } from "../../lib/amount";
import { plainDigits } from "../../lib/digits";
import type { Errors } from "../../lib/fields";
import { CURRENCIES, type Currency, typedAmountOf } from "../../lib/money";
import { codeOf, currencyOf, ITEM_CATEGORIES } from "../../ui/item";
import { formWords } from "./formWords";

export type ItemValues = {
  title: string;
  description: string;
  category: ItemCategory;
  url: string;
  /** Amounts as typed; empty means none. */
  price: string;
  deposit: string;
  currency: Currency;
  /** As typed; empty means no limit. */
  maxDays: string;
  policy: CancellationPolicy;
  city: string;
  isPublic: boolean;
  /** Those who are in them see it, and no other friends; those that were chosen come back when it is not public any more. */
  groups: string[];
};

export const TITLE_MAX = 200;
export const DESCRIPTION_MAX = 4000;
export const URL_MAX = 2048;
export const CITY_MAX = 100;
export const GROUPS_MAX = 20;
export const DAYS_MAX = 365;
export const POLICIES = [CancellationPolicy.FLEX, CancellationPolicy.MODERATE, CancellationPolicy.STRICT] as const;

export const blank = (): ItemValues => ({
  title: "",
  description: "",
  category: ItemCategory.OTHER,
  url: "",
  price: "",
  deposit: "",
  currency: "USD",
  maxDays: "",
  policy: CancellationPolicy.FLEX,
  city: "",
  isPublic: false,
  groups: [],
});

const typedOf = (amount: number): string => (amount > 0 ? typedAmountOf(amount) : "");
const policyOf = (policy: unknown): CancellationPolicy =>
  POLICIES.find((known) => known === policy) ?? CancellationPolicy.FLEX;

export const valuesOf = (item: Item): ItemValues => ({
  title: item.title,
  description: item.description,
  category: ITEM_CATEGORIES.find((known) => known === item.category) ?? ItemCategory.OTHER,
  url: item.url,
  price: typedOf(item.pricePerDay),
  deposit: typedOf(item.deposit),
  currency: codeOf(item.currency),
  maxDays: item.maxDays > 0 ? String(item.maxDays) : "",
  policy: policyOf(item.cancellationPolicy),
  city: item.location?.city ?? "",
  isPublic: item.visibility === Visibility.PUBLIC,
  groups: [...item.groupIds],
});

/** What was kept, when it still has the shape of this form. */
export function readValues(value: unknown): ItemValues | null {
  if (typeof value !== "object" || value === null) return null;
  const v = value as Partial<Record<keyof ItemValues, unknown>>;
  const category = Object.values(ItemCategory).find((known): known is ItemCategory => known === v.category);
  const currency = CURRENCIES.find((known) => known === v.currency);
  const texts = [v.title, v.description, v.url, v.price, v.deposit, v.maxDays, v.city];
  if (category === undefined || currency === undefined || !Array.isArray(v.groups)) return null;
  if (!texts.every((text) => typeof text === "string")) return null;
  const [title = "", description = "", url = "", price = "", deposit = "", maxDays = "", city = ""] = texts.map(String);
  const typed = { title, description, category, url, price, deposit, currency, maxDays, city };
  return { ...typed, policy: policyOf(v.policy), isPublic: v.isPublic === true, groups: v.groups.map(String) };
}

/** Whole days, both ends counted; empty is 0, no limit, and NaN is no number of days. */
export function daysFrom(typed: string): number {
  const text = plainDigits(typed).trim();
  if (text === "") return 0;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return days >= 1 && days <= DAYS_MAX ? days : Number.NaN;
}

const LINK = /^https?:\/\/\S+$/i;

/** In the documented order, in which the fields stand. */
export function check(values: ItemValues): Errors<ItemValues> {
  const errors: Errors<ItemValues> = {};
  if (values.title.trim() === "") errors.title = formWords.needTitle;
  if (values.description.trim() === "") errors.description = formWords.needDescription;
  if (!ITEM_CATEGORIES.some((known) => known === values.category)) errors.category = formWords.needCategory;
  if (values.url.trim() !== "" && !LINK.test(values.url.trim())) errors.url = formWords.badLink;
  if (Number.isNaN(amountFrom(values.price))) errors.price = formWords.badAmount;
  if (Number.isNaN(amountFrom(values.deposit))) errors.deposit = formWords.badAmount;
  if (Number.isNaN(daysFrom(values.maxDays))) errors.maxDays = formWords.badDays;
  if (!values.isPublic && values.groups.length > GROUPS_MAX) errors.groups = formWords.tooManyGroups(GROUPS_MAX);
  return errors;
}

/** As the server keeps it: "15" is "15.00", and of an item for everybody no groups are asked. */
function fieldsOf(values: ItemValues) {
  return {
    title: values.title.trim(),
    description: values.description.trim(),
    category: values.category,
    url: values.url.trim(),
    visibility: values.isPublic ? Visibility.PUBLIC : Visibility.FRIENDS,
    pricePerDay: amountFrom(values.price),
    currency: currencyOf(values.currency),
    deposit: amountFrom(values.deposit),
    maxDays: daysFrom(values.maxDays),
    cancellationPolicy: values.policy,
    location: { city: values.city.trim() },
    groupIds: values.isPublic ? [] : values.groups.toSorted(),
  };
}

type Sent = ReturnType<typeof fieldsOf>;

/** How each field is called in the form, and by the server. */
const NAMES = {
  title: ["title", "title"],
  description: ["description", "description"],
  category: ["category", "category"],
  url: ["url", "url"],
  price: ["pricePerDay", "price_per_day"],
  deposit: ["deposit", "deposit"],
  currency: ["currency", "currency"],
  maxDays: ["maxDays", "max_days"],
  policy: ["cancellationPolicy", "cancellation_policy"],
  city: ["location", "location"],
  isPublic: ["visibility", "visibility"],
  groups: ["groupIds", "group_ids"],
} as const satisfies Record<keyof ItemValues, readonly [keyof Sent, string]>;
const FIELDS = Object.keys(NAMES) as (keyof ItemValues)[];

/** The fields in which two forms differ, whatever way the same is spelled. */
export function changedFields(one: ItemValues, other: ItemValues): (keyof ItemValues)[] {
  const [a, b] = [fieldsOf(one), fieldsOf(other)];
  return FIELDS.filter((name) => JSON.stringify(a[NAMES[name][0]]) !== JSON.stringify(b[NAMES[name][0]]));
}

export const isSame = (one: ItemValues, other: ItemValues): boolean => changedFields(one, other).length === 0;
export const isBlank = (values: ItemValues): boolean => isSame(values, blank());

/** The field that the server means. */
export const fieldOf = (field: string): keyof ItemValues | undefined =>
  FIELDS.find((name) => NAMES[name][1] === field.split(/[.[]/)[0]);

export const createRequest = (values: ItemValues) => ({ ...fieldsOf(values), status: ItemStatus.DRAFT });

/** Only what differs from `before`, so that what was changed elsewhere stays. */
export const updateRequest = (itemId: string, values: ItemValues, before: ItemValues) => ({
  ...fieldsOf(values),
  itemId,
  updateMask: { paths: changedFields(values, before).map((name) => NAMES[name][1]) },
});

/** Whether the item has what was sent of `values`. */
export function isAsSent(item: Item, values: ItemValues, before: ItemValues): boolean {
  const others = changedFields(values, valuesOf(item));
  return changedFields(values, before).every((name) => !others.includes(name));
}
