// Edit Profile: what it shows, refuses, sends and keeps, and what becomes of words when the profile changes elsewhere.
import { clone, create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  type Details,
  ProfileSchema,
  ProfileService,
  type UpdateProfileRequest,
} from "../../gen/goodturn/profile/v1/profile_service_pb";
import { renderWith } from "../../testing/render";
import { heldOf } from "./kept";
import { ProfileScreen } from "./ProfileScreen";
import { refusal } from "../../testing/refusals";

const { questions } = vi.hoisted(() => ({ questions: { asked: [] as string[], answer: true } }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title }: { title: string }): Promise<boolean> {
    questions.asked.push(title);
    return Promise.resolve(questions.answer);
  },
}));
vi.mock("../../lib/config", () => ({ useConfig: () => ({ sms: true }) }));

beforeEach(() => {
  questions.asked = [];
  questions.answer = true;
  window.history.replaceState(null, "", "/profile");
});

const ana = { uid: "ana", email: "ana@goodturn.example", displayName: "Ana Ruiz" };
const member = { ...ana, givenName: "Ana", familyName: "Ruiz", profilePictureUrl: "" };

/** A server with one profile, which answers when a test lets it. */
function server() {
  const state = {
    profile: create(ProfileSchema, {
      details: {
        displayName: "Ana Ruiz",
        firstName: "Ana",
        lastName: "Ruiz",
        phoneNumber: "+15550104477",
        countryCode: "US",
      },
      data: { paymentInfo: { venmoUsername: "ana-ruiz" } },
    }),
    updates: [] as UpdateProfileRequest[],
    answers: Promise.resolve(),
    isLost: false,
    saysNothing: false,
    refuses: undefined as ConnectError | undefined,
    loads: 0,
    codes: [] as string[],
  };

  function change(part: Partial<Omit<Details, "$typeName" | "$unknown">>): void {
    if (state.profile.details !== undefined) Object.assign(state.profile.details, part);
    state.profile = clone(ProfileSchema, state.profile);
  }

  const show = (): unknown =>
    renderWith(
      ({ service }) =>
        service(ProfileService, {
          getProfile() {
            state.loads += 1;
            if (state.isLost) throw new ConnectError("gone", Code.Unavailable);
            return { profile: state.profile };
          },
          async updateProfile(request) {
            await state.answers;
            if (state.isLost) throw new ConnectError("gone", Code.Unavailable);
            if (state.refuses !== undefined) throw state.refuses;
            state.updates.push(request);
            if (state.saysNothing) return {};
            const { firstName, lastName, displayName } = request.details ?? {};
            change({
              ...(firstName === undefined ? {} : { firstName }),
              ...(lastName === undefined ? {} : { lastName }),
              ...(displayName === undefined ? {} : { displayName }),
            });
            return { profile: state.profile };
          },
          startPhoneVerification: () => ({ destination: "+*******4477" }),
          verifyPhone({ code }) {
            state.codes.push(code);
            if (code !== "123456") throw refusal("CODE_MISMATCH", Code.InvalidArgument);
            change({ phoneVerified: true });
            return {};
          },
        }),
      <ProfileScreen member={member} />,
    );
  return { state, change, show };
}

const field = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string): unknown => fireEvent.change(field(name), { target: { value } });
/** The one of the screen, and not of what is said on it. */
const close = (): HTMLElement => screen.getAllByRole("button", { name: "Close" })[0] ?? document.body;
const save = (): HTMLElement => screen.getByRole("button", { name: "Save Changes" });
const comesBack = (): unknown => act(() => window.dispatchEvent(new Event("focus")));

async function opened() {
  const all = server();
  all.show();
  await screen.findByLabelText("First name");
  return all;
}

it("it_shows_the_profile_and_saves_nothing_that_has_not_changed", async () => {
  const { state } = await opened();
  expect(screen.getByRole("heading", { level: 1, name: "Edit Profile" })).toBeInTheDocument();
  const shown = ["First name", "Last name", "Display name (optional)", "Phone", "Venmo", "PayPal"];
  expect(shown.map((name) => field(name).value)).toEqual(["Ana", "Ruiz", "", "(555) 010-4477", "ana-ruiz", ""]);
  expect(screen.getByLabelText<HTMLSelectElement>("Country").value).toBe("US");
  expect(save()).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(save());
  expect(await screen.findByText("No Changes")).toBeInTheDocument();
  expect(state.updates).toEqual([]);
});

