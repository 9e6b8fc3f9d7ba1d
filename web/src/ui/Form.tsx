// The shell of a form: what came of sending it, its fields, and the button that sends it.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Failed } from "./Failed";

/** `again`: the server was not reached, so that the same may go well later. */
export type FormFailure = { text: string; again: boolean };

type Props = {
  /** What the button says. */
  send: string;
  busy: boolean;
  onSend: () => void;
  /** What could not be done, and why; not given where the form says it at a field. */
  failed?: string;
  failure?: FormFailure | null;
  /** What is sent again was typed by the member, and is kept. */
  isTyped?: boolean;
  /** Where trying again is something else than sending. */
  onRetry?: (() => void) | undefined;
  /** What is sent destroys something. */
  destructive?: boolean;
  /** What stands above all, and under the button. */
  above?: ReactNode;
  below?: ReactNode;
  children?: ReactNode;
};

export function Form(props: Props) {
  const { failed, failure, onSend, onRetry = onSend } = props;
  return (
    <form
      noValidate
      className="stack f"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {props.above}
      {failure && (
        <Failed
          {...(failed === undefined ? {} : { title: failed })}
          text={failure.text}
          isTyped={props.isTyped === true}
          onRetry={failure.again ? onRetry : undefined}
        />
      )}
      {props.children}
      <Button type="submit" size="lg" fullWidth loading={props.busy} {...(props.destructive ? { color: "red" } : {})}>
        {props.send}
      </Button>
      {props.below}
    </form>
  );
}
