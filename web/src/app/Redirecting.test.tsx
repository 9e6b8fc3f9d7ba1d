// Paths that are no screens of the app.
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { Redirecting } from "./Redirecting";

function open(path: string): string[] {
  const { hook, history } = memoryLocation({ path, record: true });
  render(
    <Router hook={hook}>
      <Redirecting path={path} />
    </Router>,
  );
  return history;
}

it("notifications_lead_to_the_inbox_at_once", () => {
  expect(open("/notifications")).toEqual(["/inbox"]);
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});

it("an_unknown_path_is_named_before_it_leads_home", () => {
  expect(open("/nowhere")).toEqual(["/nowhere"]);
  expect(screen.getByRole("status")).toHaveTextContent("Redirecting...");
});
