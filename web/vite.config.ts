// How the app is built (dist/, hashed names under /assets), served while it is written, and unit-tested.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { precompress } from "./scripts/precompress.ts";

const server = process.env["GOODTURN_DEV_SERVER"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), precompress()],
  build: { target: "es2022", sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    host: "127.0.0.1",
    // gRPC-Web calls are POSTs to /goodturn.<area>.v1.<Service>/<Method>.
    proxy: { "^/goodturn\\.": server, "/config.json": server, "/dev/": server },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
