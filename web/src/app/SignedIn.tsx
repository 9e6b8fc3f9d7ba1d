// The app of a member who is signed in: the frame, its counts, the live stream, and the screen of the route.
import { lazy, Suspense, useRef } from "react";
import { Redirect, Route, Switch, useLocation, useSearch } from "wouter";
import { FRIENDS_TABS } from "../features/friends/tabs";
import { useFriendRequests } from "../features/friends/queries";
import { useUnread } from "../features/notifications/queries";
import type { Member } from "../lib/session";
import { ConfirmHost } from "../ui/ConfirmHost";
import { useSplit } from "../ui/useDesktop";
import { CardSkeletons } from "../ui/Skeletons";
import { Boundary } from "./Boundary";
import { HomeScreen } from "./HomeScreen";
import { Rail, TabBar } from "./Nav";
import { useHeadingFocus, useScroll } from "./navigation";
import { isSubScreen, screenOf } from "./paths";
import { type Earned, useEarned } from "./stats";
import { useLive } from "./useLive";

const FriendsScreen = lazy(() =>
  import("../features/friends/FriendsScreen").then((m) => ({ default: m.FriendsScreen })),
);
const FavorsScreen = lazy(() => import("../features/favors/FavorsScreen").then((m) => ({ default: m.FavorsScreen })));
const NotificationsScreen = lazy(() =>
  import("../features/notifications/NotificationsScreen").then((m) => ({ default: m.NotificationsScreen })),
);
const SettingsScreen = lazy(() =>
  import("../features/settings/SettingsScreen").then((m) => ({ default: m.SettingsScreen })),
);

function Screens({ member, unread, earned }: { member: Member; unread: number; earned: readonly Earned[] }) {
  return (
    <Switch>
      <Route path="/">
        <HomeScreen member={member} earned={earned} />
      </Route>
      <Route path="/friends/:tab?">
        {({ tab }) => <FriendsScreen tab={FRIENDS_TABS.find((t) => t === tab) ?? "requests"} />}
      </Route>
      <Route path="/favors/:id?">{({ id }) => <FavorsScreen id={id ?? ""} me={member.uid} />}</Route>
      <Route path="/inbox">
        <NotificationsScreen unread={unread} />
      </Route>
      <Route path="/settings">
        <SettingsScreen member={member} />
      </Route>
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}

export function SignedIn({ member }: { member: Member }) {
  const [path] = useLocation();
  const search = useSearch();
  const unread = useUnread();
  const requests = useFriendRequests().data?.received.length ?? 0;
  const earned = useEarned();
  const main = useRef<HTMLElement>(null);
  const screen = screenOf(path, useSplit());
  const sub = isSubScreen(path, search);
  const counts = { requests, unread };
  useLive();
  useScroll(screen);
  useHeadingFocus(screen);

  return (
    <div className={sub ? "frame" : "frame hastabs"}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Rail counts={counts} member={member} earned={earned} />
      <main className="main" ref={main} tabIndex={-1}>
        <Boundary resetKey={path}>
          <Suspense fallback={<CardSkeletons label="Loading..." />}>
            <Screens member={member} unread={unread} earned={earned} />
          </Suspense>
        </Boundary>
      </main>
      {!sub && <TabBar counts={counts} />}
      <ConfirmHost />
    </div>
  );
}
