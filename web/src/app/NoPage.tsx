// A path without a page: leads to the page that is meant, or says that there is none and leads to the root after a while.
import { Button } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Link, Redirect, useLocation, useSearch } from "wouter";
import { useTitle } from "../lib/title";
import { filled } from "../ui/filled";
import { NotFound } from "../ui/illustrations";
import { LinkHead } from "../ui/LinkHead";
import { linkWords } from "../ui/linkWords";
import { EmptyState } from "../ui/Pieces";
import { Words } from "../ui/Words";
import { noPageWords } from "./beyondWords";
import { CALLBACK, isOutside, isRoute } from "./paths";

/** The path of the page that is meant by one with capitals or too many slashes, or by another name; nothing where there is none. */
export function meantBy(path: string): string | undefined {
  const plain = path
    .toLowerCase()
    .replaceAll(/\/+/g, "/")
    .replace(/(.)\/$/, "$1");
  // The inbox is called Notifications, and the calls behind it have that path.
  const meant = plain === "/notifications" ? "/inbox" : plain;
  return isRoute(meant) || isOutside(meant) || meant === CALLBACK ? meant : undefined;
}

/** What stands behind the path goes along: a search, and the token of a link. */
function MeantOr({ path, children }: { path: string; children: ReactNode }) {
  const search = useSearch();
  const meant = meantBy(path);
  if (meant === undefined) return children;
  return <Redirect to={`${meant}${search && `?${search}`}${window.location.hash}`} replace />;
}

/** In the frame of a member. */
export function NoPage({ path }: { path: string }) {
  return (
    <MeantOr path={path}>
      <Inside path={path} />
    </MeantOr>
  );
}

/** For who is not signed in. */
export function NoPageOutside({ path }: { path: string }) {
  return (
    <MeantOr path={path}>
      <Outside path={path} />
    </MeantOr>
  );
}

/** Long enough to read the page. */
const SHOWN_MS = 6000;

function useRedirect(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/", { replace: true }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
}

function Route({ path }: { path: string }) {
  useRedirect();
  return (
    <>
      {filled(noPageWords.route, <Words>{path}</Words>)}
      <br />
      <span role="status">{noPageWords.redirecting}</span>
    </>
  );
}

function Inside({ path }: { path: string }) {
  useTitle(noPageWords.title);
  return (
    <>
      <h1 className="big" tabIndex={-1}>
        {noPageWords.title}
      </h1>
      <EmptyState
        drawing={<NotFound size={200} />}
        title={noPageWords.text}
        action={
          <Button component={Link} href="/">
            {noPageWords.toHome}
          </Button>
        }
      >
        <Route path={path} />
      </EmptyState>
    </>
  );
}

function Outside({ path }: { path: string }) {
  useTitle(noPageWords.title);
  return (
    <>
      <LinkHead title={noPageWords.title} text={noPageWords.text} />
      <p className="dim breakable">
        <Route path={path} />
      </p>
      <Button component={Link} href="/" size="lg" fullWidth>
        {linkWords.toStart}
      </Button>
    </>
  );
}
