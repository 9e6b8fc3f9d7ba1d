// One favor beside the list on a desktop, or as a screen of its own on a phone: viewed, or edited.
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft, IconHourglass } from "@tabler/icons-react";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { Link, useLocation } from "wouter";
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { useBack } from "../../lib/back";
import { hasReason } from "../../lib/errors";
import { useTitle } from "../../lib/title";
import { NotFound } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState, Note } from "../../ui/Pieces";
import { OtherAccount } from "../../ui/OtherAccount";
import { say } from "../../ui/said";
import { DetailSkeleton } from "../../ui/Skeletons";
import { cardWords } from "./cardWords";
import { fillForm } from "./CreateForm";
import { dropWords, EditForm, mayLeave, missedOf, unsent } from "./EditForm";
import { Elsewhere, Kept } from "./Elsewhere";
import { FavorDetails } from "./FavorDetails";
import { StatusBadge } from "./badges";
import { favorPath, listPath } from "./paths";
import { usePlace } from "./place";
import { useFavor } from "./laterQueries";
import { type Outcome, useSaving, useUnderWay } from "./saving";
import { actionsOf } from "./steps";
import { formOf, isUnsaved, useHeld } from "./version";
import { formWords } from "./formWords";
import { useClone } from "./useClone";
import { words } from "./words";

const mayEdit = (favor: Favor): boolean => actionsOf(favor).includes(FavorAction.EDIT);

/** Turns the words for a favor that cannot take them any more into a new one. */
function useAsNew(me: string, id: string): () => Promise<void> {
  const [, navigate] = useLocation();
  return async () => {
    const values = unsent(me, id);
    if (values === null || !(await fillForm(me, values))) return;
    dropWords(me, id);
    navigate(listPath({ tab: "create" }));
  };
}

type StrandedProps = { favor: Favor; me: string; onEdit: () => void };

/** What came of a form that was left stands on its favor: a failure in what is held. */
function told(outcome: Outcome): void {
  if (outcome.ok) say(words.updated);
}

/** Words that were typed for a favor and not sent: to be gone on with, or without a place, when it was accepted, say, before they were sent. */
function Stranded({ favor, me, onEdit }: StrandedProps) {
  const asNew = useAsNew(me, favor.id);
  const form = formOf(favor.id);
  const held = useHeld(me, form);
  const { values, failed } = held;
  const underWay = useUnderWay(me, form, told);
  const save = useSaving(
    me,
    form,
    useMemo(() => missedOf(favor.id), [favor.id]),
  );
  if (underWay !== "")
    return (
      <Note tone="idle" role="status" icon={<IconHourglass size={20} />}>
        {formWords.saving}
      </Note>
    );
  if (values === null || !isUnsaved(held)) return null;
  const drops = { label: formWords.elsewhere.drop, take: () => void mayLeave(me, favor) };
  if (mayEdit(favor)) {
    const goesOn = { label: formWords.discard.no, take: onEdit };
    const onRetry = failed?.isLost === true ? () => save(failed.deed, values) : undefined;
    return <Kept title={failed?.text ?? formWords.unsaved} ways={[goesOn, drops]} onRetry={onRetry} />;
  }
  return (
    <Elsewhere
      now={{ kind: "closed", favor }}
      before={values}
      ways={[{ label: formWords.elsewhere.asNew, take: () => void asNew() }, drops]}
    />
  );
}

type BodyProps = { favor: Favor; me: string; editing: boolean; onAct?: (() => void) | undefined; onGone: () => void };

function Body({ favor, me, editing, onAct, onGone }: BodyProps) {
  const [, navigate] = useLocation();
  const back = useBack();
  const place = usePlace();
  if (editing)
    return <EditForm key={favor.id} favor={favor} me={me} onLeave={() => back(favorPath(favor.id, place))} />;
  const edit = (): void => navigate(favorPath(favor.id, place, true));
  return (
    <FavorDetails
      key={favor.id}
      favor={favor}
      me={me}
      stranded={<Stranded favor={favor} me={me} onEdit={edit} />}
      onAct={onAct}
      onEdit={edit}
      onGone={onGone}
    />
  );
}

function Gone({ id, me }: { id: string; me: string }) {
  const asNew = useAsNew(me, id);
  const hasWords = isUnsaved(useHeld(me, formOf(id)));
  const action = hasWords ? (
    <Button onClick={() => void asNew()}>{formWords.elsewhere.asNew}</Button>
  ) : (
    <div className="row s wraps">
      <Button component={Link} href={listPath()} variant="light">
        {words.seeActive}
      </Button>
      <Button component={Link} href="/friends/find" variant="default">
        {words.findFriends}
      </Button>
      <OtherAccount />
    </div>
  );
  return (
    <EmptyState drawing={<NotFound size={200} />} title={words.favorGone} action={action}>
      {hasWords ? formWords.elsewhere.kept : words.favorGoneWays}
    </EmptyState>
  );
}

