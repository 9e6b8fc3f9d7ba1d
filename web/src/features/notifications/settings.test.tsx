// Settings of notifications: each topic shows what is set, is saved at once, and put back when that failed.
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import {
  MailFrequency,
  NotificationsService,
  NotificationType,
} from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { renderWith } from "../../testing/render";
import { SettingsScreen } from "./SettingsScreen";
import { UnsubscribePage } from "./UnsubscribePage";
import { frequencyOf, GROUPS } from "./settings";

const { FRIEND_REQUEST, FAVOR_REQUEST } = NotificationType;

function show({ fails = false } = {}) {
  const server = {
    fails,
    mails: new Map([
      [FRIEND_REQUEST, MailFrequency.AT_ONCE],
      [FAVOR_REQUEST, MailFrequency.UNSPECIFIED],
    ]),
    error: undefined as ConnectError | undefined,
    answers: Promise.resolve(),
    sent: [] as [NotificationType, MailFrequency][],
  };
  const topics = () => ({ topics: [...server.mails].map(([topic, mail]) => ({ topic, mail })) });
  renderWith(
    ({ service }) =>
      service(NotificationsService, {
        getNotificationSettings() {
          if (server.fails) throw new ConnectError("down", Code.Unavailable);
          return topics();
        },
        async updateNotificationSettings({ topics: changed }) {
          server.sent.push(...changed.map(({ topic, mail }): [NotificationType, MailFrequency] => [topic, mail]));
          await server.answers;
          if (server.error !== undefined) throw server.error;
          for (const { topic, mail } of changed) server.mails.set(topic, mail);
          return topics();
        },
      }),
    <SettingsScreen email="ana@example.com">
      <p>Muted</p>
    </SettingsScreen>,
  );
  return server;
}

const group = (name: string): Promise<HTMLElement> => screen.findByRole("radiogroup", { name });
const radio = async (topic: string, name: string): Promise<HTMLElement> =>
  within(await group(topic)).getByRole("radio", { name });
const REQUEST = "Someone sends you a friend request";

it("what_is_set_is_shown_by_area", async () => {
  show();
  expect(screen.getByRole("status", { name: "Loading settings..." })).toBeInTheDocument();
  expect(await radio(REQUEST, "Instant")).toBeChecked();
  // The contract reads it so.
  expect(await radio("A friend asks you for a favor", "Daily")).toBeChecked();
  expect(screen.getByRole("region", { name: "Friends" })).toContainElement(await group(REQUEST));
  // Topics of which the server says nothing are not offered.
  expect(screen.queryByText("Share Stuff")).toBeNull();
  expect(screen.getByText("ana@example.com", { exact: false })).toBeInTheDocument();
});

it("every_topic_has_its_place", () => {
  const all = Object.values(NotificationType).filter((t) => typeof t === "number" && t !== 0);
  const placed = GROUPS.flatMap(({ topics }): NotificationType[] => [...topics]);
  expect(placed.toSorted((a, b) => a - b)).toEqual(all);
});

it("of_a_topic_that_is_not_named_nothing_is_known", () => expect(frequencyOf([], FRIEND_REQUEST)).toBeUndefined());

it("a_choice_is_saved_at_once", async () => {
  const server = show();
  await userEvent.click(await radio(REQUEST, "Off"));
  expect(await radio(REQUEST, "Off")).toBeChecked();
  expect(await screen.findByText(/^Saved: /)).toHaveTextContent("Someone sends you a friend request");
  expect(server.sent).toEqual([[FRIEND_REQUEST, MailFrequency.OFF]]);
});

it("what_could_not_be_saved_is_put_back_and_tried_again", async () => {
  const server = show();
  server.error = new ConnectError("down", Code.Unavailable);
  await userEvent.click(await radio(REQUEST, "Daily"));
  expect(await screen.findByText(/^Not saved: /)).toBeInTheDocument();
  await waitFor(async () => expect(await radio(REQUEST, "Instant")).toBeChecked());
  server.error = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(async () => expect(await radio(REQUEST, "Daily")).toBeChecked());
  expect(server.sent).toEqual([
    [FRIEND_REQUEST, MailFrequency.DAILY],
    [FRIEND_REQUEST, MailFrequency.DAILY],
  ]);
});

it("the_last_choice_is_shown_while_those_before_it_are_on_their_way", async () => {
  const server = show();
  const releases: (() => void)[] = [];
  server.answers = new Promise((resolve) => releases.push(resolve));
  const [off, daily] = [await radio(REQUEST, "Off"), await radio(REQUEST, "Daily")];
  await userEvent.click(off);
  await userEvent.click(daily);
  expect(daily).toBeChecked();
  server.error = new ConnectError("down", Code.Unavailable);
  server.answers = new Promise((resolve) => releases.push(resolve));
  releases[0]?.();
  await waitFor(() => expect(server.sent).toHaveLength(2));
  expect(daily).toBeChecked();
  server.error = undefined;
  releases[1]?.();
  await waitFor(() => expect(server.mails.get(FRIEND_REQUEST)).toBe(MailFrequency.DAILY));
  expect(daily).toBeChecked();
});

it("when_two_choices_fail_what_the_server_has_is_shown", async () => {
  const server = show();
  let release: (() => void) | undefined;
  server.answers = new Promise((resolve) => (release = resolve));
  await userEvent.click(await radio(REQUEST, "Off"));
  await userEvent.click(await radio(REQUEST, "Daily"));
  // Nor can it be asked then.
  server.fails = true;
  server.error = new ConnectError("down", Code.Unavailable);
  release?.();
  await waitFor(() => expect(server.sent).toHaveLength(2));
  await waitFor(async () => expect(await radio(REQUEST, "Instant")).toBeChecked());
});

it("settings_that_could_not_be_loaded_offer_retry", async () => {
  const server = show({ fails: true });
  expect(await screen.findByText("Failed to load the settings. Please try again.")).toBeInTheDocument();
  server.fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await radio(REQUEST, "Instant")).toBeChecked();
});

function showLink(active = true) {
  const server = { ended: [] as string[] };
  renderWith(
    ({ service }) =>
      service(NotificationsService, {
        getMailSubscription: () => ({ topics: [FAVOR_REQUEST, FRIEND_REQUEST], address: "a…@example.com", active }),
        unsubscribe({ token }) {
          server.ended.push(token);
          return {};
        },
      }),
    <UnsubscribePage token="t" />,
  );
  return server;
}

it("mails_end_by_a_link_and_a_press", async () => {
  const server = showLink();
  expect(await screen.findByRole("heading", { name: "Do you want fewer emails?" })).toBeInTheDocument();
  expect(screen.getByText(/a…@example\.com/)).toBeInTheDocument();
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "A friend asks you for a favor",
    "Someone sends you a friend request",
  ]);
  expect(server.ended).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Stop these emails" }));
  expect(await screen.findByRole("heading", { name: "You won't get these emails anymore." })).toHaveFocus();
  expect(server.ended).toEqual(["t"]);
});

it("mails_that_have_ended_are_not_asked_about", async () => {
  showLink(false);
  expect(await screen.findByRole("heading", { name: "You won't get these emails anymore." })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Stop these emails" })).toBeNull();
});
