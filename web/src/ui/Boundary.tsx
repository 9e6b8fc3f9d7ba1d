// What is shown when a screen breaks, or could not be loaded: what stands around it stays, and it can be tried again.
import { IconAlertCircle } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { beginAgain, PartMissing } from "../lib/parts";
import { onFound } from "../lib/reach";
import { LoadError, Note } from "./Pieces";
import { Retry } from "./Retry";
import { words } from "./words";

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
      {useHealing(props)} <Retry look="subtle" onRetry={() => props.resetErrorBoundary()} />
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

function within(Fallback: (props: FallbackProps) => ReactNode) {
  return ({ resetKey = "", head, children }: Props) => (
    <ErrorBoundary
      resetKeys={[resetKey]}
      onReset={beginAgain}
      onError={(error) => console.error(error)}
      fallbackRender={(props) => (
        <>
          {head}
          <Fallback {...props} />
        </>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

/** Around a screen. */
export const Boundary = within(Broken);

/** Around what is loaded by itself, in a sheet or a screen: what is around it stays. */
export const NoteBoundary = within(BrokenNote);
