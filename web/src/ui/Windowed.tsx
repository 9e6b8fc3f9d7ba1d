// A list of any length: of a long one only the rows near what is seen are there, and the others keep their room.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
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

export type WindowedProps<T> = {
  /** Names the list among those that keep what they have measured. */
  name: string;
  label: string;
  things: readonly T[];
  idOf: (thing: T) => string;
  /** Whether more follow than are known. */
  isOpen: boolean;
  /** So many stand beside each other, in what this class makes of a row. */
  columns?: number;
  grid?: string;
  children: (thing: T) => ReactNode;
};

const rowsOf = <T,>(things: readonly T[], columns: number): T[][] =>
  Array.from({ length: Math.ceil(things.length / columns) }, (_, i) => things.slice(i * columns, (i + 1) * columns));

function useRows<T>(name: string, rows: readonly (readonly T[])[], idOf: (thing: T) => string) {
  const list = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [high] = useState(() => remOf(ROW_REM));
  const before = measured.get(name);
  const count = rows.length;
  const isWhole = count <= WHOLE_MAX;
  const getItemKey = useCallback(
    (index: number) => {
      const first = rows[index]?.[0];
      return first === undefined ? index : idOf(first);
    },
    [rows, idOf],
  );
  // oxlint-disable-next-line react/incompatible-library -- React Compiler is not used, and only the ref of a row is passed on
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
  }, [isWhole, rows, top, virtual]);
  useEffect(() => () => void measured.set(name, { initialMeasurementsCache: virtual.takeSnapshot() }), [name, virtual]);
  return { list, virtual, top, isWhole };
}

type RowProps<T> = {
  things: readonly T[];
  index: number;
  columns: number;
  grid: string;
  idOf: (thing: T) => string;
  /** That of the rows above it which are not drawn. */
  room: number;
  /** How many there are where it is to be told: -1 where nobody knows. */
  among: number | undefined;
  measure: (row: HTMLElement | null) => void;
  draw: (thing: T) => ReactNode;
};

const placeOf = (position: number, among: number | undefined) =>
  among === undefined ? {} : { "aria-posinset": position + 1, "aria-setsize": among };

/** Drawn again only when something of it has changed: scrolling alone draws no row twice. */
const Row = memo(
  function Row<T>({ things, index, columns, grid, idOf, room, among, measure, draw }: RowProps<T>) {
    const style = room > 0 ? { marginTop: room } : {};
    const [first] = things;
    if (columns === 1)
      return (
        <li ref={measure} data-index={index} style={style} {...placeOf(index, among)}>
          {first !== undefined && draw(first)}
        </li>
      );
    // What stands beside each other is one row to the eye alone.
    return (
      <div ref={measure} data-index={index} style={style}>
        <div className={grid}>
          {things.map((thing, i) => (
            <div key={idOf(thing)} role="listitem" {...placeOf(index * columns + i, among)}>
              {draw(thing)}
            </div>
          ))}
        </div>
      </div>
    );
  },
  ({ things, ...before }, { things: now, ...after }) =>
    things.length === now.length &&
    things.every((thing, i) => thing === now[i]) &&
    (Object.keys(after) as (keyof typeof after)[]).every((name) => before[name] === after[name]),
) as <T>(props: RowProps<T>) => ReactNode;

/** The rows that are drawn, with the room of those that are not above each of them. */
function roomOf(rows: readonly Measured[], top: number): { index: number; room: number }[] {
  return rows.map(({ index, start }, i) => ({ index, room: start - (rows[i - 1]?.end ?? top) }));
}

export function Windowed<T>(props: WindowedProps<T>) {
  const { name, label, things, idOf, isOpen, columns = 1, grid = "", children } = props;
  const all = useMemo(() => rowsOf(things, columns), [things, columns]);
  const { list, virtual, top, isWhole } = useRows(`${name}.${columns}`, all, idOf);
  const seen = isWhole ? [] : virtual.getVirtualItems();
  const rows = isWhole ? all.map((_, index) => ({ index, room: 0 })) : roomOf(seen, top);
  const below = isWhole ? 0 : virtual.getTotalSize() - ((seen.at(-1)?.end ?? top) - top);
  const among = isWhole && columns === 1 ? undefined : isOpen ? -1 : things.length;
  const List = columns === 1 ? "ul" : "div";
  return (
    <List
      ref={list as RefObject<HTMLUListElement & HTMLDivElement>}
      role={columns === 1 ? undefined : "list"}
      className={isWhole ? "plainlist rows" : "plainlist rows windowed"}
      aria-label={label}
      style={below > 0 ? { paddingBottom: below } : {}}
    >
      {rows.map(({ index, room }) => {
        const row = all[index];
        const first = row?.[0];
        return (
          row !== undefined &&
          first !== undefined && (
            <Row
              key={idOf(first)}
              things={row}
              index={index}
              columns={columns}
              grid={grid}
              idOf={idOf}
              room={room}
              among={among}
              measure={virtual.measureElement}
              draw={children}
            />
          )
        );
      })}
    </List>
  );
}
