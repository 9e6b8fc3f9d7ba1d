// On Home: the newest of what friends ask all their friends. It comes after Home, and shows nothing where nobody asks.
import { useLayoutEffect } from "react";
import { Link } from "wouter";
import { type Favor, FavorCategory, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { Section } from "../../ui/Pieces";
import { browseWords } from "./browseWords";
import { FavorCard } from "./FavorCard";
import { useFound } from "./laterQueries";
import { favorPath, listPath } from "./paths";
import { favorsOf } from "./queries";
import { useOffer } from "./useOffer";

const SHOWN_MAX = 3;
const ALL = { term: "", category: FavorCategory.UNSPECIFIED, location: "" };

/** Whoever offered help already has that favor among their offers. */
const isNews = ({ status, applicants }: Favor): boolean => status === FavorStatus.OPEN && applicants.length === 0;

type AsksProps = { favors: readonly Favor[]; me: string; onOffer: (favor: Favor) => void };

function Asks({ favors, me, onOffer }: AsksProps) {
  return (
    <Section
      title={browseWords.friendsAsk}
      aside={
        <Link className="link end" href={listPath({ tab: "browse" })}>
          {browseWords.seeAll}
        </Link>
      }
    >
      <ul className="plainlist stack" aria-label={browseWords.friendsAsk}>
        {favors.slice(0, SHOWN_MAX).map((favor) => (
          <li key={favor.id}>
            <FavorCard
              favor={favor}
              me={me}
              href={favorPath(favor.id, { tab: "browse" })}
              onOffer={onOffer}
              heading="h3"
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** `onKnown` hears that it is known, or could not be loaded: the list itself says so in Browse. */
type Props = { me: string; onKnown: (known: true) => void };

export function FriendsAsk({ me, onKnown }: Props) {
  const { data, isError } = useFound(ALL);
  const [offer, sheet] = useOffer(me);
  const isKnown = data !== undefined || isError;
  // Before anything is painted: what Home shows below comes with this.
  useLayoutEffect(() => {
    if (isKnown) onKnown(true);
  }, [isKnown, onKnown]);
  const favors = data === undefined ? undefined : favorsOf(data).filter(isNews);
  return (
    <>
      {favors !== undefined && favors.length > 0 && <Asks favors={favors} me={me} onOffer={offer} />}
      {sheet}
    </>
  );
}
