// Those whom a member has blocked or muted. Whoever is let back stays in the list until it is left, so that it can be undone there.
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { textOf } from "../../lib/errors";
import { dayOf, toDate } from "../../lib/times";
import { Face } from "../../ui/Face";
import { sayFailure } from "../../ui/failure";
import { type Asked, Loaded } from "../../ui/Loaded";
import { say } from "../../ui/said";
import { SectionRows } from "../../ui/SectionRows";
import { Words } from "../../ui/Words";
import type { Away, Whom } from "./away";
import { awayWords as words } from "./awayWords";
import { nameOf } from "./names";

type Deed = { mutateAsync: (who: Whom) => Promise<unknown> };
/** How one is put into the list, and let out of it. */
export type Way = {
  act: string;
  name: (name: string) => string;
  done: (name: string) => string;
  failed: string;
  /** What is said when the list is full. */
  limit: string;
  deed: Deed;
};
type Props = {
  label: string;
  query: Asked<readonly Away[]>;
  loading: string;
  failed: string;
  empty: ReactNode;
  since: (day: string) => string;
  into: Way;
  out: Way;
};

type RowProps = {
  away: Away;
  isIn: boolean;
  since: (day: string) => string;
  way: Way;
  onTurn: (isIn: boolean) => void;
};

function Row({ away, isIn, since, way, onTurn }: RowProps) {
  const [busy, setBusy] = useState(false);
  const { user } = away;
  const name = nameOf(user);
  const on = toDate(away.since);

  async function send(): Promise<void> {
    setBusy(true);
    // Nobody else can win it: shown at once, and put back when it failed.
    onTurn(!isIn);
    try {
      await way.deed.mutateAsync(user ?? NOBODY);
      say(way.done(name), "idle");
    } catch (error) {
      onTurn(isIn);
      const text = textOf(error, { NOT_FOUND: words.gone, LIMIT_REACHED: way.limit }, way.failed);
      sayFailure(error, text, () => void send(), { name, path: "" });
    }
    setBusy(false);
  }

  return (
    <li>
      <Face person={{ displayName: name, profilePictureUrl: user?.profilePictureUrl ?? "" }} size={48} />
      <div className="grow">
        <p className="b6 breakable">
          <Words>{name}</Words>
        </p>
        {isIn && on !== undefined && <p className="dim t14">{since(dayOf(on))}</p>}
      </div>
      <Button variant="default" aria-label={way.name(name)} loading={busy} onClick={() => void send()}>
        {way.act}
      </Button>
    </li>
  );
}

const NOBODY: Whom = { uid: "", displayName: "", firstName: "", lastName: "", profilePictureUrl: "" };

const uidOf = ({ user }: Away): string => user?.uid ?? "";

/** The last ones first, as the server has them. */
const byTime = (a: Away, b: Away): number => Number((b.since?.seconds ?? 0n) - (a.since?.seconds ?? 0n));

/** Whom the member has turned here stays as they were turned, until the list is left. */
type Turned = { away: Away; isIn: boolean };

const without = (turned: readonly Turned[], of: Away): readonly Turned[] =>
  turned.filter(({ away }) => uidOf(away) !== uidOf(of));

export function AwayList({ label, query, loading, failed, empty, since, into, out }: Props) {
  const [turned, setTurned] = useState<readonly Turned[]>([]);

  function rowsOf(listed: readonly Away[]): readonly Turned[] {
    const untouched = listed.filter((one) => without(turned, one).length === turned.length);
    return [...untouched.map((away) => ({ away, isIn: true })), ...turned].toSorted((a, b) => byTime(a.away, b.away));
  }

  return (
    <Loaded
      query={query}
      skeleton={<SectionRows label={loading} />}
      failed={failed}
      small
      isEmpty={(listed) => rowsOf(listed).length === 0}
      empty={empty}
    >
      {(listed) => (
        <ul className="card flush list people" aria-label={label}>
          {rowsOf(listed).map(({ away, isIn }) => (
            <Row
              key={uidOf(away)}
              away={away}
              isIn={isIn}
              since={since}
              way={isIn ? out : into}
              onTurn={(is) => setTurned((was) => [...without(was, away), { away, isIn: is }])}
            />
          ))}
        </ul>
      )}
    </Loaded>
  );
}
