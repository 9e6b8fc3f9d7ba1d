// Optional words in a confirmation, such as a reason. They are kept until they are sent.
import type { ReactNode } from "react";
import { forget, kept } from "../lib/kept";
import { part } from "../lib/parts";
import { Piece } from "./Piece";

const AlongField = part(() => import("./AlongField").then((m) => m.default));

/** The height of the field, so that the buttons do not move when it loads. */
const FIELD_HEIGHT = "7.25rem";

/** `form` is the storage key. */
export type Along = { me: string; form: string; label: string };

export const ALONG_LENGTH_MAX = 500;
export const readText = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const textAlong = ({ me, form }: Along): string => kept(me, form, readText)?.trim() ?? "";
export const dropAlong = ({ me, form }: Along): void => forget(me, form);

/** The `field` of a `Question`. */
export const fieldFor = (along: Along): ReactNode => (
  <div style={{ marginTop: "1rem", minHeight: FIELD_HEIGHT }}>
    <Piece skeleton={null}>
      <AlongField {...along} />
    </Piece>
  </div>
);
