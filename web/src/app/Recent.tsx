// The favors that the member changed last, which Home shows under all else.
import { cardWords } from "../features/favors/cardWords";
import { FavorCard } from "../features/favors/FavorCard";
import { favorPath } from "../features/favors/paths";
import { useRecentFavors } from "../features/favors/recent";
import { Loaded } from "../ui/Loaded";
import { CardSkeletons } from "../ui/Skeletons";
import { words } from "./homeWords";
import { NoRecent } from "./NoRecent";

export function Recent({ me }: { me: string }) {
  return (
    <Loaded
      query={useRecentFavors()}
      skeleton={<CardSkeletons label={cardWords.loading} />}
      failed={cardWords.activeFailed}
      isEmpty={(favors) => favors.length === 0}
      empty={<NoRecent />}
    >
      {(favors) => (
        <ul className="plainlist stack" aria-label={words.recent}>
          {favors.map((favor) => (
            <li key={favor.id}>
              <FavorCard favor={favor} me={me} href={favorPath(favor.id)} heading="h3" />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
