// The lists of favors: what each asks for, what stands there until it has come and when it does not, and lists of thousands.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  type Favor,
  FavorAction,
  FavorCategory,
  FavorSchema,
  FavorsService,
  FavorStatus,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { FavorsService as Later } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorsScreen } from "./FavorsScreen";

const PAGE = 50;
const ROW_PX = 288;

/** The ends of lists that are watched: a test says when they come into view. */
let ends: (() => void)[] = [];
beforeEach(() => {
  ends = [];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      #seen: () => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.#seen = () => tell([{ isIntersecting: true }]);
      }
      observe(): void {
        ends.push(this.#seen);
      }
      disconnect(): void {
        ends = ends.filter((end) => end !== this.#seen);
      }
    },
  );
  document.documentElement.style.fontSize = "16px";
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(ROW_PX);
});
const reachEnd = (): void => act(() => ends.forEach((end) => end()));

type Part = Partial<Omit<Favor, "$typeName" | "$unknown">>;
const favorOf = (n: number, part: Part = {}): Favor =>
  create(FavorSchema, {
    id: `f${n}`,
    title: `Favor ${n}`,
    status: FavorStatus.OPEN,
    createdBy: "ben",
    requester: { name: "Ben Okafor" },
    ...part,
  });
const many = (count: number, part: Part = {}): Favor[] => Array.from({ length: count }, (_, n) => favorOf(n, part));

type Asked = { cursor: string; limit?: number };
/** A page of these, as a server gives it. */
function pageOf(favors: readonly Favor[], { cursor, limit = PAGE }: Asked) {
  const from = Number(cursor || "0");
  const hasMore = from + limit < favors.length;
  return { favors: favors.slice(from, from + limit), cursor: hasMore ? String(from + limit) : "", hasMore };
}

/** A server with these favors of friends, and what it was asked. */
function server({ open = many(2), received = many(0), mine = many(0) } = {}) {
  const asked: string[] = [];
  const state = { fails: false };
  const may = (): void => {
    if (state.fails) throw new ConnectError("down", Code.Internal);
  };
  function show(path: string) {
    window.history.replaceState(null, "", path);
    return renderWith(
      ({ service }) => {
        service(FriendsService, { getActive: () => ({ friends: { list: [{ uid: "ben", displayName: "Ben" }] } }) });
        service(FavorsService, {
          listActiveFavors(request) {
            asked.push(`active ${request.cursor}`.trim());
            may();
            return pageOf(mine, request);
          },
          listReceivedFavors(request) {
            asked.push(`received ${request.status.join()}`);
            const { status } = request;
            return pageOf(status.length === 0 ? received : received.filter((f) => status.includes(f.status)), request);
          },
        });
        service(Later, {
          browseFavors(request) {
            asked.push(`browse ${request.category} ${request.location}`.trim());
            may();
            return pageOf(open, request);
          },
          searchFavors(request) {
            asked.push(`search ${request.searchTerm} ${request.category} ${request.location}`.trim());
            may();
            return pageOf(
              open.filter(
                (f) => f.title.includes(request.searchTerm) && f.location.toLowerCase().includes(request.location),
              ),
              request,
            );
          },
        });
      },
      <FavorsScreen id="" me="ana" />,
    );
  }
  return { asked, state, show };
}

const search = (): HTMLElement => screen.getByRole("searchbox", { name: "Search favors" });
const titles = (): (string | null)[] =>
  screen.queryAllByRole("article").map((a) => within(a).getByRole("link").textContent);

it("what_friends_ask_is_browsed_and_searched_when_the_typing_rests", async () => {
  const { asked, show } = server({ open: [favorOf(1), favorOf(2, { location: "Oak Street" })] });
  show("/favors?tab=browse");
  expect(await screen.findByText("From your friends · 2 favors")).toBeInTheDocument();
  await userEvent.type(search(), "Favor 2 ");
  await waitFor(() => expect(titles()).toEqual(["Favor 2"]));
  expect(screen.getByText("1 favor")).toHaveAttribute("role", "status");
  await userEvent.click(screen.getByRole("button", { name: "Pet Care" }));
  await waitFor(() => expect(asked.at(-1)).toBe("search Favor 2 4"));
  // A word was asked for, and not each of its letters.
  expect(asked.filter((one) => one.startsWith("search"))).toEqual(["search Favor 2 0", "search Favor 2 4"]);
  expect(screen.getByRole("button", { name: "Pet Care" })).toHaveAttribute("aria-pressed", "true");
});

