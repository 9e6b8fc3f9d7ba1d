// What the documents have to the letter, where no other test says it: the questions of status actions, what is said after them, the lists, the
// form, whom one can ask, and the calendar.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import {
  type Favor,
  FavorAction,
  FavorSchema,
  FavorsService,
  FavorStatus,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorsService as Later } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { renderWith } from "../../testing/render";
import { ConfirmHost } from "../../ui/ConfirmHost";
import { CreateForm } from "./CreateForm";
import { EditForm } from "./EditForm";
import { FavorDetails } from "./FavorDetails";
import { FavorsScreen } from "./FavorsScreen";
import { blank } from "./form";
import { hold, NOTHING } from "./version";

// jsdom cannot show the dialog of a question.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};

const { DRAFT, ACTIVE, ACCEPTED, COMPLETED } = FavorStatus;
const A_DAY_MS = 86_400_000;
const BEN = {
  uid: "ben",
  displayName: "Ben Okafor",
  email: "b.okafor@example.org",
  firstName: "Benjamin",
  lastName: "Okafor",
};
const PRIYA = { uid: "priya", displayName: "Priya", email: "priya@example.org", firstName: "Priya", lastName: "Nair" };

const filled = {
  ...blank(),
  title: "Walk Biscuit",
  description: "Round the park",
  start: new Date(Date.now() + A_DAY_MS).toISOString(),
  recipients: ["ben"],
};

const favorOf = (part: Partial<Omit<Favor, "$typeName">>): Favor =>
  create(FavorSchema, {
    id: "f",
    createdBy: "ana",
    etag: "1",
    title: "Walk Biscuit",
    description: "Round the park",
    ...part,
  });

/** Shows something over a server that does all, or nothing while `fails`. */
function show(thing: React.ReactNode, favor = favorOf({})) {
  const state = { fails: false };
  const does = <Answer,>(answer: Answer): Answer => {
    if (state.fails) throw new ConnectError("down", Code.Internal);
    return answer;
  };
  renderWith(
    ({ service }) => {
      const groups = [{ groupId: "street", groupName: "Our street", members: ["ben", "priya"] }];
      service(FriendsService, { getActive: () => does({ friends: { list: [BEN, PRIYA] }, groups }) });
      service(FavorsService, {
        listActiveFavors: () => does({ favors: [] }),
        listReceivedFavors: () => ({ favors: [] }),
      });
      service(Later, {
        getFavor: () => ({ favor }),
        getFavorStory: () => ({}),
        listCompletedFavors: () => does({ favors: [] }),
        createFavor: ({ title, description, status, recipients }) =>
          does({ favor: favorOf({ title, description, status, recipients, allowedActions: [FavorAction.EDIT] }) }),
        updateFavor: ({ etag }) => does({ favor: favorOf({ etag }) }),
        publishFavor: () => does({ favor: favorOf({ status: ACTIVE }) }),
        completeFavor: () => does({ favor: favorOf({ status: COMPLETED }) }),
        settleFavor: () => does({ favor: favorOf({ status: FavorStatus.SETTLED }) }),
        cancelFavor: () => does({ favor: favorOf({ status: FavorStatus.CANCELLED }) }),
        deleteFavor: () => does({}),
      });
    },
    <>
      {thing}
      <ConfirmHost />
    </>,
  );
  return state;
}

const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name }));

