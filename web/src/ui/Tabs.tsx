// Tabs with their styles, which the first paint has no use for.
import "./styles/tabs.css";

export { Tabs } from "@mantine/core";
