// What the topics of notifications are called.
import { NotificationType } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import type { Topic } from "./settings";
import { topicWords as named } from "./topicWords";

export const NAMES: Record<Topic, string> = {
  [NotificationType.FRIEND_REQUEST]: named.friendRequest,
  [NotificationType.FRIEND_ACCEPTED]: named.friendAccepted,
  [NotificationType.FAVOR_REQUEST]: named.favorRequest,
  [NotificationType.FAVOR_SHARED]: named.favorShared,
  [NotificationType.FAVOR_RESPONSE]: named.favorResponse,
  [NotificationType.FAVOR_COMPLETED]: named.favorCompleted,
  [NotificationType.FAVOR_SETTLED]: named.favorSettled,
  [NotificationType.FAVOR_CANCELLED]: named.favorCancelled,
  [NotificationType.FAVOR_REMINDER]: named.favorReminder,
  [NotificationType.RENTAL_REQUEST]: named.rentalRequest,
  [NotificationType.RENTAL_RESPONSE]: named.rentalResponse,
  [NotificationType.RENTAL_STARTED]: named.rentalStarted,
  [NotificationType.RENTAL_RETURNED]: named.rentalReturned,
  [NotificationType.RENTAL_COMPLETED]: named.rentalCompleted,
  [NotificationType.RENTAL_REMINDER]: named.rentalReminder,
  [NotificationType.RENTAL_CANCELLED]: named.rentalCancelled,
  [NotificationType.RENTAL_MOVED]: named.rentalMoved,
  [NotificationType.RENTAL_PAYMENT]: named.rentalPayment,
  [NotificationType.SYSTEM]: named.system,
};

/** Those of a newer server have no name here. */
export const namesOfTopics = (topics: readonly NotificationType[]): readonly string[] =>
  topics.flatMap((topic) => (topic === NotificationType.UNSPECIFIED ? [] : (NAMES[topic] ?? no)));
const no: readonly string[] = [];