it("what_has_changed_is_sent_and_nothing_else", async () => {
  const { state } = await opened();
  type("Last name", "Ruiz-Diaz");
  type("PayPal", "@ana");
  expect(save()).not.toHaveAttribute("aria-disabled");
  await userEvent.click(save());
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state.updates[0]?.updateMask?.paths).toEqual(["details.last_name", "data.payment_info.paypal_username"]);
  expect(state.updates[0]?.data?.paymentInfo).toMatchObject({ paypalUsername: "ana" });
  expect(field("Last name").value).toBe("Ruiz-Diaz");
  await waitFor(() => expect(save()).toHaveAttribute("aria-disabled", "true"));
  expect(heldOf("ana")).toBeNull();
});

it("a_link_to_a_username_is_taken_for_the_username", async () => {
  const { state } = await opened();
  type("PayPal", "https://www.paypal.com/paypalme/ana.ruiz?locale.x=en_US");
  type("Venmo", "https://venmo.com/u/ana-ruiz");
  await userEvent.click(save());
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  // The Venmo username is the one that is saved.
  expect(state.updates[0]?.updateMask?.paths).toEqual(["data.payment_info.paypal_username"]);
  expect(state.updates[0]?.data?.paymentInfo).toMatchObject({ paypalUsername: "ana.ruiz" });
});

it.each([
  ["Venmo", "https://paypal.me/ana", "Use only letters, digits, dots, dashes and underscores."],
  ["PayPal", "https://paypal.me/", "Please enter a username."],
])("a_link_in_%s_that_names_nobody_there_is_refused", async (label, link, text) => {
  const { state } = await opened();
  type(label, link);
  await userEvent.click(save());
  expect(screen.getByText(text)).toBeInTheDocument();
  expect(field(label).value).toBe(link);
  expect(state.updates).toEqual([]);
});

it("what_is_wrong_is_said_at_its_field_and_not_sent", async () => {
  const { state } = await opened();
  type("First name", " ");
  type("Phone", "555");
  type("Venmo", "@");
  await userEvent.click(save());
  expect(screen.getByText("Validation Error: Please enter both first and last name.")).toBeInTheDocument();
  expect(screen.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeInTheDocument();
  expect(screen.getByText("Please enter a username.")).toBeInTheDocument();
  expect(field("First name")).toHaveFocus();
  expect(state.updates).toEqual([]);
});

it("what_could_not_be_sent_is_kept_and_sent_again", async () => {
  const { state } = await opened();
  state.isLost = true;
  type("Last name", "Diaz");
  await userEvent.click(save());
  expect(await screen.findByText(/Failed to update profile\. Please check your connection/)).toBeInTheDocument();
  expect(heldOf("ana")?.values.lastName).toBe("Diaz");
  state.isLost = false;
  await userEvent.click(within(screen.getByRole("alert")).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state.profile.details?.lastName).toBe("Diaz");
});

it("a_page_that_was_loaded_anew_has_the_words_and_finds_out_what_became_of_those_under_way", async () => {
  const { state, show } = await opened();
  type("Last name", "Diaz");
  await waitFor(() => expect(heldOf("ana")?.values.lastName).toBe("Diaz"));
  cleanup();
  show();
  expect((await screen.findByLabelText<HTMLInputElement>("Last name")).value).toBe("Diaz");
  let release: (() => void) | undefined;
  state.answers = new Promise((resolve) => (release = resolve));
  await userEvent.click(save());
  expect(heldOf("ana")?.isSending).toBe(true);
  cleanup();
  show();
  await screen.findByLabelText("Last name");
  expect(save()).toHaveAttribute("data-loading", "true");
  release?.();
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state.updates).toHaveLength(1);
});

it("who_comes_back_sees_what_changed_elsewhere_and_keeps_what_is_typed", async () => {
  const { change } = await opened();
  change({ firstName: "Anna" });
  comesBack();
  await waitFor(() => expect(field("First name").value).toBe("Anna"));
  type("Last name", "Diaz");
  change({ firstName: "Annie", lastName: "Ruiz y Diaz" });
  comesBack();
  expect(await screen.findByText(/Changed elsewhere: last name\./)).toBeInTheDocument();
  expect([field("First name").value, field("Last name").value]).toEqual(["Annie", "Diaz"]);
});

it("who_comes_back_to_its_tab_finds_it_as_it_is_too", async () => {
  const { change } = await opened();
  change({ firstName: "Anna" });
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(field("First name").value).toBe("Anna"));
});

