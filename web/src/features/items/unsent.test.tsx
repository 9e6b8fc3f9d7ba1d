// A new item that could not be saved once its form was left: that stands above the lists until it is saved, or put away.
import { Code } from "@connectrpc/connect";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { useSearchParams } from "wouter";
import { forgetAll } from "../../lib/kept";
import { itemServer } from "../../testing/items";
import { lost, refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { sendAll, type } from "../../testing/sending";
import { toasts } from "../../ui/toast";
import { CreateForm } from "./CreateForm";
import { heldOf, hold, NOTHING } from "./kept";
import { UnsentItem } from "./UnsentItem";

beforeEach(() => {
  forgetAll();
  sendAll();
  window.history.replaceState(null, "", "/share?tab=create");
});

function Screens() {
  const [params] = useSearchParams();
  return params.get("tab") === "create" ? <CreateForm me="ana" /> : <UnsentItem me="ana" />;
}

const press = (name: string): Promise<void> =>
  screen.findByRole("button", { name }).then((button) => userEvent.click(button));

/** The form is left while the item is sent, which fails then. */
async function left(...fails: ReturnType<typeof lost>[]) {
  const server = itemServer();
  server.state.fails["createItem"] = fails;
  const release = server.hold("createItem");
  renderWith(server.routes, <Screens />);
  type("Title", "Tent");
  type("Description", "For four");
  await userEvent.click(screen.getByLabelText("List item immediately"));
  await press("Save (Not Listed)");
  await press("Close");
  await act(async () => release());
  return server;
}

it("a_new_item_that_could_not_be_sent_stands_there_until_its_retry_went_well", async () => {
  const { state } = await left(lost(), lost());
  const failed = await screen.findByRole("alert");
  expect(failed).toHaveTextContent("Failed to save item. Please try again. We kept what you typed.");
  expect(failed).toHaveTextContent("Tent");
  // It is told once.
  expect(toasts.shown()).toEqual([]);
  await press("Retry");
  expect(await screen.findByText("Item saved. Only you can see it until you list it.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(/Failed to save item/)).toBeNull());
  expect(state.items.map(({ title }) => title)).toEqual(["Tent"]);
  expect(heldOf("ana", "").values.title).toBe("");
});

it("one_that_was_refused_leads_to_its_form", async () => {
  await left(refusal("LIMIT_REACHED", Code.ResourceExhausted));
  expect(await screen.findByText(/You've reached the limit for items\./)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  await userEvent.click(screen.getByRole("link", { name: "Open" }));
  expect(screen.getByLabelText("Title")).toHaveValue("Tent");
  expect(screen.getByText(/You've reached the limit for items\. We kept what you typed\./)).toBeInTheDocument();
});

it("one_that_is_put_away_is_told_no_more_and_keeps_its_words", async () => {
  await left(lost(), lost());
  await press("Close");
  expect(screen.queryByText(/Failed to save item/)).toBeNull();
  expect(heldOf("ana", "")).toMatchObject({ values: { title: "Tent" }, isSending: false });
});

const SAVED = "Item saved. Only you can see it until you list it.";
/** What stands in the form of a page that was loaded anew. */
const typed = { title: "Tent", description: "For four" };

it("what_was_being_sent_when_the_page_was_loaded_anew_is_sent_once_more_and_told", async () => {
  window.history.replaceState(null, "", "/share?tab=mine");
  hold("ana", "", { values: { ...NOTHING.values, ...typed }, listed: false, isSending: true, pictures: 2 });
  const { routes, state } = itemServer();
  renderWith(routes, <Screens />);
  expect(await screen.findByText(/^Your item was saved, but 2 pictures couldn't be uploaded\./)).toBeInTheDocument();
  expect(state.items.map(({ title }) => title)).toEqual(["Tent"]);
});

it("one_that_had_arrived_and_was_deleted_since_is_made_once_more_by_a_retry", async () => {
  const { state } = await left(lost(), lost());
  await screen.findByRole("alert");
  // Only its answers were lost: it is there, and is removed.
  expect(state.items.map(({ title }) => title)).toEqual(["Tent"]);
  state.items = [];
  await press("Retry");
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(state.items.map(({ title }) => title)).toEqual(["Tent"]);
});
