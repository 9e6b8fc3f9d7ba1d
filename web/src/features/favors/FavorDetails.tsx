// One favor in full: what is asked, its facts, who offers to help, its story, and what may be done with it now.
import { Skeleton } from "@mantine/core";
import { IconAlertCircle, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Person } from "../../gen/goodturn/common/v1/person_pb";
import { type Favor, FavorAction, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { type FavorEvent, FavorEventKind } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { firstNameWithin } from "../../lib/names";
import { part } from "../../lib/parts";
import { useNow } from "../../lib/times";
import { Face } from "../../ui/Face";
import { FactList } from "../../ui/Facts";
import { Loaded } from "../../ui/Loaded";
import { Piece } from "../../ui/Piece";
import { Note, Section } from "../../ui/Pieces";
import { ShareLink } from "../../ui/ShareLink";
import { shareWords } from "../../ui/shareWords";
import { StorySkeleton } from "../../ui/SheetSkeletons";
import { SectionSkeletons } from "../../ui/Skeletons";
import "../../ui/styles/offers.css";
import { Timeline } from "../../ui/Timeline";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import { Actions } from "./Actions";
import { AskMore } from "./AskMore";
import { CategoryTag, StatusBadge } from "./badges";
import { cardWords } from "./cardWords";
import { factRows } from "./facts";
import { isProposed, useFavorStory } from "./laterQueries";
import { codeOf } from "./look";
import { MyProposal } from "./MyProposal";
import { favorPath } from "./paths";
import { payWords } from "./payWords";
import { allows, isApplicant, isBackUp, isChangedTooOften } from "./steps";
import { isOtherTime, isTimeProposed, isUnanswered, storyOf } from "./story";
import { deedWords, storyWords } from "./storyWords";
import { words } from "./words";

const Applicants = part(() => import("./Offers").then((m) => m.Applicants));
const Payment = part(() => import("../../ui/Payment").then((m) => m.default));
const ProposedTimes = part(() => import("./Offers").then((m) => m.ProposedTimes));

function askedAs(status: FavorStatus): string {
  if (status === FavorStatus.PENDING) return words.asksYou;
  return status === FavorStatus.OPEN ? words.asksFriends : words.askedForIt;
}

function Head({ favor, mine }: { favor: Favor; mine: boolean }) {
  const name = favor.requester?.name || cardWords.unknownRequester;
  const title = (
    <h2 className="t22 breakable">
      <Words>{favor.title || cardWords.untitled}</Words>
    </h2>
  );
  const description = (
    <p className="prewrap">
      <Words>{favor.description || cardWords.noDescription}</Words>
    </p>
  );
  if (mine)
    return (
      <>
        <div className="row between wraps">
          <CategoryTag category={favor.category} />
          <StatusBadge status={favor.status} />
        </div>
        <div className="stack s">
          {title}
          {description}
        </div>
      </>
    );
  return (
    <>
      <div className="row">
        <Face person={{ displayName: name, profilePictureUrl: favor.requester?.profilePictureUrl ?? "" }} size={56} />
        <div className="grow">
          <p className="t18 one">
            <Words>{name}</Words>
          </p>
          <p className="dim t14">{askedAs(favor.status)}</p>
        </div>
        <StatusBadge status={favor.status} />
      </div>
      <div className="stack s">
        {title}
        {description}
      </div>
      <div>
        <CategoryTag category={favor.category} />
      </div>
    </>
  );
}

const isOver = ({ status }: Favor): boolean => status === FavorStatus.COMPLETED || status === FavorStatus.SETTLED;

/** What somebody who did not ask it should know before they answer, or while they wait. */
function hintOf(favor: Favor, me: string): string {
  if (isApplicant(favor)) return favor.status === FavorStatus.ACCEPTED ? words.offerStands : words.youOffered;
  if (isBackUp(favor)) return words.youAreBackUp;
  if (favor.status === FavorStatus.ACCEPTED) return favor.helper?.uid === me ? "" : words.othersHelp;
  if (isOver(favor)) return favor.helper?.uid === me ? "" : words.othersHelped;
  if (favor.status === FavorStatus.OPEN) return words.oneIsChosen;
  if (favor.status !== FavorStatus.PENDING) return "";
  if (favor.responses > 0) return words.helpedAlready;
  return favor.maxResponses > 1 ? words.othersBackUp : words.firstHelps;
}

function Hint({ favor, me }: { favor: Favor; me: string }) {
  const hint = hintOf(favor, me);
  if (hint === "") return null;
  return (
    <Note tone="idle" icon={<IconInfoCircle size={20} />}>
      {hint}
    </Note>
  );
}

const isOpenToAll = ({ requestType, status }: Favor): boolean =>
  requestType === RequestType.PUBLIC && status === FavorStatus.ACTIVE;

type Story = ReturnType<typeof useFavorStory>;

/** What the helper of a settled favor said last, if it is that the tip did not arrive. */
const missingOf = ({ status }: Favor, story: Story): FavorEvent | undefined =>
  status === FavorStatus.SETTLED
    ? story.data?.events.findLast(({ kind }) => kind === FavorEventKind.TIP_MISSING)
    : undefined;

/** Who is paid now, if anybody is: a completed favor's helper, and one who says that the tip did not arrive. */
function payeeOf(favor: Favor, me: string, missing: FavorEvent | undefined) {
  const { helper, status } = favor;
  if (favor.createdBy !== me || favor.tip === 0 || helper === undefined || helper.uid === "") return undefined;
  return status === FavorStatus.COMPLETED || missing !== undefined ? helper : undefined;
}

/** Why a favor that is settled is to be paid once more. */
function Missing({ helper, message }: { helper: Person; message: string }) {
  const title = deedWords[FavorEventKind.TIP_MISSING].who(helper.displayName);
  return (
    <Note tone="wait" icon={<IconAlertCircle size={20} />} title={title}>
      {message !== "" && (
        <p className="prewrap breakable">
          <Words>{message}</Words>
        </p>
      )}
    </Note>
  );
}

/** Whether the creator said thanks when they marked it completed. They are not asked for it again. */
const isThanked = ({ createdBy }: Favor, story: Story): boolean =>
  story.data?.events.some(
    ({ kind, actor, message }) => kind === FavorEventKind.COMPLETED && actor?.uid === createdBy && message !== "",
  ) === true;

type Props = {
  favor: Favor;
  me: string;
  /** What is said of words that can go nowhere any more. */
  stranded?: ReactNode;
  /** Before something is done. */
  onAct?: (() => void) | undefined;
  onEdit: () => void;
  onGone: () => void;
};

type ProposedProps = Pick<Props, "favor" | "me" | "onAct"> & { story: Story };

/** The times that were proposed. That there are any is known before the story is. */
function Proposed({ favor, me, onAct, story }: ProposedProps) {
  if (!allows(favor, FavorAction.DECLINE_TIME) || (story.data === undefined && story.isError)) return null;
  const proposed = story.data?.recipients.filter(isOtherTime);
  const skeleton = <SectionSkeletons label={frameWords.loading} rows={[proposed?.length ?? 1]} />;
  if (proposed === undefined) return skeleton;
  return (
    <Piece skeleton={skeleton}>
      <ProposedTimes favor={favor} me={me} recipients={proposed} onAct={onAct} />
    </Piece>
  );
}

export function FavorDetails({ favor, me, stranded, ...way }: Props) {
  const now = useNow();
  const story = useFavorStory(favor.id);
  const recipients = story.data?.recipients;
  const asked = recipients?.find((r) => r.person?.uid === me);
  const answered = asked !== undefined && !isUnanswered(asked);
  const note = isChangedTooOften(favor, answered) ? words.changedTooOften : "";
  const mine = favor.createdBy === me;
  const missing = missingOf(favor, story);
  const payee = payeeOf(favor, me, missing);
  const mayChoose = allows(favor, FavorAction.CHOOSE) && favor.applicants.length > 0;
  const mayTake = recipients?.some((r) => isTimeProposed(favor, r)) === true;
  const { onAct } = way;
  return (
    <>
      <div className="stack padstick">
        <Head favor={favor} mine={mine} />
        {isProposed(favor) && <MyProposal mine={asked} />}
        {payee !== undefined && missing !== undefined && <Missing helper={payee} message={missing.message} />}
        {payee !== undefined && (
          <Piece skeleton={<Skeleton h={224} radius={16} />}>
            <Payment
              person={payee}
              amount={favor.tip}
              currency={codeOf(favor.currency)}
              note={favor.title}
              said={{ ...payWords, label: payWords.heading, title: payWords.thank(firstNameWithin(payee.displayName)) }}
            />
          </Piece>
        )}
        {mayChoose && (
          <Piece skeleton={<SectionSkeletons label={frameWords.loading} rows={[favor.applicants.length]} />}>
            <Applicants favor={favor} onAct={onAct} />
          </Piece>
        )}
        <Proposed favor={favor} me={me} onAct={onAct} story={story} />
        <FactList rows={factRows({ favor, recipients, me, now, isPaid: payee !== undefined })} />
        {allows(favor, FavorAction.ASK) && <AskMore favor={favor} me={me} onAct={onAct} />}
        {mine && isOpenToAll(favor) && (
          <ShareLink path={favorPath(favor.id)} title={favor.title} text={shareWords.favorText} />
        )}
        {!mine && !isProposed(favor) && <Hint favor={favor} me={me} />}
        <Section title={storyWords.heading}>
          <Loaded
            query={story}
            skeleton={<StorySkeleton label={words.loadingStory} />}
            failed={words.storyFailed}
            small
          >
            {(told) => <Timeline label={storyWords.heading} steps={storyOf({ ...told, favor, me, now })} />}
          </Loaded>
        </Section>
      </div>
      <Actions
        favor={favor}
        me={me}
        note={note}
        isThanked={isThanked(favor, story)}
        isLight={payee !== undefined || mayChoose || mayTake}
        stranded={stranded}
        {...way}
      />
    </>
  );
}
