// A path that is no screen: goes to the screen that is meant, or says that it is unknown and goes to the root.
import { useEffect } from "react";
import { Redirect, useLocation } from "wouter";
import { words } from "./beyondWords";

const SHOWN_MS = 1500;

type Props = { path: string };

function Unknown({ path }: Props) {
  const [, navigate] = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/", { replace: true }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <main className="redirecting">
      <h1 className="t22">{words.route(path)}</h1>
      <p role="status">{words.redirecting}</p>
    </main>
  );
}

/** The inbox is called Notifications, and the calls behind it have that path. */
export const Redirecting = ({ path }: Props) =>
  path === "/notifications" ? <Redirect to="/inbox" replace /> : <Unknown path={path} />;
