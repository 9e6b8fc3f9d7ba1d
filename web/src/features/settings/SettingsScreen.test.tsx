// The settings: everything that the documents name stands there, and says which version it is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { version } from "../../../package.json";
import { renderWith } from "../../testing/render";
import { SettingsScreen } from "./SettingsScreen";

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

it("app_and_server_are_of_one_version", () => {
  const cargo = readFileSync(join(import.meta.dirname, "../../../../Cargo.toml"), "utf8");
  expect(/^version = "(.*)"$/m.exec(cargo)?.[1]).toBe(version);
});
