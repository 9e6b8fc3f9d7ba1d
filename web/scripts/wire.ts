// Makes smaller what the browser needs to speak to the server. Only in a build: development and tests have all of it.
import type { Plugin } from "vite";

/** The generated files describe the contract in base64, which gzip cannot look into. */
const DESCRIPTOR = /(fileDesc\()"([A-Za-z0-9+/=]+)"/;

/** The same bytes as text of the script, one character each. */
function asText(base64: string): string {
  const bytes = Buffer.from(base64, "base64").toString("latin1");
  return JSON.stringify(bytes).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

export const openDescriptors = (): Plugin => ({
  name: "goodturn-open-descriptors",
  apply: "build",
  enforce: "pre",
  transform: {
    filter: { id: /\/src\/gen\/.*_pb\.ts$/ },
    handler(code, id) {
      if (!DESCRIPTOR.test(code)) throw new Error(`${id} describes nothing`);
      return { code: code.replace(DESCRIPTOR, (_, call: string, base64: string) => `${call}btoa(${asText(base64)})`) };
    },
  },
});

const JSON_FORMAT = /@bufbuild\/protobuf\/dist\/esm\/(?:from|to)-json\.js$/;
const EXPORTED = /^export function (\w+)/gm;

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
