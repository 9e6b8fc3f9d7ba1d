// The favors area: what is open, what is done, and asking for something new.
import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { useTitle } from "../../lib/title";
import { say } from "../../ui/said";
import { TabRow, Tabs } from "../../ui/Tabs";
import { useDesktop, useSplit } from "../../ui/useDesktop";
import { CreateForm } from "./CreateForm";
import { takeDone } from "./done";
import { FavorLists } from "./FavorLists";
import { FavorPane, FavorScreen } from "./FavorPane";
import { postedText } from "./form";
import { favorPath, listPath, postedPath } from "./paths";
import { placeOf, TABS, type Tab, usePlace } from "./place";
import { useFavor } from "./laterQueries";
import { useClone } from "./useClone";
import { words } from "./words";

/** Tells what was done with a form before the page was loaded anew, if nobody can have seen it. */
function useToldAgain(me: string, split: boolean): void {
  const [, navigate] = useLocation();
  const tell = useEffectEvent(() => {
    const done = takeDone(me);
    if (done === null || done.deed === "draft") return;
    const isPosted = done.deed === "post";
    navigate(isPosted ? postedPath(done.id, split) : favorPath(done.id), { replace: true });
    say(isPosted ? postedText(done) : words.updated);
  });
  useEffect(() => tell(), []);
}

export function FavorsScreen({ id, me }: { id: string; me: string }) {
  const split = useSplit();
  useToldAgain(me, split);
  return id !== "" && !split ? <FavorScreen id={id} me={me} /> : <FavorTabs id={id} me={me} split={split} />;
}

/** A favor that is opened by its id alone, as from a notification, stands beside the list that it belongs to. */
function useItsPlace(id: string, me: string, split: boolean): void {
  const { data: favor } = useFavor(split ? id : "");
  const [, navigate] = useLocation();
  const bare = useSearch() === "";
  const placed = useRef("");
  useEffect(() => {
    const at = `${id} ${bare}`;
    if (favor === undefined || placed.current === at) return;
    // Once, each time it is opened so: what happens to it while it is looked at moves nothing.
    placed.current = at;
    const place = placeOf(favor, me);
    if (bare && listPath(place) !== listPath()) navigate(favorPath(id, place), { replace: true });
  }, [bare, favor, id, me, navigate]);
}

function FavorTabs({ id, me, split }: { id: string; me: string; split: boolean }) {
  const place = usePlace();
  const [, navigate] = useLocation();
  const desktop = useDesktop();
  const clone = useClone(me);
  useItsPlace(id, me, split);
  useTitle(place.tab === "create" ? words.newFavor : words.title);

  // A screen under the lists, where there is no room for both.
  if (place.tab === "create" && !desktop) return <CreateForm me={me} alone />;
  function show(tab: string | null): void {
    const to = TABS.find((t) => t === tab) ?? "active";
    navigate(listPath({ tab: to }), { replace: desktop || to !== "create" });
  }

  const lists = (
    <FavorLists place={place} selected={split ? id : null} me={me} onClone={clone}>
      {(first) => (split ? <FavorPane id={id || (first?.id ?? "")} opened={id} me={me} /> : null)}
    </FavorLists>
  );
  return (
    <>
      <h1 className="big" tabIndex={-1}>
        {words.title}
      </h1>
      <Tabs value={place.tab} keepMounted={false} mt={12} onChange={show}>
        <TabRow index={TABS.indexOf(place.tab)} aria-label={words.title}>
          {TABS.map((tab: Tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {words.tabs[tab]}
            </Tabs.Tab>
          ))}
        </TabRow>
        <Tabs.Panel value="active">{lists}</Tabs.Panel>
        <Tabs.Panel value="completed">{lists}</Tabs.Panel>
        <Tabs.Panel value="browse">{lists}</Tabs.Panel>
        <Tabs.Panel value="create">
          <CreateForm me={me} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
