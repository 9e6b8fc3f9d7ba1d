// What the server says of a refusal: its own sentence, and the fields that break their rule.
import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "../gen/google/rpc/error_details_pb";
import { reasonOf } from "./errors";

type Violation = { field: string; reason: string; description: string };

export function violationsOf(error: unknown): Violation[] {
  return ConnectError.from(error)
    .findDetails(BadRequestSchema)
    .flatMap((d) => d.fieldViolations)
    .map(({ field, reason, description }) => ({ field, reason, description }));
}

/** A text of the server where it is for people; empty otherwise: those for programs begin with a small letter. */
export const sentence = (text = ""): string => (/^[a-z]/.test(text) ? "" : text);

/** The server's own sentence for a failure that has a reason; empty otherwise. */
export function messageOf(error: unknown): string {
  return reasonOf(error) === "" ? "" : sentence(ConnectError.from(error).rawMessage);
}
