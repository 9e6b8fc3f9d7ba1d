// A favor in a list: category and status, what is asked, when, and by whom, with an answer to it.
import { IconCopy, IconWritingSign } from "@tabler/icons-react";
import { Link } from "wouter";
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { useNow } from "../../lib/times";
import { Face } from "../../ui/Face";
import { Facts } from "../../ui/Facts";
import { filled } from "../../ui/filled";
import { CategoryTag, StatusBadge } from "./badges";
import { CardAnswer } from "./CardAnswer";
import { tipOf } from "./look";
import { factsOf } from "./cardFacts";
import { browseWords } from "./browseWords";
import { cardWords } from "./cardWords";
import { isProposed } from "./laterQueries";
import type { Tone } from "../../ui/theme";
import { Words } from "../../ui/Words";

type Props = {
  favor: Favor;
  me: string;
  href: string;
  selected?: boolean;
  onClone?: ((favor: Favor) => void) | undefined;
  /** Opens what an offer of help begins with. Absent where the card offers no answer. */
  onOffer?: ((favor: Favor) => void) | undefined;
  /** One below the heading that the list stands under. */
  heading?: "h2" | "h3";
};

const isEditable = (status: FavorStatus): boolean => status === FavorStatus.DRAFT || status === FavorStatus.ACTIVE;

type Tag = { text: string; tone: Tone };

/** What came of asking, and on whom it waits. Of the offers of others one is told nothing. */
function cameOf(favor: Favor, me: string): Tag | undefined {
  if (isProposed(favor)) return { text: browseWords.youProposed, tone: "idle" };
  const offers = favor.createdBy === me ? favor.applicants.length : 0;
  if (offers > 0) return { text: browseWords.offers(offers), tone: "wait" };
  if (favor.allowedActions.includes(FavorAction.DECLINE_TIME)) return { text: cardWords.timeProposed, tone: "wait" };
  return favor.nobodyCan ? { text: cardWords.everyoneDeclined, tone: "wait" } : undefined;
}

/** What it is about, what it pays, and what came of asking. */
function Tags({ favor, me }: Pick<Props, "favor" | "me">) {
  const came = cameOf(favor, me);
  return (
    <span className="row s wraps">
      <CategoryTag category={favor.category} />
      {favor.tip > 0 && (
        <span className="badge soft num" data-tone="ok">
          {tipOf(favor)}
        </span>
      )}
      {came !== undefined && (
        <span className="badge soft" data-tone={came.tone}>
          {came.text}
        </span>
      )}
    </span>
  );
}

export function FavorCard({ favor, me, href, selected = false, onClone, onOffer, heading: Heading = "h2" }: Props) {
  const now = useNow();
  const requester = favor.requester;
  const name = requester?.name || cardWords.unknownRequester;
  const hint = isEditable(favor.status) && (
    <span className="row dim t14" style={{ gap: "0.25rem" }}>
      <IconWritingSign size={18} aria-hidden="true" />
      {cardWords.tapToEdit}
    </span>
  );
  return (
    <article className={selected ? "card tap arrives on stack s" : "card tap arrives stack s"}>
      <div className="row between wraps">
        <Tags favor={favor} me={me} />
        <StatusBadge status={favor.status} />
      </div>
      <div className="stack xs" style={{ marginTop: "0.25rem" }}>
        <Heading className="t16 b6 clamp2">
          <Link className="cover" href={href} aria-current={selected ? "true" : undefined}>
            <Words>{favor.title || cardWords.untitled}</Words>
          </Link>
        </Heading>
        <p className="dim t14 clamp3">
          <Words>{favor.description || cardWords.noDescription}</Words>
        </p>
      </div>
      <Facts facts={factsOf(favor, now)} />
      <div className="row s between wraps">
        <span className="row s" style={{ marginTop: "0.25rem" }}>
          <Face person={{ displayName: name, profilePictureUrl: requester?.profilePictureUrl ?? "" }} size={28} />
          <span className="dim t14 one">
            {favor.createdBy === me
              ? cardWords.requestedByYou
              : filled(
                  cardWords.requestedBy,
                  <span className="b5 ink">
                    <Words>{name}</Words>
                  </span>,
                )}
          </span>
        </span>
        {onClone === undefined && hint}
      </div>
      {onOffer !== undefined && <CardAnswer favor={favor} onOffer={onOffer} />}
      {onClone !== undefined && (
        <>
          <hr className="rule" />
          <div className="row between" style={{ margin: "-0.25rem 0 -0.5rem" }}>
            {hint || <span />}
            <button
              type="button"
              className="link over"
              aria-label={cardWords.cloneOf(favor.title || cardWords.untitled)}
              onClick={() => onClone(favor)}
            >
              <IconCopy size={20} aria-hidden="true" />
              {cardWords.clone}
            </button>
          </div>
        </>
      )}
    </article>
  );
}
