// The title of the document, and the focus on a screen's heading when the route changes.
import { useEffect } from "react";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Goodturn" : `${title} · Goodturn`;
  }, [title]);
}
