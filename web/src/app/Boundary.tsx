// What is shown when a screen breaks: the frame stays, and the screen can be tried again.
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { LoadError } from "../ui/Pieces";

/** `resetKey`: leaving for another screen is a fresh start too. */
export function Boundary({ resetKey, children }: { resetKey: string; children: ReactNode }) {
  return (
    <ErrorBoundary
      resetKeys={[resetKey]}
      onError={(error) => console.error(error)}
      fallbackRender={({ resetErrorBoundary }) => (
        <LoadError title="Something went wrong on this screen" onRetry={resetErrorBoundary} />
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
