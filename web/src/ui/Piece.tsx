// A piece of a screen that is loaded by itself, for the few who see it: what is around it stays, and says when it could not be loaded.
import { type ReactNode, Suspense } from "react";
import { NoteBoundary } from "./Boundary";

/** `skeleton` has its shape. */
export function Piece({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  return (
    <NoteBoundary>
      <Suspense fallback={skeleton}>{children}</Suspense>
    </NoteBoundary>
  );
}
