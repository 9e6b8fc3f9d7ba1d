// The colors of a favor's status, as the documents have them.
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { StatusBadge } from "./badges";

const { UNSPECIFIED, DRAFT, ACTIVE, PENDING, OPEN, ACCEPTED, COMPLETED, SETTLED, CANCELLED, DECLINED } = FavorStatus;

it.each<[string, FavorStatus[]]>([
  ["idle", [UNSPECIFIED, DRAFT]],
  ["wait", [ACTIVE, PENDING, OPEN]],
  ["ok", [ACCEPTED, COMPLETED, SETTLED]],
  ["no", [CANCELLED, DECLINED]],
])("tone_%s_is_that_of_its_statuses", (tone, statuses) => {
  for (const status of statuses) {
    const { container, unmount } = render(<StatusBadge status={status} />);
    expect(container.querySelector(".badge")).toHaveAttribute("data-tone", tone);
    unmount();
  }
});
