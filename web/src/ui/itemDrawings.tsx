// The drawings of Share Stuff, which come with it.
import { line, Spot, type SpotProps, v } from "./brand";

/** No items: an open box with a ladder and a plant looking out. */
export const NoItems = (p: SpotProps) => (
  <Spot {...p}>
    <g transform="rotate(10 70 50)">
      <path d="M62 24v50M76 24v50M62 34h14M62 45h14M62 56h14" {...line} stroke={v.sun} strokeWidth={4} />
    </g>
    <path
      d="M98 70c0-14 0-22-1-30M98 54c-8-1-12-6-13-12 8 0 13 5 13 12ZM98 48c6-1 10-5 11-11-7 0-11 5-11 11Z"
      fill={v.leaf}
      stroke={v.leaf}
      strokeWidth={2.5}
      strokeLinecap="round"
    />
    <path d="M44 68h72v32a6 6 0 0 1-6 6H50a6 6 0 0 1-6-6Z" fill={v.sand} />
    <path d="M44 68h72l10 14H95l-7-14H72l-7 14H34Z" fill={v.paper} />
    <path d="M72 94h16" {...line} />
  </Spot>
);
