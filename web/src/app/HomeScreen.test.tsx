// Home: what waits for the member, what is coming up and what was last, each of at most five, or three, and never more than is known.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type Favor,
  FavorAction,
  FavorSchema,
  FavorsService,
  FavorStatus,
} from "../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../gen/goodturn/friends/v1/friends_service_pb";
import { RentalsService, RentalAction, RentalStatus } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { dueWords } from "../features/rentals/words";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { renderWith } from "../testing/render";
import { HomeScreen } from "./HomeScreen";

const DAY_MS = 86_400_000;
const ANA = {
  uid: "ana",
  email: "ana@goodturn.example",
  displayName: "Ana Ruiz",
  givenName: "Ana",
  familyName: "Ruiz",
  profilePictureUrl: "",
};

type Part = Partial<Omit<Favor, "$typeName" | "$unknown">>;
/** The first starts tomorrow, and each a day after the one before it. */
const favorOf = (n: number, part: Part): Favor =>
  create(FavorSchema, {
    id: `f${n}`,
    title: `Favor ${n}`,
    startDate: timestampFromDate(new Date(Date.now() + (n + 1) * DAY_MS)),
    updatedAt: timestampFromDate(new Date(n * DAY_MS)),
    ...part,
  });
const many = (count: number, part: (n: number) => Part): Favor[] =>
  Array.from({ length: count }, (_, n) => favorOf(n, part(n)));

type World = {
  own?: Favor[];
  received?: Favor[];
  asks?: number;
  lent?: number;
  /** Ends when it is known what is due. */
  due?: () => Promise<unknown>;
  /** Ends when it is known who waits for an answer. */
  waits?: () => Promise<unknown>;
  fails?: boolean;
};

function show({
  own = [],
  received = [],
  asks = 0,
  lent = 0,
  due = () => Promise.resolve(),
  waits = () => Promise.resolve(),
  fails = false,
}: World = {}) {
  window.history.replaceState(null, "", "/");
  return renderWith(
    ({ service }) => {
      service(FavorsService, {
        listActiveFavors() {
          if (fails) throw new ConnectError("down", Code.Internal);
          return { favors: own };
        },
        async listReceivedFavors() {
          await waits();
          return { favors: received };
        },
      });
      service(FriendsService, {
        listFriendRequests: () => ({
          received: Array.from({ length: asks }, (_, n) => ({ friendRequest: `r${n}`, user: { uid: `stranger${n}` } })),
        }),
      });
      service(RentalsService, {
        async listRentals() {
          await due();
          const rentals = Array.from({ length: lent }, (_, n) => ({
            requestId: `l${n}`,
            owner: { uid: "ana" },
            borrower: { uid: `friend${n}`, name: `Friend ${n}` },
            item: { title: `Thing ${n}` },
            rentalStatus: RentalStatus.PENDING,
            allowedActions: [RentalAction.ACCEPT],
          }));
          return { rentals };
        },
      });
      service(ProfileService, { getStats: () => ({ stats: { favorsPosted: 1, favorsCompleted: 1 } }) });
    },
    <HomeScreen member={ANA} />,
  );
}

const needs = () => screen.findByRole("region", { name: "Needs your answer" });
const titlesIn = (part: HTMLElement): (string | null)[] =>
  within(part)
    .queryAllByRole("heading", { level: 3 })
    .map((h) => h.textContent);

const asked = (n: number): Part => ({
  status: FavorStatus.PENDING,
  createdBy: `friend${n % 4}`,
  requester: create(FavorSchema, { requester: { name: `Friend ${n % 4}` } }).requester,
  allowedActions: [FavorAction.ACCEPT, FavorAction.DECLINE],
});

