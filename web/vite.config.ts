// How the app is built (dist/, hashed names under /assets), served while it is written, and unit-tested.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { ownColors } from "./scripts/colors.ts";
import { firstPaint, firstTexts } from "./scripts/firstPaint.ts";
import { precompress } from "./scripts/precompress.ts";
import { ungrouped } from "./scripts/ungrouped.ts";
import { onlyBinary, onlyTyped, shortDescriptors } from "./scripts/wire.ts";

const server = process.env["GOODTURN_DEV_SERVER"] ?? "http://127.0.0.1:8080";

/** What draws the frame, and what every screen of it is made with. */
const SHELL = { name: "shell", tags: ["$initial" as const] };
/** What speaks to the server; the calls that only parts make come with those, and so does what draws long lists. */
const WIRE = {
  name: "wire",
  test: /node_modules\/(?!.*(query-persist|[a-z]+-virtual|virtual-core|(useMutation(State)?|mutationObserver|[a-z]+-client)\.))(@bufbuild|@connectrpc|@tanstack)\/|src\/gen\/(?!later|goodturn\/identity)/,
};

/** Small pieces that most screens have: as files of their own they would cost more than they hold. */
const PIECES = {
  name: "pieces",
  test: /src\/(ui\/(said|useDesktop|Piece|failedWords)|lib\/(timeWords|title))\.tsx?$|icons\/Icon(CalendarEvent|ChevronRight|CircleCheck|ClockHour4|X)\.mjs$/,
};

/** What a form is made of, that of the sign-in among them. */
const FORM = {
  name: "form",
  test: /src\/(ui\/(Form|FieldSkeleton|Failed)|lib\/(contact|fields|outcome))\.tsx?$|components\/TextInput\/TextInput\.mjs$/,
};

/** How calls travel, what each failure says, what is asked again after one, and how it stands with what was asked: whoever makes calls needs all. */
const CALLS = { name: "travel", test: /src\/(lib\/(errors|freshen|transport)|ui\/(Loaded|outdated))\.tsx?$/ };

/** What Mantine's controls share, and Home has none of: by itself each is smaller than its name. */
const CONTROLS = {
  name: "controls",
  test: /@mantine\/(hooks\/esm\/(utils\/)?use-(callback-ref|merged-ref|uncontrolled)\/|core\/esm\/(components\/ScrollArea\/utils\/to-int|core\/utils\/get-env\/|core\/MantineProvider\/color-functions\/get-auto-contrast-value\/))/,
};

/** Signs, shapes and small helpers that several parts have, and no first screen: the name of a file is longer than one. */
const SIGNS = {
  name: "signs",
  test: /src\/(ui\/(Copy|SectionRows|Timeline|failure|tallest)|lib\/(amount|askFriend|keeping|keys|lists|matches|pictureFile|refusals|shown|unload))\.tsx?$|icons\/Icon(AlertTriangle|ArrowsSplit2|Ban|CalendarPlus|CalendarRepeat|Camera|Cash|Category|Check|ChevronDown|Coins|DeviceMobileMessage|Dots|Flag|HelpCircle|InfoCircle|Link|MapPin|Pencil|Photo|PhotoOff|Search|Send|ShieldCheck|Trash)\.mjs$/,
};

export default defineConfig({
  plugins: [
    react(),
    shortDescriptors(),
    onlyBinary(),
    onlyTyped(),
    ownColors(),
    ungrouped(),
    firstTexts(),
    firstPaint(),
    precompress(),
  ],
  build: {
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files: on HTTP/1.1 the seventh at once waits for a whole round trip.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [SHELL, PIECES, FORM, WIRE, CALLS, CONTROLS, SIGNS] },
        // Each name stands in what is loaded first: six signs tell releases apart.
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
      },
    },
  },
  // What React has by itself since its version 18.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  server: {
    host: "127.0.0.1",
    // gRPC-Web calls are POSTs to /goodturn.<area>.v1.<Service>/<Method>.
    proxy: { "^/goodturn\\.": server, "/config.json": server, "/dev/": server },
  },
  test: {
    environment: "jsdom",
    // Each file has a context of its own, and a worker loads jsdom once for all its files: a third less.
    pool: "vmForks",
    setupFiles: ["./src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    allowOnly: false,
    restoreMocks: true,
    testTimeout: 30_000,
    // As many as there are processors, also while the server is built beside them.
    maxWorkers: "100%",
  },
});
