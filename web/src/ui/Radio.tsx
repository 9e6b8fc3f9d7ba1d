// A choice of one among a few with its styles and its look, which the first paint has no use for.
import { Radio as Plain } from "@mantine/core";
import "./styles/radio.css";

export const Radio = Plain.withProps({
  size: "md",
  iconColor: "var(--gt-on-brand)",
  styles: { radio: { borderColor: "var(--gt-field)" } },
});
