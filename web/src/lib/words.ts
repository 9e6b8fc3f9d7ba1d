// The texts of times, money, lists and names, and of the document's title.
import { plural, spoken } from "./tongue";

export const words = spoken({
  titled: (screen: string) => (screen === "" ? "Goodturn" : `${screen} · Goodturn`),
  yesterday: "Yesterday",
  today: "Today",
  tomorrow: "Tomorrow",
  // No line begins with the dot.
  dayAndTime: (day: string, time: string) => `${day}\u00a0· ${time}`,
  justNow: "Just now",
  hoursAgo: (hours: number) => `${hours}h ago`,
  daysAgo: (days: number) => `${days}d ago`,
  others: (count: number) => plural(count, (n) => ({ one: `${n} other`, other: `${n} others` })),
  formerMember: "A former member",
  formerMemberWithin: "a former member",
  money: (amount: string, code: string) => `${amount} ${code}`,
});
