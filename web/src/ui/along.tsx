// Words that may go along with a deed that is asked about: typed in its question, and kept until they are sent.
import type { ReactNode } from "react";
import { forget, kept } from "../lib/kept";
import { part } from "../lib/parts";
import { Piece } from "./Piece";

const AlongField = part(() => import("./AlongField").then((m) => m.default));

/** As high as the field: nothing moves under the finger when that comes. */
const FIELD_HEIGHT = "7.25rem";

/** `form` is what they are kept as. */
export type Along = { me: string; form: string; label: string };

export const ALONG_LENGTH_MAX = 500;
export const readText = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const textAlong = ({ me, form }: Along): string => kept(me, form, readText)?.trim() ?? "";
export const dropAlong = ({ me, form }: Along): void => forget(me, form);

/** Stands in the question. */
export const fieldFor = (along: Along): ReactNode => (
  <div style={{ marginTop: "1rem", minHeight: FIELD_HEIGHT }}>
    <Piece skeleton={null}>
      <AlongField {...along} />
    </Piece>
  </div>
);
