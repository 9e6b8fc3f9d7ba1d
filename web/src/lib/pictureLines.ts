// Pictures that were chosen and are not saved yet, in a line for each thing that they are for. They are files, so a reload loses them.
import { useSyncExternalStore } from "react";
import { session } from "./current";

/** `address` shows the file; `stop` ends its upload. */
type Picture = { id: string; address: string; stop: (() => void) | null };

let lastId = 0;

/** @returns an id and an address for a file that was chosen. */
export function newPicture(file: Blob): Pick<Picture, "id" | "address"> {
  lastId += 1;
  return { id: String(lastId), address: URL.createObjectURL(file) };
}

function release({ address, stop }: Picture): void {
  stop?.();
  URL.revokeObjectURL(address);
}

/** The name of a line begins with its member and a space. `onEmpty` is told of a line that has nothing in it any more. */
export function createPictureLines<T extends Picture>(onEmpty?: (line: string) => void) {
  const none: readonly T[] = [];
  const lines = new Map<string, readonly T[]>();
  const listeners = new Set<() => void>();

  const of = (line: string): readonly T[] => lines.get(line) ?? none;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function become(line: string, pictures: readonly T[]): void {
    if (pictures.length === 0) {
      lines.delete(line);
      onEmpty?.(line);
    } else lines.set(line, pictures);
    tell();
  }

  function change(line: string, id: string, part: Partial<T>): void {
    if (lines.has(line))
      become(
        line,
        of(line).map((one) => (one.id === id ? { ...one, ...part } : one)),
      );
  }

  function remove(line: string, id: string): void {
    for (const one of of(line)) if (one.id === id) release(one);
    become(
      line,
      of(line).filter((one) => one.id !== id),
    );
  }

  function drop(line: string): void {
    for (const one of of(line)) release(one);
    become(line, none);
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  // Another member, or nobody: nothing of the one before stays.
  session.subscribe(() => {
    const state = session.get();
    const me = state.kind === "signedIn" ? state.member.uid : "";
    for (const line of lines.keys()) if (state.kind !== "loading" && !line.startsWith(`${me} `)) drop(line);
  });

  return {
    of,
    names: (): string[] => [...lines.keys()],
    become,
    change,
    remove,
    drop,
    tell,
    useLine: (line: string): readonly T[] => useSyncExternalStore(subscribe, () => of(line)),
    /** Follows what is told of the lines. */
    useTold: <V>(read: () => V): V => useSyncExternalStore(subscribe, read),
  };
}
