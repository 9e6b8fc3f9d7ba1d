// The texts of those who help, offer to, or could at another time, and of the sheets in which somebody says so.
import { plural, spoken } from "../../lib/tongue";

export const offerWords = spoken({
  applicants: "Offers to help",
  choose: "Choose",
  chooseName: (name: string) => `Choose ${name}`,
  chooseTitle: (name: string) => `Choose ${name}?`,
  chooseText: "They'll help, and we'll let the others know.",
  times: "Proposed times",
  take: "Use this time",
  takeTime: (name: string, time: string) => `Use this time: ${time}, proposed by ${name}`,
  takeTitle: "Use this time?",
  takeText: (name: string, time: string) => `The favor will move to ${time}, and ${name} will help.`,
  decline: "Decline",
  declineTime: (name: string) => `Decline the time ${name} proposed`,
  declineTitle: "Decline this time?",
  declineText: (name: string) => `We'll let ${name} know. They can still help at the original time.`,
  declineLate: (name: string) => `We'll let ${name} know.`,
  backUps: (count: number) => plural(count, () => ({ one: "Backup", other: "Backups, in order" })),
  stillHelping: (count: number) =>
    plural(count, (n) => ({ one: `You're helping with ${n} favor.`, other: `You're helping with ${n} favors.` })),
  leavesThem: (count: number) =>
    plural(count, () => ({ one: "You'll step back from it.", other: "You'll step back from them." })),
  others: (count: number) => plural(count, (n) => ({ one: `and ${n} more`, other: `and ${n} more` })),
  message: "Message (optional)",
  start: "Propose a start time (optional)",
  noStart: "Remove the start time",
  hasPassed: "This time has passed. Please choose another one.",
  whoElse: "Who else could help?",
  ask: "Ask",
  askName: (name: string) => `Ask ${name}`,
  everybodyAsked: "Everyone has been asked",
  everybodyAskedText: "You've asked all your friends for this favor.",
  everybodyAskedOrOffers: "Everyone has been asked or has offered",
  everybodyAskedOrOffersText: "Each of your friends has been asked for this favor or has offered to help.",
  noFriendNow: "You're no longer friends.",
  tooManyAsked: "You can't ask any more friends for this favor.",
});
