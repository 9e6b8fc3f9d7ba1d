// One friend's items: the address of Browse names the friend, so that a reload and Back keep the choice.
import { sharePath } from "./sharing";

const OWNER = "owner";
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const theirThingsPath = (uid: string): string => `${sharePath()}?${new URLSearchParams({ [OWNER]: uid })}`;

/** Whose items an address names; empty for everybody's. */
export function ownerIn(search: URLSearchParams): string {
  const uid = search.get(OWNER) ?? "";
  return UUID.test(uid) ? uid : "";
}
