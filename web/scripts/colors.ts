// Leaves out the colours of Mantine that this app replaces or does not have. Only in a build.
import type { Plugin } from "vite";

const MANTINE = "@mantine/core/esm/core/MantineProvider/";
const INSTEAD = {
  // The theme brings every colour that is used: those of Mantine would be written into the page at each start.
  "default-colors.mjs": "export const DEFAULT_COLORS = {};",
  // Compares with those colours, which the provider is told not to do.
  "MantineCssVariables/remove-default-variables.mjs": "export const removeDefaultVariables = (variables) => variables;",
};

export function ownColors(): Plugin {
  const found = new Set<string>();
  return {
    name: "goodturn-own-colors",
    apply: "build",
    transform: {
      filter: { id: /@mantine\/core\/esm\/core\/MantineProvider\/.*(default-colors|remove-default-variables)\.mjs$/ },
      handler(code, id) {
        const [file, instead] = Object.entries(INSTEAD).find(([name]) => id.endsWith(MANTINE + name)) ?? ["", code];
        found.add(file);
        return instead;
      },
    },
    buildEnd() {
      if (found.size !== 2) throw new Error("the colours of @mantine/core have moved");
    },
  };
}
