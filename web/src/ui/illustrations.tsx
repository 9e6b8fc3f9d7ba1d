// Small drawings of our own for empty states. Flat shapes, one ink line of 2.5, colours from the theme only.
import { line, Spot, type SpotProps, v } from "./brand";

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

const Neighbor = ({ x, y, fill }: { x: number; y: number; fill: string }) => (
  <g transform={`translate(${x} ${y})`}>
    <path d="M-14 22v-5a14 14 0 0 1 28 0v5a4 4 0 0 1-4 4h-20a4 4 0 0 1-4-4Z" fill={fill} />
    <circle cy="-7" r="9" fill={v.paper} />
    <path d="M-3-6c1.5 2 4.5 2 6 0" {...line} strokeWidth={2} />
  </g>
);

/** No groups yet: neighbors at a round table, with a line around them still to be drawn. */
export const NoGroups = (p: SpotProps) => (
  <Spot {...p}>
    <ellipse cx="80" cy="70" rx="62" ry="42" {...line} stroke={v.mark} strokeDasharray="1 8" />
    <Neighbor x={80} y={46} fill={v.leaf} />
    <Neighbor x={46} y={66} fill={v.sun} />
    <Neighbor x={114} y={66} fill={v.rose} />
    <ellipse cx="80" cy="88" rx="30" ry="10" fill={v.sand} />
    <path d="M75 82h10v5a5 5 0 0 1-10 0Z" fill={v.blue} />
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
