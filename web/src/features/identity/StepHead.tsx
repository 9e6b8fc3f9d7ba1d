// The heading of what a sign-in asks for, and what every such form is told.
import { type ReactNode, useEffect, useRef } from "react";
import { filled } from "../../ui/filled";
import { Words } from "../../ui/Words";
import type { Said } from "./standing";

/** `busy`: the answer is on its way. */
export type StepProps = { said: Said; busy: boolean };

type HeadProps = { title: string; sub: string | ((to: string) => string); to?: string; takesFocus?: boolean };

/** The heading of a step. `takesFocus`: nothing is typed in it at once. */
export function StepHead({ title, sub, to = "", takesFocus = false }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const address: ReactNode = (
    <b className="breakable ink">
      <Words>{to}</Words>
    </b>
  );
  return (
    <div>
      <h1 className="big" tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p className="sub">{typeof sub === "string" ? sub : filled(sub, address)}</p>
    </div>
  );
}
