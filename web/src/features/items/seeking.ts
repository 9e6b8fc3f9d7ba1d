// What a member looks for among what friends lend: kept until it is cleared, and asked for when the typing rests.
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { ItemCategory } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { forget, keep, useKept } from "../../lib/kept";
import type { Sought } from "./queries";

const FORM = "browse_items";
/** As documented. */
const REST_MS = 300;
/** As many characters the server takes. */
export const WORDS_MAX = 200;

const NOTHING: Sought = { term: "", category: ItemCategory.UNSPECIFIED };

function readTyped(value: unknown): Sought | null {
  if (typeof value !== "object" || value === null) return null;
  const { term, category } = value as Partial<Record<keyof Sought, unknown>>;
  const known = Object.values(ItemCategory).find((one): one is ItemCategory => one === category);
  return { term: String(term ?? ""), category: known ?? ItemCategory.UNSPECIFIED };
}

/** `typed` is what stands in the fields, `sought` what is asked for. Each owner's items are searched by themselves. */
export function useSeeking(me: string, owner = "") {
  const form = owner === "" ? FORM : `${FORM}/${owner}`;
  const typed = useKept(me, form, readTyped) ?? NOTHING;
  const [rested] = useDebouncedValue(typed, REST_MS);
  const sought = useMemo((): Sought => ({ ...rested, term: rested.term.trim() }), [rested]);
  return {
    typed,
    sought,
    type: (part: Partial<Sought>): void => keep(me, form, { ...typed, ...part }),
    clear: (): void => forget(me, form),
  };
}
