// The favor forms lose nothing: taps that follow each other, answers that are lost, and what others do meanwhile.
import { Code, ConnectError } from "@connectrpc/connect";
import { create, toJsonString } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { type Favor, FavorAction, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import {
  type CreateFavorRequest,
  CreateFavorRequestSchema,
  FavorsService,
} from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { renderWith } from "../../testing/render";
import { CreateForm } from "./CreateForm";
import { EditForm, unsent } from "./EditForm";
import { FavorPane } from "./FavorPane";
import { createRequest, valuesOf } from "./form";
import { baseOf, hold } from "./version";
import { refusal } from "../../testing/refusals";

const nothing = (): void => undefined;

/** A server with at most one favor, of which a test can hold back the answers. */
function server() {
  const state = {
    favor: undefined as Favor | undefined,
    created: [] as CreateFavorRequest[],
    keys: new Map<string, { favor: Favor; body: string }>(),
    answers: Promise.resolve(),
    losesAnswers: false,
    losesCalls: false,
    version: 1n,
  };
  function become(part: Partial<Omit<Favor, "$typeName">>): Favor {
    state.version += 1n;
    const before = state.favor ?? { id: "f", createdBy: "ana", allowedActions: [FavorAction.EDIT] };
    const updatedAt = create(TimestampSchema, { seconds: state.version, nanos: 5 });
    state.favor = create(FavorSchema, { ...before, ...part, etag: String(state.version), updatedAt });
    return state.favor;
  }
  async function answer(favor: Favor): Promise<{ favor: Favor }> {
    await state.answers;
    if (state.losesAnswers) throw new ConnectError("gone", Code.Unavailable);
    return { favor };
  }
  function known(etag: string): Favor {
    if (state.favor === undefined) throw refusal("NOT_FOUND", Code.NotFound);
    if (etag !== "" && etag !== state.favor.etag) throw refusal("CONFLICT", Code.Aborted);
    return state.favor;
  }
  const render = (screenOf: React.ReactNode) =>
    renderWith(({ service }) => {
      service(FriendsService, { getActive: () => ({ friends: { list: [{ uid: "ben", displayName: "Ben" }] } }) });
      service(FavorsService, {
        createFavor(request, { requestHeader }) {
          const key = requestHeader.get("idempotency-key") ?? "";
          if (state.losesCalls) throw new ConnectError("gone", Code.Unavailable);
          const body = toJsonString(CreateFavorRequestSchema, request);
          const before = state.keys.get(key);
          if (before !== undefined && before.body !== body)
            throw refusal("IDEMPOTENCY_KEY_REUSED", Code.InvalidArgument);
          if (before !== undefined) return answer(before.favor);
          state.created.push(request);
          const { title, description, status, recipients, startDate } = request;
          const favor = become({
            title,
            description,
            status,
            recipients,
            ...(startDate === undefined ? {} : { startDate }),
          });
          state.keys.set(key, { favor, body });
          return answer(favor);
        },
        updateFavor({ title = "", description = "", recipients, startDate, etag }) {
          known(etag);
          return answer(become({ title, description, recipients, ...(startDate === undefined ? {} : { startDate }) }));
        },
        publishFavor({ etag }) {
          known(etag);
          return answer(become({ status: FavorStatus.ACTIVE }));
        },
        getFavor: () => ({ favor: known("") }),
        getFavorStory: () => ({}),
      });
    }, screenOf);
  return { state, become, render };
}

const typed = (label: string, text: string): unknown =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

const filled = {
  title: "Walk Biscuit",
  description: "Round the park",
  category: 1,
  start: new Date(Date.now() + 86_400_000).toISOString(),
  confirmBy: "",
  location: "",
  tip: "",
  currency: "USD" as const,
  isPublic: false,
  recipients: ["ben"],
  groups: [],
  maxResponses: 1,
};

it("save_and_then_post_make_one_favor", async () => {
  const { state, render } = server();
  hold("ana", "favor", { values: filled });
  let release = nothing;
  state.answers = new Promise((resolve) => (release = resolve));
  render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  await userEvent.click(screen.getByRole("button", { name: "Post" }));
  release();
  expect(await screen.findByText(/Your favor has been posted!/)).toBeInTheDocument();
  expect([state.created.length, state.favor?.status]).toEqual([1, FavorStatus.ACTIVE]);
});

it("a_form_that_is_left_while_it_is_saved_knows_its_draft_when_it_comes_back", async () => {
  const { state, render } = server();
  hold("ana", "favor", { values: filled });
  let release = nothing;
  state.answers = new Promise((resolve) => (release = resolve));
  const first = render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  first.unmount();
  render(<CreateForm me="ana" />);
  release();
  expect(await screen.findByRole("button", { name: "Update Draft" })).toBeInTheDocument();
  expect(screen.getByText("Draft saved")).toBeInTheDocument();
  expect(state.created).toHaveLength(1);
});

it("a_lost_answer_makes_no_second_favor_also_when_the_words_change", async () => {
  const { state, render } = server();
  hold("ana", "favor", { values: filled });
  state.losesAnswers = true;
  render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  expect(await screen.findByText(/Failed to save favor/)).toBeInTheDocument();
  state.losesAnswers = false;
  typed("Title", "Walk Biscuit and Rex");
  await userEvent.click(screen.getByRole("button", { name: "Post" }));
  expect(await screen.findByText(/Your favor has been posted!/)).toBeInTheDocument();
  expect([state.created.length, state.favor?.title]).toEqual([1, "Walk Biscuit and Rex"]);
});

it("what_never_left_is_not_sent_when_something_else_is_wanted", async () => {
  const { state, render } = server();
  hold("ana", "favor", { values: filled });
  state.losesCalls = true;
  render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Post" }));
  expect(await screen.findByText(/Failed to create favor/)).toBeInTheDocument();
  state.losesCalls = false;
  typed("Title", "Walk Rex");
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  await screen.findByRole("button", { name: "Update Draft" });
  expect(state.created.map(({ title, status }) => [title, status])).toEqual([["Walk Rex", FavorStatus.DRAFT]]);
});

it("what_was_posted_although_its_answer_was_lost_is_not_called_a_draft", async () => {
  const { state, render } = server();
  hold("ana", "favor", { values: filled });
  state.losesAnswers = true;
  render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Post" }));
  expect(await screen.findByText(/Failed to create favor/)).toBeInTheDocument();
  state.losesAnswers = false;
  typed("Title", "Walk Rex");
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  expect(await screen.findByText(/An earlier try went through, so this favor is posted/)).toBeInTheDocument();
  expect([state.created.length, state.favor?.title, state.favor?.status]).toEqual([
    1,
    "Walk Biscuit",
    FavorStatus.ACTIVE,
  ]);
});

it("a_draft_that_was_deleted_elsewhere_keeps_its_words", async () => {
  const { state, render } = server();
  hold("ana", "favor", { values: filled });
  render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  await screen.findByRole("button", { name: "Update Draft" });
  state.favor = undefined;
  typed("Title", "Walk Rex");
  await userEvent.click(screen.getByRole("button", { name: "Update Draft" }));
  expect(await screen.findByText("This draft was deleted elsewhere.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Use for a new favor" }));
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  await screen.findByRole("button", { name: "Update Draft" });
  expect(state.created.map(({ title }) => title)).toEqual(["Walk Biscuit", "Walk Rex"]);
});