it.each<[FavorAction, FavorStatus, string, string, string]>([
  [FavorAction.PUBLISH, DRAFT, "Post", "Favor published successfully! Recipients will be notified.", "publish favor"],
  [FavorAction.COMPLETE, ACCEPTED, "Mark completed", "Favor marked as completed!", "update favor status"],
  [FavorAction.SETTLE, COMPLETED, "Mark settled", "Favor marked as settled!", "update favor status"],
  [FavorAction.CANCEL, ACCEPTED, "Mark cancelled", "Favor marked as cancelled!", "update favor status"],
  [FavorAction.CANCEL, ACTIVE, "Cancel favor", "Favor marked as cancelled!", "update favor status"],
  [FavorAction.DELETE, DRAFT, "Delete", "Favor deleted successfully", "delete favor"],
])("action_%d_of_status_%d_asks_and_says_what_came_of_it", async (action, status, label, done, deed) => {
  const favor = favorOf({ status, allowedActions: [action] });
  const state = show(<FavorDetails favor={favor} me="ana" onEdit={vi.fn()} onGone={vi.fn()} />, favor);
  state.fails = true;
  await press(label);
  const question = within(await screen.findByRole("dialog"));
  expect(question.getByText("Walk Biscuit")).toBeInTheDocument();
  expect(question.getByRole("button", { name: "Cancel" }).getAttribute("style")).toContain("--gt-no-fg");
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await press(label);
  await press("Confirm");
  expect(await screen.findByText(`Failed to ${deed}. Please try again.`)).toBeInTheDocument();
  state.fails = false;
  await press(label);
  await press("Confirm");
  expect(await screen.findByText(done)).toBeInTheDocument();
});

it.each([
  ["Delete", FavorAction.DELETE],
  ["Cancel favor", FavorAction.CANCEL],
])("%s_of_a_draft_speaks_of_nobody_who_was_asked", async (label, action) => {
  const favor = favorOf({ status: DRAFT, allowedActions: [action] });
  show(<FavorDetails favor={favor} me="ana" onEdit={vi.fn()} onGone={vi.fn()} />, favor);
  await press(label);
  const question = await screen.findByRole("dialog");
  expect(question).toHaveTextContent("This cannot be undone.");
  expect(question).not.toHaveTextContent(/everybody/i);
  await press("Cancel");
});

it("a_favor_that_cannot_be_made_posted_or_changed_says_which_it_was", async () => {
  hold("ana", "favor", { ...NOTHING, values: filled });
  const state = show(<CreateForm me="ana" />);
  state.fails = true;
  await press("Post");
  expect(await screen.findByText(/^Failed to create favor\. Please try again\./)).toBeInTheDocument();
  await press("Save as Draft");
  expect(await screen.findByText(/^Failed to save favor\. Please try again\./)).toBeInTheDocument();
  state.fails = false;
  await press("Save as Draft");
  expect(await screen.findByText("Draft saved")).toBeInTheDocument();
  state.fails = true;
  await press("Update Draft");
  expect(await screen.findByText(/^Failed to save favor\. Please try again\./)).toBeInTheDocument();
  await press("Post");
  expect(await screen.findByText(/^Failed to publish favor\. Please try again\./)).toBeInTheDocument();
});

it("a_favor_is_updated_or_it_is_said_that_it_was_not", async () => {
  const startDate = timestampFromDate(new Date(filled.start));
  const favor = favorOf({ status: ACTIVE, startDate, recipients: ["ben"], allowedActions: [FavorAction.EDIT] });
  const state = show(<EditForm favor={favor} me="ana" onLeave={vi.fn()} />, favor);
  state.fails = true;
  await userEvent.type(screen.getByLabelText("Title"), " twice");
  await press("Save changes");
  expect(await screen.findByText(/^Failed to update favor\. Please try again\./)).toBeInTheDocument();
  state.fails = false;
  await press("Save changes");
  expect(await screen.findByText("Favor updated successfully")).toBeInTheDocument();
});

it.each([
  ["/favors", "Failed to load active favors", "No active favors", "Create Favor"],
  ["/favors?tab=completed", "Failed to load completed favors", "No completed favors yet", "See active favors"],
])("%s_says_that_it_failed_with_retry_and_that_it_is_empty", async (path, failed, empty, next) => {
  window.history.replaceState(null, "", path);
  const state = show(<FavorsScreen id="" me="ana" />);
  state.fails = true;
  expect(await screen.findByText(failed)).toBeInTheDocument();
  state.fails = false;
  await press("Retry");
  expect(await screen.findByText(empty)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: next })).toBeInTheDocument();
});

