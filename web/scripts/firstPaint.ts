// What stands in index.html before any script: the style sheet behind the frame, so that the frame is painted at once, and a small
// script that knows which parts a route needs and has them fetched together with the app's own.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { minifySync, type Plugin, type Rollup } from "vite";
import { firstWords } from "../src/app/firstWords.ts";

/** The parts of a route, by the module that its screen lives in. The first is for who is not signed in. */
const SIGN_IN = "src/features/identity/LoginScreen.tsx";
const SIGNED_IN = "src/app/SignedIn.tsx";
const SCREENS: Record<string, string> = {
  friends: "src/app/FriendsArea.tsx",
  favors: "src/features/favors/FavorsScreen.tsx",
  share: "src/app/ShareScreen.tsx",
  inbox: "src/features/notifications/NotificationsScreen.tsx",
  settings: "src/app/SettingsScreens.tsx",
  profile: "src/app/SettingsScreens.tsx",
};

type Chunks = readonly Rollup.OutputChunk[];

function chunkOf(chunks: Chunks, module: string): Rollup.OutputChunk {
  const chunk = chunks.find((c) => c.facadeModuleId?.endsWith(`/${module}`));
  if (chunk === undefined) throw new Error(`${module} is no part of its own any more`);
  return chunk;
}

/** A part and all that it imports, scripts and styles, without what `have` brings. */
function filesOf(chunks: Chunks, module: string, have: readonly string[]): string[] {
  const files = new Set<string>();
  const queue = [chunkOf(chunks, module).fileName];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file) || have.includes(file)) continue;
    files.add(file);
    const chunk = chunks.find((c) => c.fileName === file);
    queue.push(...(chunk?.imports ?? []), ...(chunk?.viteMetadata?.importedCss ?? []));
  }
  return [...files];
}

/** Runs in the page, alone and before the app. */
function early(parts: { signIn: string[]; signedIn: string[]; screens: Record<string, string[]> }): void {
  const { dataset } = document.documentElement;
  const member = localStorage.getItem("access_token") !== null;
  const screen = parts.screens[window.location.pathname.split("/")[1] ?? ""] ?? [];
  dataset[member ? "member" : "nobody"] = "";
  const files = member ? [...parts.signedIn, ...screen] : parts.signIn;
  const begin = (): void => {
    for (const file of files) {
      const link = document.createElement("link");
      link.rel = file.endsWith(".css") ? "preload" : "modulepreload";
      link.as = file.endsWith(".css") ? "style" : "script";
      link.crossOrigin = "";
      link.href = `/assets/${file}`;
      document.head.append(link);
    }
  };
  // The frame and the heading come with the app's own script; the rest follows at once, and all of it together.
  document.querySelector("script[type=module]")?.addEventListener("load", begin);
  // Without its script the app would stay an empty frame for ever: when everything has come or failed, the frame should be gone.
  const look = (): void => {
    if (document.getElementById("early") !== null) dataset["failed"] = "";
  };
  if (document.readyState === "complete") look();
  else window.addEventListener("load", () => setTimeout(look));
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#again") !== null)
      void fetch("/config.json", { cache: "no-store" }).then(() => window.location.reload());
  });
}

/** The page with its texts. */
function told(html: string): string {
  const texts: Partial<Record<string, string>> = firstWords;
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`index.html asks for ${name}, which firstWords.ts does not have`);
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  });
}

export const firstTexts = (): Plugin => ({
  name: "goodturn-first-texts",
  transformIndexHtml: { order: "pre", handler: told },
});

export function firstPaint(): Plugin {
  let dist = "";
  return {
    name: "goodturn-first-paint",
    apply: "build",
    configResolved(config) {
      dist = resolve(config.root, config.build.outDir);
    },
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((o): o is Rollup.OutputChunk => o.type === "chunk");
      const entry = chunks.find((c) => c.isEntry);
      if (entry === undefined) throw new Error("no entry");
      const have = filesOf(chunks, "index.html", []);
      const signedIn = filesOf(chunks, SIGNED_IN, have);
      const screens = Object.fromEntries(
        Object.entries(SCREENS).map(([path, module]) => [path, filesOf(chunks, module, [...have, ...signedIn])]),
      );
      const parts = { signIn: filesOf(chunks, SIGN_IN, have), signedIn, screens };
      // The folder of them all need not stand there for each.
      const names = JSON.stringify(parts).replaceAll('"assets/', '"');
      const { code } = minifySync("early.js", `(${early.toString()})(${names});`);
      const name = `assets/early-${createHash("sha256").update(code).digest("base64url").slice(0, 8)}.js`;
      mkdirSync(join(dist, "assets"), { recursive: true });
      writeFileSync(join(dist, name), code);
      const path = join(dist, "index.html");
      writeFileSync(path, placed(readFileSync(path, "utf8"), name));
    },
  };
}

/** The style sheet goes behind the frame, which has its own few rules; scripts wait for it all the same. */
function placed(html: string, script: string): string {
  const sheet = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/.exec(html);
  if (sheet === null) throw new Error("index.html has no style sheet");
  return html
    .replace(
      sheet[0],
      `<link rel="preload" as="style" crossorigin href="${sheet[1]}">\n    <script async src="/${script}"></script>`,
    )
    .replace("<!-- styles -->", sheet[0]);
}
