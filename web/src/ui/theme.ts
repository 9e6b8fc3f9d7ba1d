// The look of Goodturn as a Mantine theme: hues, type, space, radius, shadow.
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineTheme,
  rem,
  type VariantColorsResolver,
} from "@mantine/core";
import { Pressable } from "./Pressable";
import { words } from "./shellWords";

const green: MantineColorsTuple = [
  "#eef8f1",
  "#d9efe0",
  "#b5dfc4",
  "#8ed2a9",
  "#62c98d",
  "#2f9a5f",
  "#1a7a48",
  "#15653b",
  "#104e2e",
  "#0b2616",
];
const orange: MantineColorsTuple = [
  "#fff0df",
  "#ffe2c2",
  "#ffcc96",
  "#ffb877",
  "#fba04a",
  "#f58a2a",
  "#a24c00",
  "#8f4300",
  "#6b3300",
  "#3d2a17",
];
const red: MantineColorsTuple = [
  "#fdecea",
  "#fad6d2",
  "#f5b5ae",
  "#ff9e94",
  "#ff8f84",
  "#d9483d",
  "#c23129",
  "#a3261f",
  "#7d1c17",
  "#432320",
];
// Warm neutrals. Mantine reads gray in light and dark in dark.
const gray: MantineColorsTuple = [
  "#faf7f2",
  "#f3eee6",
  "#eae4da",
  "#ddd5c9",
  "#c6bcae",
  "#978c7e",
  "#7a7064",
  "#665e54",
  "#443e37",
  "#26221d",
];
const dark: MantineColorsTuple = [
  "#f5f0e8",
  "#cfc7bb",
  "#b8afa2",
  "#7f7568",
  "#3d362f",
  "#342e28",
  "#2d2823",
  "#181512",
  "#120f0d",
  "#0c0a09",
];

/** One of the four meanings a status can have. Colour never speaks alone: the word is always in the badge. */
export type Tone = "idle" | "wait" | "ok" | "no";

/** A category has a tint and an icon (the icons are named in README.md). Tints stay clear of the status hues. */
export type Tint = "sky" | "violet" | "rose" | "ochre" | "teal" | "stone";

// Mantine works out text colours for the light scheme only. Ours follow the scheme, since they are variables.
const toneOf = { green: ["ok", "brand"], orange: ["wait", "accent"], red: ["no", "error"] } as const;
const variantColorResolver: VariantColorsResolver = (input) => {
  const base = defaultVariantColorsResolver(input);
  const hue = (input.color ?? input.theme.primaryColor) as keyof typeof toneOf;
  if (!(hue in toneOf)) return base;
  const [tone, fill] = toneOf[hue];
  const soft = `var(--gt-${tone}-bg)`;
  const text = `var(--gt-${tone}-fg)`;
  if (input.variant === "filled")
    return {
      ...base,
      background: `var(--gt-${fill})`,
      hover: `color-mix(in srgb, var(--gt-${fill}) 88%, var(--gt-ink))`,
      color: `var(--gt-on-${fill})`,
    };
  if (input.variant === "light")
    return { ...base, background: soft, hover: `color-mix(in srgb, ${soft} 88%, ${text})`, color: text };
  if (input.variant === "subtle" || input.variant === "transparent")
    return { ...base, hover: input.variant === "subtle" ? soft : "transparent", color: text };
  return base;
};

/** A part's looks. Plain objects and not `Button.extend`: the theme must not pull every control into the first load. */
type Part<Props> = {
  defaultProps?: Props;
  styles?: Record<string, Record<string, string | number>>;
  vars?: (theme: MantineTheme, props: Props) => Record<string, Record<string, string>>;
};
const part = <Props extends object>(looks: Part<Props>): object => looks;

const field = { size: "md", radius: "md" } as const;
const fieldProps = {
  ...field,
  inputWrapperOrder: ["label", "description", "input", "error"] as ("label" | "description" | "input" | "error")[],
};

