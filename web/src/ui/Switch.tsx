// What is turned on and off, with its styles and its look, which the first paint has no use for.
import { Switch as Plain } from "@mantine/core";
import "./styles/switch.css";

export const Switch = Plain.withProps({ size: "md", labelPosition: "left", withThumbIndicator: false });
