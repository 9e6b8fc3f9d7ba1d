// Presets of the email settings: derived from the topics, set by one call, and opened topic by topic.
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import {
  MailFrequency,
  NotificationsService,
  NotificationType as T,
} from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { renderWith } from "../../testing/render";
import { changesFor, presetOf } from "./presets";
import { SettingsScreen } from "./SettingsScreen";

const { AT_ONCE, DAILY, OFF } = MailFrequency;
const ALL = Object.values(T).filter((topic): topic is T => typeof topic === "number" && topic !== T.UNSPECIFIED);
const NEWS = [
  T.FAVOR_SHARED,
  T.FAVOR_COMPLETED,
  T.FAVOR_SETTLED,
  T.RENTAL_STARTED,
  T.RENTAL_RETURNED,
  T.RENTAL_COMPLETED,
  T.RENTAL_PAYMENT,
];

type Mails = Map<number, MailFrequency>;
const usual = (): Mails => new Map(ALL.map((topic) => [topic, NEWS.includes(topic) ? DAILY : AT_ONCE]));
const topicsOf = (mails: Mails) =>
  [...mails].map(([topic, mail]) => ({ topic, mail, $typeName: "goodturn.notifications.v1.TopicSetting" as const }));

describe("presetOf", () => {
  it("what_the_server_does_of_itself_is_important", () => expect(presetOf(topicsOf(usual()))).toBe("important"));

  it("one_topic_that_differs_is_none", () =>
    expect(presetOf(topicsOf(usual().set(T.FRIEND_REQUEST, OFF)))).toBeUndefined());

  it.each(["everything", "important", "quiet"] as const)("what_%s_sets_is_%s", (preset) => {
    const mails: Mails = new Map(ALL.map((topic) => [topic, MailFrequency.UNSPECIFIED]));
    for (const { topic, mail } of changesFor(preset, topicsOf(mails))) mails.set(topic, mail);
    expect(presetOf(topicsOf(mails))).toBe(preset);
  });

  it("a_topic_of_a_newer_server_is_left_alone", () => {
    const topics = topicsOf(usual().set(9999, DAILY));
    expect(presetOf(topics)).toBe("important");
    expect(changesFor("quiet", topics).map(({ topic }) => topic)).not.toContain(9999);
  });
});

function show(mails = usual()) {
  const server = { mails, calls: [] as T[][], error: undefined as ConnectError | undefined };
  renderWith(
    ({ service }) =>
      service(NotificationsService, {
        getNotificationSettings: () => ({ topics: topicsOf(server.mails) }),
        updateNotificationSettings({ topics }) {
          server.calls.push(topics.map(({ topic }) => topic));
          if (server.error !== undefined) throw server.error;
          for (const { topic, mail } of topics) server.mails.set(topic, mail);
          return { topics: topicsOf(server.mails) };
        },
      }),
    <SettingsScreen email="ana@example.com">{null}</SettingsScreen>,
  );
  return server;
}

const preset = (name: string) => screen.findByRole("radio", { name });
const customize = () => screen.getByRole("button", { name: "Customize" });
const topic = () => screen.queryByRole("radiogroup", { name: "Someone sends you a friend request" });

it("a_preset_is_chosen_and_said_and_only_what_it_changes_is_sent_at_once", async () => {
  const server = show();
  expect(await preset("Important")).toBeChecked();
  expect(await preset("Quiet")).toHaveAccessibleDescription("No emails, except notices from Goodturn.");
  expect(screen.queryByRole("radio", { name: "Custom" })).toBeNull();
  await userEvent.click(await preset("Everything"));
  expect(await screen.findByText("Saved: Everything")).toBeInTheDocument();
  expect(await preset("Everything")).toBeChecked();
  expect(server.calls).toEqual([NEWS.toSorted((a, b) => a - b)]);
  await userEvent.click(await preset("Quiet"));
  expect(await screen.findByText("Saved: Quiet")).toBeInTheDocument();
  expect([...server.mails].filter(([, mail]) => mail !== OFF)).toEqual([[T.SYSTEM, AT_ONCE]]);
  expect(server.calls).toHaveLength(2);
});

it("the_topics_are_behind_customize_and_make_it_custom", async () => {
  show();
  await preset("Important");
  expect(topic()).toBeNull();
  expect(customize()).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(customize());
  expect(topic()).toBeInTheDocument();
  await userEvent.click(within(topic() ?? document.body).getByRole("radio", { name: "Off" }));
  expect(await preset("Custom")).toBeChecked();
  // A preset does not take the list away.
  await userEvent.click(await preset("Quiet"));
  await waitFor(() => expect(screen.queryByRole("radio", { name: "Custom" })).toBeNull());
  expect(topic()).toBeInTheDocument();
});

it("what_is_custom_is_shown_topic_by_topic", async () => {
  show(usual().set(T.FRIEND_REQUEST, OFF));
  expect(await preset("Custom")).toBeChecked();
  expect(topic()).toBeInTheDocument();
});

it("a_preset_that_was_not_saved_is_put_back_and_tried_again", async () => {
  const server = show();
  server.error = new ConnectError("down", Code.Unavailable);
  await userEvent.click(await preset("Quiet"));
  expect(await screen.findByText(/^Not saved: Quiet/)).toBeInTheDocument();
  await waitFor(async () => expect(await preset("Important")).toBeChecked());
  server.error = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(async () => expect(await preset("Quiet")).toBeChecked());
});
