// What stands there until a screen has come: the frame, the heading of the screen, and a skeleton of its shape.
import { Loader } from "@mantine/core";
import { useLocation, useSearch } from "wouter";
import type { Member } from "../lib/session";
import { CardSkeletons, DetailSkeleton, RowSkeletons } from "../ui/Skeletons";
import { Frame } from "./Frame";
import { HomeWaiting } from "./HomeTop";
import { isSubScreen, titleOf } from "./paths";

const LOADING = "Loading...";

function Shape({ path }: { path: string }) {
  if (/^\/favors\/./.test(path)) return <DetailSkeleton label={LOADING} />;
  return path === "/favors" ? <CardSkeletons label={LOADING} /> : <RowSkeletons label={LOADING} />;
}

/** The screen of the route, as far as it is known without its code. */
export function WaitingScreen({ member }: { member: Member }) {
  const [path] = useLocation();
  const search = useSearch();
  if (path === "/") return <HomeWaiting member={member} />;
  const sub = isSubScreen(path, search) && path !== "/favors";
  return (
    <>
      {sub ? (
        <header className="top under">
          <h1 className="title" tabIndex={-1}>
            {titleOf(path)}
          </h1>
        </header>
      ) : (
        <h1 className="big" tabIndex={-1} style={{ marginBottom: 24 }}>
          {titleOf(path)}
        </h1>
      )}
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
      <Loader aria-label="Loading" />
    </main>
  );
}
