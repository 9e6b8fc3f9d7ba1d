// The texts of Home that come with its answers, and of the toasts. Those of the first steps: firstStepsWords.ts.
import { plural, spoken } from "../lib/tongue";

export const words = spoken({
  view: "View",
  asks: (name: string) => `${name} asks for a favor`,
  moreAbout: (title: string) => `More about ${title}`,
  friendRequests: (count: number) =>
    plural(count, (n) => ({ one: `${n} friend request`, other: `${n} friend requests` })),
  offers: (count: number) =>
    plural(count, (n) => ({ one: `${n} friend offers to help`, other: `${n} friends offer to help` })),
  timeProposed: "Another time was proposed",
  waitsForAnswer: "Waiting for an answer",
  startPassed: "The start has passed",
  helpsYou: (name: string) => `${name} is helping you`,
  somebodyHelpsYou: "Somebody is helping you",
  youBackUp: (name: string) => `You are a back-up for ${name}`,
  youHelp: (name: string) => `You are helping ${name}`,
  todayIs: (day: string) => `Today, ${day}`,
  tomorrowIs: (day: string) => `Tomorrow, ${day}`,
  recent: "Recent Favors",
  seeAll: "See all",
  thingsWait: (count: number) =>
    count === 0
      ? "Nobody is waiting for your answer."
      : plural(count, (n) => ({ one: "One thing needs your answer.", other: `${n} things need your answer.` })),
  rentalsWait: "Rentals that need your answer",
  neighborsFailed: "What waits for your answer could not be loaded.",
  needsAnswer: "Needs your answer",
  comingUp: "Coming up",
  nothingPlanned: "No favor is planned yet",
  nothingPlannedText: "A favor with a date stands here until its day has come.",
});
