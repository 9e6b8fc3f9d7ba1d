// The favors that a member helps with, for one who is about to close their account.
import { IconHeartHandshake } from "@tabler/icons-react";
import { Link } from "wouter";
import { FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { Note } from "../../ui/Pieces";
import "../../ui/styles/rows.css";
import { Words } from "../../ui/Words";
import { cardWords } from "./cardWords";
import { useHelpingFavors } from "./laterQueries";
import { offerWords } from "./offerWords";
import { favorPath } from "./paths";
import { favorsOf } from "./queries";

const NAMED_MAX = 5;

/** Renders nothing before they are known. */
export function HelpingNow({ me }: { me: string }) {
  const { data } = useHelpingFavors();
  if (data === undefined) return null;
  const helping = favorsOf(data).filter(({ status, helper }) => status === FavorStatus.ACCEPTED && helper?.uid === me);
  if (helping.length === 0) return null;
  return (
    <Note
      tone="wait"
      role="status"
      icon={<IconHeartHandshake size={20} aria-hidden="true" />}
      title={offerWords.stillHelping(helping.length)}
    >
      <p>{offerWords.leavesThem(helping.length)}</p>
      <ul className="bullets">
        {helping.slice(0, NAMED_MAX).map(({ id, title }) => (
          <li key={id}>
            <Link className="link" href={favorPath(id)}>
              <Words>{title || cardWords.untitled}</Words>
            </Link>
          </li>
        ))}
        {helping.length > NAMED_MAX && <li>{offerWords.others(helping.length - NAMED_MAX)}</li>}
      </ul>
    </Note>
  );
}
