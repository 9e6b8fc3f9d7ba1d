// What is done with a favor beside its status: choosing, taking a time, asking, offering, stepping back, each with what is said of it.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  type Favor,
  FavorAction,
  FavorSchema,
  FavorStatus,
  RequestType,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import {
  FavorResponse,
  FavorsService,
  type GetFavorStoryResponseSchema,
} from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorDetails } from "./FavorDetails";
import { keep } from "../../lib/kept";
import { lost, refusal } from "../../testing/refusals";

const { questions } = vi.hoisted(() => ({ questions: { asked: [] as string[], yes: "", answer: true } }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, text, yes }: { title: string; text: string; yes: string }): Promise<boolean> {
    questions.yes = yes;
    questions.asked.push(`${title} ${text}`.replaceAll(/[\u2068\u2069]/g, "").replaceAll("\u00a0", " "));
    return Promise.resolve(questions.answer);
  },
}));

beforeEach(() => {
  questions.asked = [];
  questions.answer = true;
});

const BEN = { uid: "ben", displayName: "Ben Okafor" };
const EVE = { uid: "eve", displayName: "Eve Lang" };
const A_DAY_MS = 86_400_000;

type Init = Exclude<MessageInitShape<typeof FavorSchema>, Favor>;
type Story = MessageInitShape<typeof GetFavorStoryResponseSchema>;

/** What the server was told, as the name of the call and what came with it. */
type Call = {
  name: string;
  uid?: string;
  message?: string;
  start?: Timestamp | undefined;
  terms?: string;
  knownStatus?: FavorStatus;
};

/** Shows one of Ana's favors. `next` is how it stands after whatever is done with it. */
async function show(me: string, favor: Init, next: Init = {}, story: Story = {}) {
  const state = { calls: [] as Call[], fails: undefined as ConnectError | undefined };
  const whole: Init = { id: "f", title: "Walk the dog", createdBy: "ana", requester: { name: "Ana Silva" }, ...favor };
  function answer(call: Call): { favor: Init } {
    if (state.fails !== undefined) throw state.fails;
    state.calls.push(call);
    return { favor: { ...whole, allowedActions: [], ...next } };
  }
  renderWith(
    ({ service }) => {
      service(FriendsService, { getActive: () => ({ friends: { list: [BEN, EVE] } }) });
      service(FavorsService, {
        getFavorStory: () => story,
        respondToFavor: ({ message, proposedStart, terms }) =>
          answer({ name: "respond", message, start: proposedStart, ...(terms === "" ? {} : { terms }) }),
        cancelFavor: ({ knownStatus }) => answer({ name: "cancel", knownStatus }),
        withdrawFromFavor: ({ message }) => answer({ name: "withdraw", message }),
        applyToFavor: ({ message, terms }) => answer({ name: "apply", message, ...(terms === "" ? {} : { terms }) }),
        chooseApplicant: ({ uid }) => answer({ name: "choose", uid }),
        askMember: ({ memberId, message }) => answer({ name: "ask", uid: memberId, message }),
        reportMissingTip: ({ message }) => answer({ name: "report", message }),
        acceptProposedTime: ({ uid, proposedStart }) => answer({ name: "take", uid, start: proposedStart }),
        declineProposedTime: ({ uid, message, proposedStart }) =>
          answer({ name: "decline", uid, message, start: proposedStart }),
      });
    },
    <FavorDetails favor={create(FavorSchema, whole)} me={me} onEdit={vi.fn()} onGone={vi.fn()} />,
  );
  await screen.findByRole("list", { name: "The story so far" });
  return state;
}

const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name }));

