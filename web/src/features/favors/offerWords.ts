// The texts of those who help, offer to, or could at another time, and of the sheets in which somebody says so.
import { plural, spoken } from "../../lib/tongue";

export const offerWords = spoken({
  applicants: "Who offers to help",
  choose: "Choose",
  chooseName: (name: string) => `Choose ${name}`,
  chooseTitle: (name: string) => `Choose ${name}?`,
  chooseText: "They help then, and the others who offered are told.",
  times: "Proposed times",
  take: "Take",
  takeTime: (name: string, time: string) => `Take ${time}, proposed by ${name}`,
  takeTitle: "Take this time?",
  takeText: (name: string, time: string) => `The favor starts ${time} then, and ${name} helps.`,
  backUps: (count: number) => plural(count, () => ({ one: "Back-up", other: "Back-ups, in their order" })),
  others: (count: number) => plural(count, (n) => ({ one: `and ${n} more`, other: `and ${n} more` })),
  message: "Message (optional)",
  start: "Propose a start (optional)",
  noStart: "Remove the start",
  hasPassed: "This time has passed. Please choose another one.",
  whoElse: "Who else could help?",
  ask: "Ask",
  askName: (name: string) => `Ask ${name}`,
  everybodyAsked: "Everybody is asked",
  everybodyAskedText: "There is no friend of yours who was not asked for this favor.",
  noFriendNow: "They are no longer a friend of yours.",
  tooManyAsked: "This favor asks as many friends as it can.",
});
