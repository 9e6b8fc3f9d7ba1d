// An invitation that somebody came by: kept in this tab until the next sign-out, so that it is taken along when they sign up.
import { keep, kept } from "../../lib/kept";
import { FORM, keptTyped, NOBODY } from "./LoginFrame";

const INVITED = "invited";

/** `token` is told with the sign-up; `inviter` is who invites, as they call themselves. */
export type Invited = { token: string; inviter: string };

function readInvited(value: unknown): Invited | null {
  if (typeof value !== "object" || value === null) return null;
  const { token, inviter } = value as Partial<Record<keyof Invited, unknown>>;
  return typeof token === "string" && typeof inviter === "string" ? { token, inviter } : null;
}

export const invited = (): Invited | null => kept(NOBODY, INVITED, readInvited);

/** The sign-in begins with a sign-up; with the address that was invited, if there is an invitation. */
export function beginSignUp(invitation?: Invited & { email: string }): void {
  const { name } = keptTyped();
  keep(NOBODY, FORM, { step: "signUp", email: invitation?.email ?? "", name, uid: "" });
  if (invitation !== undefined) keep(NOBODY, INVITED, { token: invitation.token, inviter: invitation.inviter });
}