it("a_draft_that_was_posted_elsewhere_is_not_changed_by_saving", async () => {
  const { state, become, render } = server();
  hold("ana", "favor", { values: filled });
  render(<CreateForm me="ana" />);
  await userEvent.click(screen.getByRole("button", { name: "Save as Draft" }));
  await screen.findByRole("button", { name: "Update Draft" });
  become({ status: FavorStatus.ACTIVE });
  typed("Title", "Walk Rex");
  await userEvent.click(screen.getByRole("button", { name: "Update Draft" }));
  expect(await screen.findByText("This draft was posted elsewhere.")).toBeInTheDocument();
  expect(state.favor?.title).toBe("Walk Biscuit");
  await userEvent.click(screen.getByRole("button", { name: "Open it" }));
  expect(unsent("ana", "f")?.title).toBe("Walk Rex");
  window.history.replaceState({}, "", "/");
});

/** The form of a draft, while somebody changes it elsewhere without a word to this screen. */
function editing(change: (become: ReturnType<typeof server>["become"]) => void) {
  const { state, become, render } = server();
  const favor = become({ title: "Walk Biscuit", description: "Round the park", status: FavorStatus.DRAFT });
  render(<EditForm favor={favor} me="ana" onLeave={() => undefined} />);
  return { state, change: () => change(become) };
}

