// Where a favor belongs, for each side of it.
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { favorPath, listPath } from "./paths";
import { placeOf } from "./place";

type Part = Parameters<typeof create<typeof FavorSchema>>[1];
const pathOf = (status: FavorStatus, part: Part = {}): string =>
  listPath(placeOf(create(FavorSchema, { createdBy: "ana", ...part, status }), "ben"));
const own = (status: FavorStatus): string => pathOf(status, { createdBy: "ben" });

it("ones_own_stand_with_what_is_open_or_over", () => {
  expect(own(FavorStatus.DRAFT)).toBe("/favors");
  expect(own(FavorStatus.ACTIVE)).toBe("/favors");
  expect(own(FavorStatus.ACCEPTED)).toBe("/favors");
  expect(own(FavorStatus.COMPLETED)).toBe("/favors?tab=completed");
  expect(own(FavorStatus.SETTLED)).toBe("/favors?tab=completed");
  expect(own(FavorStatus.CANCELLED)).toBe("/favors?tab=completed&view=cancelled");
});

it("those_of_friends_stand_where_the_member_finds_them", () => {
  const me = { uid: "ben" };
  expect(pathOf(FavorStatus.PENDING)).toBe("/favors?view=asked");
  expect(pathOf(FavorStatus.OPEN)).toBe("/favors?tab=browse");
  expect(pathOf(FavorStatus.DECLINED)).toBe("/favors?view=asked");
  expect(pathOf(FavorStatus.OPEN, { applicants: [{ person: me }] })).toBe("/favors?tab=browse&view=applied");
  expect(pathOf(FavorStatus.ACCEPTED, { helper: me })).toBe("/favors?view=helping");
  expect(pathOf(FavorStatus.ACCEPTED, { helper: { uid: "eve" }, backUps: [me] })).toBe("/favors?view=helping");
  expect(pathOf(FavorStatus.ACCEPTED)).toBe("/favors?view=asked");
  expect(pathOf(FavorStatus.SETTLED, { helper: me })).toBe("/favors?tab=completed&view=helped");
  expect(pathOf(FavorStatus.COMPLETED)).toBe("/favors?view=asked");
});

it("the_first_list_of_a_tab_needs_no_name_and_the_others_keep_theirs", () => {
  expect(listPath({ tab: "browse", view: "open" })).toBe("/favors?tab=browse");
  expect(favorPath("f", { tab: "browse", view: "applied" })).toBe("/favors/f?tab=browse&view=applied");
  expect(favorPath("f", { view: "asked" }, true)).toBe("/favors/f?view=asked&edit=1");
});
