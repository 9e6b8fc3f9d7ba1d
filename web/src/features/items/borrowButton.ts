// What may be done about the days that somebody has chosen on an item: a pure table of what the button says.
import { type Day, isDay } from "../../lib/days";
import { itemPath } from "../../lib/sharing";
import type { Range } from "../../ui/range";

const dayIn = (text: string | null): Day => (text !== null && isDay(text) ? text : "");

/** The days that the address of an item names, so that a reload and the way back keep them. */
export function daysIn(search: URLSearchParams): Range {
  const [start, end] = [dayIn(search.get("start")), dayIn(search.get("end"))];
  return { start, end: start === "" || end < start ? "" : end };
}

export function daysPath(id: string, { start, end }: Range): string {
  const named = Object.entries({ start, end }).filter(([, day]) => day !== "");
  return named.length === 0 ? itemPath(id) : `${itemPath(id)}?${new URLSearchParams(named).toString()}`;
}

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
