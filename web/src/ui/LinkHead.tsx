// The heading of a page that a link in a mail leads to, and what it says under it.
import { type ReactNode, useEffect, useRef } from "react";

export function LinkHead({ title, text }: { title: string; text: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // What comes in the place of what was pressed, or of what loads, is read out.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div>
      <h1 className="big" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p className="sub">{text}</p>
    </div>
  );
}