export const theme = createTheme({
  colors: { green, orange, red, gray, dark },
  black: "#26221d",
  white: "#ffffff",
  primaryColor: "green",
  primaryShade: { light: 6, dark: 4 },
  variantColorResolver,
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontFamily:
    '"Inter Variable", Inter, "Inter Meanwhile", "Inter Meanwhile Wide", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  // 4 8 12 16 20 24 32: five names that Mantine knows, and two of our own.
  spacing: { xxs: rem(4), xs: rem(8), sm: rem(12), md: rem(16), lg: rem(20), xl: rem(24), xxl: rem(32) },
  radius: { xs: rem(8), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(20) },
  defaultRadius: "md",
  // 28 22 18 16 14: nothing on any screen is smaller than 14.
  fontSizes: { xs: rem(14), sm: rem(14), md: rem(16), lg: rem(18), xl: rem(22) },
  lineHeights: { xs: "1.43", sm: "1.43", md: "1.5", lg: "1.4", xl: "1.27" },
  headings: {
    fontWeight: "700",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: rem(28), lineHeight: "1.2" },
      h2: { fontSize: rem(18), lineHeight: "1.4", fontWeight: "650" },
      h3: { fontSize: rem(16), lineHeight: "1.4", fontWeight: "650" },
      h4: { fontSize: rem(14), lineHeight: "1.43", fontWeight: "650" },
    },
  },
  shadows: {
    xs: "var(--gt-shadow)",
    sm: "var(--gt-shadow)",
    md: "var(--gt-shadow-lift)",
    lg: "var(--gt-shadow-lift)",
    xl: "var(--gt-shadow-lift)",
  },
  components: {
    Button: part({
      defaultProps: { component: Pressable },
      styles: { root: { fontWeight: 600, letterSpacing: "-0.005em" } },
      vars: (_t, p: { size?: string; variant?: string; radius?: string; component?: typeof Pressable }) => ({
        root: {
          "--button-height": p.size === "lg" ? rem(52) : rem(44),
          "--button-fz": p.size === "lg" ? rem(18) : rem(16),
          "--button-padding-x": p.size === "lg" ? rem(24) : rem(16),
          ...(p.variant === "default"
            ? {
                "--button-bg": "var(--gt-surface)",
                "--button-hover": "var(--gt-sunken)",
                "--button-color": "var(--gt-ink)",
                "--button-bd": "1px solid var(--gt-line-strong)",
              }
            : {}),
        },
      }),
    }),
    ActionIcon: part({
      defaultProps: { variant: "subtle", color: "gray", size: 44, radius: "xl" },
      styles: { root: { color: "var(--gt-ink)" } },
    }),
    Input: part({
      defaultProps: field,
      vars: () => ({
        input: {
          "--input-bd": "var(--gt-field)",
          "--input-bg": "var(--gt-surface)",
          "--input-placeholder-color": "var(--gt-dim)",
          "--input-color": "var(--gt-ink)",
        },
        wrapper: { "--input-height": rem(48), "--input-fz": rem(16) },
      }),
    }),
    InputWrapper: part({
      styles: {
        label: {
          display: "block",
          fontSize: rem(14),
          lineHeight: rem(20),
          fontWeight: 600,
          marginBottom: rem(4),
          color: "var(--gt-ink)",
        },
        description: { fontSize: rem(14), lineHeight: rem(20), color: "var(--gt-dim)", marginBottom: rem(4) },
        // Clear of the ring around what has the focus.
        error: { fontSize: rem(14), marginTop: rem(8) },
        required: { color: "var(--gt-no-fg)" },
      },
    }),
    TextInput: part({ defaultProps: fieldProps }),
    PasswordInput: part({
      defaultProps: {
        ...fieldProps,
        rightSectionWidth: rem(48),
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": words.showPassword },
      },
      styles: { visibilityToggle: { width: rem(44), height: rem(44), minWidth: rem(44), minHeight: rem(44) } },
    }),
    Textarea: part({ defaultProps: { ...fieldProps, autosize: true, minRows: 3 } }),
    SegmentedControl: part({
      defaultProps: { size: "sm", radius: "md", fullWidth: true, withItemsBorders: false },
      styles: {
        root: { background: "var(--gt-sunken)", padding: rem(4) },
        label: {
          minHeight: rem(44),
          fontSize: rem(14),
          display: "flex",
          alignItems: "center",
          justifyContent: "center",
        },
        indicator: { background: "var(--gt-raised)", boxShadow: "var(--gt-shadow)" },
      },
    }),
    Skeleton: part({ defaultProps: { radius: "md" } }),
  },
});

