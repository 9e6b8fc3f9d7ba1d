// The texts of browsing and searching favors.
import { plural, spoken } from "../../lib/tongue";

export const browseWords = spoken({
  search: "Search favors",
  location: "Location",
  where: "Street, district or town",
  category: "Category",
  all: "All",
  count: (count: number) => plural(count, (n) => ({ one: `${n} favor`, other: `${n} favors` })),
  over: (count: number) => plural(count, (n) => ({ other: `More than ${n} favors` })),
  fromFriends: (favors: string) => `From your friends\u00a0· ${favors}`,
  failed: "Failed to load your friends' favors",
  searchFailed: "Failed to search favors",
  noneOpen: "No favors to help with right now",
  noneOpenText: "What a friend asks everybody, and what you are asked, appears here.",
  noneFound: "No favor found",
  noneFoundText: "Try other words, or look everywhere.",
  clear: "Clear search",
  friendsAsk: "Your friends ask",
  seeAll: "See all",
});
