// A list of rentals in pages: skeletons, what failed, what is not there, and the cards.
import type { ReactNode } from "react";
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { textOf } from "../../lib/errors";
import { messageOf } from "../../lib/refusals";
import { NextPage, type Pages, withoutNext } from "../../ui/Endless";
import { itemWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { Pairs, PairSkeletons } from "../../ui/Pairs";
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

const idOf = ({ requestId }: Rental): string => requestId;

export function RentalList({ name, label, query, failed: unknown, empty, children }: Props) {
  const known = { FRIENDS_ONLY: itemWords.friendsOnly, RATE_LIMITED: words.tooOften };
  const failed = textOf(query.error, known, messageOf(query.error) || unknown);
  return (
    <Loaded
      query={withoutNext(query)}
      skeleton={<PairSkeletons label={words.loading} />}
      failed={failed}
      isEmpty={(data) => !query.hasNextPage && rentalsOf(data).length === 0}
      empty={empty}
    >
      {(data) => (
        <>
          <Pairs name={`rentals.${name}`} label={label} things={rentalsOf(data)} idOf={idOf} isOpen={query.hasNextPage}>
            {children}
          </Pairs>
          <NextPage query={query} failed={failed} skeleton={<PairSkeletons label={words.loading} count={1} />} />
        </>
      )}
    </Loaded>
  );
}