it("words_over_what_was_changed_elsewhere_are_sent_knowingly", async () => {
  const { change, show } = await opened();
  type("Last name", "Diaz");
  await waitFor(() => expect(heldOf("ana")?.values.lastName).toBe("Diaz"));
  cleanup();
  change({ lastName: "Ruiz y Diaz" });
  show();
  expect(await screen.findByText(/Changed elsewhere: last name\./)).toBeInTheDocument();
  expect(field("Last name").value).toBe("Diaz");
  // A page that is loaded anew still says it, and so it does when something else is changed.
  cleanup();
  show();
  expect(await screen.findByText(/Changed elsewhere: last name\./)).toBeInTheDocument();
  expect(field("Last name").value).toBe("Diaz");
  await userEvent.click(screen.getByRole("button", { name: "Load the newer version" }));
  expect(field("Last name").value).toBe("Ruiz y Diaz");
  expect(screen.queryByText(/Changed elsewhere/)).toBeNull();
});

it("closing_and_refreshing_ask_before_words_are_lost", async () => {
  const { change } = await opened();
  change({ firstName: "Anna" });
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(field("First name").value).toBe("Anna"));
  expect(questions.asked).toEqual([]);
  type("Last name", "Diaz");
  questions.answer = false;
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await userEvent.click(close());
  expect(questions.asked).toEqual(["Discard Changes", "Discard Changes"]);
  expect(field("Last name").value).toBe("Diaz");
  questions.answer = true;
  await userEvent.click(close());
  await waitFor(() => expect(window.location.pathname).toBe("/settings"));
  expect(heldOf("ana")).toBeNull();
});

it("a_profile_that_could_not_be_loaded_says_so_and_can_be_asked_again", async () => {
  const { state, show } = server();
  state.isLost = true;
  show();
  expect(await screen.findByText("Failed to load profile data. Please try again.")).toBeInTheDocument();
  state.isLost = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByLabelText("First name")).toBeInTheDocument();
});

it.each([
  ["NOT_FOUND", Code.NotFound, /User ID not found\. Please sign in again\./],
  ["INTERNAL", Code.Internal, /Failed to update profile\. Please check your connection and try again\./],
] as const)("a_refusal_by_%s_is_said_and_what_is_typed_is_kept", async (reason, code, text) => {
  const { state } = await opened();
  state.refuses = refusal(reason, code);
  type("Last name", "Diaz");
  await userEvent.click(save());
  expect(await screen.findByText(text)).toHaveTextContent("We kept what you typed.");
  expect(heldOf("ana")?.values.lastName).toBe("Diaz");
});

it("an_answer_that_says_nothing_is_told", async () => {
  const { state } = await opened();
  state.saysNothing = true;
  type("Last name", "Diaz");
  await userEvent.click(save());
  expect(await screen.findByText(/No response from user API/)).toBeInTheDocument();
});

it("a_refusal_has_its_words", async () => {
  const { state } = await opened();
  state.refuses = refusal("NOT_AUTHORIZED", Code.Unauthenticated);
  type("Phone", "5550104400");
  expect(screen.getByText("Save it, then verify it with a code.")).toBeInTheDocument();
  await userEvent.click(save());
  expect(await screen.findByText(/sign out and sign back in with your second step/)).toBeInTheDocument();
  type("Phone", "5550104401");
  await waitFor(() => expect(screen.queryByText(/sign out and sign back in/)).toBeNull());
});

it("the_number_is_verified_by_a_code", async () => {
  const { state } = await opened();
  expect(screen.getByText("Not verified yet")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Verify" }));
  const sheet = await screen.findByRole("dialog");
  expect(await within(sheet).findByText("+*******4477")).toBeInTheDocument();
  const digits = within(sheet).getAllByLabelText(/^Digit/);
  await userEvent.click(digits[0] ?? sheet);
  await userEvent.keyboard("111111");
  expect(await within(sheet).findByText("Invalid verification code")).toBeInTheDocument();
  for (const [i, digit] of [..."123456"].entries()) fireEvent.change(digits[i] ?? sheet, { target: { value: digit } });
  expect(await screen.findByText("Your phone number is verified.")).toBeInTheDocument();
  expect(await screen.findByText("Verified")).toBeInTheDocument();
  expect(state.codes).toEqual(["111111", "123456"]);
});
