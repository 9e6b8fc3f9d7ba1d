// Who is asked for a favor: friends, groups that open, how many may accept; or all friends. And how long it is said that a draft was saved.
import { create } from "@bufbuild/protobuf";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import {
  type Favor,
  FavorAction,
  FavorSchema,
  FavorStatus,
  RequestType,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import {
  type CreateFavorRequest,
  FavorsService,
  type UpdateFavorRequest,
} from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { renderWith } from "../../testing/render";
import { CreateForm } from "./CreateForm";
import { EditForm } from "./EditForm";
import { blank } from "./form";
import { hold, NOTHING } from "./version";

const friends = ["Ben", "Priya", "Sofia"].map((displayName) => ({ uid: displayName.toLowerCase(), displayName }));
const groups = [{ groupId: "street", groupName: "Our street", members: ["ben", "priya"] }];

const filled = {
  ...blank(),
  title: "Walk Biscuit",
  description: "Round the park",
  start: new Date(Date.now() + 86_400_000).toISOString(),
};

const favorOf = (part: Partial<Omit<Favor, "$typeName">>): Favor =>
  create(FavorSchema, {
    id: "f",
    createdBy: "ana",
    etag: "1",
    title: filled.title,
    description: filled.description,
    allowedActions: [FavorAction.EDIT],
    ...part,
  });

/** Shows a form over a server that makes of a favor what it is told. @returns what the server was told. */
function show(form: React.ReactNode) {
  const told = { created: [] as CreateFavorRequest[], updated: [] as UpdateFavorRequest[] };
  let favor = favorOf({});
  renderWith(({ service }) => {
    service(FriendsService, { getActive: () => ({ friends: { list: friends }, groups }) });
    service(FavorsService, {
      createFavor(request) {
        told.created.push(request);
        const { status, requestType, recipients, groupIds, maxResponses, location, startDate } = request;
        const start = startDate === undefined ? {} : { startDate };
        favor = favorOf({ status, requestType, recipients, groupIds, maxResponses, location, ...start });
        return { favor };
      },
      updateFavor(request) {
        told.updated.push(request);
        return { favor };
      },
      getFavor: () => ({ favor }),
    });
  }, form);
  return told;
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));

it("a_favor_that_all_friends_see_asks_none_of_them_by_name", async () => {
  hold("ana", "favor", { ...NOTHING, values: { ...filled, recipients: ["ben"], maxResponses: 2 } });
  const told = show(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("radio", { name: "All friends" }));
  expect(screen.getByText(/All your friends can see it/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /^Who to ask/ })).not.toBeInTheDocument();
  expect(screen.queryByText("Helpers needed")).not.toBeInTheDocument();
  fireEvent.change(screen.getByLabelText("Where (optional)"), { target: { value: " Elm Street " } });
  await press("Post");
  expect(await screen.findByText("Your favor has been posted! All your friends can see it.")).toBeInTheDocument();
  expect(told.created).toMatchObject([
    { requestType: RequestType.PUBLIC, recipients: [], maxResponses: 1, location: "Elm Street" },
  ]);
  // The next one asks those who are chosen.
  expect(screen.getByRole("radio", { name: "Friends I choose" })).toBeChecked();
});

it("how_many_may_accept_is_chosen_where_several_are_asked", async () => {
  hold("ana", "favor", { ...NOTHING, values: { ...filled, recipients: ["ben", "priya"] } });
  const told = show(<CreateForm me="ana" />);
  const count = within(screen.getByRole("group", { name: "Helpers needed" }));
  expect(count.getByText("Whoever accepts first will help.")).toBeInTheDocument();
  await press("One fewer helper");
  expect(count.getByRole("status")).toHaveTextContent("1");
  await press("One more helper");
  expect(count.getByRole("status")).toHaveTextContent("2");
  expect(count.getByText(/One more stands by/)).toBeInTheDocument();
  await press("Post");
  expect(await screen.findByText(/Selected friends will be notified/)).toBeInTheDocument();
  expect(told.created).toMatchObject([
    { requestType: RequestType.DIRECT, recipients: ["ben", "priya"], maxResponses: 2 },
  ]);
});

it("of_one_who_is_asked_alone_nobody_says_how_many_may_accept", () => {
  hold("ana", "favor", { ...NOTHING, values: { ...filled, recipients: ["ben"] } });
  show(<CreateForm me="ana" />);
  expect(screen.queryByText("Helpers needed")).not.toBeInTheDocument();
});

it("a_draft_can_be_turned_to_all_friends", async () => {
  const draft = favorOf({ status: FavorStatus.DRAFT, recipients: ["ben"], requestType: RequestType.DIRECT });
  const told = show(<EditForm favor={draft} me="ana" onLeave={vi.fn<() => void>()} />);
  await userEvent.click(screen.getByRole("radio", { name: "All friends" }));
  await press("Save changes");
  await waitFor(() => expect(told.updated).toHaveLength(1));
  expect(told.updated[0]).toMatchObject({ requestType: RequestType.PUBLIC, recipients: [] });
  expect(told.updated[0]?.updateMask?.paths).toEqual(expect.arrayContaining(["request_type", "recipients"]));
});

it("what_all_friends_have_seen_stays_public", () => {
  const posted = favorOf({ status: FavorStatus.ACTIVE, requestType: RequestType.PUBLIC });
  show(<EditForm favor={posted} me="ana" onLeave={vi.fn<() => void>()} />);
  expect(screen.queryByRole("radio", { name: "All friends" })).not.toBeInTheDocument();
  expect(screen.getByText(/All your friends can see it/)).toBeInTheDocument();
});

it("a_group_opens_and_who_is_taken_out_of_it_leaves_the_others", async () => {
  hold("ana", "favor", { ...NOTHING, values: filled });
  show(<CreateForm me="ana" />);
  await press(/^Who to ask/);
  const sheet = within(await screen.findByRole("dialog"));
  await userEvent.click(await sheet.findByRole("tab", { name: "Groups (1)" }));
  expect(sheet.getByRole("button", { name: "Done" })).toBeDisabled();
  await userEvent.click(sheet.getByRole("checkbox", { name: /Our street/ }));
  expect(sheet.getByText("2 selected")).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("button", { name: "Who is in Our street" }));
  expect(sheet.getByRole("checkbox", { name: /Ben/ })).toBeChecked();
  await userEvent.click(sheet.getByRole("checkbox", { name: /Priya/ }));
  expect(sheet.getByRole("checkbox", { name: /Our street/ })).toBePartiallyChecked();
  expect(sheet.getByText("1 selected")).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.getByRole("button", { name: /^Who to ask/ })).toHaveTextContent("Ben"));
});

it("that_a_draft_was_saved_is_said_for_three_seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    hold("ana", "favor", { ...NOTHING, values: filled });
    show(<CreateForm me="ana" />);
    fireEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
    expect(await screen.findByText("Draft saved")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Update Draft" })).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(2000));
    expect(screen.getByText("Draft saved")).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(1100));
    expect(screen.queryByText("Draft saved")).not.toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});
