// The auth interceptor: a token for each call, one more try when it is not taken.
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { FriendsService } from "../gen/goodturn/friends/v1/friends_service_pb";
import { bare } from "./bare";
import { serverTime } from "./now";
import { withToken } from "./transport";

function clientWhere(isTaken: (token: string) => boolean) {
  const seen: string[] = [];
  const refreshed: string[] = [];
  const session = {
    accessToken: () => Promise.resolve("old"),
    refresh: (used: string) => {
      refreshed.push(used);
      return Promise.resolve("new");
    },
  };
  const transport = createRouterTransport(
    ({ service }) =>
      service(FriendsService, {
        getActive(_, context) {
          const token = context.requestHeader.get("authorization") ?? "";
          seen.push(token);
          if (!isTaken(token)) throw new ConnectError("expired", Code.Unauthenticated);
          return {};
        },
      }),
    { transport: { interceptors: [withToken(session)] } },
  );
  return { client: createClient(FriendsService, transport), seen, refreshed };
}

describe("withToken", () => {
  it("sends_the_token", async () => {
    const { client, seen, refreshed } = clientWhere(() => true);
    await client.getActive({});
    expect(seen).toEqual(["Bearer old"]);
    expect(refreshed).toEqual([]);
  });

  it("tries_once_more_with_a_new_one", async () => {
    const { client, seen, refreshed } = clientWhere((token) => token === "Bearer new");
    await client.getActive({});
    expect(seen).toEqual(["Bearer old", "Bearer new"]);
    expect(refreshed).toEqual(["old"]);
  });

  it("gives_up_when_the_new_one_is_not_taken_either", async () => {
    const { client, seen } = clientWhere(() => false);
    await expect(client.getActive({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(seen).toHaveLength(2);
  });
});

it("an_answer_tells_the_servers_time_also_where_it_refuses", async () => {
  const client = createClient(FriendsService, bare);
  for (const [status, date] of [
    ["16", "Fri, 27 Nov 2026 10:00:00 GMT"],
    ["0", "Fri, 27 Nov 2026 11:00:00 GMT"],
  ] as const) {
    const headers = { "content-type": "application/grpc-web+proto", "grpc-status": status, date };
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { headers })));
    await client.getActive({}).catch(() => undefined);
    expect(Math.round((serverTime().getTime() - Date.parse(date)) / 10_000)).toBe(0);
  }
});
