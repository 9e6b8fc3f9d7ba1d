// The texts of the first steps, which only who is new sees.
import { plural, spoken } from "../lib/tongue";

export const words = spoken({
  firstSteps: "First steps",
  stepDone: (step: string) => `${step}, done`,
  findFriend: "Find a friend",
  findFriendText: "Favors go between friends. Search by e\u2011mail or phone, and ask them to be friends.",
  friendsAsked: (names: string, count: number) =>
    plural(count, () => ({
      one: `${names} has your request. You can go on when somebody accepts.`,
      other: `${names} have your request. You can go on when somebody accepts.`,
    })),
  findFriends: "Find Friends",
  findMore: "Find more friends",
  askFavor: "Ask for a favor",
  inviteFriend: "Invite a friend",
  listSomething: "List something",
  lend: "Lend something",
  lendText: "A drill, a tent, a cake pan: list what your friends may borrow.",
  listItem: "List an Item",
  askFavorText: "Something small will do. Neighbors like to be asked.",
});
