// Tabs with their styles, which the first paint has no use for.
import { Tabs, type TabsListProps } from "@mantine/core";
import { useInView } from "./inView";
import "./styles/tabs.css";

export { Tabs };

/** The tabs of a screen, `index` being that which is shown: where letters are large they are moved sideways. */
export function TabRow({ index, ...props }: TabsListProps & { index: number }) {
  return <Tabs.List {...props} className="slides" ref={useInView(index)} />;
}
