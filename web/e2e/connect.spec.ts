// A client without a browser: the Connect library speaks every form of the protocol to the server.
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, test } from "./test";
import { FavorsService, FavorStatus } from "../src/gen/goodturn/favors/v1/favors_service_pb";
import { FavorsService as LaterFavors } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { AuthFlow, IdentityService } from "../src/gen/goodturn/identity/v1/identity_service_pb";
import { NotificationsService } from "../src/gen/goodturn/notifications/v1/notifications_service_pb";
import { joined } from "./backstage";
import { baseURL, clientId } from "./calls";

const FORMS = [
  { name: "JSON over HTTP/1.1", httpVersion: "1.1", useBinaryFormat: false },
  { name: "bytes over HTTP/1.1", httpVersion: "1.1", useBinaryFormat: true },
  { name: "JSON over HTTP/2", httpVersion: "2", useBinaryFormat: false },
  { name: "bytes over HTTP/2", httpVersion: "2", useBinaryFormat: true },
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

/** Signs a member in and calls what an app would: reads, writes, refusals and a stream. */
async function useServer(form: Omit<(typeof FORMS)[number], "name">): Promise<void> {
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
}

test("connect_clients_work_in_every_form_of_the_protocol", async () => {
  await Promise.all(FORMS.map(({ name, ...form }) => test.step(name, () => useServer(form))));
});
