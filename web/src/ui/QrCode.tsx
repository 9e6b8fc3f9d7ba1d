// A text as a picture that a phone reads. Loaded with what shows one.
import newCode from "qrcode-generator";
import { useMemo } from "react";
import "./styles/secret.css";

/** Light around it, without which apps do not find it. */
const MARGIN = 4;

/** One square for each dark place, as the path of a drawing. */
function drawn(text: string): { size: number; path: string } {
  const code = newCode(0, "M");
  code.addData(text);
  code.make();
  const places = Array.from({ length: code.getModuleCount() }, (_, i) => i);
  const dark = places.flatMap((y) => places.filter((x) => code.isDark(y, x)).map((x) => `M${x} ${y}h1v1h-1z`));
  return { size: places.length, path: dark.join("") };
}

/** `label` says what it leads to. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  const all = size + 2 * MARGIN;
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`${-MARGIN} ${-MARGIN} ${all} ${all}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
