// One favor in full: what is asked, its facts, its story, and what may be done with it now.
import { Button } from "@mantine/core";
import {
  IconCalendarEvent,
  IconCalendarPlus,
  IconClockHour4,
  IconCoins,
  IconInfoCircle,
  IconUsers,
  IconX,
} from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Recipient } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { namesOf } from "../../lib/lists";
import { part } from "../../lib/parts";
import { DAY_MS, exactTime, nearTime, relativeTime, toDate, useNow } from "../../lib/times";
import { Face, Faces } from "../../ui/Face";
import { FactList, type FactRow } from "../../ui/Facts";
import { rememberFocus } from "../../ui/focus";
import { Loaded } from "../../ui/Loaded";
import { Note, Section } from "../../ui/Pieces";
import { Sheet } from "../../ui/Sheet";
import { StorySkeleton } from "../../ui/SheetSkeletons";
import { FieldSkeleton } from "../../ui/Skeletons";
import { Stick } from "../../ui/Stick";
import { Timeline } from "../../ui/Timeline";
import { words as frameWords } from "../../ui/words";
import { CategoryTag, StatusBadge, tipOf } from "./look";
import { useFavorStory } from "./laterQueries";
import { actionsOf, isChangedTooOften, isDestructive, useSteps } from "./steps";
import { isUnanswered, storyOf } from "./story";
import { storyWords } from "./storyWords";
import { cardWords } from "./cardWords";
import { actionWords, words } from "./words";
import { Words } from "../../ui/Words";

const AnotherTime = part(() => import("./AnotherTime").then((m) => m.default));

function Contact({ name, email }: { name: string; email: string }) {
  return (
    <>
      <Words>{name}</Words>
      {email !== "" && (
        <a className="link mail" href={`mailto:${email}`}>
          <Words>{email}</Words>
        </a>
      )}
    </>
  );
}

/** `recipients` are unknown until the story is loaded. */
function peopleRow(favor: Favor, recipients: readonly Recipient[] | undefined): FactRow | undefined {
  const { helper } = favor;
  if (helper !== undefined)
    return {
      label: words.helper,
      value: <Contact name={helper.displayName} email={helper.email} />,
      face: <Face person={helper} size={44} />,
    };
  if (favor.recipients.length === 0) return undefined;
  const row = { label: favor.status === FavorStatus.DRAFT ? words.toAsk : words.asked, icon: <IconUsers size={20} /> };
  if (recipients === undefined) {
    return { ...row, value: words.friends(favor.recipients.length) };
  }
  const people = recipients.flatMap((r) => (r.person === undefined ? [] : [r.person]));
  return { ...row, value: namesOf(people.map((p) => p.displayName)), aside: <Faces people={people} /> };
}

function factRows(favor: Favor, recipients: readonly Recipient[] | undefined, me: string, now: Date): FactRow[] {
  const start = toDate(favor.startDate);
  const confirmBy = toDate(favor.confirmationDate);
  const open =
    favor.status === FavorStatus.PENDING || favor.status === FavorStatus.ACTIVE || favor.status === FavorStatus.DRAFT;
  // What is done or called off does not come up.
  const comes = open || favor.status === FavorStatus.ACCEPTED;
  const rows: FactRow[] = [
    {
      label: cardWords.start,
      value: start === undefined ? cardWords.notSpecified : exactTime(start, now),
      icon: <IconCalendarEvent size={20} />,
      aside: start === undefined || !comes ? undefined : relativeTime(start, now),
    },
  ];
  if (open && confirmBy !== undefined) {
    const left_ms = confirmBy.getTime() - now.getTime();
    const urgent = favor.status !== FavorStatus.DRAFT && left_ms < DAY_MS;
    rows.push({
      label: cardWords.confirmBy,
      value: nearTime(confirmBy, now),
      icon: <IconClockHour4 size={20} />,
      aside: relativeTime(confirmBy, now),
      ...(urgent ? { urgent, tone: "wait" as const } : {}),
    });
  }
  if (favor.tip > 0) rows.push({ label: words.tip, value: tipOf(favor), icon: <IconCoins size={20} /> });
  const people = favor.createdBy === me ? peopleRow(favor, recipients) : undefined;
  return people === undefined ? rows : [...rows, people];
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
          <p className="dim t14">{favor.status === FavorStatus.PENDING ? words.asksYou : words.askedForIt}</p>
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

const icons: Partial<Record<FavorAction, ReactNode>> = {
  [FavorAction.ANOTHER_TIME]: <IconCalendarPlus size={20} />,
  [FavorAction.DECLINE]: <IconX size={20} />,
};

function labelOf(favor: Favor, action: FavorAction): string {
  // An accepted favor has its status marked; before that there is only an asking to be taken back.
  return action === FavorAction.CANCEL && favor.status !== FavorStatus.ACCEPTED
    ? words.cancelFavor
    : actionWords[action].label;
}

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

function Actions({ favor, me, note, stranded, onAct, onEdit, onGone }: Props & { note: string }) {
  const steps = useSteps(onGone);
  const [offering, setOffering] = useState(false);
  const giveBack = useRef<() => void>(undefined);
  const actions = actionsOf(favor);

  function offer(): void {
    giveBack.current = rememberFocus();
    setOffering(true);
  }

  function close(): void {
    setOffering(false);
    giveBack.current?.();
  }

  async function act(action: FavorAction): Promise<void> {
    if (action === FavorAction.EDIT) return onEdit();
    onAct?.();
    if (action === FavorAction.ANOTHER_TIME) return offer();
    await steps.asked(favor, action);
    return undefined;
  }

  if (actions.length === 0) return <Stick above={stranded} />;
  return (
    <>
      <Stick note={note} above={stranded}>
        {actions.map((action, i) => (
          <Button
            key={action}
            className={i === 0 ? "main-act" : undefined}
            size={i === 0 ? "lg" : "md"}
            variant={i === 0 ? "filled" : "default"}
            c={isDestructive(action) ? "var(--gt-no-fg)" : undefined}
            leftSection={icons[action]}
            loading={steps.busy === action}
            onClick={() => void act(action)}
          >
            {labelOf(favor, action)}
          </Button>
        ))}
      </Stick>
      {offering && (
        <Sheet
          opened
          onClose={close}
          title={actionWords[FavorAction.ANOTHER_TIME].title}
          skeleton={<FieldSkeleton label={frameWords.loading} />}
        >
          <AnotherTime
            me={me}
            favor={favor.id}
            onClose={close}
            onSend={(message) => steps.taken(favor, FavorAction.ANOTHER_TIME, message)}
          />
        </Sheet>
      )}
    </>
  );
}

export function FavorDetails({ favor, me, stranded, ...way }: Props) {
  const now = useNow();
  const story = useFavorStory(favor.id);
  const recipients = story.data?.recipients;
  const answered = recipients?.some((r) => r.person?.uid === me && !isUnanswered(r)) === true;
  const note = isChangedTooOften(favor, answered) ? words.changedTooOften : "";
  return (
    <>
      <div className="stack padstick">
        <Head favor={favor} mine={favor.createdBy === me} />
        <FactList rows={factRows(favor, recipients, me, now)} />
        {favor.status === FavorStatus.PENDING && (
          <Note tone="idle" icon={<IconInfoCircle size={20} />}>
            {words.firstHelps}
          </Note>
        )}
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
      <Actions favor={favor} me={me} note={note} stranded={stranded} {...way} />
    </>
  );
}