it("where_is_asked_of_what_is_browsed_and_of_what_is_searched", async () => {
  const { asked, show } = server({ open: [favorOf(1), favorOf(2, { location: "12 Oak Street" })] });
  show("/favors?tab=browse");
  await userEvent.click(await screen.findByRole("button", { name: "Location" }));
  const where = screen.getByRole("textbox", { name: "Street, area or town" });
  expect(where).toHaveFocus();
  await userEvent.type(where, "oak");
  await waitFor(() => expect(asked.at(-1)).toBe("browse 0 oak"));
  await userEvent.type(search(), "Favor");
  await waitFor(() => expect(asked.at(-1)).toBe("search Favor 0 oak"));
  await waitFor(() => expect(titles()).toEqual(["Favor 2"]));
  await userEvent.click(screen.getByRole("button", { name: "Location" }));
  await waitFor(() => expect(titles()).toEqual(["Favor 1", "Favor 2"]));
  expect(where).not.toBeInTheDocument();
});

it("words_that_find_nothing_are_kept_until_they_are_cleared", async () => {
  const { show } = server();
  const first = show("/favors?tab=browse");
  await screen.findByText("Favor 1");
  await userEvent.type(search(), "sofa");
  expect(await screen.findByRole("heading", { name: "No favors found" })).toBeInTheDocument();
  expect(search()).toHaveFocus();
  first.unmount();
  show("/favors?tab=browse");
  expect(search()).toHaveValue("sofa");
  await userEvent.click(await screen.findByRole("button", { name: "Clear search" }));
  expect(await screen.findByText("Favor 1")).toBeInTheDocument();
  expect(search()).toHaveValue("");
});

it("a_search_that_fails_says_so_and_is_tried_again", async () => {
  const { state, show } = server();
  state.fails = true;
  show("/favors?tab=browse");
  expect(await screen.findByText("Failed to load your friends' favors")).toBeInTheDocument();
  state.fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Favor 1")).toBeInTheDocument();
});