it("the_head_has_the_name_the_tagline_and_the_way_to_the_form", async () => {
  show();
  expect(await screen.findByRole("heading", { name: "Recent Favors" })).toBeInTheDocument();
  for (const text of ["Goodturn", "Your community favor network"]) expect(screen.getByText(text)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Request a Favor" }));
  expect(window.location.pathname + window.location.search).toBe("/favors?tab=create");
});

it("five_of_those_who_wait_are_cards_and_the_others_stand_in_their_list", async () => {
  show({ received: many(7, asked), asks: 2 });
  const section = await needs();
  expect(titlesIn(section)).toEqual(["Favor 0", "Favor 1", "Favor 2", "Favor 3", "Favor 4", "2 friend requests"]);
  expect(await within(section).findByText("9")).toBeInTheDocument();
  expect(within(section).getByRole("link", { name: "See all" })).toHaveAttribute("href", "/favors?view=asked");
  expect(await screen.findByText("9 things need your answer.")).toBeInTheDocument();
  expect(within(section).getAllByRole("button", { name: "I can help" })).toHaveLength(5);
});

it("five_are_all_there_and_no_way_leads_to_more", async () => {
  show({ received: many(5, () => ({ status: FavorStatus.PENDING, createdBy: "ben" })) });
  const section = await needs();
  expect(titlesIn(section)).toHaveLength(5);
  expect(within(section).queryByRole("link", { name: "See all" })).not.toBeInTheDocument();
  expect(await screen.findByText("5 things need your answer.")).toBeInTheDocument();
});

it("who_offered_another_time_owes_no_answer", async () => {
  show({ received: [favorOf(0, asked(0)), favorOf(1, { ...asked(1), answered: true })] });
  expect(titlesIn(await needs())).toEqual(["Favor 0"]);
  expect(await screen.findByText("One thing needs your answer.")).toBeInTheDocument();
});

it("who_offers_help_or_another_time_waits_for_an_answer_too", async () => {
  const offers = {
    applicants: create(FavorSchema, { applicants: [{ person: { uid: "ben" } }, { person: { uid: "zoe" } }] })
      .applicants,
    allowedActions: [FavorAction.EDIT, FavorAction.CHOOSE],
  };
  const own = [offers, { allowedActions: [FavorAction.DECLINE_TIME] }, { allowedActions: [FavorAction.EDIT] }];
  show({ own: own.map((part, n) => favorOf(n, { status: FavorStatus.ACTIVE, createdBy: "ana", ...part })) });
  const section = await needs();
  expect(titlesIn(section)).toEqual(["Favor 0", "Favor 1"]);
  expect(within(section).getByText("2 friends offered to help")).toBeInTheDocument();
  expect(within(section).getByText("New time proposed")).toBeInTheDocument();
  expect(within(section).getByRole("link", { name: "Favor 1" })).toHaveAttribute("href", "/favors/f1");
  expect(await screen.findByText("2 things need your answer.")).toBeInTheDocument();
});

it("what_is_coming_up_says_what_came_of_asking", async () => {
  const { applicants } = create(FavorSchema, { applicants: [{ person: { uid: "ben" } }] });
  const parts = [
    { applicants, allowedActions: [FavorAction.CHOOSE] },
    { allowedActions: [FavorAction.DECLINE_TIME] },
    { allowedActions: [FavorAction.EDIT], nobodyCan: true },
    { allowedActions: [FavorAction.EDIT] },
    // Its start has passed, and somebody can still be chosen.
    { applicants, allowedActions: [FavorAction.CHOOSE], startDate: timestampFromDate(new Date()) },
  ];
  show({ own: parts.map((part, n) => favorOf(n, { status: FavorStatus.ACTIVE, createdBy: "ana", ...part })) });
  const [coming] = await screen.findAllByRole("region", { name: "Coming up" });
  const links = within(coming as HTMLElement).getAllByRole("link");
  expect(links.map((link) => link.querySelector(".dim")?.textContent)).toEqual([
    "1 friend offered to help",
    "1 friend offered to help",
    "New time proposed",
    "Everyone declined",
    "Waiting for an answer",
  ]);
});

const mine = (n: number): Part => ({ status: n === 5 ? FavorStatus.DRAFT : FavorStatus.ACTIVE, createdBy: "ana" });

it("the_next_five_are_coming_up_in_the_order_of_their_time_and_three_were_last", async () => {
  // Between the second and the third.
  const startDate = timestampFromDate(new Date(Date.now() + 2.5 * DAY_MS));
  const helping = favorOf(1, { id: "h", title: "Helping", status: FavorStatus.ACCEPTED, startDate });
  show({ own: many(8, mine).toReversed(), received: [helping] });
  const [coming] = await screen.findAllByRole("region", { name: "Coming up" });
  const links = within(coming as HTMLElement).getAllByRole("link");
  expect(links.map((a) => /Favor \d|Helping/.exec(a.textContent ?? "")?.[0])).toEqual([
    "Favor 0",
    "Favor 1",
    "Helping",
    "Favor 2",
    "Favor 3",
  ]);
  const recent = screen.getByRole("list", { name: "Recent Favors" });
  expect(titlesIn(recent)).toEqual(["Favor 7", "Favor 6", "Favor 5"]);
  expect(screen.queryByRole("region", { name: "Needs your answer" })).not.toBeInTheDocument();
  expect(await screen.findByText("Nobody is waiting for your answer.")).toBeInTheDocument();
});

it("requests_to_borrow_stand_in_the_same_list_and_all_numbers_agree", async () => {
  show({ received: [favorOf(0, asked(0))], asks: 1, lent: 2 });
  expect(await screen.findByText("4 things need your answer.")).toBeInTheDocument();
  const section = await needs();
  expect(within(section).getByText("4")).toBeInTheDocument();
  expect(titlesIn(section)).toEqual(["Favor 0", "1 friend request"]);
  const rentals = within(await within(section).findByRole("list", { name: "Rentals that need your answer" }));
  expect(rentals.getAllByRole("link").map((a) => a.getAttribute("href"))).toEqual([
    "/share/rentals/l0",
    "/share/rentals/l1",
  ]);
  expect(screen.queryByRole("region", { name: "What's due" })).toBeNull();
});

it("requests_to_borrow_need_an_answer_where_nothing_else_does", async () => {
  show({ lent: 6 });
  expect(await screen.findByText("6 things need your answer.")).toBeInTheDocument();
  const section = within(await needs());
  expect(await section.findAllByText(/wants to borrow it/)).toHaveLength(5);
  expect(section.getByRole("link", { name: "See all" })).toHaveAttribute("href", "/share?tab=requests");
});

it("what_stands_under_what_is_due_comes_with_it", async () => {
  let answer: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => (answer = resolve));
  show({ received: [favorOf(0, asked(0))], lent: 1, due: () => promise });
  await needs();
  expect(await screen.findByRole("status", { name: "Loading Home..." })).toBeInTheDocument();
  expect(screen.queryByRole("heading", { name: "Recent Favors" })).not.toBeInTheDocument();
  answer?.();
  expect(await screen.findByRole("heading", { name: "Recent Favors" })).toBeInTheDocument();
  expect(await screen.findByText(/wants to borrow it/)).toBeInTheDocument();
  expect(screen.queryByRole("status", { name: "Loading Home..." })).not.toBeInTheDocument();
});

