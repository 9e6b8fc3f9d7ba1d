// What stands there until a screen has come: the frame, the heading of the screen, and a skeleton of its shape.
import { ActionIcon, Loader, Skeleton } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useLocation, useSearch } from "wouter";
import { useBack } from "../lib/back";
import { useConfig } from "../lib/config";
import type { Member } from "../lib/session";
import {
  CardSkeletons,
  DetailSkeleton,
  FormSkeleton,
  GroupSkeletons,
  RowSkeletons,
  SectionSkeletons,
  times,
  Waiting as Shown,
} from "../ui/Skeletons";
import { Frame } from "./Frame";
import { HomeFrame, waitingParts } from "./HomeTop";
import { isCreate, isRoute, isSubScreen, titleOf } from "./paths";
import { useDesktop, useSplit } from "../ui/useDesktop";
import { words } from "./words";

const LOADING = words.loadingScreen;

/** What friends lend: the search, the categories, and the things. */
function GridShape() {
  return (
    <Shown label={LOADING}>
      <Skeleton h={48} />
      <Skeleton h={44} />
      <div className="thingshapes">
        {times(8).map((i) => (
          <Skeleton key={i} />
        ))}
      </div>
    </Shown>
  );
}

function Shape({ path }: { path: string }) {
  const hasPhone = useConfig()?.sms !== false;
  const search = useSearch();
  const isNew = isCreate(path, search);
  if (path === "/share" && !search.includes("tab=")) return <GridShape />;
  if (path === "/inbox") return <GroupSkeletons label={LOADING} />;
  if (isNew || path === "/profile") return <FormSkeleton label={LOADING} />;
  if (path.endsWith("/security")) return <SectionSkeletons label={LOADING} rows={[hasPhone ? 3 : 2, 2]} />;
  // An item has its picture first.
  if (/^\/(favors|share)\/./.test(path))
    return (
      <div className={titleOf(path) === words.items ? "itemshape" : ""}>
        <DetailSkeleton label={LOADING} />
      </div>
    );
  return /^\/(favors|share)/.test(path) ? <CardSkeletons label={LOADING} /> : <RowSkeletons label={LOADING} />;
}

/** Where the tabs of an area will stand, and what stands above and under them. */
function TabsShape({ path }: { path: string }) {
  if (path === "/inbox") return null;
  return (
    <>
      {path.startsWith("/friends") && <p className="sub subshape" />}
      <div className="gap tabshape" />
      {path === "/favors" && <Skeleton h={52} mb={16} className="seg" />}
    </>
  );
}

/** The way back, where the screen will have it too. */
function Arrow({ path, isNew }: { path: string; isNew: boolean }) {
  const back = useBack();
  const above = isNew ? path : /^\/[^/]+(?=\/)/.exec(path)?.[0];
  if (above === undefined) return null;
  return (
    <ActionIcon aria-label={words.back} onClick={() => back(above)}>
      <IconArrowLeft />
    </ActionIcon>
  );
}

/** The heading of the screen of a path. `aside` stands in the header of one that broke and has no tabs. */
export function Head({ path, aside }: { path: string; aside?: ReactNode }) {
  const search = useSearch();
  const desktop = useDesktop();
  const creates = isCreate(path, search);
  const isNew = !desktop && creates;
  if (!isNew && (creates || !isSubScreen(path, search)))
    return (
      <>
        <h1 className="big" tabIndex={-1}>
          {titleOf(path)}
        </h1>
        {aside ? <div className="gap" /> : <TabsShape path={path} />}
      </>
    );
  return (
    <header className="top under">
      {!aside && <Arrow path={path} isNew={isNew} />}
      <h1 className="title" tabIndex={-1}>
        {titleOf(path, isNew)}
      </h1>
      {aside}
    </header>
  );
}

/** The screen of the route, as far as it is known without its code. */
export function WaitingScreen({ member }: { member: Member }) {
  const [at] = useLocation();
  // A favor stands beside its list where there is room.
  const path = useSplit() && at.startsWith("/favors") ? "/favors" : at;
  // It may be about to become another.
  if (!isRoute(path)) return <RowSkeletons label={LOADING} />;
  if (path === "/") return <HomeFrame member={member} {...waitingParts()} />;
  return (
    <>
      <Head path={path} />
      <Shape path={path} />
    </>
  );
}

export function Waiting({ member }: { member: Member }) {
  return (
    <Frame member={member} counts={{ requests: 0, unread: 0 }} earned={[]}>
      <WaitingScreen member={member} />
    </Frame>
  );
}

/** Before it is known who is signed in. */
export function WaitingForSignIn() {
  return (
    <main className="redirecting">
      <Loader aria-label={LOADING} />
    </main>
  );
}
