// The texts of money, lists and names, and of the document's title.
import { plural, spoken } from "./tongue";

export const words = spoken({
  titled: (screen: string) => (screen === "" ? "Goodturn" : `${screen} · Goodturn`),
  others: (count: number) => plural(count, (n) => ({ one: `${n} other`, other: `${n} others` })),
  formerMember: "A former member",
  formerMemberWithin: "a former member",
  money: (amount: string, code: string) => `${amount} ${code}`,
});
