// A new favor that begins at a friend asks them, and never takes the place of what was typed.
import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { askFriendPath } from "../../lib/askFriend";
import { renderWith } from "../../testing/render";
import { CreateForm } from "./CreateForm";
import { blank } from "./form";
import { hold, NEW, NOTHING } from "./version";

beforeEach(() => window.history.replaceState(null, "", askFriendPath("ben")));

const show = () =>
  renderWith(
    ({ service }) =>
      service(FriendsService, {
        getActive: () => ({ friends: { list: [{ uid: "ben", displayName: "Ben Okafor" }] } }),
      }),
    <CreateForm me="ana" />,
  );

it("a_blank_form_asks_the_friend_whom_the_address_names", async () => {
  hold("ana", NEW, { ...NOTHING, values: blank() });
  show();
  expect(await screen.findByRole("button", { name: /Who to ask.*Ben Okafor/ })).toBeInTheDocument();
  expect(window.location.search).toBe("?tab=create");
});

it("what_was_typed_stays_as_it_is", async () => {
  hold("ana", NEW, { ...NOTHING, values: { ...blank(), title: "Lift the piano" } });
  show();
  expect(await screen.findByRole("button", { name: /Who to ask.*Choose friends or groups/ })).toBeInTheDocument();
  expect(screen.getByLabelText("Title")).toHaveValue("Lift the piano");
  expect(window.location.search).toBe("?tab=create");
});
