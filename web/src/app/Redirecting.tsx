// An unknown path: says so, and goes to the root.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { words } from "./beyondWords";

const SHOWN_MS = 1500;

export function Redirecting({ path }: { path: string }) {
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
