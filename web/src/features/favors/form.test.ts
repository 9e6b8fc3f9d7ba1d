// The rules of the favor form.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { Currency } from "../../gen/goodturn/common/v1/currency_pb";
import { FavorCategory, FavorSchema, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendSchema } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { GroupSchema } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { nextCurrency } from "../../lib/money";
import { amountFrom } from "../../lib/amount";
import {
  blank,
  checkDraft,
  checkPost,
  cloneOf,
  changedFields,
  createRequest,
  isBlank,
  isSentAs,
  readValues,
  tooMuch,
  updateRequest,
  valuesOf,
  withStart,
} from "./form";
import { instantOf } from "./CalendarSheet";
import { askedOf, knownOf, withFriend, withGroup } from "./circle";
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
    expect(checkPost(good, new Date(latest))).toEqual({ start: "The start time cannot be in the past" }));

  it("the_deadline_is_not_after_the_start", () =>
    expect(checkDraft({ ...good, confirmBy: latest })).toEqual({
      confirmBy: "Invalid Date: Confirmation deadline cannot be after the start date",
    }));

  it("the_deadline_is_not_past_unless_it_was_that_already_when_the_favor_was_open", () => {
    const passed = { ...good, confirmBy: new Date(2026, 10, 21, 9).toISOString() };
    expect(checkPost(passed, now)).toEqual({ confirmBy: "The confirmation deadline cannot be in the past" });
    expect(checkPost({ ...passed, title: "Walk Rex" }, now, passed)).toEqual({});
    // The start's own deadline goes with it: one message is enough.
    expect(Object.keys(checkPost({ ...passed, start: passed.confirmBy }, now))).toEqual(["start"]);
  });

  it("all_friends_are_asked_without_choosing_any", () =>
    expect(checkPost({ ...good, isPublic: true, recipients: [] }, now)).toEqual({}));

  it("the_first_wrong_field_comes_first", () =>
    expect(Object.keys(checkPost(blank(), now))).toEqual(["recipients", "title", "description", "start"]));
});

describe("tips", () => {
  it.each([
    ["", 0],
    ["15", 15],
    ["15.5", 15.5],
    ["15,50", 15.5],
    ["1000000", 1_000_000],
  ])("%s_is_%d", (typed, tip) => expect(amountFrom(typed)).toBe(tip));

  it.each(["-1", "1.234", "abc", "1000001", "1e3"])("%s_is_no_amount", (typed) => expect(amountFrom(typed)).toBeNaN());

  it("a_tap_goes_through_the_currencies", () => {
    expect((["USD", "INR", "EUR", "GBP"] as const).map(nextCurrency)).toEqual(["INR", "EUR", "GBP", "USD"]);
  });
});

