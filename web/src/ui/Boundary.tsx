// What is shown when a screen breaks, or could not be loaded: what stands around it stays, and it can be tried again.
import { IconAlertCircle } from "@tabler/icons-react";
import { Component, type ReactNode, useEffect } from "react";
import { beginAgain, PartMissing } from "../lib/parts";
import { onFound } from "../lib/reach";
import { LoadError, Note } from "./Pieces";
import { Retry } from "./Retry";
import { words } from "./shellWords";

type FallbackProps = { error: unknown; resetErrorBoundary: () => void };

/** What was out of reach is tried again by itself when the server is found. */
function useHealing({ error, resetErrorBoundary }: FallbackProps): string {
  const missing = error instanceof PartMissing;
  useEffect(() => (missing ? onFound(() => resetErrorBoundary()) : undefined), [missing, resetErrorBoundary]);
  return missing ? words.missing : words.broken;
}

function Broken(props: FallbackProps) {
  return <LoadError title={useHealing(props)} onRetry={() => props.resetErrorBoundary()} />;
}

function BrokenNote(props: FallbackProps) {
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />}>
      <div className="said">
        <span>{useHealing(props)}</span>
        <Retry onRetry={() => props.resetErrorBoundary()} />
      </div>
    </Note>
  );
}

type Props = {
  /** Leaving for another screen is a fresh start too. */
  resetKey?: string;
  /** Stands above what is said. */
  head?: ReactNode;
  children: ReactNode;
};

type Caught = { caught: { error: unknown } | null };

/** `fallback` is shown in the place of what broke, until it is tried again or `resetKey` is another. */
class Catching extends Component<Props & { fallback: (props: FallbackProps) => ReactNode }, Caught> {
  override state: Caught = { caught: null };

  static getDerivedStateFromError(error: unknown): Caught {
    return { caught: { error } };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override componentDidUpdate({ resetKey }: Props, before: Caught): void {
    if (before.caught !== null && this.state.caught !== null && resetKey !== this.props.resetKey) this.retry();
  }

  retry = (): void => {
    beginAgain();
    this.setState({ caught: null });
  };

  override render(): ReactNode {
    const { caught } = this.state;
    const { fallback, children } = this.props;
    return caught === null ? children : fallback({ error: caught.error, resetErrorBoundary: this.retry });
  }
}

function within(Fallback: (props: FallbackProps) => ReactNode) {
  return (props: Props) => (
    <Catching
      {...props}
      fallback={(caught) => (
        <>
          {props.head}
          <Fallback {...caught} />
        </>
      )}
    />
  );
}

/** Around a screen. */
export const Boundary = within(Broken);

/** Around what is loaded by itself, in a sheet or a screen: what is around it stays. */
export const NoteBoundary = within(BrokenNote);
