// The app from the outside in: theme, cache, transport, then who is signed in decides what is shown.
import { Loader, MantineProvider } from "@mantine/core";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { createCache } from "../lib/cache";
import { useSessionState } from "../lib/session";
import { session, transport } from "../lib/transport";
import { ToastHost } from "../ui/toast";
import { cssVariables, theme } from "../ui/theme";
import { isRoute } from "./paths";
import { Redirecting } from "./Redirecting";

const LoginScreen = lazy(() => import("../features/identity/LoginScreen").then((m) => ({ default: m.LoginScreen })));
const SignedIn = lazy(() => import("./SignedIn").then((m) => ({ default: m.SignedIn })));

const cache = createCache();

function Spinner() {
  return (
    <main style={{ minHeight: "100dvh", display: "grid", placeItems: "center" }}>
      <Loader aria-label="Loading" />
    </main>
  );
}

/** What one member saw is not for the next one. Only a member who leaves has anything to clean up. */
function useCleanLeave(signedIn: boolean): void {
  const wasSignedIn = useRef(false);
  useEffect(() => {
    // The configuration is nobody's; the sign-in screen is showing it already.
    if (wasSignedIn.current && !signedIn)
      cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "config" });
    wasSignedIn.current = signedIn;
  }, [signedIn]);
}

function Gate() {
  const state = useSessionState(session);
  const [path] = useLocation();
  useCleanLeave(state.kind === "signedIn");
  if (!isRoute(path)) return <Redirecting path={path} />;
  switch (state.kind) {
    case "loading":
      return <Spinner />;
    case "signedOut":
      return <LoginScreen />;
    case "signedIn":
      // Another member is another tree: nothing of the one before stays in a form or list.
      return <SignedIn key={state.member.uid} member={state.member} />;
    default:
      return state satisfies never;
  }
}

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={cache}>
        <TransportProvider transport={transport}>
          <Suspense fallback={<Spinner />}>
            <Gate />
          </Suspense>
          <ToastHost />
        </TransportProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
