// Presets of the email settings: what each sets for every topic, and which one the settings amount to.
import {
  MailFrequency,
  NotificationType,
  type TopicSetting,
} from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { type Frequency, frequencyOf, type Setting, type Topic } from "./settings";

const { AT_ONCE, DAILY, OFF } = MailFrequency;
const T = NotificationType;

export const PRESETS = ["everything", "important", "quiet"] as const;
export type Preset = (typeof PRESETS)[number];

/** News that asks nothing of anybody, which the server mails daily unless it is told otherwise. */
const NEWS: ReadonlySet<Topic> = new Set<Topic>([
  T.FAVOR_SHARED,
  T.FAVOR_COMPLETED,
  T.FAVOR_SETTLED,
  T.RENTAL_STARTED,
  T.RENTAL_RETURNED,
  T.RENTAL_COMPLETED,
  T.RENTAL_PAYMENT,
]);

/** "important" is what the server does for a member who has chosen nothing. */
const MAILS: Record<Preset, (topic: Topic) => Frequency> = {
  everything: () => AT_ONCE,
  important: (topic) => (NEWS.has(topic) ? DAILY : AT_ONCE),
  quiet: (topic) => (topic === T.SYSTEM ? AT_ONCE : OFF),
};

/** A newer server may name topics that are not known here: no preset is about them. */
const isKnown = (topic: NotificationType): topic is Topic => topic !== T.UNSPECIFIED && T[topic] !== undefined;

/** What has to be set for a preset: the topics that differ from it. */
export function changesFor(preset: Preset, topics: readonly TopicSetting[]): Setting[] {
  return topics
    .map(({ topic }) => topic)
    .filter(isKnown)
    .map((topic) => ({ topic, mail: MAILS[preset](topic) }))
    .filter(({ topic, mail }) => frequencyOf(topics, topic) !== mail);
}

/** The preset that the settings amount to, if any. */
export const presetOf = (topics: readonly TopicSetting[]): Preset | undefined =>
  PRESETS.find((preset) => changesFor(preset, topics).length === 0);
