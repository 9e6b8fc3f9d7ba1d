// The texts of days and times.
import { spoken } from "./tongue";

export const timeWords = spoken({
  yesterday: "Yesterday",
  today: "Today",
  tomorrow: "Tomorrow",
  // No line begins with the dot.
  dayAndTime: (day: string, time: string) => `${day}\u00a0· ${time}`,
  justNow: "Just now",
  hoursAgo: (hours: number) => `${hours}h ago`,
  daysAgo: (days: number) => `${days}d ago`,
});