function useOneFavor(id: string) {
  const query = useFavor(id);
  const place = usePlace();
  const [, navigate] = useLocation();
  // One that was deleted elsewhere does not stay with its buttons. What is no id names none.
  const isGone = hasReason(query.error, "NOT_FOUND", "INVALID_ARGUMENT");
  const favor = isGone ? undefined : query.data;
  const editing = place.editing && favor !== undefined && mayEdit(favor);
  // Where it cannot be edited any more it is viewed, and that is one way from here.
  const isOver = place.editing && !editing && (isGone || favor !== undefined);
  const viewed = favorPath(id, place);
  useEffect(() => {
    if (isOver) navigate(viewed, { replace: true });
  }, [isOver, viewed, navigate]);
  return { query, favor, isGone, editing };
}

type One = ReturnType<typeof useOneFavor>;

type ContentProps = Pick<BodyProps, "me" | "onAct" | "onGone"> & { one: One; id: string };

function Content({ one, id, me, onAct, onGone }: ContentProps): ReactNode {
  if (one.isGone) return <Gone id={id} me={me} />;
  return (
    <Loaded query={one.query} skeleton={<DetailSkeleton label={words.loadingFavor} />} failed={words.favorFailed}>
      {(favor) =>
        favor !== undefined && <Body favor={favor} me={me} editing={one.editing} onAct={onAct} onGone={onGone} />
      }
    </Loaded>
  );
}

/** While it is edited: how it stands, and the way back to viewing it. */
function EditHead({ favor, me }: { favor: Favor; me: string }) {
  const back = useBack();
  const place = usePlace();
  const view = async (): Promise<void> => {
    if (await mayLeave(me, favor)) back(favorPath(favor.id, place));
  };
  return (
    <>
      <StatusBadge status={favor.status} />
      <Button variant="subtle" px={12} onClick={() => void view()}>
        {words.view}
      </Button>
    </>
  );
}

const hasEnded = ({ status }: Favor): boolean =>
  status === FavorStatus.COMPLETED || status === FavorStatus.SETTLED || status === FavorStatus.CANCELLED;

/** What stands beside the heading: one's own that is over can be asked once more. */
function HeadAside({ favor, me, editing }: { favor: Favor; me: string; editing: boolean }) {
  const clone = useClone(me);
  if (editing) return <EditHead favor={favor} me={me} />;
  if (favor.createdBy !== me || !hasEnded(favor)) return null;
  return (
    <Button variant="subtle" px={12} onClick={() => clone(favor)}>
      {cardWords.clone}
    </Button>
  );
}

/** Whoever opens another favor goes on in it. `opens` notes one that is opened by something else, which keeps the focus. */
function useFocusOn(opened: string) {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(opened);
  useEffect(() => {
    if (opened !== "" && opened !== before.current) pane.current?.focus({ preventScroll: true });
    before.current = opened;
  }, [opened]);
  const opens = (id: string): void => {
    before.current = id;
  };
  return { pane, opens };
}

/** Beside the list, on a desktop. `opened` is the one that was chosen, if any was. */
export function FavorPane({ id, opened, me }: { id: string; opened: string; me: string }) {
  const one = useOneFavor(id);
  const [, navigate] = useLocation();
  const place = usePlace();
  const { favor, editing } = one;
  const { pane, opens } = useFocusOn(opened);
  const title = editing ? words.editFavor : words.details;
  /** What is done with the first of a list is done with this one: it stays, with what came of it, wherever the list has it then. */
  function stay(): void {
    if (opened !== "") return;
    opens(id);
    navigate(favorPath(id, place), { replace: true });
  }
  // It scrolls by itself: where no button in it takes the focus, it is a stop of its own.
  const tabStop = favor !== undefined && actionsOf(favor).length === 0 ? 0 : -1;
  return (
    <section ref={pane} className="pane" aria-label={title} tabIndex={tabStop}>
      <div className="row s panehead">
        <h2 className={editing ? "t18 grow" : "dim t14 b6 grow"}>{title}</h2>
        {favor !== undefined && <HeadAside favor={favor} me={me} editing={editing} />}
      </div>
      <Content one={one} id={id} me={me} onAct={stay} onGone={() => navigate(listPath(place), { replace: true })} />
    </section>
  );
}

/** A screen of its own, on a phone. */
export function FavorScreen({ id, me }: { id: string; me: string }) {
  const one = useOneFavor(id);
  const { favor, editing } = one;
  const place = usePlace();
  const goBack = useBack();
  const title = editing ? words.editFavor : words.details;
  useTitle(favor === undefined || editing ? title : favor.title);

  async function back(): Promise<void> {
    if (!editing || favor === undefined) goBack(listPath(place));
    else if (await mayLeave(me, favor)) goBack(favorPath(id, place));
  }

  return (
    <>
      <header className="top under">
        {/* The second of two taps is on the way back from another screen, which has this arrow too. */}
        <ActionIcon aria-label={words.back} onClick={({ detail }) => detail < 2 && void back()}>
          <IconArrowLeft />
        </ActionIcon>
        <h1 className="title" tabIndex={-1}>
          {title}
        </h1>
        {favor !== undefined && <HeadAside favor={favor} me={me} editing={editing} />}
      </header>
      <Content one={one} id={id} me={me} onGone={() => goBack(listPath(place))} />
    </>
  );
}