describe("start and deadline", () => {
  // It is the 21st, half past eleven. The starts are the 22nd and the 23rd at ten.
  const evening = new Date(2026, 10, 21, 18).toISOString();
  const nextEvening = new Date(2026, 10, 22, 18).toISOString();
  const today = new Date(2026, 10, 21, 20).toISOString();

  it("the_deadline_defaults_to_the_evening_before", () =>
    expect(withStart(blank(), later, now).confirmBy).toBe(evening));
  it("where_the_evening_before_is_past_it_is_the_start", () => {
    expect(withStart(blank(), today, now).confirmBy).toBe(today);
    expect(withStart(blank(), later, new Date(2026, 10, 21, 18)).confirmBy).toBe(later);
  });
  it("for_a_start_tomorrow_morning_it_is_this_evening_unless_that_is_too_soon", () => {
    expect(withStart(blank(), later, new Date(2026, 10, 21, 17)).confirmBy).toBe(evening);
    expect(withStart(blank(), later, new Date(2026, 10, 21, 17, 1)).confirmBy).toBe(later);
  });
  it.each([later, evening])("it_follows_while_it_is_the_default_%s", (confirmBy) =>
    expect(withStart({ ...good, confirmBy }, latest, now).confirmBy).toBe(nextEvening),
  );
  it("what_the_member_has_set_stays", () => {
    const noon = new Date(2026, 10, 21, 12).toISOString();
    expect(withStart({ ...good, confirmBy: noon }, latest, now).confirmBy).toBe(noon);
  });
  it("it_never_stays_behind_an_earlier_start", () => {
    const confirmBy = new Date(2026, 10, 23, 8).toISOString();
    expect(withStart({ ...good, start: latest, confirmBy }, later, now).confirmBy).toBe(evening);
  });
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
    const over = { ...favor, status: FavorStatus.CANCELLED, requestType: RequestType.PUBLIC, maxResponses: 3 };
    const clone = cloneOf(over, now);
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

describe("who is asked", () => {
  const all = { ...good, isPublic: true };
  const masked = (values: typeof good, before: typeof good) =>
    updateRequest("f", values, before).updateMask.paths.filter(
      (path) => !/title|desc|cat|date|loc|tip|curr/.test(path),
    );

  it("all_friends_or_those_chosen_but_never_both", () => {
    expect(createRequest({ ...good, maxResponses: 3 }, FavorStatus.ACTIVE)).toMatchObject({
      requestType: RequestType.DIRECT,
      recipients: ["ben"],
      maxResponses: 3,
    });
    expect(createRequest({ ...all, groups: ["street"], maxResponses: 3 }, FavorStatus.ACTIVE)).toMatchObject({
      requestType: RequestType.PUBLIC,
      recipients: [],
      groupIds: [],
      maxResponses: 1,
    });
  });

  it("a_change_names_what_it_changes_of_that", () => {
    expect(masked(good, good)).toEqual(["recipients"]);
    expect(masked({ ...good, maxResponses: 2 }, good)).toEqual(["recipients", "max_responses"]);
    expect(masked(all, { ...good, groups: ["street"], maxResponses: 2 })).toEqual([
      "request_type",
      "recipients",
      "group_ids",
      "max_responses",
    ]);
    expect(masked(good, all)).toEqual(["request_type", "recipients"]);
    // One that was made elsewhere may ask some beside: they stay, as those do whom a posted one has asked.
    expect(masked(all, all)).toEqual([]);
    const { paths } = updateRequest("f", all, { ...good, maxResponses: 2 }, true).updateMask;
    expect(paths.slice(-2)).toEqual(["currency", "request_type"]);
  });

  it("whom_all_friends_stand_for_is_no_change_and_comes_back", () => {
    expect(changedFields(all, { ...all, recipients: [], maxResponses: 2 })).toEqual([]);
    expect(changedFields(all, good)).toEqual(["isPublic", "recipients"]);
    expect(changedFields(good, { ...good, location: " ", maxResponses: 2 })).toEqual(["maxResponses"]);
  });

  it("is_read_from_a_favor", () => {
    const favor = create(FavorSchema, { requestType: RequestType.PUBLIC, maxResponses: 3, location: "Elm Street" });
    expect(valuesOf(favor)).toMatchObject({ isPublic: true, maxResponses: 3, location: "Elm Street" });
    expect(valuesOf(create(FavorSchema))).toMatchObject({ isPublic: false, maxResponses: 1, location: "" });
  });
});

describe("what was kept", () => {
  it("comes_back_as_it_was", () => expect(readValues(JSON.parse(JSON.stringify(good)))).toEqual(good));
  it.each([null, 3, {}, { ...good, category: 99 }, { ...good, recipients: "ben" }])("%j_is_not_a_form", (value) =>
    expect(readValues(value)).toBeNull(),
  );
  it("of_an_earlier_release_asks_those_chosen_as_it_did", () => {
    const { location: _, isPublic: _no, maxResponses: _one, ...before } = good;
    expect(readValues(before)).toEqual(good);
    expect(readValues({ ...good, maxResponses: 1000 })?.maxResponses).toBe(100);
  });
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

  it("a_hundred_are_asked_at_most_and_twenty_groups", () => {
    const many = { recipients: [], groups: Array.from({ length: 21 }, (_, i) => `g${i}`) };
    expect(tooMuch({ ...many, groups: many.groups.slice(1) }, 100)).toBe("");
    expect(tooMuch(many, 100)).toBe("Please choose at most 20 groups");
    expect(tooMuch({ recipients: [], groups: [] }, 101)).toBe("Please choose at most 100 friends");
  });

  it("who_is_taken_out_of_a_group_leaves_the_others_in_it", () => {
    const circle = {
      friends: ["ben", "priya", "sofia"].map((uid) => create(FriendSchema, { uid })),
      groups: [
        create(GroupSchema, { groupId: "street", members: ["ben", "priya", "gone"] }),
        create(GroupSchema, { groupId: "club", members: ["priya", "sofia"] }),
      ],
    };
    const none = { recipients: [], groups: [] };
    const street = withGroup(none, "street");
    expect(street).toEqual({ recipients: [], groups: ["street"] });
    expect(withGroup(street, "street")).toEqual(none);
    expect(withFriend(circle, none, "ben")).toEqual({ recipients: ["ben"], groups: [] });
    expect(withFriend(circle, { recipients: ["ben"], groups: [] }, "ben")).toEqual(none);
    expect(withFriend(circle, street, "priya")).toEqual({ recipients: ["ben"], groups: [] });
    const both = { recipients: ["ben"], groups: ["street", "club"] };
    expect(withFriend(circle, both, "ben")).toEqual({ recipients: ["priya"], groups: ["club"] });
    expect(withFriend(circle, both, "priya")).toEqual({ recipients: ["ben", "sofia"], groups: [] });
    expect(knownOf(circle, { recipients: ["gone", "ben"], groups: ["old", "club"] })).toEqual({
      recipients: ["ben"],
      groups: ["club"],
    });
  });
});
