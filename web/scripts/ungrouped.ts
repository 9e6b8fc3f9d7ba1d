// Leaves out what Mantine brings along to stand buttons together: this app does that by its own styles. Only in a build.
import type { Plugin } from "vite";

const PARTS =
  /@mantine\/core\/esm\/components\/(?:Button|ActionIcon)\/.*\/((?:Button|ActionIcon)Group(?:Section)?)\.mjs$/;
const USED = /\b(?:Button|ActionIcon)\.Group/;

export function ungrouped(): Plugin {
  const found = new Set<string>();
  return {
    name: "goodturn-ungrouped",
    apply: "build",
    transform: {
      filter: { id: [PARTS, /\/src\/.*\.tsx$/] },
      handler(code, id) {
        const name = PARTS.exec(id)?.[1];
        if (name === undefined) {
          if (USED.test(code)) throw new Error(`${id} groups buttons: see scripts/ungrouped.ts`);
          return undefined;
        }
        found.add(name);
        return `export const ${name} = undefined;`;
      },
    },
    buildEnd() {
      if (found.size !== 4) throw new Error("the groups of buttons of @mantine/core have moved");
    },
  };
}
