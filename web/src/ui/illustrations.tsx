// Small drawings of our own for empty states, the home scene and the logo. Flat shapes, one ink line of 2.5, colours from the theme only.
import { type ReactNode, useId } from "react";

const v = {
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
const line = {
  fill: "none",
  stroke: v.ink,
  strokeWidth: 2.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/** The frame of every empty-state drawing: 160 by 120 on a soft mound. Decorative, so hidden from assistive technology. */
function Spot({ children, size = 160 }: { children: ReactNode; size?: number }) {
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
type SpotProps = { size?: number };

/** The mark: a turn that comes back around to somebody. */
export function Logo({ size = 40 }: SpotProps) {
  return (
    <svg viewBox="0 0 40 40" width={size} height={size} aria-hidden="true" focusable="false">
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

/** No favors: a note on a door, waiting to be written. */
export const NoFavors = (p: SpotProps) => (
  <Spot {...p}>
    <rect x="55" y="34" width="50" height="72" rx="6" fill={v.leaf} />
    <rect x="62" y="41" width="36" height="18" rx="3" fill={v.leaf2} />
    <circle cx="97" cy="76" r="3" fill={v.sun} />
    <g transform="rotate(-5 78 74)">
      <rect x="64" y="62" width="26" height="26" rx="3" fill={v.paper} />
      <path d="M69 70h16M69 76h16M69 82h9" {...line} strokeWidth={2} />
      <circle cx="77" cy="62" r="3" fill={v.rose} />
    </g>
    <rect x="46" y="104" width="68" height="5" rx="2.5" fill={v.sand} />
    <path d="M118 104v-9h16v9a4 4 0 0 1-4 4h-8a4 4 0 0 1-4-4Z" fill={v.sun} />
    <path d="M126 95c0-10-6-15-10-16M126 95c0-13 5-18 10-20M126 95V78" {...line} stroke={v.leaf} strokeWidth={3} />
  </Spot>
);

/** No completed favors: a shelf with room for the first cup. */
export const NoHistory = (p: SpotProps) => (
  <Spot {...p}>
    <path d="M60 48h34v26a15 15 0 0 1-15 15h-4a15 15 0 0 1-15-15Z" fill={v.paper} />
    <path d="M94 54h7a9 9 0 0 1 0 18h-7" {...line} stroke={v.paper} strokeWidth={5} />
    <path d="M77 76c-8-5-9-9-9-12a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 3-1 7-9 12Z" fill={v.rose} />
    <path d="M70 39c-3-4 3-6 0-11M80 39c-3-4 3-6 0-11" {...line} stroke={v.leaf2} strokeWidth={3} />
    <rect x="34" y="89" width="92" height="7" rx="3.5" fill={v.leaf} />
    <path d="M46 96v8M114 96v8" {...line} stroke={v.leaf} strokeWidth={4} />
    <path d="M41 89V71h10v18ZM51 89V66h6v23Z" fill={v.sun} />
    <path d="M108 89V79h12v10Z" fill={v.sand} />
    <path d="M114 79c-1-7-5-9-8-9M114 79c0-8 3-11 7-12" {...line} stroke={v.leaf} />
  </Spot>
);

/** No friends yet: two windows across a street, a line between them. */
export const NoFriends = (p: SpotProps) => (
  <Spot {...p}>
    <path d="M24 106V62l19-15 19 15v44Z" fill={v.paper} />
    <path d="M20 64l23-18 23 18" {...line} stroke={v.leaf} strokeWidth={6} />
    <path d="M98 106V62l19-15 19 15v44Z" fill={v.sand} />
    <path d="M94 64l23-18 23 18" {...line} stroke={v.sun} strokeWidth={6} />
    <rect x="35" y="66" width="16" height="15" rx="3" fill={v.blue} />
    <rect x="109" y="66" width="16" height="15" rx="3" fill={v.blue} />
    <path d="M38 106V93a5 5 0 0 1 10 0v13ZM112 106V93a5 5 0 0 1 10 0v13Z" fill={v.leaf} />
    <path d="M51 74c18 14 40 14 58 0" {...line} stroke={v.mark} strokeDasharray="1 6" />
    <path d="M80 78c-8-5-9-9-9-12a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 3-1 7-9 12Z" fill={v.rose} />
  </Spot>
);

/** All caught up: a letter box with its flag down and a bird on it. */
export const CaughtUp = (p: SpotProps) => (
  <Spot {...p}>
    <rect x="77" y="76" width="8" height="32" rx="3" fill={v.sand} />
    <path d="M50 80V62a14 14 0 0 1 14-14h34a14 14 0 0 1 14 14v18Z" fill={v.leaf} />
    <path d="M50 80V62a14 14 0 0 1 28 0v18Z" fill={v.leaf2} />
    <path d="M58 64h12" {...line} />
    <path d="M100 70h14" {...line} stroke={v.sun} strokeWidth={5} />
    <path d="M84 48c0-9 6-14 13-14 5 0 8 3 8 6l5 2-5 2c-1 4-4 4-8 4Z" fill={v.sun} />
    <circle cx="100" cy="39" r="1.5" fill={v.ink} />
    <path d="M86 44l-8-4" {...line} stroke={v.sun} strokeWidth={4} />
    <path
      d="M30 106c0-7 2-11 6-14M34 106c2-6 6-8 10-9M122 106c0-6 3-10 7-12"
      {...line}
      stroke={v.leaf}
      strokeWidth={3}
    />
  </Spot>
);

/** No requests: a key on its hook. */
export const NoRequests = (p: SpotProps) => (
  <Spot {...p}>
    <rect x="40" y="36" width="80" height="22" rx="8" fill={v.sand} />
    <path d="M58 52v6a5 5 0 0 0 10 0M92 52v6a5 5 0 0 0 10 0" {...line} stroke={v.mark} />
    <path d="M65 61v2" {...line} stroke={v.mark} />
    <circle cx="64" cy="73" r="10" fill="none" stroke={v.leaf} strokeWidth="6" />
    <path d="M64 83v22M64 96h8M64 104h6" {...line} stroke={v.leaf} strokeWidth={5} />
    <path d="M97 63l14 8v20a4 4 0 0 1-4 4H87a4 4 0 0 1-4-4V71Z" fill={v.paper} />
    <circle cx="97" cy="72" r="2.5" fill={v.ink} />
    <path d="M90 82h14M90 88h8" {...line} strokeWidth={2} />
  </Spot>
);

/** No notifications: a bell asleep under a moon. */
export const NoNotifications = (p: SpotProps) => (
  <Spot {...p}>
    <path d="M80 38c-15 0-23 11-23 25v14l-8 13h62l-8-13V63c0-14-8-25-23-25Z" fill={v.leaf} />
    <path d="M71 90a9 9 0 0 0 18 0Z" fill={v.sun} />
    <circle cx="80" cy="36" r="4.5" fill={v.leaf} />
    <path d="M67 66c2 3 6 3 8 0M85 66c2 3 6 3 8 0M77 76c2 1.5 4 1.5 6 0" {...line} />
    <path d="M122 34a11 11 0 1 0 9 17 13 13 0 0 1-9-17Z" fill={v.sun} />
    <path d="M106 32h8l-8 9h8M98 22h6l-6 6h6" {...line} stroke={v.mark} strokeWidth={2} />
  </Spot>
);

/** Nobody by that name: a magnifying glass over an empty seat. */
export const NotFound = (p: SpotProps) => (
  <Spot {...p}>
    <path d="M44 84h72v6H44ZM50 90v16M110 90v16" {...line} stroke={v.sand} fill={v.sand} strokeWidth={5} />
    <path d="M44 72h72" {...line} stroke={v.sand} strokeWidth={6} />
    <circle cx="78" cy="56" r="22" fill={v.paper} fillOpacity=".85" stroke={v.leaf} strokeWidth="6" />
    <path d="M94 72l18 18" {...line} stroke={v.sun} strokeWidth={8} />
    <path d="M73 52a5.5 5.5 0 1 1 8 5c-2 1-2.5 2-2.5 4" {...line} strokeWidth={3} />
    <circle cx="78.5" cy="67" r="2" fill={v.ink} />
  </Spot>
);

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
