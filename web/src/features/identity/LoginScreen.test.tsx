// The door: whoever stands there has nothing left of what the server told somebody else, whatever became of their tokens.
import { Code } from "@connectrpc/connect";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "../../lib/current";
import { keep, kept } from "../../lib/kept";
import { forgetRemembered } from "../../lib/remembered";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { FORM, NOBODY } from "./LoginFrame";
import { LoginScreen } from "./LoginScreen";

vi.mock("./calls", async (original) => ({
  ...(await original<typeof import("./calls")>()),
  signUp: () =>
    Promise.reject(refusal("USERNAME_EXISTS", Code.AlreadyExists, "An account with the given email already exists.")),
}));

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ clientId: "web", userPoolId: "us-east-1_x" })));
});

it("nothing_of_what_the_server_said_is_left_on_the_device_and_what_is_typed_stays", async () => {
  localStorage.setItem("goodturn.cache.ana-profile", "kept");
  localStorage.setItem("goodturn.phone_step.ana", "over");
  keep("", "a form", "typed");
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByLabelText("Password")).toBeInTheDocument();
  expect(Object.keys(localStorage)).toEqual(["goodturn.phone_step.ana"]);
  expect(kept("", "a form", String)).toBe("typed");
});

it.each([
  [{}, "Welcome to Goodturn"],
  [{ "mantine-color-scheme-value": "dark" }, "Welcome to Goodturn"],
  [{ "goodturn.kept_since": "1" }, "Welcome back"],
  [{ "goodturn.phone_step.ana": "over" }, "Welcome back"],
])("a_device_that_keeps_%j_says_%s", async (stored, title) => {
  localStorage.clear();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
});

it("terms_and_privacy_can_be_read_before_signing_up", async () => {
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByRole("link", { name: "Terms" })).toHaveAttribute("href", "/terms");
  expect(screen.getByRole("link", { name: "Privacy" })).toHaveAttribute("href", "/privacy");
});

it("a_session_that_ended_elsewhere_is_told_and_its_address_is_filled_in", async () => {
  vi.spyOn(session, "endedFor").mockReturnValue("ana@goodturn.example");
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByText("You were signed out. Sign in again to continue.")).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue("ana@goodturn.example");
});

afterEach(() => {
  vi.restoreAllMocks();
  forgetRemembered();
  window.history.replaceState(null, "", "/");
});

it("nothing_is_told_where_no_session_has_ended", async () => {
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByLabelText("Email")).toHaveValue("");
  expect(screen.queryByText(/You were signed out/)).toBeNull();
});

it.each(["/favors/f1", "/share/items/i1", "/share/rentals/r1", "/friends/requests"])(
  "a_link_to_%s_says_that_something_awaits_and_says_so_to_who_signs_up",
  async (path) => {
    window.history.replaceState(null, "", path);
    renderWith(() => undefined, <LoginScreen comesBack={false} />);
    const awaits = "Sign in or sign up to see what you were sent.";
    expect(await screen.findByText(awaits)).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: "Sign Up" }));
    expect(screen.getByText(awaits)).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: "Sign In" }));
    await userEvent.click(screen.getByRole("button", { name: "Forgot password?" }));
    expect(screen.queryByText(awaits)).toBeNull();
  },
);

it.each(["/", "/favors", "/share"])("at_%s_nothing_awaits", async (path) => {
  window.history.replaceState(null, "", path);
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByLabelText("Email")).toBeVisible();
  expect(screen.queryByText(/what you were sent/)).toBeNull();
});

const email = () => screen.findByLabelText("Email");

it("a_sign_in_that_is_refused_names_the_clock_where_no_answer_tells_the_time", async () => {
  const refused = refusal("NOT_AUTHORIZED", Code.Unauthenticated, "Incorrect username or password.");
  vi.spyOn(session, "signIn").mockRejectedValue(refused);
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  await userEvent.type(await email(), "ana@goodturn.example");
  await userEvent.type(screen.getByLabelText("Password"), "a good turn a day");
  await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
  expect(await screen.findByText(/If you're sure they're right, check this device's date and time/)).toBeVisible();
});

it("who_waits_for_a_code_may_sign_in_instead_or_reset_the_password", async () => {
  const waiting = { step: "verify", email: "ana@goodturn.example", name: "", uid: "u1" };
  keep(NOBODY, FORM, waiting);
  const { unmount } = renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByText("Already have an account?")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Sign in instead" }));
  expect(await screen.findByLabelText("Password")).toBeVisible();
  expect(await email()).toHaveValue("ana@goodturn.example");
  unmount();

  keep(NOBODY, FORM, waiting);
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  await userEvent.click(await screen.findByRole("button", { name: "Reset your password" }));
  expect(await screen.findByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  expect(await email()).toHaveValue("ana@goodturn.example");
});

it("an_invited_address_with_an_account_leads_to_it", async () => {
  keep(NOBODY, FORM, { step: "signUp", email: "ana@goodturn.example", name: "Ana Ruiz", uid: "" });
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await email()).toBeVisible();
  expect(screen.queryByText("Already have an account?")).toBeNull();
  await userEvent.type(screen.getByLabelText("Password"), "a good turn a day");
  await userEvent.type(screen.getByLabelText("Confirm password"), "a good turn a day");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));
  expect(await screen.findByText("An account with the given email already exists.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Reset your password" }));
  expect(await screen.findByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  expect(await email()).toHaveValue("ana@goodturn.example");
});
