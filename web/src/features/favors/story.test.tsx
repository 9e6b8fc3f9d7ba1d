// The story of a favor: the newest steps, and whether there were others before.
import { create } from "@bufbuild/protobuf";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import {
  FavorEventKind,
  FavorEventSchema,
  FavorSchema,
  FavorStatus,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
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
    "Ben offered another timeAt noon?",
    "You cancelled this favor",
  ]);
});

it("a_whole_story_says_nothing_of_earlier_steps", () => {
  expect(show(false)).toEqual(["Ben offered another timeAt noon?", "You cancelled this favor"]);
});
