// One favor beside the list on a desktop, or as a screen of its own on a phone: viewed, or edited.
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
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

function Body({ favor, me, editing }: { favor: Favor; me: string; editing: boolean }) {
  const [, navigate] = useLocation();
  const place = usePlace();
  const view = favorPath(favor.id, place);
  if (editing)
    return <EditForm key={favor.id} favor={favor} me={me} onDone={() => navigate(view, { replace: true })} />;
  return (
    <FavorDetails
      favor={favor}
      me={me}
      onEdit={() => navigate(favorPath(favor.id, place, true))}
      onGone={() => navigate(listPath(place), { replace: true })}
    />
  );
}

function useOneFavor(id: string) {
  const query = useFavor(id);
  const { editing } = usePlace();
  const favor = query.data;
  return { query, favor, editing: editing && favor !== undefined && actionsOf(favor).includes(FavorAction.EDIT) };
}

function Missing({ query }: { query: ReturnType<typeof useFavor> }) {
  if (query.isPending) return <DetailSkeleton label="Loading favor..." />;
  if (hasReason(query.error, "NOT_FOUND"))
    return <EmptyState drawing={<NotFound size={200} />} title={words.favorGone} />;
  return <LoadError title={words.favorFailed} onRetry={() => void query.refetch()} busy={query.isFetching} />;
}

function ViewButton({ favor, me }: { favor: Favor; me: string }) {
  const [, navigate] = useLocation();
  const place = usePlace();
  const view = async (): Promise<void> => {
    if (await mayLeave(me, favor)) navigate(favorPath(favor.id, place), { replace: true });
  };
  return (
    <Button variant="subtle" onClick={() => void view()}>
      View
    </Button>
  );
}

/** Beside the list, on a desktop. */
export function FavorPane({ id, me }: { id: string; me: string }) {
  const { query, favor, editing } = useOneFavor(id);
  return (
    <section className="pane" aria-label={editing ? words.editFavor : words.details} tabIndex={-1}>
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
          <Body favor={favor} me={me} editing={editing} />
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
  const [, navigate] = useLocation();
  const title = editing ? words.editFavor : words.details;
  useTitle(favor === undefined || editing ? title : favor.title);

  async function back(): Promise<void> {
    if (!editing || favor === undefined) navigate(listPath(place));
    else if (await mayLeave(me, favor)) navigate(favorPath(id, place), { replace: true });
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
      {favor === undefined ? <Missing query={query} /> : <Body favor={favor} me={me} editing={editing} />}
    </>
  );
}