it("an_applicant_is_chosen_by_who_asked_and_their_words_stand_there", async () => {
  const state = await show("ana", {
    status: FavorStatus.ACTIVE,
    requestType: RequestType.PUBLIC,
    allowedActions: [FavorAction.CHOOSE, FavorAction.EDIT],
    applicants: [
      { person: BEN, message: "I have a leash" },
      { person: EVE, message: "" },
    ],
  });
  const offers = await screen.findByRole("list", { name: "Offers to help" });
  expect(within(offers).getByText("I have a leash")).toBeInTheDocument();
  expect(screen.getByText("2 friends offered to help")).toBeInTheDocument();
  await press("Choose Eve Lang");
  expect(await screen.findByText("You chose who helps")).toBeInTheDocument();
  expect(questions.asked).toEqual(["Choose Eve Lang? They'll help, and we'll let the others know."]);
  expect(questions.yes).toBe("Choose");
  expect(state.calls).toEqual([{ name: "choose", uid: "eve" }]);
});

it("who_does_not_confirm_chooses_nobody", async () => {
  const favor = { status: FavorStatus.ACTIVE, allowedActions: [FavorAction.CHOOSE], applicants: [{ person: BEN }] };
  const state = await show("ana", favor);
  questions.answer = false;
  await press("Choose Ben Okafor");
  expect(questions.asked).toHaveLength(1);
  expect(state.calls).toEqual([]);
});

it("nobody_chooses_who_may_not", async () => {
  await show("ben", {
    status: FavorStatus.OPEN,
    allowedActions: [FavorAction.WITHDRAW],
    applicants: [{ person: BEN }],
  });
  expect(screen.queryByRole("list", { name: "Offers to help" })).not.toBeInTheDocument();
  expect(screen.getByText("You offered to help. We'll let you know when someone is chosen.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Withdraw my offer" })).toBeInTheDocument();
});

it("who_was_not_chosen_withdraws_an_offer_and_does_not_step_back", async () => {
  // Only the two sides are told who helps.
  const favor = { status: FavorStatus.ACCEPTED, responses: 1, allowedActions: [FavorAction.WITHDRAW] };
  const state = await show("ben", favor);
  const stands = "Someone else is helping. Your offer still stands in case help is needed again.";
  expect(screen.getByText(stands)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Step back" })).not.toBeInTheDocument();
  await press("Withdraw my offer");
  const sheet = within(await screen.findByRole("dialog", { name: "Withdraw your offer?" }));
  await userEvent.click(await sheet.findByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText("Your offer was withdrawn")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "withdraw", message: "" }]);
});

it("a_proposed_time_is_taken_as_it_was_proposed", async () => {
  const at = timestampFromDate(new Date(Date.now() + 2 * A_DAY_MS));
  at.nanos = 123_456_000;
  const allowedActions = [FavorAction.EDIT, FavorAction.ACCEPT_TIME, FavorAction.DECLINE_TIME];
  const { ANOTHER_TIME, DECLINE } = FavorResponse;
  const recipients = [
    { person: BEN, response: ANOTHER_TIME, message: "After work?", proposedStart: at },
    { person: EVE, response: ANOTHER_TIME, message: "Some day" },
    { person: { uid: "zoe", displayName: "Zoe" }, response: DECLINE, proposedStart: at },
  ];
  const state = await show("ana", { status: FavorStatus.ACTIVE, allowedActions }, {}, { recipients });
  const times = await screen.findByRole("list", { name: "Proposed times" });
  expect(
    within(times)
      .getAllByRole("listitem")
      .map((item) => item.querySelectorAll("button").length),
  ).toEqual([2, 1]);
  expect(within(times).getByText("After work?")).toBeInTheDocument();
  await press(/^Use this time: .*, proposed by .*Ben Okafor/);
  expect(await screen.findByText("The favor has a new time")).toBeInTheDocument();
  expect(questions.asked[0]).toMatch(/^Use this time\? The favor will move to .*, and Ben Okafor will help\.$/);
  expect(questions.yes).toBe("Use this time");
  expect(state.calls).toMatchObject([{ name: "take", uid: "ben", start: { seconds: at.seconds, nanos: 123_456_000 } }]);
});

