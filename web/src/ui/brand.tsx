// The drawings that every screen may need at once: the logo, the street, and trouble; and what the others are drawn with.
import { type ReactNode, useId } from "react";

export const v = {
  ground: "var(--gt-il-ground)",
  leaf: "var(--gt-il-leaf)",
  leaf2: "var(--gt-il-leaf-2)",
  sun: "var(--gt-il-sun)",
  sand: "var(--gt-il-sand)",
  paper: "var(--gt-il-paper)",
  ink: "var(--gt-il-ink)",
  blue: "var(--gt-il-blue)",
  rose: "var(--gt-il-rose)",
  /** A line on the mound itself, which is dark in the dark scheme. */
  mark: "var(--gt-il-mark)",
};
export const line = {
  fill: "none",
  stroke: v.ink,
  strokeWidth: 2.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/** The frame of every empty-state drawing: 160 by 120 on a soft mound. Decorative, so hidden from assistive technology. */
export function Spot({ children, size = 160 }: { children: ReactNode; size?: number }) {
  return (
    <svg viewBox="0 0 160 120" width={size} height={size * 0.75} aria-hidden="true" focusable="false">
      <path
        d="M14 96C8 66 30 30 64 24c22-4 36-12 56 4s32 44 24 66c-3 9-8 12-18 12H34c-12 0-18-2-20-10Z"
        fill={v.ground}
      />
      {children}
    </svg>
  );
}
export type SpotProps = { size?: number };

/** The mark: a turn that comes back around to somebody. */
export function Logo({ size = 40 }: SpotProps) {
  return (
    <svg viewBox="0 0 40 40" style={{ width: `${size / 16}rem`, flex: "none" }} aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="12" fill="#1a7a48" />
      <path
        d="M28.2 13.2A10.6 10.6 0 1 0 30.6 20H21"
        fill="none"
        stroke="#fff"
        strokeWidth="4.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="30" cy="10.6" r="3.4" fill="#ffb25e" />
    </svg>
  );
}

/** Something went wrong, and nothing was lost: a plug out of its socket. */
export const Trouble = (p: SpotProps) => (
  <Spot {...p}>
    <path d="M16 84c18 0 20-18 34-18" {...line} stroke={v.leaf} strokeWidth={5} />
    <rect x="48" y="54" width="24" height="24" rx="7" fill={v.leaf} />
    <path d="M72 60h9M72 72h9" {...line} stroke={v.mark} strokeWidth={4} />
    <rect x="96" y="52" width="22" height="28" rx="7" fill={v.sand} />
    <path d="M96 60h5M96 72h5" {...line} stroke={v.mark} strokeWidth={4} />
    <path d="M118 66c14 0 14 20 28 18" {...line} stroke={v.sand} strokeWidth={5} />
    <path d="M84 44l-3-9M90 44V33M96 44l4-8" {...line} stroke={v.sun} strokeWidth={3.5} />
  </Spot>
);

/** A street of houses, for the top of Home and of the sign-in screen. It repeats sideways at any width and is never stretched. */
export function Street({ height = 112 }: { height?: number }) {
  const id = useId();
  const house = (x: number, w: number, h: number, wall: string, roof: string, door: string) => (
    <g>
      <path d={`M${x} 112V${112 - h}h${w}v${h}Z`} fill={wall} />
      <path
        d={`M${x - 6} ${114 - h}l${w / 2 + 6} -${w * 0.42} ${w / 2 + 6} ${w * 0.42}Z`}
        fill={roof}
        stroke={roof}
        strokeWidth="4"
        strokeLinejoin="round"
      />
      <path d={`M${x + w / 2 - 6} 112v-16a6 6 0 0 1 12 0v16Z`} fill={door} />
      <rect x={x + 6} y={112 - h + 9} width="10" height="11" rx="2.5" fill={v.sun} />
      <rect x={x + w - 16} y={112 - h + 9} width="10" height="11" rx="2.5" fill={v.blue} />
    </g>
  );
  const tree = (x: number, r: number, c: string) => (
    <g>
      <path d={`M${x} 112V${108 - r}`} stroke={v.mark} strokeOpacity=".55" strokeWidth="3" />
      <ellipse cx={x} cy={100 - r * 1.1} rx={r} ry={r * 1.25} fill={c} />
    </g>
  );
  return (
    <svg width="100%" height={height} aria-hidden="true" focusable="false" style={{ display: "block" }}>
      <circle cx="64%" cy={height * 0.32} r={height * 0.15} fill={v.sun} />
      <pattern
        id={id}
        width="560"
        height="112"
        patternUnits="userSpaceOnUse"
        patternTransform={`scale(${height / 112}) translate(-128 0)`}
      >
        <path d="M0 112V92c60-22 120-22 190-8s130-14 200-12 120 20 170 20v20Z" fill={v.ground} />
        <path d="M188 30c4-7 13-7 16-1 6-3 12 1 11 6h-34c-2-4 2-7 7-5Z" fill={v.paper} opacity=".9" />
        <path d="M430 26c4-7 13-7 16-1 6-3 12 1 11 6h-34c-2-4 2-7 7-5Z" fill={v.paper} opacity=".9" />
        {tree(24, 15, v.leaf2)}
        {house(46, 52, 44, v.paper, v.leaf, v.leaf)}
        {tree(118, 12, v.leaf)}
        {house(142, 46, 36, v.sand, v.sun, v.ink)}
        {tree(206, 14, v.leaf)}
        {house(232, 58, 50, v.paper, v.rose, v.leaf)}
        {tree(308, 10, v.leaf2)}
        {house(334, 46, 38, v.sand, v.leaf, v.ink)}
        {tree(398, 15, v.leaf)}
        {house(424, 54, 46, v.paper, v.sun, v.leaf)}
        {tree(493, 11, v.leaf2)}
        {house(510, 42, 34, v.sand, v.rose, v.ink)}
      </pattern>
      <rect width="100%" height={height} fill={`url(#${id})`} />
    </svg>
  );
}
