// People are faces with names: the picture, else the initials on a tint that always belongs to the same name.
import { useState } from "react";
import { firstSign } from "../lib/theirs";
import type { Tint } from "./theme";

export type Named = { displayName: string; email?: string; profilePictureUrl?: string };

const TINTS = ["sky", "violet", "rose", "ochre", "teal", "stone"] as const satisfies readonly Tint[];

export function tintOf(name: string): Tint {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return TINTS[hash % TINTS.length] ?? "stone";
}

/** The initials of the first and last word of the name, else the first letter of the e-mail address, else `fallback`. */
export function initialsOf(person: Named, fallback: string): string {
  const names = person.displayName.split(/\s+/).filter((w) => w !== "");
  const letters = [names[0], names.length > 1 ? names.at(-1) : undefined].map((w) => firstSign(w ?? ""));
  const initials = letters.join("") || firstSign(person.email ?? "");
  return initials.toUpperCase() || fallback;
}

/** `size` as of letters of the usual size: it grows with them. */
type Props = { person: Named; size?: number; fallback?: string };

const rem = (size: number): string => `${size / 16}rem`;

/** Decorative: the name stands beside it. */
export function Face({ person, size = 44, fallback = "?" }: Props) {
  const [broken, setBroken] = useState("");
  const url = person.profilePictureUrl ?? "";
  if (url !== "" && url !== broken)
    return (
      <img
        className="face"
        src={url}
        alt=""
        style={{ width: rem(size), height: rem(size) }}
        onError={() => setBroken(url)}
      />
    );
  return (
    <span
      className="face"
      aria-hidden="true"
      data-tint={tintOf(person.displayName || (person.email ?? ""))}
      style={{ width: rem(size), height: rem(size), fontSize: rem(Math.max(12, Math.round(size * 0.38))) }}
    >
      {initialsOf(person, fallback)}
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