it("a_time_that_was_changed_meanwhile_is_not_taken", async () => {
  const tomorrow = timestampFromDate(new Date(Date.now() + A_DAY_MS));
  const recipients = [{ person: BEN, response: FavorResponse.ANOTHER_TIME, proposedStart: tomorrow }];
  const favor = { status: FavorStatus.ACTIVE, allowedActions: [FavorAction.ACCEPT_TIME, FavorAction.DECLINE_TIME] };
  const state = await show("ana", favor, {}, { recipients });
  state.fails = refusal("CONFLICT", Code.Aborted);
  await press(/^Use this time: .*, proposed by/);
  expect(await screen.findByText("This favor just changed. Here's the latest.")).toBeInTheDocument();
});

it("a_proposed_time_is_declined_as_it_was_proposed_with_a_message", async () => {
  const start = timestampFromDate(new Date(Date.now() + 2 * A_DAY_MS));
  const recipients = [{ person: BEN, response: FavorResponse.ANOTHER_TIME, proposedStart: start }];
  const favor = {
    status: FavorStatus.ACTIVE,
    startDate: timestampFromDate(new Date(Date.now() + A_DAY_MS)),
    allowedActions: [FavorAction.ACCEPT_TIME, FavorAction.DECLINE_TIME],
  };
  const state = await show("ana", favor, {}, { recipients });
  keep("ana", `said-${FavorAction.DECLINE_TIME}/f/ben`, " I'm away then ");
  await press("Decline the time Ben Okafor proposed");
  expect(await screen.findByText("You declined the proposed time")).toBeInTheDocument();
  const asked = "Decline this time? We'll let Ben Okafor know. They can still help at the original time.";
  expect(questions.asked).toEqual([asked]);
  expect(questions.yes).toBe("Decline");
  const { seconds } = start;
  expect(state.calls).toMatchObject([{ name: "decline", uid: "ben", message: "I'm away then", start: { seconds } }]);
});

it.each([
  ["in_words_alone", undefined],
  ["in_the_past", timestampFromDate(new Date(Date.now() - 2 * A_DAY_MS))],
])("a_time_that_was_proposed_%s_can_only_be_declined", async (_, proposedStart) => {
  const start = proposedStart === undefined ? {} : { proposedStart };
  const recipients = [{ person: BEN, response: FavorResponse.ANOTHER_TIME, message: "Some day", ...start }];
  const startDate = timestampFromDate(new Date(Date.now() - A_DAY_MS));
  const favor = { status: FavorStatus.ACTIVE, startDate, allowedActions: [FavorAction.DECLINE_TIME] };
  const state = await show("ana", favor, {}, { recipients });
  expect(screen.queryByRole("button", { name: /^Use this time/ })).not.toBeInTheDocument();
  await press("Decline the time Ben Okafor proposed");
  await waitFor(() => expect(state.calls).toMatchObject([{ name: "decline", uid: "ben", message: "" }]));
  expect(questions.asked).toEqual(["Decline this time? We'll let Ben Okafor know."]);
});

