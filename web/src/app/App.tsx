// The app from the outside in: theme, then who is signed in decides what is shown. What speaks to the server comes with the screens.
import { MantineProvider } from "@mantine/core";
import { Suspense } from "react";
import { Router, useLocation } from "wouter";
import { LoginWaiting } from "../features/identity/LoginFrame";
import { lead } from "../lib/back";
import { session } from "../lib/current";
import { part, quiet } from "../lib/parts";
import { type SessionState, useSessionState } from "../lib/session";
import { Boundary } from "../ui/Boundary";
import { Offline } from "../ui/Offline";
import { cssVariables, theme } from "../ui/theme";
import { words as brandWords } from "../ui/shellWords";
import { CALLBACK, isOutside, isRoute } from "./paths";
import { Waiting, WaitingForSignIn } from "./Waiting";

// Few see what is no screen of the app.
const Beyond = part(() => import("./Beyond").then((m) => m.Beyond));
const LoginScreen = part(() => import("../features/identity/LoginScreen").then((m) => m.LoginScreen));
// Who is in has it with the screens; before the sign-in it can wait.
const Says = quiet(
  () => import("../ui/Says").then((m) => m.Says),
  () => (session.get().kind === "signedIn" ? "soon" : "idle"),
);
const SignedIn = part(() => import("./SignedIn").then((m) => m.SignedIn));

function Gate() {
  const state = useSessionState(session);
  const [path] = useLocation();
  // Whoever was in before: nobody has come in by this way yet.
  const comesBack = path === CALLBACK;
  // A member sees in the frame that a path has no page.
  const isBeyond = !isRoute(path) && (state.kind === "signedIn" ? isOutside(path) : state.kind === "signedOut");
  if (isBeyond && !comesBack)
    return (
      <Suspense fallback={<WaitingForSignIn />}>
        <Beyond path={path} />
      </Suspense>
    );
  const shown: SessionState = comesBack ? { kind: "signedOut" } : state;
  switch (shown.kind) {
    case "loading":
      return <WaitingForSignIn />;
    case "signedOut":
      return (
        <>
          <Offline text={brandWords.lostOutside} />
          <Suspense fallback={comesBack ? <WaitingForSignIn /> : <LoginWaiting />}>
            <LoginScreen comesBack={comesBack} />
          </Suspense>
        </>
      );
    case "signedIn":
      // Another member is another tree: nothing of the one before stays in a form, list or cache.
      return (
        <Suspense key={shown.member.uid} fallback={<Waiting member={shown.member} />}>
          <SignedIn member={shown.member} />
        </Suspense>
      );
    default:
      return shown satisfies never;
  }
}

export function App() {
  const state = useSessionState(session);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // They are not in the style sheet a second time.
      deduplicateCssVariables={false}
    >
      <Router aroundNav={lead}>
        <Boundary resetKey={state.kind}>
          <Gate />
        </Boundary>
        <Says />
      </Router>
    </MantineProvider>
  );
}
