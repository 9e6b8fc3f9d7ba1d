// Starts the app in the one root of the page.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/styles/index.css";
// Before all others that listen to the history.
import "./lib/layers";
import { App } from "./app/App";
import "./lib/back";
import "./lib/scroll";
import { loadConfig } from "./lib/config";
import { session } from "./lib/current";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has lost its root");
void session.restore();
// Asked for at once, so that the sign-in need not change its shape when it comes; who needs it asks again when it failed.
loadConfig().catch(() => undefined);
void import("./ui/beside").catch(() => undefined);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
