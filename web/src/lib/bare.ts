// The calls of a session on their way, which is a bare one: a refresh never passes through what asks for a fresh token.
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { identityCalls } from "./identityCalls";
import { noticed, options } from "./transport";

/** Also of who is not signed in. */
export const bare = createGrpcWebTransport({ ...options, interceptors: [noticed] });

export const identity = identityCalls(bare);
