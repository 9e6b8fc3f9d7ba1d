// The story of a favor: faces as nodes, who did what and when, what is next, what is to come.
import { IconCheck, IconDots, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Face, type Named } from "./Face";
import "./styles/timeline.css";

export type Step = {
  key: string;
  /** `ended` is a story that stopped: cancelled or declined. */
  kind: "done" | "next" | "todo" | "ended";
  who?: Named | undefined;
  what: ReactNode;
  when: string;
};

function Node({ step }: { step: Step }) {
  if (step.kind === "done" && step.who !== undefined) return <Face person={step.who} size={32} />;
  const icons = {
    done: <IconCheck size={18} />,
    next: <IconDots size={18} />,
    todo: <IconCheck size={18} />,
    ended: <IconX size={18} />,
  };
  return (
    <span className="node" aria-hidden="true">
      {icons[step.kind]}
    </span>
  );
}

export function Timeline({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol className="tl" aria-label={label}>
      {steps.map((step) => (
        <li key={step.key} data-step={step.kind}>
          <Node step={step} />
          <div className="tx">
            <div>{step.what}</div>
            {step.when !== "" && <div className="dim t14">{step.when}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
