// How calls travel: gRPC-Web to the origin that served the page, each with a fresh access token.
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { createSession, type Session } from "./session";

const DEADLINE_MS = 15_000;

/** Gives each call its token, and one more try with a new one when the server does not take it. */
export function withToken(session: Pick<Session, "accessToken" | "refresh">): Interceptor {
  return (next) => async (request) => {
    const token = await session.accessToken();
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

const options = { baseUrl: window.location.origin, defaultTimeoutMs: DEADLINE_MS };

export const session = createSession(createGrpcWebTransport(options));
export const transport = createGrpcWebTransport({ ...options, interceptors: [withToken(session)] });
