// The names of the topics of notifications.
import { spoken } from "../../lib/tongue";

export const topicWords = spoken({
  friendRequest: "Somebody asks to be friends",
  friendAccepted: "Your friend request is accepted",
  favorRequest: "A friend asks you for a favor",
  favorShared: "A friend asks all friends for a favor",
  favorResponse: "Somebody answers your favor",
  favorCompleted: "A favor is completed",
  favorSettled: "A favor is settled",
  favorCancelled: "A favor is cancelled",
  favorReminder: "A favor needs your attention",
  rentalRequest: "Somebody asks to borrow",
  rentalResponse: "Your borrow request is answered",
  rentalStarted: "An item is handed over",
  rentalReturned: "An item is returned",
  rentalCompleted: "A return is confirmed",
  rentalReminder: "An item is due",
  rentalCancelled: "A loan is called off",
  rentalMoved: "Somebody asks for other days, or for more",
  system: "News of Goodturn itself",
});
