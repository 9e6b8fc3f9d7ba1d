// The title of the document: the screen, then the product.
import { useEffect } from "react";
import { words } from "./words";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = words.titled(title);
  }, [title]);
}
