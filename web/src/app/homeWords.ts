// The texts of Home that come with its answers, and of the toasts. Those of the first steps: firstStepsWords.ts.
import { plural, spoken } from "../lib/tongue";

export const words = spoken({
  view: "View",
  asks: (name: string) => `${name} needs a favor`,
  moreAbout: (title: string) => `More about ${title}`,
  friendRequests: (count: number) =>
    plural(count, (n) => ({ one: `${n} friend request`, other: `${n} friend requests` })),
  offers: (count: number) =>
    plural(count, (n) => ({ one: `${n} friend offered to help`, other: `${n} friends offered to help` })),
  waitsForAnswer: "Waiting for an answer",
  startPassed: "Start time has passed",
  helpsYou: (name: string) => `${name} is helping you`,
  somebodyHelpsYou: "Someone is helping you",
  youBackUp: (name: string) => `You're a backup for ${name}'s favor`,
  youHelp: (name: string) => `You're helping ${name}`,
  todayIs: (day: string) => `Today, ${day}`,
  tomorrowIs: (day: string) => `Tomorrow, ${day}`,
  recent: "Recent Favors",
  seeAll: "See all",
  thingsWait: (count: number) =>
    count === 0
      ? "Nobody is waiting for your answer."
      : plural(count, (n) => ({ one: "One thing needs your answer.", other: `${n} things need your answer.` })),
  rentalsWait: "Rentals that need your answer",
  neighborsFailed: "Couldn't load what needs your answer.",
  needsAnswer: "Needs your answer",
  comingUp: "Coming up",
  nothingPlanned: "No upcoming favors",
  nothingPlannedText: "Favors with a date show up here until the day comes.",
});
