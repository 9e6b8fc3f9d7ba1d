// What a member looks for among the favors of friends: kept until it is cleared, and asked for when the typing rests.
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { FavorCategory } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { forget, keep, useKept } from "../../lib/kept";
import type { Sought } from "./laterQueries";

const FORM = "browse";
/** As documented. */
const REST_MS = 300;
/** As many characters the server takes. */
export const WORDS_MAX = 200;

export type Typed = Sought;
const NOTHING: Typed = { term: "", category: FavorCategory.UNSPECIFIED, location: "" };

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { term, category, location } = value as Partial<Record<keyof Typed, unknown>>;
  const known = Object.values(FavorCategory).find((one): one is FavorCategory => one === category);
  return {
    term: String(term ?? ""),
    category: known ?? FavorCategory.UNSPECIFIED,
    location: String(location ?? ""),
  };
}

/** `typed` is what stands in the fields, `sought` what is asked for. */
export function useSeeking(me: string) {
  const typed = useKept(me, FORM, readTyped) ?? NOTHING;
  const [rested] = useDebouncedValue(typed, REST_MS);
  const sought = useMemo(
    (): Sought => ({ ...rested, term: rested.term.trim(), location: rested.location.trim() }),
    [rested],
  );
  return {
    typed,
    sought,
    type: (part: Partial<Typed>): void => keep(me, FORM, { ...typed, ...part }),
    clear: (): void => forget(me, FORM),
  };
}