it("the_form_has_four_categories_four_currencies_and_what_is_missing", async () => {
  show(<CreateForm me="ana" />);
  for (const name of ["General Help", "Errands", "Physical Help", "Pet Care"])
    expect(screen.getByRole("radio", { name })).toBeInTheDocument();
  for (const code of ["USD", "INR", "EUR", "GBP", "USD"]) await press(`Currency: ${code}. Change`);
  await press(/^Confirm by.*The evening before the start/);
  expect(await screen.findByText("Please select start date first")).toBeInTheDocument();
  await press("Post");
  for (const wrong of ["title", "description"])
    expect(screen.getByText(`Please enter a favor ${wrong}`)).toBeInTheDocument();
  expect(screen.getByText("Please select when you need help")).toBeInTheDocument();
  expect(screen.getByText("Please select at least one recipient")).toBeInTheDocument();
});

it("friends_are_searched_by_every_name_and_groups_by_theirs", async () => {
  show(<CreateForm me="ana" />);
  await press(/^Who to ask/);
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByRole("tab", { name: "Friends (2)" })).toBeInTheDocument();
  expect(sheet.getByRole("tab", { name: "Groups (1)" })).toBeInTheDocument();
  expect(sheet.getByText("0 selected")).toBeInTheDocument();
  expect(sheet.getByRole("button", { name: "Done" })).toBeDisabled();
  for (const words of ["okAFOR", "benja", "B.OKAFOR@"]) {
    const search = sheet.getByRole("searchbox", { name: "Search friends" });
    await userEvent.clear(search);
    await userEvent.type(search, words);
    expect(sheet.getAllByRole("checkbox")).toHaveLength(1);
  }
  await userEvent.click(sheet.getByRole("checkbox", { name: /Ben Okafor/ }));
  expect(sheet.getByText("1 selected")).toBeInTheDocument();
  await userEvent.clear(sheet.getByRole("searchbox"));
  await userEvent.click(sheet.getByRole("tab", { name: "Groups (1)" }));
  await userEvent.type(sheet.getByRole("searchbox", { name: "Search groups" }), "STREET");
  expect(sheet.getByText("Our street")).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.getByRole("button", { name: /^Who to ask/ })).not.toHaveTextContent("Ben"));
});

it("whom_one_can_ask_may_not_come_and_can_be_tried_again", async () => {
  const state = show(<CreateForm me="ana" />);
  state.fails = true;
  await press(/^Who to ask/);
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByText("Failed to load friends and groups")).toBeInTheDocument();
  state.fails = false;
  await userEvent.click(sheet.getByRole("button", { name: "Retry" }));
  expect(await sheet.findByRole("tab", { name: "Friends (2)" })).toBeInTheDocument();
});

it("a_day_is_chosen_from_42_and_a_time_in_quarters_from_ten_on", async () => {
  show(<CreateForm me="ana" />);
  await press(/^Start\s?Choose/);
  const sheet = within(await screen.findByRole("dialog", { name: "Select Date & Time" }));
  const confirm = await sheet.findByRole("button", { name: "Confirm" });
  expect(confirm).toBeDisabled();
  const days = within(sheet.getByRole("table")).getAllByRole("button");
  expect(days).toHaveLength(42);
  const headings = within(sheet.getByRole("table")).getAllByRole("columnheader");
  expect(headings.map((h) => h.textContent)).toEqual(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]);
  const hours = within(sheet.getByRole("combobox", { name: "Hour" })).getAllByRole("option");
  expect(hours.map((o) => o.textContent)).toEqual(Array.from({ length: 12 }, (_, i) => String(i + 1)));
  const radios = (name: string) => within(sheet.getByRole("radiogroup", { name })).getAllByRole("radio");
  const valuesOf = (name: string) => radios(name).map((radio) => (radio as HTMLInputElement).value);
  expect([valuesOf("Minute"), valuesOf("AM or PM")]).toEqual([
    ["00", "15", "30", "45"],
    ["AM", "PM"],
  ]);
  expect(sheet.getByRole("combobox", { name: "Hour" })).toHaveValue("10");
  expect(["00", "AM"].map((value) => sheet.getByRole("radio", { name: value }))).toSatisfy((all: HTMLInputElement[]) =>
    all.every((radio) => radio.checked),
  );
  await userEvent.click(sheet.getByRole("button", { name: "Next month" }));
  await userEvent.click(sheet.getByRole("button", { name: /^[A-Z][a-z]+ 15, / }));
  expect(confirm).toBeEnabled();
});
