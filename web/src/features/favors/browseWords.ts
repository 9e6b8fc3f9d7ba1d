// The texts of browsing and searching favors, and of offers of help on their cards.
import { plural, spoken } from "../../lib/tongue";

export const browseWords = spoken({
  search: "Search favors",
  location: "Location",
  where: "Street, area or town",
  category: "Category",
  all: "All",
  count: (count: number) => plural(count, (n) => ({ one: `${n} favor`, other: `${n} favors` })),
  over: (count: number) => plural(count, (n) => ({ other: `More than ${n} favors` })),
  fromFriends: (favors: string) => `From your friends\u00a0· ${favors}`,
  failed: "Failed to load your friends' favors",
  searchFailed: "Failed to search favors",
  noneOpen: "No favors to help with right now",
  noneOpenText: "Favors your friends need help with show up here.",
  noneFound: "No favors found",
  noneFoundText: "Try different words or other filters.",
  clear: "Clear search",
  friendsAsk: "Your friends need a hand",
  seeAll: "See all",
  offer: "Offer to help",
  offers: (count: number) => plural(count, (n) => ({ one: `${n} offer`, other: `${n} offers` })),
  youProposed: "You proposed a new time",
  backUp: "Be a backup",
});
