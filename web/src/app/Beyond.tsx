// Pages outside the signed-in app: mailed links, the terms, and paths without a page.
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { beginSignUp } from "../features/identity/invited";
import { LoginFrame } from "../features/identity/LoginFrame";
import { DeclinePage } from "../features/links/DeclinePage";
import { JoinPage } from "../features/links/JoinPage";
import { UnsubscribePage } from "../features/notifications/UnsubscribePage";
import { bare } from "../lib/bare";
import { session } from "../lib/current";
import { type LinkPage, pageOf, useToken } from "../lib/links";
import { useSessionState } from "../lib/session";
import { Logo } from "../ui/brand";
import { Offline } from "../ui/Offline";
import { words as brandWords } from "../ui/shellWords";
import { LegalPage, legalOf } from "./LegalPage";
import { NoPageOutside } from "./NoPage";

// Members get it from here too. A file of its own would make the first load larger.
export { NoPage } from "./NoPage";

function Page({ page }: { page: LinkPage }) {
  const [, navigate] = useLocation();
  const state = useSessionState(session);
  const token = useToken();
  const toSignUp = (): void => navigate("/", { replace: true });
  switch (page) {
    case "/join":
      return (
        <JoinPage
          token={token}
          member={state.kind === "signedIn" ? state.member : null}
          onJoin={({ email, inviterName: inviter }) => {
            beginSignUp({ email, token, inviter });
            toSignUp();
          }}
          onSignUp={() => {
            beginSignUp();
            toSignUp();
          }}
        />
      );
    case "/no-invitations":
      return <DeclinePage key={token} token={token} />;
    case "/unsubscribe":
      return <UnsubscribePage key={token} token={token} />;
    default:
      return page satisfies never;
  }
}

/** A page asks once: whoever looks at it tries again. */
const newCache = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" }, mutations: { networkMode: "always" } },
  });

export function Beyond({ path }: { path: string }) {
  const [cache] = useState(newCache);
  const page = pageOf(path);
  const legal = legalOf(path);
  return (
    <QueryClientProvider client={cache}>
      <TransportProvider transport={bare}>
        <Offline text={brandWords.noConnection} />
        <LoginFrame>
          <span className="row s t18">
            <Logo />
            {brandWords.brand}
          </span>
          {legal !== undefined && <LegalPage key={legal} path={legal} />}
          {page !== undefined && <Page page={page} />}
          {page === undefined && legal === undefined && <NoPageOutside path={path} />}
        </LoginFrame>
      </TransportProvider>
    </QueryClientProvider>
  );
}
