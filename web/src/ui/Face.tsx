// People are faces with names: the picture, else the initials on a tint that always belongs to the same name.
import type { SyntheticEvent } from "react";
import { isFormer } from "../lib/names";
import { firstSign } from "../lib/theirs";
import type { Tint } from "./theme";

export type Named = { displayName: string; email?: string; profilePictureUrl?: string };

const TINTS = ["sky", "violet", "rose", "ochre", "teal", "stone"] as const satisfies readonly Tint[];

export function tintOf(name: string): Tint {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return TINTS[hash % TINTS.length] ?? "stone";
}

/** The initials of the first and last word of the name, else the first letter of the e-mail address, else `fallback`. A member who left has none. */
export function initialsOf(person: Named, fallback: string): string {
  if (isFormer(person.displayName)) return fallback;
  const names = person.displayName.split(/\s+/).filter((w) => w !== "");
  const letters = [names[0], names.length > 1 ? names.at(-1) : undefined].map((w) => firstSign(w ?? ""));
  const initials = letters.join("") || firstSign(person.email ?? "");
  return initials.toUpperCase() || fallback;
}

/** `size` as of letters of the usual size: it grows with them. */
type Props = { person: Named; size?: number; fallback?: string };

const rem = (size: number): string => `${size / 16}rem`;

/** The sheet has to know whether it came, and so has `app/faces.ts`, which asks anew for an address that has ended. */
function note({ type, currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  currentTarget.dataset["came"] = type;
}

/** Decorative: the name stands beside it. The initials stand under the picture, until it has come, and where it does not. */
export function Face({ person, size = 44, fallback = "?" }: Props) {
  const url = person.profilePictureUrl ?? "";
  return (
    <span
      className="face"
      aria-hidden="true"
      data-tint={tintOf(person.displayName || (person.email ?? ""))}
      style={{ width: rem(size), height: rem(size), fontSize: rem(Math.max(12, Math.round(size * 0.38))) }}
    >
      {initialsOf(person, fallback)}
      {/* The same picture has another address after a while: it stays until the new one has come. */}
      {url !== "" && <img key={url.split("?")[0]} src={url} alt="" loading="lazy" onLoad={note} onError={note} />}
    </span>
  );
}

/** Up to three faces that overlap, for a row of people who are named beside it. */
export function Faces({ people, size = 32 }: { people: readonly (Named & { uid: string })[]; size?: number }) {
  return (
    <span className="faces">
      {people.slice(0, 3).map((p) => (
        <Face key={p.uid} person={p} size={size} />
      ))}
    </span>
  );
}
