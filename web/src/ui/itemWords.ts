// What items are called wherever they stand.
import { CancellationPolicy, ItemCategory, ItemStatus } from "../gen/later/goodturn/items/v1/items_service_pb";
import { plural, spoken } from "../lib/tongue";

export const itemCategoryWords = spoken<Record<ItemCategory, string>>({
  [ItemCategory.UNSPECIFIED]: "Other",
  [ItemCategory.ELECTRONICS]: "Electronics",
  [ItemCategory.SPORTS]: "Sports & Outdoors",
  [ItemCategory.TOOLS]: "Tools & Equipment",
  [ItemCategory.TRANSPORTATION]: "Transportation",
  [ItemCategory.HOME]: "Home & Garden",
  [ItemCategory.ENTERTAINMENT]: "Entertainment",
  [ItemCategory.FASHION]: "Fashion & Accessories",
  [ItemCategory.OTHER]: "Other",
});

export const itemStatusWords = spoken<Record<ItemStatus, string>>({
  [ItemStatus.UNSPECIFIED]: "Unknown",
  [ItemStatus.DRAFT]: "Draft",
  [ItemStatus.LISTED]: "Listed",
  [ItemStatus.UNLISTED]: "Unlisted",
});

export const policyWords = spoken<Record<CancellationPolicy, string>>({
  [CancellationPolicy.UNSPECIFIED]: "Flexible",
  [CancellationPolicy.FLEX]: "Flexible",
  [CancellationPolicy.MODERATE]: "Moderate",
  [CancellationPolicy.STRICT]: "Strict",
});

/** What notice the owner expects of who calls a rental off. */
export const noticeWords = spoken<Record<CancellationPolicy, string>>({
  [CancellationPolicy.UNSPECIFIED]: "Free cancellation until the day before",
  [CancellationPolicy.FLEX]: "Free cancellation until the day before",
  [CancellationPolicy.MODERATE]: "Free cancellation until 3 days before",
  [CancellationPolicy.STRICT]: "Free cancellation until a week before",
});

export const itemWords = spoken({
  free: "Free to borrow",
  perDay: (price: string) => `${price} per day`,
  days: (count: number) => plural(count, (n) => ({ one: `${n} day`, other: `${n} days` })),
  formerMember: "Former member",
  gone: "It was deleted, it's no longer shared, or the link is wrong.",
  friendsOnly: "This item is only available to friends. Send a friend request to the owner to access their items.",
});
