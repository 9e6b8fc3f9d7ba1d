// The rules of the favor form.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { Currency } from "../../gen/goodturn/common/v1/currency_pb";
import { FavorCategory, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendSchema } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { GroupSchema } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { nextCurrency } from "../../lib/money";
import {
  blank,
  checkDraft,
  checkPost,
  cloneOf,
  createRequest,
  isBlank,
  isSentAs,
  readValues,
  tipFrom,
  updateRequest,
  withStart,
} from "./form";
import { instantOf } from "./CalendarSheet";
import { askedOf } from "./circle";
import { matches } from "../../lib/matches";

const now = new Date(2026, 10, 21, 11, 30);
const later = new Date(2026, 10, 22, 10).toISOString();
const latest = new Date(2026, 10, 23, 10).toISOString();
const good = {
  ...blank(),
  title: "Walk Biscuit",
  description: "Round the park",
  start: later,
  confirmBy: later,
  recipients: ["ben"],
};

describe("what a form needs", () => {
  it("a_draft_needs_title_and_description_alone", () => {
    expect(checkDraft(blank())).toEqual({
      title: "Please enter a favor title",
      description: "Please enter a favor description",
    });
    expect(checkDraft({ ...blank(), title: "a", description: "b" })).toEqual({});
  });

  it("posting_needs_start_and_a_recipient_too", () => {
    expect(checkPost({ ...blank(), title: "a", description: "b" }, now)).toEqual({
      start: "Please select when you need help",
      recipients: "Please select at least one recipient",
    });
    expect(checkPost(good, now)).toEqual({});
    expect(checkPost({ ...good, recipients: [], groups: ["street"] }, now)).toEqual({});
  });

  it("the_start_is_not_past", () =>
    expect(checkPost(good, new Date(latest))).toEqual({ start: "The start cannot be in the past" }));

  it("the_deadline_is_not_after_the_start", () =>
    expect(checkDraft({ ...good, confirmBy: latest })).toEqual({
      confirmBy: "Invalid Date: Confirmation deadline cannot be after the start date",
    }));

  it("the_first_wrong_field_comes_first", () =>
    expect(Object.keys(checkPost(blank(), now))).toEqual(["title", "description", "start", "recipients"]));
});

describe("tips", () => {
  it.each([
    ["", 0],
    ["15", 15],
    ["15.5", 15.5],
    ["15,50", 15.5],
    ["1000000", 1_000_000],
  ])("%s_is_%d", (typed, tip) => expect(tipFrom(typed)).toBe(tip));

  it.each(["-1", "1.234", "abc", "1000001", "1e3"])("%s_is_no_amount", (typed) => expect(tipFrom(typed)).toBeNaN());

  it("a_tap_goes_through_the_currencies", () => {
    expect((["USD", "INR", "EUR", "GBP"] as const).map(nextCurrency)).toEqual(["INR", "EUR", "GBP", "USD"]);
  });
});

describe("start and deadline", () => {
  it("the_deadline_defaults_to_the_start", () => expect(withStart(blank(), later).confirmBy).toBe(later));
  it("it_follows_while_it_is_the_same", () => expect(withStart(good, latest).confirmBy).toBe(latest));
  it("it_never_stays_behind_an_earlier_start", () =>
    expect(withStart({ ...good, start: latest, confirmBy: latest }, later).confirmBy).toBe(later));
});

describe("cloning", () => {
  const favor = create(FavorSchema, {
    id: "f",
    title: "Walk Biscuit",
    description: "Round the park",
    category: FavorCategory.PET_CARE,
    tip: 15,
    currency: Currency.EUR,
    recipients: ["ben"],
    startDate: timestampFromDate(now),
  });

  it("copies_what_is_asked_for_tomorrow_at_ten", () => {
    const clone = cloneOf(favor, now);
    expect(clone).toEqual({
      ...blank(),
      title: "Walk Biscuit",
      description: "Round the park",
      category: FavorCategory.PET_CARE,
      start: later,
      confirmBy: later,
    });
  });
});

