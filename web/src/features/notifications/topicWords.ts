// The names of the topics of notifications.
import { spoken } from "../../lib/tongue";

export const topicWords = spoken({
  friendRequest: "Someone sends you a friend request",
  friendAccepted: "Someone accepts your friend request",
  favorRequest: "A friend asks you for a favor",
  favorShared: "A friend asks all their friends for a favor",
  favorResponse: "Someone answers your favor request",
  favorCompleted: "A favor is completed",
  favorSettled: "A favor is settled",
  favorCancelled: "A favor is cancelled",
  favorReminder: "A favor needs your attention",
  rentalRequest: "Someone asks to borrow an item",
  rentalResponse: "Your borrow request is answered",
  rentalStarted: "An item is handed over",
  rentalReturned: "An item is returned",
  rentalCompleted: "A return is confirmed",
  rentalReminder: "An item is due",
  rentalCancelled: "A rental is cancelled",
  rentalMoved: "Someone asks for new dates or more time",
  rentalPayment: "A rental payment is recorded",
  system: "There's a notice from Goodturn",
});