/** The semantic colours. Screens use these and never a raw shade, so that dark is a second set of values and not a second design. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    "--gt-ease": "cubic-bezier(.2,.9,.3,1)",
    "--gt-fast": "120ms",
    "--gt-calm": "240ms",
  },
  light: {
    "--mantine-color-body": "#faf7f2",
    "--mantine-color-text": "#26221d",
    "--mantine-color-dimmed": "#665e54",
    "--mantine-color-anchor": "#15653b",
    "--mantine-color-error": "#c23129",
    "--mantine-color-placeholder": "#665e54",
    "--mantine-color-default-border": "#eae4da",
    "--gt-canvas": "#faf7f2",
    "--gt-surface": "#ffffff",
    "--gt-raised": "#ffffff",
    "--gt-sunken": "#f3eee6",
    "--gt-line": "#eae4da",
    "--gt-line-strong": "#ddd5c9",
    "--gt-field": "#978c7e",
    "--gt-ink": "#26221d",
    "--gt-dim": "#665e54",
    "--gt-brand": "#1a7a48",
    "--gt-on-brand": "#ffffff",
    "--gt-brand-text": "#15653b",
    "--gt-accent": "#f58a2a",
    "--gt-accent-line": "#d4690f",
    "--gt-on-accent": "#26221d",
    "--gt-error": "#c23129",
    "--gt-on-error": "#ffffff",
    "--gt-idle-bg": "#eee9e1",
    "--gt-idle-fg": "#5b544b",
    "--gt-wait-bg": "#fff0df",
    "--gt-wait-fg": "#8f4300",
    "--gt-ok-bg": "#e2f3e8",
    "--gt-ok-fg": "#15653b",
    "--gt-no-bg": "#fdecea",
    "--gt-no-fg": "#a3261f",
    "--gt-sky-bg": "#e3f1fa",
    "--gt-sky-fg": "#1c5f8a",
    "--gt-violet-bg": "#efeafa",
    "--gt-violet-fg": "#6247a0",
    "--gt-rose-bg": "#fbe8ef",
    "--gt-rose-fg": "#a03465",
    "--gt-ochre-bg": "#f9eed0",
    "--gt-ochre-fg": "#7a5400",
    "--gt-teal-bg": "#ddf2ef",
    "--gt-teal-fg": "#0f6763",
    "--gt-stone-bg": "#eee9e1",
    "--gt-stone-fg": "#5b544b",
    "--gt-shadow": "0 1px 2px rgb(70 50 20 / 5%), 0 4px 14px rgb(70 50 20 / 5%)",
    "--gt-shadow-lift": "0 2px 6px rgb(70 50 20 / 8%), 0 16px 40px rgb(70 50 20 / 16%)",
    "--gt-scene-sky": "#e4f2e6",
    "--gt-il-ground": "#dcebdc",
    "--gt-il-leaf": "#2f9a5f",
    "--gt-il-leaf-2": "#8ed2a9",
    "--gt-il-sun": "#f9a54a",
    "--gt-il-sand": "#f0dfc4",
    "--gt-il-paper": "#fffdf9",
    "--gt-il-ink": "#3a342c",
    "--gt-il-mark": "#3a342c",
    "--gt-il-skin": "#e8b58d",
    "--gt-il-blue": "#9fcbe6",
    "--gt-il-rose": "#f3b3c6",
  },
  dark: {
    "--mantine-color-body": "#181512",
    "--mantine-color-text": "#f5f0e8",
    "--mantine-color-dimmed": "#b8afa2",
    "--mantine-color-anchor": "#84d9a5",
    "--mantine-color-error": "#ff9e94",
    "--mantine-color-placeholder": "#b8afa2",
    "--mantine-color-default-border": "#342e28",
    "--gt-canvas": "#181512",
    "--gt-surface": "#221e1a",
    "--gt-raised": "#3d362f",
    "--gt-sunken": "#2d2823",
    "--gt-line": "#342e28",
    "--gt-line-strong": "#4b433a",
    "--gt-field": "#7f7568",
    "--gt-ink": "#f5f0e8",
    "--gt-dim": "#b8afa2",
    "--gt-brand": "#62c98d",
    "--gt-on-brand": "#0b2616",
    "--gt-brand-text": "#84d9a5",
    "--gt-accent": "#fba04a",
    "--gt-accent-line": "#fba04a",
    "--gt-on-accent": "#26180a",
    "--gt-error": "#ff8f84",
    "--gt-on-error": "#2b0805",
    "--gt-idle-bg": "#38322b",
    "--gt-idle-fg": "#cfc7bb",
    "--gt-wait-bg": "#3d2a17",
    "--gt-wait-fg": "#ffb877",
    "--gt-ok-bg": "#1d3527",
    "--gt-ok-fg": "#84d9a5",
    "--gt-no-bg": "#432320",
    "--gt-no-fg": "#ff9e94",
    "--gt-sky-bg": "#1b3040",
    "--gt-sky-fg": "#8ccbf2",
    "--gt-violet-bg": "#2e2742",
    "--gt-violet-fg": "#c3aef5",
    "--gt-rose-bg": "#42222f",
    "--gt-rose-fg": "#f5a6c4",
    "--gt-ochre-bg": "#38300f",
    "--gt-ochre-fg": "#ebc968",
    "--gt-teal-bg": "#153331",
    "--gt-teal-fg": "#7fd3cb",
    "--gt-stone-bg": "#38322b",
    "--gt-stone-fg": "#cfc7bb",
    "--gt-shadow": "0 1px 2px rgb(0 0 0 / 30%)",
    "--gt-shadow-lift": "0 2px 8px rgb(0 0 0 / 40%), 0 16px 48px rgb(0 0 0 / 55%)",
    "--gt-scene-sky": "#1c2e25",
    "--gt-il-ground": "#223a2d",
    "--gt-il-leaf": "#3f9a66",
    "--gt-il-leaf-2": "#5f9f7a",
    "--gt-il-sun": "#e8953f",
    "--gt-il-sand": "#7a6a50",
    "--gt-il-paper": "#d9d0c2",
    "--gt-il-ink": "#14110e",
    "--gt-il-mark": "#cfc7bb",
    "--gt-il-skin": "#c8926b",
    "--gt-il-blue": "#5f8ca8",
    "--gt-il-rose": "#b8758a",
  },
});

declare module "@mantine/core" {
  export interface MantineThemeSizesOverride {
    spacing: Record<"xxs" | "xs" | "sm" | "md" | "lg" | "xl" | "xxl", string>;
  }
}