it("stepping_back_keeps_its_words_until_they_are_sent", async () => {
  const favor = {
    status: FavorStatus.ACCEPTED,
    helper: BEN,
    allowedActions: [FavorAction.COMPLETE, FavorAction.WITHDRAW],
  };
  const state = await show("ben", favor);
  await press("Step back");
  const sheet = await screen.findByRole("dialog", { name: "Step back from this favor?" });
  await userEvent.type(await within(sheet).findByLabelText("Message (optional)"), "I am ill, sorry");
  state.fails = lost();
  await userEvent.click(within(sheet).getByRole("button", { name: "Step back" }));
  expect(await within(sheet).findByText(/Failed to send your answer\. Please try again\./)).toBeInTheDocument();
  expect(screen.getAllByText(/Failed to send your answer/)).toHaveLength(1);
  expect(within(sheet).getByLabelText("Message (optional)")).toHaveValue("I am ill, sorry");
  state.fails = undefined;
  await userEvent.click(within(sheet).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("You stepped back")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(state.calls).toEqual([{ name: "withdraw", message: "I am ill, sorry" }]);
  await press("Step back");
  expect(await screen.findByLabelText("Message (optional)")).toHaveValue("");
});

it("help_is_offered_once_however_often_it_is_pressed", async () => {
  const state = await show("ben", { status: FavorStatus.OPEN, terms: "t1", allowedActions: [FavorAction.APPLY] });
  expect(screen.getByText(/Any friend can offer to help/)).toBeInTheDocument();
  expect(screen.getByText("Waiting for someone who can help")).toBeInTheDocument();
  await press("Offer to help");
  const sheet = await screen.findByRole("dialog", { name: "Offer to help?" });
  await userEvent.dblClick(await within(sheet).findByRole("button", { name: "Offer to help" }));
  expect(await screen.findByText("You offered to help. Thank you!")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "apply", message: "", terms: "t1" }]);
});

it("what_is_promised_or_called_off_is_what_is_seen", async () => {
  const hers = await show("ben", { status: FavorStatus.PENDING, terms: "t1", allowedActions: [FavorAction.ACCEPT] });
  await press("I can help");
  await waitFor(() => expect(hers.calls).toEqual([{ name: "respond", message: "", start: undefined, terms: "t1" }]));
  cleanup();
  const own = await show("ana", { status: FavorStatus.ACTIVE, allowedActions: [FavorAction.CANCEL] });
  await press("Cancel favor");
  await waitFor(() => expect(own.calls).toEqual([{ name: "cancel", knownStatus: FavorStatus.ACTIVE }]));
});

it("only_who_was_not_asked_can_be_asked_too", async () => {
  const favor = {
    status: FavorStatus.ACTIVE,
    recipients: ["ben"],
    allowedActions: [FavorAction.EDIT, FavorAction.ASK],
  };
  const state = await show("ana", favor);
  await press("Ask one more friend");
  const friends = await screen.findByRole("dialog", { name: "Who else could help?" });
  await userEvent.click(await within(friends).findByRole("button", { name: "Ask Eve Lang" }));
  expect(screen.queryByRole("button", { name: "Ask Ben Okafor" })).not.toBeInTheDocument();
  const sheet = await screen.findByRole("dialog", { name: /^Ask .*Eve Lang/ });
  await userEvent.type(await within(sheet).findByLabelText("Message (optional)"), "Would you?");
  await userEvent.click(within(sheet).getByRole("button", { name: "Ask" }));
  expect(await screen.findByText("We asked your friend")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "ask", uid: "eve", message: "Would you?" }]);
});

it("who_may_ask_nobody_more_is_told_so", async () => {
  const recipients = ["ben", "eve"];
  await show("ana", { status: FavorStatus.ACTIVE, recipients, allowedActions: [FavorAction.ASK] });
  await press("Ask one more friend");
  expect(await screen.findByText("Everyone has been asked")).toBeInTheDocument();
});

it("who_has_offered_help_keeps_the_offer_and_cannot_be_asked_too", async () => {
  const favor = {
    status: FavorStatus.ACTIVE,
    requestType: RequestType.PUBLIC,
    applicants: [{ person: BEN }],
    allowedActions: [FavorAction.CHOOSE, FavorAction.ASK],
  };
  await show("ana", favor);
  await press("Ask one more friend");
  const friends = await screen.findByRole("dialog", { name: "Who else could help?" });
  expect(await within(friends).findByRole("button", { name: "Ask Eve Lang" })).toBeInTheDocument();
  expect(within(friends).queryByRole("button", { name: "Ask Ben Okafor" })).not.toBeInTheDocument();
  cleanup();
  await show("ana", { ...favor, recipients: ["eve"] });
  await press("Ask one more friend");
  expect(await screen.findByText("Everyone has been asked or has offered")).toBeInTheDocument();
});