describe("requests", () => {
  it("a_draft_without_dates_sends_none", () => {
    const request = createRequest({ ...blank(), title: " a ", description: "b" }, FavorStatus.DRAFT);
    expect(request).toMatchObject({
      title: "a",
      status: FavorStatus.DRAFT,
      startDate: undefined,
      confirmationDate: undefined,
      tip: 0,
    });
  });

  it("a_change_names_every_field_so_that_emptied_ones_are_emptied", () => {
    expect(updateRequest("f", blank()).updateMask.paths).toContain("start_date");
  });
});

describe("what was kept", () => {
  it("comes_back_as_it_was", () => expect(readValues(JSON.parse(JSON.stringify(good)))).toEqual(good));
  it.each([null, 3, {}, { ...good, category: 99 }, { ...good, recipients: "ben" }])("%j_is_not_a_form", (value) =>
    expect(readValues(value)).toBeNull(),
  );
  it("a_blank_form_is_nothing_to_lose", () => {
    expect(isBlank(blank())).toBe(true);
    expect(isBlank(good)).toBe(false);
  });
});

it("the_clock_of_the_calendar_knows_noon_and_midnight", () => {
  expect(instantOf("2026-11-22", { hour: "12", minute: "15", half: "AM" }).getHours()).toBe(0);
  expect(instantOf("2026-11-22", { hour: "12", minute: "15", half: "PM" }).getHours()).toBe(12);
  expect(instantOf("2026-11-22", { hour: "3", minute: "45", half: "PM" })).toEqual(new Date(2026, 10, 22, 15, 45));
});

it("friends_are_found_by_any_name_and_address", () => {
  const friend = { displayName: "Benny", email: "ben@example.com", firstName: "Benjamin", lastName: "Carter" };
  for (const search of ["BENNY", "example", "jamin", " carter "]) expect(matches(friend, search)).toBe(true);
  expect(matches(friend, "ana")).toBe(false);
});

describe("groups of a favor", () => {
  it("a_form_that_an_earlier_release_kept_has_none", () => {
    const { groups: _, ...before } = good;
    expect(readValues(before)).toEqual({ ...good, groups: [] });
    expect(readValues({ ...good, groups: ["street"] })?.groups).toEqual(["street"]);
  });

  it("they_are_sent_with_the_others", () => {
    const values = { ...good, groups: ["street"] };
    expect(createRequest(values, FavorStatus.ACTIVE)).toMatchObject({ recipients: ["ben"], groupIds: ["street"] });
    const change = updateRequest("f", values);
    expect([change.groupIds, change.updateMask.paths.includes("group_ids")]).toEqual([["street"], true]);
    expect(updateRequest("f", good, values).updateMask.paths).toContain("group_ids");
    expect(updateRequest("f", good).updateMask.paths).not.toContain("group_ids");
  });

  it("a_posted_favor_is_what_was_sent_when_those_chosen_are_asked", () => {
    const sent = { ...good, groups: ["street"] };
    expect(isSentAs({ ...good, recipients: ["ben", "priya"] }, sent)).toBe(true);
    expect(isSentAs({ ...good, recipients: ["priya"] }, sent)).toBe(false);
    expect(isSentAs({ ...good, title: "Another" }, sent)).toBe(false);
    expect(isSentAs(sent, sent)).toBe(true);
    expect(isSentAs({ ...good, recipients: ["ben", "priya"] }, good)).toBe(false);
  });

  it("who_is_in_several_is_asked_once_and_only_friends_are", () => {
    const friends = ["ben", "priya", "sofia"].map((uid) => create(FriendSchema, { uid }));
    const groups = [
      create(GroupSchema, { groupId: "street", members: ["ben", "priya"] }),
      create(GroupSchema, { groupId: "club", members: ["priya", "gone"] }),
    ];
    const asked = (recipients: string[], chosen: string[]) =>
      askedOf({ friends, groups }, { recipients, groups: chosen }).map(({ uid }) => uid);
    expect(asked(["ben"], ["street", "club"])).toEqual(["ben", "priya"]);
    expect(asked([], ["unknown"])).toEqual([]);
  });
});
