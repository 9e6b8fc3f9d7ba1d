// A client without a browser, of the library that speaks Connect: every form of the protocol against the running server.
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, test } from "@playwright/test";
import { FavorsService, FavorStatus } from "../src/gen/goodturn/favors/v1/favors_service_pb";
import { FavorsService as LaterFavors } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { AuthFlow, IdentityService } from "../src/gen/goodturn/identity/v1/identity_service_pb";
import { NotificationsService } from "../src/gen/goodturn/notifications/v1/notifications_service_pb";
import { joined } from "./backstage";
import { clientId } from "./calls";

import { baseURL } from "./calls";

const FORMS = [
  { name: "json_over_http_1", httpVersion: "1.1", useBinaryFormat: false },
  { name: "bytes_over_http_1", httpVersion: "1.1", useBinaryFormat: true },
  { name: "json_over_http_2", httpVersion: "2", useBinaryFormat: false },
  { name: "bytes_over_http_2", httpVersion: "2", useBinaryFormat: true },
] as const;

async function failure(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => Promise.reject(new Error("it went well")),
    (error: unknown) => ConnectError.from(error),
  );
}

async function untilTheEnd(stream: AsyncIterable<unknown>): Promise<void> {
  const events = stream[Symbol.asyncIterator]();
  while (!(await events.next()).done);
}

for (const { name, ...form } of FORMS) {
  test(`connect_in_${name}`, async () => {
    const who = await joined("Nora Node");
    const options = { ...form, baseUrl: baseURL(), useHttpGet: true, defaultTimeoutMs: 10_000 };
    const identity = createClient(IdentityService, createConnectTransport(options));
    const { authenticationResult } = await identity.initiateAuth({
      authFlow: AuthFlow.USER_PASSWORD_AUTH,
      clientId: await clientId(),
      authParameters: { USERNAME: who.email, PASSWORD: who.password },
    });
    const signed: Interceptor = (next) => (call) => {
      call.header.set("authorization", `Bearer ${authenticationResult?.accessToken ?? ""}`);
      return next(call);
    };
    const transport = createConnectTransport({ ...options, interceptors: [signed] });
    const lists = createClient(FavorsService, transport);
    const favors = createClient(LaterFavors, transport);

    const drafted = await favors.createFavor({
      title: "Zäune streichen",
      status: FavorStatus.DRAFT,
      description: "Both sides",
    });
    const listed = await lists.listActiveFavors({ limit: 5 });
    expect(listed.favors).toEqual([drafted.favor]);

    const stranger = createClient(FavorsService, createConnectTransport(options));
    expect((await failure(stranger.listActiveFavors({}))).code).toBe(Code.Unauthenticated);
    const refused = await failure(favors.createFavor({}));
    expect([refused.code, refused.details.length]).toEqual([Code.InvalidArgument, 2]);
    expect((await failure(favors.getFavor({ id: crypto.randomUUID() }))).code).toBe(Code.NotFound);

    const notifications = createClient(NotificationsService, transport);
    const leave = new AbortController();
    const stream = notifications.watchNotifications({}, { signal: leave.signal, timeoutMs: 5000 });
    for await (const event of stream) {
      expect(event.unreadCount).toBe(0);
      break;
    }
    leave.abort();
    const late = await failure(untilTheEnd(notifications.watchNotifications({}, { timeoutMs: 700 })));
    expect(late.code).toBe(Code.DeadlineExceeded);
  });
}