it("a_change_elsewhere_is_not_overwritten", async () => {
  const { state, change } = editing((become) => become({ title: "Walk Rex" }));
  await waitFor(() => expect(screen.getByLabelText("Title")).toHaveValue("Walk Biscuit"));
  typed("Description", "Twice round the park");
  change();
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText("Changed elsewhere: title.")).toBeInTheDocument();
  expect(screen.getByLabelText("Description")).toHaveValue("Twice round the park");
  expect(state.favor?.description).toBe("Round the park");
  await userEvent.click(screen.getByRole("button", { name: "Keep my changes" }));
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() =>
    expect(state.favor).toMatchObject({ title: "Walk Biscuit", description: "Twice round the park" }),
  );
});

it("a_change_of_friends_and_groups_is_named_once", async () => {
  const { change } = editing((become) => become({ title: "Walk Rex", recipients: ["ben"], groupIds: ["g"] }));
  typed("Description", "Twice round the park");
  change();
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText("Changed elsewhere: title and who to ask.")).toBeInTheDocument();
});

it("the_newer_version_can_be_loaded", async () => {
  const { change } = editing((become) => become({ title: "Walk Rex" }));
  typed("Description", "Twice round the park");
  change();
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await userEvent.click(await screen.findByRole("button", { name: "Load the newer version" }));
  expect(screen.getByLabelText("Title")).toHaveValue("Walk Rex");
  expect(screen.getByLabelText("Description")).toHaveValue("Round the park");
});

it("a_change_of_nothing_that_the_form_shows_is_no_conflict", async () => {
  const { state, change } = editing((become) => become({ responses: 1 }));
  typed("Title", "Walk Rex");
  change();
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(state.favor?.title).toBe("Walk Rex"));
  expect(screen.queryByText(/elsewhere/)).not.toBeInTheDocument();
});

it("a_favor_that_was_deleted_elsewhere_shows_no_actions_and_keeps_words", async () => {
  const { state, become, render } = server();
  become({ title: "Walk Biscuit", description: "Round the park", status: FavorStatus.DRAFT });
  window.history.replaceState({}, "", "/favors/f?edit=1");
  render(<FavorPane id="f" opened="" me="ana" />);
  await screen.findByRole("button", { name: "Save changes" });
  typed("Title", "Walk Rex");
  state.favor = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText("You can't see this favor")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Save changes" })).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Use for a new favor" })).toBeInTheDocument();
  expect(unsent("ana", "f")?.title).toBe("Walk Rex");
  window.history.replaceState({}, "", "/");
});

it("what_was_under_way_when_the_page_was_loaded_anew_is_sent_once_more_by_its_key", async () => {
  const { state, become, render } = server();
  const favor = become({ title: "Walk Biscuit", description: "Round the park", status: FavorStatus.ACTIVE });
  const sent = create(CreateFavorRequestSchema, createRequest(filled, FavorStatus.ACTIVE));
  state.keys.set("1-2-3-4", { favor, body: toJsonString(CreateFavorRequestSchema, sent) });
  hold("ana", "favor", {
    values: filled,
    unsure: { key: "1-2-3-4", tries: [{ draft: false, values: filled }] },
    sending: "post",
  });
  let release = nothing;
  state.answers = new Promise((resolve) => (release = resolve));
  render(<CreateForm me="ana" />);
  expect(await screen.findByText(/Checking on your favor/)).toBeInTheDocument();
  release();
  expect(await screen.findByText(/Your favor has been posted!/)).toBeInTheDocument();
  expect(state.created).toHaveLength(0);
  expect(screen.getByLabelText("Title")).toHaveValue("");
});

it("a_draft_that_was_posted_before_the_page_was_loaded_anew_is_not_called_posted_elsewhere", async () => {
  const { state, become, render } = server();
  const draft = become({ title: "Walk Biscuit", description: "Round the park", status: FavorStatus.DRAFT });
  const values = valuesOf(draft);
  hold("ana", "favor", { values, base: baseOf(draft), sending: "post" });
  become({ status: FavorStatus.ACTIVE });
  render(<CreateForm me="ana" />);
  expect(await screen.findByText(/Your favor has been posted!/)).toBeInTheDocument();
  expect(state.created).toHaveLength(0);
});

it("an_answer_that_was_lost_is_said_to_be_after_a_reload", async () => {
  const { render } = server();
  hold("ana", "favor", { values: filled, unsure: { key: "1-2-3-4", tries: [{ draft: false, values: filled }] } });
  render(<CreateForm me="ana" />);
  expect(screen.getByText(/Your last try may have gone through/)).toBeInTheDocument();
});
