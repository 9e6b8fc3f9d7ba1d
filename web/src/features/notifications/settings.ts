// When mail is sent about each topic: asked, and changed.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import {
  type GetNotificationSettingsResponse,
  MailFrequency,
  NotificationsService,
  NotificationType,
  type TopicSetting,
} from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { askedBy, freshen, type IsStale } from "../../lib/freshen";

const { getNotificationSettings } = NotificationsService.method;
const KEY = "notification-settings";

export type Topic = Exclude<NotificationType, NotificationType.UNSPECIFIED>;
export type Frequency = Exclude<MailFrequency, MailFrequency.UNSPECIFIED>;
type Answer = GetNotificationSettingsResponse;
export type Setting = { topic: Topic; mail: Frequency };

const T = NotificationType;
/** The topics by the area that they belong to, in the order of what happens there. */
export const GROUPS = [
  { area: "friends", topics: [T.FRIEND_REQUEST, T.FRIEND_ACCEPTED] },
  {
    area: "favors",
    topics: [
      T.FAVOR_REQUEST,
      T.FAVOR_SHARED,
      T.FAVOR_RESPONSE,
      T.FAVOR_COMPLETED,
      T.FAVOR_SETTLED,
      T.FAVOR_CANCELLED,
      T.FAVOR_REMINDER,
    ],
  },
  {
    area: "stuff",
    topics: [
      T.RENTAL_REQUEST,
      T.RENTAL_RESPONSE,
      T.RENTAL_STARTED,
      T.RENTAL_RETURNED,
      T.RENTAL_COMPLETED,
      T.RENTAL_REMINDER,
      T.RENTAL_CANCELLED,
      T.RENTAL_MOVED,
      T.RENTAL_PAYMENT,
    ],
  },
  { area: "goodturn", topics: [T.SYSTEM] },
] as const satisfies readonly { area: string; topics: readonly Topic[] }[];

/** What is set for a topic; of one that the server does not name nothing is known. */
export function frequencyOf(topics: readonly TopicSetting[], of: Topic): Frequency | undefined {
  const mail = topics.find(({ topic }) => topic === of)?.mail;
  // As the contract has it.
  return mail === MailFrequency.UNSPECIFIED ? MailFrequency.DAILY : mail;
}

const isOfSettings: IsStale = (query) => askedBy(query).methodName === getNotificationSettings.name;

const withMail = (topics: TopicSetting[], { topic, mail }: Setting): TopicSetting[] =>
  topics.map((one) => (one.topic === topic ? { ...one, mail } : one));

/** Nobody else sets it: what is on its way is shown at once, over what the server has, and no more when it failed. */
export function useSettings() {
  const pending = useMutationState({
    filters: { mutationKey: [KEY], status: "pending" },
    select: ({ state }) => state.variables as readonly Setting[],
  });
  return useQuery(getNotificationSettings, {}, { select: ({ topics }) => pending.flat().reduce(withMail, topics) });
}

/** One after another. */
export function useSet() {
  const client = createClient(NotificationsService, useTransport());
  const cache = useQueryClient();
  const queryKey = createConnectQueryKey({ schema: getNotificationSettings, cardinality: "finite" });
  return useMutation({
    mutationKey: [KEY],
    scope: { id: KEY },
    mutationFn: (settings: readonly Setting[]) => client.updateNotificationSettings({ topics: [...settings] }),
    onSuccess: async (_answer, settings) => {
      // What was asked before the change is older than its answer.
      await cache.cancelQueries({ predicate: isOfSettings });
      cache.setQueriesData<Answer>(
        { queryKey },
        (answer) => answer && { ...answer, topics: settings.reduce(withMail, answer.topics) },
      );
    },
    // While others wait, what the server has is not what they shall become.
    onSettled: () => {
      if (cache.isMutating({ mutationKey: [KEY] }) === 1) freshen(cache, isOfSettings);
    },
  });
}
