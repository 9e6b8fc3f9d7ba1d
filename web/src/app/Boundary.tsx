// What is shown when a screen breaks: the frame stays, and the screen can be tried again.
import type { ReactNode } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { LoadError } from "../ui/Pieces";

/** After a new release the parts of the old one may be gone from the server: only the page as a whole can be loaded again. */
const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported|module script|preload/i.test(error.message);

function Broken({ error, resetErrorBoundary }: FallbackProps) {
  const retry = isMissingPart(error) ? () => window.location.reload() : resetErrorBoundary;
  return <LoadError title="Something went wrong on this screen" onRetry={retry} />;
}

/** `resetKey`: leaving for another screen is a fresh start too. */
export function Boundary({ resetKey, children }: { resetKey: string; children: ReactNode }) {
  return (
    <ErrorBoundary resetKeys={[resetKey]} onError={(error) => console.error(error)} FallbackComponent={Broken}>
      {children}
    </ErrorBoundary>
  );
}
