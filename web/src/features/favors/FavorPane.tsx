// One favor beside the list on a desktop, or as a screen of its own on a phone: viewed, or edited.
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { useBack } from "../../lib/back";
import { hasReason } from "../../lib/errors";
import { useTitle } from "../../lib/title";
import { NotFound } from "../../ui/illustrations";
import { EmptyState, LoadError } from "../../ui/Pieces";
import { DetailSkeleton } from "../../ui/Skeletons";
import { EditForm, mayLeave } from "./EditForm";
import { FavorDetails } from "./FavorDetails";
import { favorPath, listPath, usePlace } from "./paths";
import { useFavor } from "./queries";
import { actionsOf } from "./steps";
import { words } from "./words";

type BodyProps = { favor: Favor; me: string; editing: boolean; onGone: () => void };

function Body({ favor, me, editing, onGone }: BodyProps) {
  const [, navigate] = useLocation();
  const back = useBack();
  const place = usePlace();
  if (editing) return <EditForm key={favor.id} favor={favor} me={me} onDone={() => back(favorPath(favor.id, place))} />;
  return (
    <FavorDetails favor={favor} me={me} onEdit={() => navigate(favorPath(favor.id, place, true))} onGone={onGone} />
  );
}

function useOneFavor(id: string) {
  const query = useFavor(id);
  const { editing } = usePlace();
  // One that was deleted meanwhile is gone, also where it was loaded before.
  const favor = hasReason(query.error, "NOT_FOUND") ? undefined : query.data;
  return { query, favor, editing: editing && favor !== undefined && actionsOf(favor).includes(FavorAction.EDIT) };
}

function Gone() {
  const list = (
    <Button component={Link} href={listPath()} variant="light">
      {words.seeActive}
    </Button>
  );
  return <EmptyState drawing={<NotFound size={200} />} title={words.favorGone} action={list} />;
}

function Missing({ query }: { query: ReturnType<typeof useFavor> }) {
  if (query.isPending) return <DetailSkeleton label="Loading favor..." />;
  if (hasReason(query.error, "NOT_FOUND")) return <Gone />;
  return <LoadError title={words.favorFailed} onRetry={() => void query.refetch()} busy={query.isFetching} />;
}

function ViewButton({ favor, me }: { favor: Favor; me: string }) {
  const back = useBack();
  const place = usePlace();
  const view = async (): Promise<void> => {
    if (await mayLeave(me, favor)) back(favorPath(favor.id, place));
  };
  return (
    <Button variant="subtle" onClick={() => void view()}>
      View
    </Button>
  );
}

/** Whoever opens another favor goes on in it. */
function useFocusOn(opened: string) {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(opened);
  useEffect(() => {
    if (opened !== "" && opened !== before.current) pane.current?.focus({ preventScroll: true });
    before.current = opened;
  }, [opened]);
  return pane;
}

/** Beside the list, on a desktop. `opened` is the one that was chosen, if any was. */
export function FavorPane({ id, opened, me }: { id: string; opened: string; me: string }) {
  const { query, favor, editing } = useOneFavor(id);
  const [, navigate] = useLocation();
  const place = usePlace();
  return (
    <section
      ref={useFocusOn(opened)}
      className="pane"
      aria-label={editing ? words.editFavor : words.details}
      tabIndex={-1}
    >
      {favor === undefined ? (
        <div style={{ paddingBottom: 24 }}>
          <Missing query={query} />
        </div>
      ) : (
        <>
          {editing && (
            <div className="row between" style={{ marginBottom: 16 }}>
              <h2 className="t18">{words.editFavor}</h2>
              <ViewButton favor={favor} me={me} />
            </div>
          )}
          <Body favor={favor} me={me} editing={editing} onGone={() => navigate(listPath(place), { replace: true })} />
          {actionsOf(favor).length === 0 && <div style={{ height: 24 }} />}
        </>
      )}
    </section>
  );
}

/** A screen of its own, on a phone. */
export function FavorScreen({ id, me }: { id: string; me: string }) {
  const { query, favor, editing } = useOneFavor(id);
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
        <ActionIcon aria-label="Back" onClick={() => void back()}>
          <IconArrowLeft />
        </ActionIcon>
        <h1 className="title" tabIndex={-1}>
          {title}
        </h1>
        {editing && favor !== undefined && <ViewButton favor={favor} me={me} />}
      </header>
      {favor === undefined ? (
        <Missing query={query} />
      ) : (
        <Body favor={favor} me={me} editing={editing} onGone={() => goBack(listPath(place))} />
      )}
    </>
  );
}
