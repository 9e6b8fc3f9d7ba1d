// The settings: everything that the documents name stands there, and says which version it is; and the way out.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { version } from "../../../package.json";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { renderWith } from "../../testing/render";
import { helpWords } from "./helpWords";
import { privacyWords } from "./privacyWords";
import { SettingsScreen } from "./SettingsScreen";

const { leaving } = vi.hoisted(() => {
  const told = { answer: true, asked: [] as unknown[], done: [] as string[], refuses: undefined as Error | undefined };
  function tell(what: string): Promise<void> {
    told.done.push(what);
    return told.refuses === undefined ? Promise.resolve() : Promise.reject(told.refuses);
  }
  return { leaving: Object.assign(told, { tell }) };
});

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, text, destructive }: Record<string, unknown>): Promise<boolean> {
    leaving.asked.push([title, text, destructive]);
    return Promise.resolve(leaving.answer);
  },
}));
vi.mock("../../lib/current", () => ({
  session: {
    get: () => ({ kind: leaving.done.length === 0 ? "signedIn" : "signedOut" }),
    signOut: () => leaving.tell("leave"),
    revoke: () => leaving.tell("tell again"),
  },
}));

beforeEach(() => {
  Object.assign(leaving, { answer: true, asked: [], done: [], refuses: undefined });
  window.history.replaceState(null, "", "/settings");
});

const member = {
  uid: "ana",
  email: "ana@goodturn.example",
  displayName: "Ana Ruiz",
  givenName: "Ana",
  familyName: "Ruiz",
  profilePictureUrl: "/pictures/ana.jpg?until=1",
};

it("all_that_the_documents_name_stands_there", () => {
  renderWith(() => undefined, <SettingsScreen member={member} isUnsaved={false} />);
  const self = screen.getByRole("link", { name: /Ana Ruiz/ });
  expect(self).toHaveTextContent("ana@goodturn.example");
  expect(self).toHaveAttribute("href", "/profile");
  expect(self.querySelector(".face img")).toHaveAttribute("src", member.profilePictureUrl);
  expect(screen.getByRole("link", { name: /^Edit Profile/ })).toHaveAttribute("href", "/profile");
  for (const name of ["Close", "Help & FAQ", "Report a Problem", "Privacy & Terms", "Sign Out"])
    expect(screen.getByRole("button", { name })).toBeInTheDocument();
  for (const name of ["Automatic", "Light", "Dark"]) expect(screen.getByRole("radio", { name })).toBeInTheDocument();
  expect(screen.getByText(`Version ${version}`)).toBeInTheDocument();
});

const press = async (name: string): Promise<void> => userEvent.click(await screen.findByRole("button", { name }));

it("signing_out_is_asked_about_and_begins_anew_at_home", async () => {
  renderWith(() => undefined, <SettingsScreen member={member} isUnsaved={false} />);
  leaving.answer = false;
  await press("Sign Out");
  const text = "You can sign back in anytime. Anything you typed but didn't send is removed from this device.";
  expect(leaving.asked).toEqual([["Sign Out", text, true]]);
  expect([leaving.done, window.location.pathname]).toEqual([[], "/settings"]);
  leaving.answer = true;
  await press("Sign Out");
  expect([leaving.done, window.location.pathname]).toEqual([["leave"], "/"]);
});

it("a_sign_out_that_the_server_refused_says_so_and_is_told_again", async () => {
  renderWith(() => undefined, <SettingsScreen member={member} isUnsaved={false} />);
  const detail = { desc: ErrorInfoSchema, value: { reason: "INTERNAL", domain: "goodturn" } };
  leaving.refuses = new ConnectError("no", Code.Internal, undefined, [detail]);
  await press("Sign Out");
  expect(await screen.findByText("Failed to sign out. Please try again.")).toBeInTheDocument();
  leaving.refuses = undefined;
  await press("Retry");
  expect(await screen.findByText("You're fully signed out.")).toBeInTheDocument();
  expect(leaving.done).toEqual(["leave", "tell again"]);
});

it.each([
  ["Help & FAQ", helpWords.topics],
  ["Privacy & Terms", privacyWords.topics],
] as const)("%s_is_read_in_a_sheet", async (name, topics) => {
  renderWith(() => undefined, <SettingsScreen member={member} isUnsaved={false} />);
  await press(name);
  const sheet = await screen.findByRole("dialog", { name });
  for (const { title, text } of topics) {
    expect(await within(sheet).findByRole("heading", { name: title })).toBeInTheDocument();
    expect(within(sheet).getByText(text)).toBeInTheDocument();
  }
});

it("what_is_not_saved_in_the_profile_is_said_here", () => {
  renderWith(() => undefined, <SettingsScreen member={member} isUnsaved />);
  expect(screen.getByText("You have unsaved changes.")).toBeInTheDocument();
});

it("app_and_server_are_of_one_version", () => {
  const cargo = readFileSync(join(import.meta.dirname, "../../../../Cargo.toml"), "utf8");
  expect(/^version = "(.*)"$/m.exec(cargo)?.[1]).toBe(version);
});
