// What a server refuses, and an answer that never came.
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb";

export const refusal = (reason: string, code = Code.FailedPrecondition, text = reason): ConnectError =>
  new ConnectError(text, code, undefined, [{ desc: ErrorInfoSchema, value: { reason, domain: "goodturn" } }]);
export const lost = (): ConnectError => new ConnectError("gone", Code.Unavailable);
/** As often as anything is tried again. */
export const manyLost = (count = 20): ConnectError[] => Array.from({ length: count }, lost);
