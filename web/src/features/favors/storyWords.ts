// The texts of the story of a favor.
import { FavorEventKind } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { plural, spoken } from "../../lib/tongue";

type Deed = { you: string; who: (name: string) => string };

/** What is told of each step of a favor: done by the member, and by somebody else. */
export const deedWords = spoken<Record<FavorEventKind, Deed>>({
  [FavorEventKind.UNSPECIFIED]: { you: "You", who: (name) => name },
  [FavorEventKind.DRAFTED]: { you: "You saved a draft", who: (name) => `${name} saved a draft` },
  [FavorEventKind.POSTED]: { you: "You posted this favor", who: (name) => `${name} posted this favor` },
  [FavorEventKind.ACCEPTED]: { you: "You accepted", who: (name) => `${name} accepted` },
  [FavorEventKind.DECLINED]: { you: "You declined", who: (name) => `${name} can't help` },
  [FavorEventKind.ANOTHER_TIME]: { you: "You proposed another time", who: (name) => `${name} proposed another time` },
  [FavorEventKind.COMPLETED]: { you: "You marked it completed", who: (name) => `${name} marked it completed` },
  [FavorEventKind.SETTLED]: { you: "You marked it settled", who: (name) => `${name} marked it settled` },
  [FavorEventKind.CANCELLED]: { you: "You cancelled this favor", who: (name) => `${name} cancelled this favor` },
  [FavorEventKind.WITHDRAWN]: { you: "You stepped back", who: (name) => `${name} stepped back` },
  [FavorEventKind.MOVED_UP]: {
    you: "You moved up and are helping now",
    who: (name) => `${name} moved up and is helping now`,
  },
  [FavorEventKind.APPLIED]: { you: "You offered to help", who: (name) => `${name} offered to help` },
  [FavorEventKind.CHOSEN]: { you: "You chose who helps", who: (name) => `${name} chose who helps` },
  [FavorEventKind.ASKED]: { you: "You asked one more friend", who: (name) => `${name} asked one more friend` },
  [FavorEventKind.TIME_ACCEPTED]: {
    you: "You accepted the proposed time",
    who: (name) => `${name} accepted the proposed time`,
  },
  [FavorEventKind.TIME_DECLINED]: {
    you: "You declined the proposed time",
    who: (name) => `${name} declined the proposed time`,
  },
  [FavorEventKind.TIP_MISSING]: {
    you: "You said the tip didn't arrive",
    who: (name) => `${name} said the tip didn't arrive`,
  },
});

export const storyWords = spoken({
  heading: "The story so far",
  waitingForYou: "Waiting for your answer",
  waitingFor: (name: string) => (name === "" ? "Waiting for an answer" : `Waiting for ${name}`),
  asked: (names: string, count: number) =>
    plural(count, () => ({ one: `${names} was asked`, other: `${names} were asked` })),
  answered: (count: number, of: number) => {
    if (count === 0) return "No answer yet";
    if (count === of) return plural(of, () => ({ one: "They answered", other: "Everyone has answered" }));
    return plural(count, (n) => ({ one: `${n} of ${of} has answered`, other: `${n} of ${of} have answered` }));
  },
  allDeclined: (count: number) =>
    plural(count, () => ({
      one: "They can't help. Ask someone else or cancel the favor.",
      other: "Nobody you asked can help. Ask someone else or cancel the favor.",
    })),
  openToAll: "All your friends can offer to help",
  offers: (count: number) => {
    if (count === 0) return "Nobody has offered yet";
    return plural(count, (n) => ({ one: `${n} friend offered to help`, other: `${n} friends offered to help` }));
  },
  waitingForOffers: "Waiting for someone who can help",
  youProposed: (time: string) => `You proposed ${time}`,
  takeIt: (answers: string) => `${answers}. Use a proposed time if one works for you.`,
  moveIt: (answers: string) => `${answers}. Edit the favor if another time works for you.`,
  startPassed: "Start time has passed",
  moveOrCancel: "Nobody accepted in time. Move the favor to another time or cancel it.",
  toComplete: "Waiting to be marked completed",
  today: "Happening today",
  comingUp: "Coming up",
  at: (time: string, distance: string) => `${time}, ${distance}`,
  end: "Completed and settled",
  youSay: "Mark it completed when it's done",
  notPosted: "Not posted yet",
  onlyYou: "Only you can see this draft",
  toSettle: "To be settled",
  whenResolved: "Once everything, including any tip, is settled",
});
