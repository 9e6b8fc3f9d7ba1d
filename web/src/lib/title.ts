// The title of the document: the screen, then the product.
import { useEffect } from "react";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Goodturn" : `${title} · Goodturn`;
  }, [title]);
}
