// Whether the server is in reach: what arrives late, or never left, says nothing of now.
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { beforeEach, expect, it, vi } from "vitest";
import { FriendsService } from "../gen/goodturn/friends/v1/friends_service_pb";
import { isLost, met } from "./reach";
import { NoSession } from "./session";
import { noticed, withToken } from "./transport";

beforeEach(() => met(performance.now()));

const goOffline = (): void => void window.dispatchEvent(new Event("offline"));

/** A client in whose calls the network is `network`. */
function clientOver(network: () => Promise<object>, accessToken = () => Promise.resolve("token")) {
  const session = { accessToken, refresh: accessToken };
  const interceptors = [withToken(session), noticed];
  return createClient(
    FriendsService,
    createRouterTransport(({ service }) => service(FriendsService, { getActive: network }), {
      transport: { interceptors },
    }),
  );
}

it("an_answer_to_what_was_sent_before_the_connection_was_lost_does_not_end_it", async () => {
  const waiting: ((answer: object) => void)[] = [];
  const late = clientOver(() => new Promise((resolve) => waiting.push(resolve))).getActive({});
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  goOffline();
  waiting[0]?.({});
  await late;
  expect(isLost()).toBe(true);

  await clientOver(() => Promise.resolve({})).getActive({});
  expect(isLost()).toBe(false);
});

it("a_call_without_a_session_has_met_nobody", async () => {
  goOffline();
  const client = clientOver(
    () => Promise.resolve({}),
    () => Promise.reject(new NoSession()),
  );
  await expect(client.getActive({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(isLost()).toBe(true);
});

it("a_refusal_is_an_answer", async () => {
  goOffline();
  const refusing = clientOver(() => Promise.reject(new ConnectError("no", Code.PermissionDenied)));
  await expect(refusing.getActive({})).rejects.toMatchObject({ code: Code.PermissionDenied });
  expect(isLost()).toBe(false);
});
