// A box to tick with its styles and its look, which the first paint has no use for.
import { Checkbox as Plain } from "@mantine/core";
import "./styles/checkbox.css";

export const Checkbox = Plain.withProps({
  size: "md",
  radius: "sm",
  iconColor: "var(--gt-on-brand)",
  styles: { input: { borderColor: "var(--gt-field)" } },
});
