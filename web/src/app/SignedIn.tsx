// The app of a member who is signed in: its cache, its counts, the live stream, and the screen of the route.
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { Route, Switch, useLocation, useSearch } from "wouter";
import { useFriendRequests } from "../features/friends/queries";
import { useUnread } from "../features/notifications/queries";
import { usePhoneStep } from "../features/profile/step";
import { createCache } from "../lib/cache";
import { isResumed, session } from "../lib/current";
import { alsoAhead, fetchAhead, part, quiet } from "../lib/parts";
import type { Member } from "../lib/session";
import { transport } from "../lib/transport";
import { Boundary } from "../ui/Boundary";
import { ConfirmHost } from "../ui/ConfirmHost";
// What fails is said also where the network went before anything else could be loaded.
import "../ui/Says";
import { useDesktop, useSplit } from "../ui/useDesktop";
import { BrokenHead } from "./Broken";
import { Frame } from "./Frame";
import { HomeScreen } from "./HomeScreen";
import { useHeadingFocus, useScroll } from "./navigation";
import { isRoute, screenOf } from "./paths";
import { useEarned } from "./stats";
import { WaitingForSignIn, WaitingScreen } from "./Waiting";

const FriendsArea = part(() => import("./FriendsArea").then((m) => m.FriendsArea));
const FavorsScreen = part(() => import("../features/favors/FavorsScreen").then((m) => m.FavorsScreen));
const NotificationsScreen = part(() =>
  import("../features/notifications/NotificationsScreen").then((m) => m.NotificationsScreen),
);
const SettingsScreens = part(() => import("./SettingsScreens").then((m) => m.SettingsScreens));
const ShareScreen = part(() => import("./ShareScreen").then((m) => m.ShareScreen));
const NoPage = part(() => import("./Beyond").then((m) => m.NoPage));
const PhoneScreen = part(() => import("./PhoneScreen").then((m) => m.PhoneScreen));

const Live = quiet(
  () => import("./Live").then((m) => m.Live),
  () => "soon",
);

function Screens({ member, unread }: { member: Member; unread: number }) {
  return (
    <Switch>
      <Route path="/">
        <HomeScreen member={member} />
      </Route>
      <Route path="/friends/:tab?">{({ tab }) => <FriendsArea tab={tab} me={member.uid} />}</Route>
      <Route path="/favors/:id?">{({ id }) => <FavorsScreen id={id ?? ""} me={member.uid} />}</Route>
      <Route path="/share/:kind?/:id?/:deed?">{(at) => <ShareScreen at={at} me={member.uid} />}</Route>
      <Route path="/inbox">
        <NotificationsScreen unread={unread} />
      </Route>
      <Route path="/settings/:screen?">
        {({ screen }) => <SettingsScreens screen={screen ?? ""} member={member} />}
      </Route>
      <Route path="/profile">
        <SettingsScreens screen="profile" member={member} />
      </Route>
    </Switch>
  );
}

function Inside({ member }: { member: Member }) {
  const [path] = useLocation();
  const cache = useQueryClient();
  const unread = useUnread();
  const requests = useFriendRequests().data?.received.length ?? 0;
  const earned = useEarned().data;
  const screen = screenOf(path, useSearch(), { split: useSplit(), desktop: useDesktop() });
  const { state, noted, end } = usePhoneStep(member.uid, path === "/");
  useScroll(screen);
  useHeadingFocus(state === "shown" ? state : screen);
  useEffect(() => {
    alsoAhead(session.calls);
    void fetchAhead(() => cache.isFetching() > 0);
  }, [cache]);

  const waiting = <WaitingScreen member={member} />;
  const shown = isRoute(path) ? <Screens member={member} unread={unread} /> : <NoPage path={path} />;
  // Who has just come in may be new; who comes back is not kept waiting for that.
  const isAsking = state === "unknown" && !isResumed;
  return (
    <>
      {state === "shown" ? (
        <Suspense fallback={<WaitingForSignIn />}>
          <PhoneScreen me={member.uid} onSaved={noted} onDone={end} />
        </Suspense>
      ) : (
        <Frame member={member} counts={{ requests, unread }} earned={earned}>
          <Boundary resetKey={path} head={<BrokenHead member={member} />}>
            <Suspense fallback={waiting}>{isAsking ? waiting : shown}</Suspense>
          </Boundary>
        </Frame>
      )}
      <Live />
      <ConfirmHost />
    </>
  );
}

export function SignedIn({ member }: { member: Member }) {
  const [cache] = useState(createCache);
  return (
    <QueryClientProvider client={cache}>
      <TransportProvider transport={transport}>
        <Inside member={member} />
      </TransportProvider>
    </QueryClientProvider>
  );
}
