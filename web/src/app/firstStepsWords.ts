// The texts of the first steps, which only who is new sees.
import { plural, spoken } from "../lib/tongue";

export const words = spoken({
  firstSteps: "First steps",
  hide: "Hide",
  hideSteps: "Hide first steps",
  stepDone: (step: string) => `${step}, done`,
  findFriend: "Find a friend",
  findFriendText: "Favors happen between friends. Search by email or phone and send a request.",
  friendsAsked: (names: string, count: number) =>
    plural(count, () => ({
      one: `${names} has your request. You can continue once they accept.`,
      other: `${names} have your request. You can continue once someone accepts.`,
    })),
  findFriends: "Find Friends",
  findMore: "Find more friends",
  askFavor: "Request your first favor",
  inviteFriend: "Invite a friend",
  lend: "Lend something",
  lendText: "A drill, a tent, a cake pan: list what your friends can borrow.",
  listItem: "List an item",
  askFavorText: "Start small. Neighbors like to be asked.",
});
