// What the screen of a rental shows to each side: whose it is, what it costs, what stands in its way, and what was noted of it.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { cleanup, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { RentalAction as A, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { refusal } from "../../testing/refusals";
import { showRental } from "../../testing/rentals";

const plain = (text: string | null | undefined): string =>
  (text ?? "")
    .replaceAll(/[\u2068\u2069]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

it("a_request_shows_who_asks_what_it_costs_and_what_was_said", () => {
  showRental("ana", { rentalStatus: RentalStatus.PENDING, message: "For a film night", gratitude: 5 });
  expect(screen.getByRole("heading", { name: "Projector" })).toBeInTheDocument();
  expect(screen.getByText("PENDING", { exact: false, selector: ".badge" })).toHaveAttribute("data-tone", "wait");
  expect(screen.getByText("Ben Okafor")).toBeInTheDocument();
  expect(screen.getByText("For a film night")).toBeInTheDocument();
  const facts = [...document.querySelectorAll(".factlist > div")].map((row) => plain(row.textContent));
  expect(facts.slice(1)).toEqual(["Total$15.00 USD", "Deposit$40.00 USD", "Gratitude$5.00 USD"]);
  expect(facts[0]).toMatch(/^PeriodNov 20 – 22.* · 3 days$/);
});

it("the_item_and_its_terms_stand_with_the_rental", async () => {
  showRental("ben", { rentalStatus: RentalStatus.ACCEPTED });
  const about = within(screen.getByRole("region", { name: "About the item" }));
  expect(await about.findByText("Bright enough for a wall.")).toBeInTheDocument();
  const facts = about.getAllByRole("term").map((term) => plain(term.parentElement?.textContent));
  expect(facts).toEqual([
    "Pictures2",
    "Price per day$5.00 USD per day",
    "CategoryElectronics",
    "CityPorto",
    "Maximum rental period7 days",
    "Cancellation policyStrictFree cancellation until a week before",
    "OwnerAna Silva3 favors completed",
  ]);
});

it("an_item_that_is_not_shown_any_more_leads_nowhere_and_says_why", async () => {
  showRental("ben", { rentalStatus: RentalStatus.COMPLETED });
  expect(await screen.findByText("Bright enough for a wall.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Projector" })).toHaveAttribute("href", "/share/items/i");
  cleanup();
  const state = showRental("ben", { rentalStatus: RentalStatus.COMPLETED });
  state.itemFails = refusal("NOT_FOUND");
  expect(await screen.findByText(/^It was deleted or is no longer shared/)).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Projector" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Projector" })).toBeNull();
});

it("a_request_whose_days_are_over_says_so_to_both_sides", () => {
  const over = { rentalStatus: RentalStatus.PENDING, startDate: "2026-11-18", endDate: "2026-11-20" };
  showRental("ben", { ...over, allowedActions: [A.CANCEL], daysTaken: true });
  expect(screen.getByText(/^The dates passed without a response/)).toBeInTheDocument();
  expect(screen.queryByText("Some of these dates are no longer available.")).toBeNull();
  expect(screen.queryByText(/^Waiting for/)).toBeNull();
  cleanup();
  showRental("ana", { ...over, endDate: "2026-11-21", allowedActions: [A.ACCEPT] });
  expect(screen.queryByText(/^The dates passed/)).toBeNull();
  expect(screen.getByText("Waiting for your answer")).toBeInTheDocument();
});

it("more_days_that_are_past_say_so", () => {
  const asked = { rentalStatus: RentalStatus.ACTIVE, daysLeft: -3, allowedActions: [A.RETURN, A.DECLINE_EXTENSION] };
  showRental("ana", { ...asked, endDate: "2026-11-18", extension: { endDate: "2026-11-20", totalPrice: 25 } });
  expect(screen.getByText("That day has passed, so it's too late to agree.")).toBeInTheDocument();
  expect(screen.queryByText(/^New total/)).toBeNull();
});

const asked = (daysTaken: boolean) => ({
  rentalStatus: RentalStatus.ACTIVE,
  daysLeft: 1,
  allowedActions: [A.RETURN],
  extension: { endDate: "2026-11-26", totalPrice: 25, daysTaken },
});

it.each(["ana", "ben"] as const)("more_days_that_are_not_free_any_more_say_so_to_%s", (me) => {
  showRental(me, asked(true));
  expect(screen.getByText("Some of these dates are no longer available.")).toBeInTheDocument();
  expect(screen.queryByText(/^New total/)).toBeNull();
  cleanup();
  showRental(me, asked(false));
  expect(screen.getByText(/^New total/)).toBeInTheDocument();
  expect(screen.queryByText("Some of these dates are no longer available.")).toBeNull();
});

it("hints_say_what_is_in_the_way_or_waited_for", () => {
  showRental("ben", { rentalStatus: RentalStatus.PENDING, daysTaken: true, endDate: "2099-11-22" });
  expect(screen.getByText("Some of these dates are no longer available.")).toBeInTheDocument();
  showRental("ben", { rentalStatus: RentalStatus.ACCEPTED, heldOver: true });
  expect(screen.getByText(/Someone else still has this item/)).toBeInTheDocument();
  expect(screen.getByText(/^Accepted! Email/)).toHaveTextContent("ana@example.com");
  showRental("ben", { rentalStatus: RentalStatus.RETURNED });
  expect(screen.getByText("Waiting for owner to confirm return")).toBeInTheDocument();
});

it("what_was_agreed_and_not_noted_to_be_handed_over_says_what_becomes_of_it", () => {
  showRental("ben", {
    rentalStatus: RentalStatus.ACCEPTED,
    endsWith: "2026-12-06",
    allowedActions: [A.START, A.CANCEL],
  });
  expect(screen.getByText("Not marked as handed over")).toBeInTheDocument();
  expect(screen.getByText(/ends on its own after/)).toHaveTextContent("Dec 6.");
  showRental("ana", { rentalStatus: RentalStatus.ACCEPTED });
  expect(screen.getAllByText("Not marked as handed over")).toHaveLength(1);
});

it("the_owner_of_what_is_returned_is_not_told_to_wait", () => {
  showRental("ana", { rentalStatus: RentalStatus.RETURNED, allowedActions: [A.COMPLETE] });
  expect(screen.queryByText("Waiting for owner to confirm return")).toBeNull();
});

it("a_hand_over_is_shown_to_both_with_its_words_and_pictures", () => {
  const started = {
    at: timestampFromDate(new Date()),
    notedBy: "ana",
    note: "A scratch",
    pictureUrls: ["/p/1", "/p/2"],
  };
  showRental("ben", { rentalStatus: RentalStatus.ACTIVE, daysLeft: 2, started });
  const section = within(screen.getByRole("region", { name: "Handover" }));
  expect(section.getByText("A scratch")).toBeInTheDocument();
  expect(section.getByText(/^Marked by/)).toHaveTextContent("Ana Silva");
  expect(section.getAllByRole("img").map((img) => img.getAttribute("alt"))).toEqual([
    "Picture 1 of 2",
    "Picture 2 of 2",
  ]);
});

it("a_rating_that_was_given_stands_there", () => {
  showRental("ben", { rentalStatus: RentalStatus.COMPLETED, givenRating: 1 });
  expect(screen.getByText("You gave 1 star")).toBeInTheDocument();
});

it("a_confirmation_without_words_stands_in_the_story_alone", () => {
  showRental("ben", { rentalStatus: RentalStatus.COMPLETED, completed: { notedBy: "ana" } });
  expect(screen.queryByRole("region", { name: "Confirmation" })).toBeNull();
});