it("what_is_due_and_cannot_be_loaded_says_so_and_keeps_nothing_back", async () => {
  show({ due: () => Promise.reject(new ConnectError("down", Code.Internal)) });
  expect(await screen.findByRole("heading", { name: "Recent Favors" })).toBeInTheDocument();
  expect(screen.getByText(dueWords.failed)).toBeInTheDocument();
});

it("what_never_says_whether_anything_is_due_does_not_keep_the_rest_for_ever", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  show({ received: [favorOf(0, asked(0))], due: () => new Promise(() => undefined) });
  await needs();
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(screen.getByRole("heading", { name: "Recent Favors" })).toBeInTheDocument();
});

it("who_stands_by_is_not_told_that_they_help", async () => {
  const { requester } = create(FavorSchema, { requester: { name: "Ben" } });
  const { backUps } = create(FavorSchema, { backUps: [{ uid: "ana" }] });
  const part = { status: FavorStatus.ACCEPTED, createdBy: "ben", requester };
  show({ own: [favorOf(9, {})], received: [favorOf(0, part), favorOf(1, { ...part, backUps })] });
  const [coming] = await screen.findAllByRole("region", { name: "Coming up" });
  const [helps, standsBy] = within(coming as HTMLElement).getAllByRole("link");
  expect(helps).toHaveTextContent("You're helping Ben");
  expect(standsBy).toHaveTextContent("You're a backup for Ben's favor");
});

it("what_is_known_of_those_who_wait_stays_when_ones_own_do_not_come_and_nobody_is_counted", async () => {
  show({ fails: true, received: [favorOf(0, { status: FavorStatus.PENDING, createdBy: "ben" })] });
  expect(titlesIn(await needs())).toEqual(["Favor 0"]);
  expect(screen.getByText("Couldn't load what needs your answer.")).toBeInTheDocument();
  expect(screen.queryByText(/things? needs? your/)).not.toBeInTheDocument();
});

it("home_says_nothing_about_answers_before_it_knows", async () => {
  let tell: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => (tell = resolve));
  show({ waits: () => waiting });
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.getByRole("status", { name: "Loading Home..." })).toBeInTheDocument();
  expect(screen.queryByText(/your answer\./)).not.toBeInTheDocument();
  tell?.();
  expect(await screen.findByText("Nobody is waiting for your answer.")).toBeInTheDocument();
});

it("home_says_that_answers_could_not_be_loaded_and_tries_again", async () => {
  const server = { fails: true };
  show({
    async waits() {
      if (server.fails) throw new ConnectError("down", Code.Internal);
    },
  });
  expect(await screen.findByText("Couldn't load what needs your answer.")).toBeInTheDocument();
  expect(screen.queryByText(/is waiting for your answer/)).not.toBeInTheDocument();
  server.fails = false;
  await userEvent.click(screen.getAllByRole("button", { name: "Retry" })[0] as HTMLElement);
  expect(await screen.findByText("Nobody is waiting for your answer.")).toBeInTheDocument();
});

it("what_can_be_pressed_before_the_rest_has_come_is_still_the_same_then", async () => {
  show({ own: [favorOf(0, {})] });
  const [settings, ask] = [
    screen.getByRole("link", { name: "Settings" }),
    screen.getByRole("button", { name: /Favor/ }),
  ];
  expect(screen.getByRole("status", { name: "Loading Home..." })).toBeInTheDocument();
  expect(await screen.findByRole("list", { name: "Recent Favors" })).toBeInTheDocument();
  expect(settings).toBeInTheDocument();
  expect(ask).toBeInTheDocument();
});

const askedFor = (at: Date): Part => ({ status: FavorStatus.ACTIVE, startDate: timestampFromDate(at) });

it("a_favor_that_should_have_begun_waits_for_no_answer", async () => {
  const [soon, past] = [new Date(), new Date()];
  soon.setHours(23, 59, 59, 999);
  past.setHours(0, 0, 0, 0);
  show({ own: [favorOf(0, askedFor(past)), favorOf(1, askedFor(soon))] });
  const [coming] = await screen.findAllByRole("region", { name: "Coming up" });
  const [began, begins] = within(coming as HTMLElement).getAllByRole("link");
  expect(began).toHaveTextContent("Start time has passed");
  expect(begins).toHaveTextContent("Waiting for an answer");
});
