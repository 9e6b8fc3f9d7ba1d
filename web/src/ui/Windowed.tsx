// A list of any length: of a long one only the rows near what is seen are there, and the others keep their room.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import "./styles/windowed.css";

/** As many are drawn whole: less than that costs nothing. */
const WHOLE_MAX = 200;
/** Rows beyond what is seen, so that neither a finger nor the keyboard comes to where none are. */
const BESIDE = 6;
/** In letters, as a row is before it was measured. */
const ROW_REM = 18;

type Measured = ReturnType<ReturnType<typeof useWindowVirtualizer>["getVirtualItems"]>[number];
/** What each list has measured: who comes back finds it as high as it was, and so the place that was left. */
const measured = new Map<string, { initialMeasurementsCache: Measured[] }>();

const remOf = (rem: number): number => rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The row that has the focus stays, wherever the list is scrolled to. */
function withFocused(list: Element | null, rows: readonly number[], count: number): number[] {
  const row = list?.contains(document.activeElement) ? document.activeElement?.closest("[data-index]") : null;
  const focused = Number((row as HTMLElement | null | undefined)?.dataset["index"] ?? -1);
  if (focused < 0 || focused >= count) return [...rows];
  return [...new Set([...rows, focused])].toSorted((a, b) => a - b);
}

type Props<T> = {
  /** Names the list among those that keep what they have measured. */
  name: string;
  label: string;
  things: readonly T[];
  idOf: (thing: T) => string;
  /** Whether more follow than are known. */
  isOpen: boolean;
  children: (thing: T) => ReactNode;
};

function useRows<T>({ name, things, idOf }: Pick<Props<T>, "name" | "things" | "idOf">) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const [high] = useState(() => remOf(ROW_REM));
  const before = measured.get(name);
  const count = things.length;
  const isWhole = count <= WHOLE_MAX;
  const getItemKey = useCallback(
    (index: number) => {
      const thing = things[index];
      return thing === undefined ? index : idOf(thing);
    },
    [things, idOf],
  );
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes here, and nothing of it is handed on but the ref of a row
  const virtual = useWindowVirtualizer({
    count,
    getItemKey,
    estimateSize: () => high,
    overscan: BESIDE,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    ...before,
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const first = Math.max(0, startIndex - overscan);
      const last = Math.min(count - 1, endIndex + overscan);
      return withFocused(
        list.current,
        Array.from({ length: last - first + 1 }, (_, i) => first + i),
        count,
      );
    },
  });
  // What stands above it may come and go. Where all rows are there the browser itself keeps the place.
  useLayoutEffect(() => {
    virtual.shouldAdjustScrollPositionOnItemSizeChange = isWhole ? () => false : undefined;
    const now = list.current === null ? 0 : list.current.getBoundingClientRect().top + window.scrollY;
    if (Math.abs(now - top) >= 1) setTop(now);
  }, [isWhole, things, top, virtual]);
  useEffect(() => () => void measured.set(name, { initialMeasurementsCache: virtual.takeSnapshot() }), [name, virtual]);
  return { list, virtual, top, isWhole };
}

type RowProps<T> = {
  thing: T;
  index: number;
  /** That of the rows above it which are not drawn. */
  room: number;
  /** How many there are where not all are drawn: -1 where nobody knows. */
  among: number | undefined;
  measure: (row: HTMLLIElement | null) => void;
  draw: (thing: T) => ReactNode;
};

/** Drawn again only when something of it has changed: scrolling alone draws no row twice. */
const Row = memo(function Row<T>({ thing, index, room, among, measure, draw }: RowProps<T>) {
  const place = among === undefined ? {} : { "aria-posinset": index + 1, "aria-setsize": among };
  return (
    <li ref={measure} data-index={index} style={room > 0 ? { marginTop: room } : {}} {...place}>
      {draw(thing)}
    </li>
  );
}) as <T>(props: RowProps<T>) => ReactNode;

/** The rows that are drawn, with the room of those that are not above each of them. */
function roomOf(rows: readonly Measured[], top: number): { index: number; room: number }[] {
  return rows.map(({ index, start }, i) => ({ index, room: start - (rows[i - 1]?.end ?? top) }));
}

export function Windowed<T>(props: Props<T>) {
  const { label, things, idOf, isOpen, children } = props;
  const { list, virtual, top, isWhole } = useRows(props);
  const seen = isWhole ? [] : virtual.getVirtualItems();
  const rows = isWhole ? things.map((_, index) => ({ index, room: 0 })) : roomOf(seen, top);
  const below = isWhole ? 0 : virtual.getTotalSize() - ((seen.at(-1)?.end ?? top) - top);
  const among = isWhole ? undefined : isOpen ? -1 : things.length;
  return (
    <ul
      ref={list}
      className={isWhole ? "plainlist rows" : "plainlist rows windowed"}
      aria-label={label}
      style={below > 0 ? { paddingBottom: below } : {}}
    >
      {rows.map(({ index, room }) => {
        const thing = things[index];
        return (
          thing !== undefined && (
            <Row
              key={idOf(thing)}
              thing={thing}
              index={index}
              room={room}
              among={among}
              measure={virtual.measureElement}
              draw={children}
            />
          )
        );
      })}
    </ul>
  );
}
