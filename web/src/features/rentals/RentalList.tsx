// A list of rentals in pages: skeletons, what failed, what is not there, and the cards.
import type { ReactNode } from "react";
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { messageOf, textOf } from "../../lib/errors";
import { NextPage, type Pages, withoutNext } from "../../ui/Endless";
import { itemWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { CardSkeletons } from "../../ui/Skeletons";
import { useDesktop } from "../../ui/useDesktop";
import { Windowed } from "../../ui/Windowed";
import { type Page, rentalsOf } from "./queries";
import { words } from "./words";

type Props = {
  /** Names the list among those that keep what they have measured. */
  name: string;
  label: string;
  query: Pages<{ pages: Page[] }> & { error: unknown };
  /** What is said when it could not be loaded, unless the server says why. */
  failed: string;
  empty: ReactNode;
  children: (rental: Rental) => ReactNode;
};

/** On a desktop so many stand beside each other. */
const COLUMNS = 2;

const idOf = ({ requestId }: Rental): string => requestId;

export function RentalList({ name, label, query, failed: unknown, empty, children }: Props) {
  const columns = useDesktop() ? COLUMNS : 1;
  const failed = textOf(query.error, { FRIENDS_ONLY: itemWords.friendsOnly }, messageOf(query.error) || unknown);
  return (
    <Loaded
      query={withoutNext(query)}
      skeleton={
        <div className="beside">
          <CardSkeletons label={words.loading} />
        </div>
      }
      failed={failed}
      isEmpty={(data) => !query.hasNextPage && rentalsOf(data).length === 0}
      empty={empty}
    >
      {(data) => (
        <>
          <Windowed
            name={`rentals.${name}`}
            label={label}
            things={rentalsOf(data)}
            idOf={idOf}
            isOpen={query.hasNextPage}
            columns={columns}
            grid="cards2 wide"
          >
            {children}
          </Windowed>
          <NextPage
            query={query}
            failed={failed}
            skeleton={
              <div className="beside">
                <CardSkeletons label={words.loading} count={1} />
              </div>
            }
          />
        </>
      )}
    </Loaded>
  );
}
