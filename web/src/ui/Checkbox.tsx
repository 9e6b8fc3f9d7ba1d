// A box to tick with its styles, which the first paint has no use for.
import "./styles/checkbox.css";

export { Checkbox } from "@mantine/core";
