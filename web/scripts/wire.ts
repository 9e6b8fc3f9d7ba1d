// Makes smaller what the browser needs to speak to the server. Only in a build: development and tests have all of it.
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { shortened } from "./shorten.ts";

/** The generated files, those of the libraries among them, describe the contract in base64. */
const DESCRIPTOR = /\b(fileDesc\()"([A-Za-z0-9+/=]+)"/;
const READER = /@bufbuild\/protobuf\/dist\/esm\/codegenv2\/file\.js$/;

const UNKNOWN = "not described: ";

/** The libraries bring files of which nothing is used: what cannot be said of those does no harm. */
function shortOr(base64: string): string {
  try {
    return shortened(base64);
  } catch (error) {
    return UNKNOWN + String(error);
  }
}

/** They describe it in short texts, so that nothing is loaded that describes descriptors. */
export function shortDescriptors(): Plugin {
  let found = 0;
  return {
    name: "goodturn-short-descriptors",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: [/_pb\.[jt]s$/, READER] },
      handler(code, id) {
        if (READER.test(id)) {
          found += 1;
          const reader = fileURLToPath(new URL("described.ts", import.meta.url));
          return `export { described as fileDesc } from ${JSON.stringify(reader)};`;
        }
        if (!DESCRIPTOR.test(code)) return undefined;
        return code.replace(DESCRIPTOR, (_, call: string, base64: string) => call + JSON.stringify(shortOr(base64)));
      },
    },
    generateBundle(_, bundle) {
      if (found !== 1) throw new Error("fileDesc has moved in @bufbuild/protobuf");
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk" && chunk.code.includes(UNKNOWN)) throw new Error(`${chunk.fileName} asks for more`);
    },
  };
}

const JSON_FORMAT = /@bufbuild\/protobuf\/dist\/esm\/(?:from|to)-json\.js$/;
const EXPORTED = /^export function (\w+)/gm;

const CHECK = /@bufbuild\/protobuf\/dist\/esm\/reflect\/reflect-check\.js$/;

/** What is put into a message is checked by the compiler, and need not be once more in the browser. */
export function onlyTyped(): Plugin {
  let found = 0;
  return {
    name: "goodturn-only-typed",
    apply: "build",
    transform: {
      filter: { id: CHECK },
      handler(code) {
        found += 1;
        const names = [...code.matchAll(EXPORTED)].map(([, name = ""]) => `passes as ${name}`);
        return `const passes = () => undefined;\nexport { ${names.join(", ")} };`;
      },
    },
    buildEnd() {
      if (found !== 1) throw new Error("the checks of messages have moved in @bufbuild/protobuf");
    },
  };
}

/** Connect can say every message in JSON too; this app says all of them in the binary format. */
export function onlyBinary(): Plugin {
  let found = 0;
  return {
    name: "goodturn-only-binary",
    apply: "build",
    transform: {
      filter: { id: JSON_FORMAT },
      handler(code) {
        found += 1;
        const names = [...code.matchAll(EXPORTED)].map(([, name = ""]) => `none as ${name}`);
        return `const none = () => { throw new Error("this app speaks binary"); };\nexport { ${names.join(", ")} };`;
      },
    },
    buildEnd() {
      if (found !== 2) throw new Error("the JSON format of messages has moved in @bufbuild/protobuf");
    },
  };
}
