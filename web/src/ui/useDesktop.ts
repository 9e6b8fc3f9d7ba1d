// Whether there is room for the rail and for a list beside its detail.
import { useMediaQuery } from "@mantine/hooks";

const DESKTOP = "(min-width: 900px)";

export function useDesktop(): boolean {
  return useMediaQuery(DESKTOP, false, { getInitialValueInEffect: false }) ?? false;
}