it("nothing_to_browse_has_a_next_step", async () => {
  server({ open: [] }).show("/favors?tab=browse");
  expect(await screen.findByRole("heading", { name: "No favors to help with right now" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Create Favor" })).toHaveAttribute("href", "/favors?tab=create");
});

it("a_page_follows_when_the_end_comes_into_view_and_one_that_failed_says_so", async () => {
  const { state, show } = server({ mine: many(120, { status: FavorStatus.ACTIVE, createdBy: "ana" }) });
  show("/favors");
  await waitFor(() => expect(titles()).toHaveLength(PAGE));
  reachEnd();
  await waitFor(() => expect(titles()).toHaveLength(2 * PAGE));
  state.fails = true;
  reachEnd();
  expect(await screen.findByText("Failed to load active favors")).toBeInTheDocument();
  expect(titles()).toHaveLength(2 * PAGE);
  // Those before are as they were: nothing says that they are out of date.
  expect(screen.queryByText(/up to date/)).not.toBeInTheDocument();
  state.fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(titles()).toHaveLength(120));
  expect(ends).toEqual([]);
});

it("of_thousands_only_those_near_what_is_seen_are_drawn", async () => {
  const { asked, show } = server({ mine: many(5000, { status: FavorStatus.ACTIVE, createdBy: "ana" }) });
  show("/favors");
  const list = await screen.findByRole("list", { name: "Yours" });
  for (let known = PAGE; known < 5 * PAGE; known += PAGE) {
    await waitFor(() => expect(ends).toHaveLength(1));
    reachEnd();
    await waitFor(() => expect(asked).toContain(`active ${known}`));
  }
  await waitFor(() => expect(within(list).getAllByRole("listitem").length).toBeLessThan(30));
  expect(within(list).getAllByRole("listitem")[0]).toHaveAttribute("aria-setsize", "-1");
  window.scrollY = 200 * ROW_PX;
  act(() => window.dispatchEvent(new Event("scroll")));
  expect(await within(list).findByText("Favor 201")).toBeInTheDocument();
  expect(within(list).queryByText("Favor 1")).not.toBeInTheDocument();
  window.scrollY = 0;
});

it("asked_and_helping_are_one_answer_until_they_are_more_than_a_page", async () => {
  const few = server({ received: many(3, { status: FavorStatus.PENDING }) });
  const first = few.show("/favors?view=asked");
  expect(await screen.findByText("Asked of you (3)")).toBeInTheDocument();
  await waitFor(() => expect(few.asked.toSorted()).toEqual(["received ", `received ${FavorStatus.DECLINED}`]));
  first.unmount();

  const helped = favorOf(99, { status: FavorStatus.ACCEPTED, backUps: [{ uid: "ana" }] as Favor["backUps"] });
  const full = server({ received: [...many(60, { status: FavorStatus.PENDING }), helped] });
  full.show("/favors?view=helping");
  expect(await screen.findByText("Favor 99")).toBeInTheDocument();
  expect(screen.getByText("Asked of you (50+)")).toBeInTheDocument();
  expect(full.asked).toEqual([`received ${FavorStatus.OPEN}`, "received ", `received ${FavorStatus.ACCEPTED}`]);
});

it("what_was_declined_stands_under_what_waits_as_long_as_it_is_open", async () => {
  const declined = favorOf(7, { status: FavorStatus.DECLINED, allowedActions: [FavorAction.ACCEPT] });
  const over = favorOf(8, { status: FavorStatus.DECLINED });
  const some = server({ received: [favorOf(1, { status: FavorStatus.PENDING }), over, declined] });
  const first = some.show("/favors?view=asked");
  const list = await screen.findByRole("list", { name: "You declined" });
  expect(within(list).getByRole("link", { name: "Favor 7" })).toBeInTheDocument();
  expect(within(list).getByText("declined")).toBeInTheDocument();
  expect(screen.queryByText("Favor 8")).not.toBeInTheDocument();
  expect(within(screen.getByRole("list", { name: "Asked of you" })).queryByText("Favor 7")).not.toBeInTheDocument();
  // It waits for nobody.
  expect(screen.getByText("Asked of you (1)")).toBeInTheDocument();
  first.unmount();

  const second = server({ received: [declined] }).show("/favors?view=asked");
  expect(await screen.findByRole("list", { name: "You declined" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Nobody is waiting for your answer" })).toBeInTheDocument();
  second.unmount();

  const none = server({ received: [over] });
  none.show("/favors?view=asked");
  await screen.findByRole("heading", { name: "Nobody is waiting for your answer" });
  await waitFor(() => expect(none.asked).toContain(`received ${FavorStatus.DECLINED}`));
  expect(screen.queryByText("You declined")).not.toBeInTheDocument();
});

it("what_help_was_offered_with_has_its_place", async () => {
  const { asked, show } = server({ received: [favorOf(1, { category: FavorCategory.PET_CARE })] });
  show("/favors?tab=browse&view=applied");
  const list = await screen.findByRole("list", { name: "You offered help" });
  expect(within(list).getByText("Favor 1")).toBeInTheDocument();
  expect(within(list).getByText("open")).toBeInTheDocument();
  expect(asked).toContain(`received ${FavorStatus.OPEN}`);
});

it.each([
  [0, "I can help"],
  [1, "Be a backup"],
])("a_card_of_what_one_is_asked_offers_help_where_%d_have_accepted", async (responses, label) => {
  const asked = { status: FavorStatus.PENDING, allowedActions: [FavorAction.ACCEPT], responses };
  server({ received: many(2, asked) }).show("/favors?view=asked");
  const list = within(await screen.findByRole("list", { name: "Asked of you" }));
  expect(list.getAllByRole("button", { name: label })).toHaveLength(2);
});

it("ones_own_card_offers_no_answer", async () => {
  server({ mine: many(1, { createdBy: "ana", allowedActions: [FavorAction.EDIT] }) }).show("/favors");
  const list = within(await screen.findByRole("list", { name: "Yours" }));
  expect(list.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Clone"]);
});
