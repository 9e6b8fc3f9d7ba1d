// How much room there is: for the rail, and for a list beside its detail.
import { useMediaQuery } from "@mantine/hooks";

const RAIL = "(min-width: 56.25em)";
const SPLIT = "(min-width: 68.75em)";

const useWidth = (query: string): boolean => useMediaQuery(query, false, { getInitialValueInEffect: false }) ?? false;

export const useDesktop = (): boolean => useWidth(RAIL);
export const useSplit = (): boolean => useWidth(SPLIT);
