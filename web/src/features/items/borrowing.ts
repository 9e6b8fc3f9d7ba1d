// What may be done about the days that somebody has chosen on an item: a pure table of what the button says.
import type { Range } from "../../ui/range";

/** Which days were asked about, and what came of that. */
export type Asked = { isFetching: boolean; isError: boolean; available: boolean | undefined };

/** `select`: days are still to be chosen. `checking`: it is being found out. `taken`: they are not free. `ready`: they can be asked for. */
export type Standing = "select" | "checking" | "failed" | "taken" | "ready";

export function standingOf({ start, end }: Range, { isFetching, isError, available }: Asked): Standing {
  if (start === "" || end === "") return "select";
  if (isFetching) return "checking";
  if (isError || available === undefined) return "failed";
  return available ? "ready" : "taken";
}
