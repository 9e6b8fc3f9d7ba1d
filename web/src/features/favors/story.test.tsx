// The story of a favor: the newest steps, and whether there were others before.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { FavorAction, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import {
  FavorEventKind,
  FavorEventSchema,
  FavorResponse,
  RecipientSchema,
} from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { Timeline } from "../../ui/Timeline";
import { storyOf } from "./story";

function show(hasEarlier: boolean): string[] {
  const favor = create(FavorSchema, { status: FavorStatus.CANCELLED, createdBy: "ana" });
  const events = [
    create(FavorEventSchema, {
      kind: FavorEventKind.ANOTHER_TIME,
      actor: { uid: "ben", displayName: "Ben Okafor" },
      message: "At noon?",
    }),
    create(FavorEventSchema, { kind: FavorEventKind.CANCELLED, actor: { uid: "ana", displayName: "Ana Silva" } }),
  ];
  render(
    <Timeline
      label="Story"
      steps={storyOf({ favor, events, hasEarlier, recipients: [], me: "ana", now: new Date() })}
    />,
  );
  return screen.getAllByRole("listitem").map((item) => item.querySelector(".tx")?.textContent ?? "");
}

it("a_story_whose_beginning_is_cut_says_so_and_shows_its_end", () => {
  expect(show(true)).toEqual([
    "Earlier steps are not shown",
    "Ben proposed another timeAt noon?",
    "You cancelled this favor",
  ]);
});

it("a_whole_story_says_nothing_of_earlier_steps", () => {
  expect(show(false)).toEqual(["Ben proposed another timeAt noon?", "You cancelled this favor"]);
});

it("thanks_stand_with_the_step_that_they_came_with", () => {
  const actor = { uid: "ana", displayName: "Ana Silva" };
  const events = [
    create(FavorEventSchema, { kind: FavorEventKind.COMPLETED, actor, message: "You saved my day" }),
    create(FavorEventSchema, { kind: FavorEventKind.SETTLED, actor, message: "Once more: thanks" }),
  ];
  const favor = create(FavorSchema, { status: FavorStatus.SETTLED, createdBy: "ana" });
  const steps = storyOf({ favor, events, hasEarlier: false, recipients: [], me: "ben", now: new Date() });
  render(<Timeline label="Story" steps={steps} />);
  expect(screen.getAllByRole("listitem").map((item) => item.querySelector(".quote")?.textContent)).toEqual([
    "You saved my day",
    "Once more: thanks",
  ]);
});

/** What Ana, or who else looks on, is told of what is next, when these have answered so. */
function next(me: string, ...responses: readonly FavorResponse[]): string {
  const favor = create(FavorSchema, { status: FavorStatus.ACTIVE, createdBy: "ana", requester: { name: "Ana Silva" } });
  const names = ["Ben Okafor", "Eve Lang"];
  const recipients = responses.map((response, i) =>
    create(RecipientSchema, { person: { uid: `friend${i}`, displayName: names[i] ?? "" }, response }),
  );
  const [step] = storyOf({ favor, events: [], hasEarlier: false, recipients, me, now: new Date() });
  return `${String(step?.what)}: ${step?.when ?? ""}`;
}

const { UNSPECIFIED, DECLINE, ANOTHER_TIME } = FavorResponse;

it("a_story_counts_who_has_answered", () => {
  expect(next("ana", UNSPECIFIED)).toBe("Ben was asked: No answer yet");
  expect(next("ana", DECLINE)).toBe("Ben was asked: They can't help. Ask someone else or cancel the favor.");
  expect(next("ana", DECLINE, UNSPECIFIED)).toBe("Ben and Eve were asked: 1 of 2 has answered");
  expect(next("ana", DECLINE, DECLINE)).toBe(
    "Ben and Eve were asked: Nobody you asked can help. Ask someone else or cancel the favor.",
  );
});

it("an_offer_of_another_time_has_a_next_step_for_both", () => {
  expect(next("ana", ANOTHER_TIME)).toBe("Ben was asked: They answered. Edit the favor if another time works for you.");
  expect(next("friend0", ANOTHER_TIME)).toBe("Waiting for Ana: ");
  expect(next("friend0", UNSPECIFIED)).toBe("Waiting for your answer: ");
});

it("a_start_that_passed_is_told_with_what_can_be_done_unless_somebody_offers", () => {
  const now = new Date();
  const at = (ms: number) => timestampFromDate(new Date(now.getTime() + ms));
  const nextAt = (ms: number, allowedActions: FavorAction[] = []): string => {
    const favor = create(FavorSchema, {
      status: FavorStatus.ACTIVE,
      createdBy: "ana",
      startDate: at(ms),
      allowedActions,
    });
    const recipients = [create(RecipientSchema, { person: { uid: "ben", displayName: "Ben Okafor" } })];
    return String(storyOf({ favor, events: [], hasEarlier: false, recipients, me: "ana", now })[0]?.what);
  };
  expect(nextAt(1)).toBe("Ben was asked");
  expect(nextAt(0)).toBe("Start time has passed");
  expect(nextAt(-60_000, [FavorAction.ACCEPT_TIME])).toBe("Ben was asked");
});

it.each<[FavorEventKind, string, string]>([
  [FavorEventKind.WITHDRAWN, "You stepped back", "Ben stepped back"],
  [FavorEventKind.MOVED_UP, "You moved up and are helping now", "Ben moved up and is helping now"],
  [FavorEventKind.APPLIED, "You offered to help", "Ben offered to help"],
  [FavorEventKind.CHOSEN, "You chose who helps", "Ben chose who helps"],
  [FavorEventKind.ASKED, "You asked one more friend", "Ben asked one more friend"],
  [FavorEventKind.TIME_ACCEPTED, "You accepted the proposed time", "Ben accepted the proposed time"],
  [FavorEventKind.TIME_DECLINED, "You declined the proposed time", "Ben declined the proposed time"],
  [FavorEventKind.TIP_MISSING, "You said the tip didn't arrive", "Ben said the tip didn't arrive"],
])("step_%d_is_told_to_who_did_it_and_to_others", (kind, you, others) => {
  const favor = create(FavorSchema, { status: FavorStatus.CANCELLED, createdBy: "ana" });
  const events = [create(FavorEventSchema, { kind, actor: { uid: "ben", displayName: "Ben Okafor" } })];
  const told = ["ben", "ana"].map((me) => {
    const steps = storyOf({ favor, events, hasEarlier: false, recipients: [], me, now: new Date() });
    const { container, unmount } = render(<Timeline label="Story" steps={steps} />);
    const text = container.querySelector(".tx")?.textContent;
    unmount();
    return text;
  });
  expect(told).toEqual([you, others]);
});

it.each([
  [1, "Tomorrow"],
  [3, "in 3 days"],
])("what_comes_up_in_%d_days_says_once_how_far_that_is", (days, says) => {
  const now = new Date(2026, 5, 1, 9);
  const startDate = timestampFromDate(new Date(2026, 5, 1 + days, 9));
  const favor = create(FavorSchema, { status: FavorStatus.ACCEPTED, createdBy: "ana", startDate });
  const [step] = storyOf({ favor, events: [], hasEarlier: false, recipients: [], me: "ana", now });
  expect(step?.when).toContain(says);
  expect(step?.when.match(/tomorrow|in \d+ days?/gi)).toHaveLength(1);
});
