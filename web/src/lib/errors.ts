// What a failed call says: its machine-readable reason, and the text to show.
import { Code, ConnectError } from "@connectrpc/connect";
import type { ErrorReason } from "../gen/goodturn/common/v1/error_reason_pb";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb";

/** The name of an error's reason, as the contract spells it. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

const DOMAIN = "goodturn";

export function reasonOf(error: unknown): string {
  const info = ConnectError.from(error)
    .findDetails(ErrorInfoSchema)
    .find((d) => d.domain === DOMAIN);
  return info?.reason ?? "";
}

export function hasReason(error: unknown, ...reasons: readonly Reason[]): boolean {
  const reason = reasonOf(error);
  return reasons.some((r) => r === reason);
}

/** The server was never reached, or could not work: the same call may succeed later. */
export function isUnreached(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return (
    reasonOf(error) === "" && (code === Code.Unknown || code === Code.Unavailable || code === Code.DeadlineExceeded)
  );
}

/** The text for a failure: by its reason where the feature has one, else `fallback`. */
export function textOf(error: unknown, texts: Partial<Record<Reason, string>>, fallback: string): string {
  const known: Partial<Record<string, string>> = texts;
  return known[reasonOf(error)] ?? fallback;
}
