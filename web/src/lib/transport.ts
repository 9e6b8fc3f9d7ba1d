// How calls travel: gRPC-Web to the origin that served the page, each with a fresh access token.
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { session as current } from "./current";
import { isUnreached } from "./errors";
import { hear } from "./now";
import { met, isReached } from "./reach";
import { NoSession, type Session } from "./session";

const DEADLINE_MS = 15_000;

/** Without a session there is no use in trying again. */
function refused(error: unknown): never {
  if (error instanceof NoSession) throw new ConnectError(error.message, Code.Unauthenticated);
  throw error;
}

/** Notices whether calls reach the server: whoever waits for it is told. It stands next to the network: what was never sent met nobody. */
export const noticed: Interceptor = (next) => async (request) => {
  const began_ms = performance.now();
  try {
    const answer = await next(request);
    met(began_ms);
    return answer;
  } catch (error) {
    if (!isUnreached(error)) met(began_ms);
    else if (!request.signal.aborted) void isReached();
    throw error;
  }
};

/** Gives each call its token, and one more try with a new one when the server does not take it. */
export function withToken(session: Pick<Session, "accessToken" | "refresh">): Interceptor {
  return (next) => async (request) => {
    const token = await session.accessToken().catch(refused);
    request.header.set("authorization", `Bearer ${token}`);
    try {
      return await next(request);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated || request.signal.aborted) throw error;
      const renewed = await session.refresh(token);
      // The messages of a stream are spent: whoever holds it opens it again.
      if (request.stream) throw error;
      request.header.set("authorization", `Bearer ${renewed}`);
      return next(request);
    }
  };
}

/** Reads the server's time off each answer. Its origin is the page's, so that all headers can be read. */
const answer: typeof fetch = async (...request) => {
  const answered = await fetch(...request);
  hear(answered.headers.get("date"));
  return answered;
};

export const options = { baseUrl: window.location.origin, defaultTimeoutMs: DEADLINE_MS, fetch: answer };

export const transport = createGrpcWebTransport({ ...options, interceptors: [withToken(current), noticed] });