it.each([
  ["You're helping. Thank you!", { helper: BEN }],
  ["You're a backup. Thank you!", { backUps: [BEN] }],
])("who_accepts_is_told_%j", async (said, next) => {
  await show("ben", { status: FavorStatus.PENDING, allowedActions: [FavorAction.ACCEPT] }, next);
  await press("I can help");
  expect(await screen.findByText(said)).toBeInTheDocument();
});

it("who_accepts_where_somebody_helps_already_knows_to_be_a_back_up", async () => {
  const favor = { status: FavorStatus.ACCEPTED, responses: 1, maxResponses: 3, allowedActions: [FavorAction.ACCEPT] };
  await show("ben", favor, { backUps: [BEN] });
  await press("Be a backup");
  expect(questions.asked).toEqual(["Be a backup? Someone is already helping. If they step back, it may be your turn."]);
  expect(await screen.findByText("You're a backup. Thank you!")).toBeInTheDocument();
});

it("back_ups_stand_in_their_order_beside_the_helper", async () => {
  const backUps = [EVE, { uid: "zoe", displayName: "Zoe Arndt" }];
  await show("ana", { status: FavorStatus.ACCEPTED, helper: BEN, backUps, responses: 3, maxResponses: 5 });
  const term = screen.getByText("Backups, in order").closest("div");
  expect([...(term?.querySelectorAll("li") ?? [])].map((li) => li.textContent)).toEqual(["Eve Lang", "Zoe Arndt"]);
  expect(screen.getByText("3 of 5")).toBeInTheDocument();
});

it("a_back_up_is_told_what_that_means", async () => {
  await show("eve", {
    status: FavorStatus.ACCEPTED,
    responses: 2,
    backUps: [EVE],
    allowedActions: [FavorAction.WITHDRAW],
  });
  expect(screen.getByText(/^You're a backup/)).toBeInTheDocument();
  await press("Step back");
  expect(await screen.findByRole("dialog", { name: "Step back as a backup?" })).toBeInTheDocument();
});

it("another_time_takes_a_start_along", async () => {
  const state = await show("ben", { status: FavorStatus.PENDING, allowedActions: [FavorAction.ANOTHER_TIME] });
  await press("Another time");
  const sheet = await screen.findByRole("dialog", { name: "Propose another time" });
  await userEvent.click(await within(sheet).findByRole("button", { name: "Send proposal" }));
  expect(within(sheet).getByText("Please say when you could help")).toBeInTheDocument();
  await userEvent.click(within(sheet).getByRole("button", { name: /^Propose a start/ }));
  const calendar = await screen.findByRole("dialog", { name: "Select Date & Time" });
  await userEvent.click(await within(calendar).findByRole("button", { name: "Next month" }));
  await userEvent.click(within(calendar).getByRole("button", { name: /^[A-Z][a-z]+ 15, / }));
  await userEvent.click(within(calendar).getByRole("button", { name: "Confirm" }));
  const back = await screen.findByRole("dialog", { name: "Propose another time" });
  await userEvent.click(await within(back).findByRole("button", { name: "Send proposal" }));
  expect(await screen.findByText("Your proposal was sent")).toBeInTheDocument();
  expect(state.calls).toMatchObject([{ name: "respond", message: "" }]);
  const start = state.calls[0]?.start;
  const at = start === undefined ? undefined : timestampDate(start);
  expect([at?.getDate(), at?.getHours(), at?.getMinutes()]).toEqual([15, 10, 0]);
});

it("a_helper_says_that_the_tip_did_not_arrive", async () => {
  const favor = { status: FavorStatus.SETTLED, helper: BEN, tip: 15, allowedActions: [FavorAction.REPORT_MISSING_TIP] };
  const state = await show("ben", favor);
  await press("Tip didn't arrive");
  await userEvent.click(await screen.findByRole("button", { name: "Tell them" }));
  expect(await screen.findByText("We let your friend know")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "report", message: "" }]);
});
