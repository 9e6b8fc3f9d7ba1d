// A column of favors, and the one that is looked at beside it where there is room for both.
import type { ReactNode } from "react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { NextPage, type Pages, withoutNext } from "../../ui/Endless";
import { Loaded } from "../../ui/Loaded";
import { CardSkeletons } from "../../ui/Skeletons";
import { Windowed } from "../../ui/Windowed";
import { cardWords } from "./cardWords";
import { FavorCard } from "./FavorCard";
import { favorPath } from "./paths";
import type { Place } from "./place";
import { favorsOf, type Page } from "./queries";
import { useOffer } from "./useOffer";
import { words } from "./words";

export type ListProps = {
  place: Place;
  /** The one that is shown beside the list: empty means the first, null that none is. */
  selected: string | null;
  me: string;
  onClone: (favor: Favor) => void;
  /** Told which favor stands first, for the pane beside. */
  children: (first: Favor | undefined) => ReactNode;
};

export type Shape = {
  query: Pages<{ pages: Page[] }>;
  /** Which of the loaded ones belong here; absent means all. */
  pick?: (favor: Favor) => boolean;
  failed: string;
  empty: ReactNode;
  clonable: boolean;
  /** What stands above the list, and has its width. */
  head?: ReactNode;
  /** What stands under the list, also under one that is empty. */
  foot?: ReactNode;
  /** Told over the list when it is there. */
  told?: (favors: readonly Favor[]) => ReactNode;
  /** What is shown is of before, and the new is on its way. */
  isOld?: boolean;
};

type Props = ListProps & { shape: Shape };

const all = (): boolean => true;
const idOf = ({ id }: Favor): string => id;

function Column({ shape, place, selected, me, onClone }: Props) {
  const { query, pick = all, failed, empty, clonable, head, foot, told, isOld = false } = shape;
  const [offer, sheet] = useOffer(me);
  return (
    // One thing beside the pane, also when it is said to be out of date.
    <div>
      {head}
      <Loaded
        query={withoutNext(query)}
        skeleton={<CardSkeletons label={cardWords.loading} />}
        failed={failed}
        // What belongs here may all stand on a later page.
        isEmpty={(data) => !query.hasNextPage && !favorsOf(data).some(pick)}
        empty={empty}
      >
        {(data) => {
          const favors = favorsOf(data).filter(pick);
          return (
            <div aria-busy={isOld}>
              {told?.(favors)}
              <Windowed
                name={`favors.${place.view}`}
                label={words.views[place.view]}
                things={favors}
                idOf={idOf}
                isOpen={query.hasNextPage}
              >
                {(favor) => (
                  <FavorCard
                    favor={favor}
                    me={me}
                    href={favorPath(favor.id, place)}
                    selected={selected !== null && favor.id === (selected || favors[0]?.id)}
                    onClone={clonable ? onClone : undefined}
                    // Beside the list stands the favor itself, with its answers.
                    onOffer={selected === null ? offer : undefined}
                  />
                )}
              </Windowed>
              <NextPage
                query={query}
                failed={failed}
                skeleton={<CardSkeletons label={cardWords.loading} count={1} />}
              />
            </div>
          );
        }}
      </Loaded>
      {foot}
      {sheet}
    </div>
  );
}

export function Cards(props: Props) {
  const { selected, children, shape } = props;
  const { query, pick = all, head } = shape;
  const first = query.data === undefined ? undefined : favorsOf(query.data).find(pick);
  // One that is not in this list may stand beside it: a notification leads to a favor, not to a list.
  const beside = selected !== null && (selected !== "" || first !== undefined);
  // In one place whether there is something beside it or not: what is typed above the list goes on. It does not grow wide by finding nothing.
  return (
    <div className={beside || head !== undefined ? "split" : undefined}>
      <Column {...props} />
      {beside && children(first)}
    </div>
  );
}
