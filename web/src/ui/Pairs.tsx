// A list of cards that stand two beside each other on a desktop, and what is there before they are.
import { CardSkeletons } from "./Skeletons";
import { useDesktop } from "./useDesktop";
import { Windowed, type WindowedProps } from "./Windowed";

export function Pairs<T>(props: Omit<WindowedProps<T>, "columns" | "grid">) {
  return <Windowed {...props} columns={useDesktop() ? 2 : 1} grid="cards2 wide" />;
}

export function PairSkeletons(props: Parameters<typeof CardSkeletons>[0]) {
  return (
    <div className="beside">
      <CardSkeletons {...props} />
    </div>
  );
}
