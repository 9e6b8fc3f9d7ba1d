// The session: restored, refreshed once, ended everywhere on this device.
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IdentityService } from "../gen/goodturn/identity/v1/identity_service_pb";
import { ana, jwt, storeSession } from "../testing/tokens";
import { identityCalls } from "./identityCalls";
import { keep, kept } from "./kept";
import { hear } from "./now";
import { createSession } from "./session";

const HOUR_S = 3600;

type Answers = {
  refresh?: () => { accessToken: string; idToken: string; refreshToken?: string };
  revoke?: () => object;
};

function sessionWith({ refresh, revoke }: Answers = {}) {
  const calls = { refresh: [] as string[], revoke: [] as string[] };
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      getTokensFromRefreshToken(request) {
        calls.refresh.push(request.refreshToken);
        if (refresh === undefined) throw new ConnectError("Invalid Refresh Token", Code.Unauthenticated);
        return { authenticationResult: refresh() };
      },
      revokeToken(request) {
        calls.revoke.push(request.token);
        return revoke?.() ?? {};
      },
    }),
  );
  return { session: createSession(() => Promise.resolve(identityCalls(transport))), calls };
}

const fresh = () => ({
  accessToken: jwt("ana", HOUR_S, { n: Math.random() }),
  idToken: jwt("ana", HOUR_S, ana),
  refreshToken: "refresh-2",
});

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ clientId: "web", userPoolId: "us-east-1_x" })));
});

describe("restoring", () => {
  it("is_signed_out_without_tokens", async () => {
    const { session } = sessionWith();
    await session.restore();
    expect(session.get()).toEqual({ kind: "signedOut" });
  });

  it("takes_valid_tokens_without_asking_the_server", async () => {
    storeSession(HOUR_S);
    const { session, calls } = sessionWith();
    await session.restore();
    expect(session.get()).toMatchObject({
      kind: "signedIn",
      member: { uid: "ana", displayName: "Ana Ruiz", givenName: "Ana" },
    });
    expect(calls.refresh).toEqual([]);
  });

  it("removes_all_three_when_they_cannot_be_parsed", async () => {
    storeSession(HOUR_S);
    localStorage.setItem("id_token", "not a token");
    const { session } = sessionWith();
    await session.restore();
    expect(session.get()).toEqual({ kind: "signedOut" });
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it("renews_expired_tokens_and_keeps_the_rotated_one", async () => {
    storeSession(-10);
    const { session, calls } = sessionWith({ refresh: fresh });
    await session.restore();
    expect(session.get().kind).toBe("signedIn");
    expect(calls.refresh).toEqual(["refresh-1"]);
    expect(localStorage.getItem("refresh_token")).toBe("refresh-2");
  });

  it("is_signed_out_when_the_refresh_is_refused", async () => {
    storeSession(-10);
    const { session } = sessionWith();
    await session.restore();
    expect(session.get()).toEqual({ kind: "signedOut" });
    expect(localStorage.getItem("access_token")).toBeNull();
  });

  it("knows_whose_session_ended_elsewhere_until_somebody_is_in_again", async () => {
    storeSession(-10);
    const { session } = sessionWith();
    await session.restore();
    expect(session.endedFor()).toBe(ana.email);
    session.takeOver({ accessToken: jwt("ana", HOUR_S), idToken: jwt("ana", HOUR_S, ana) });
    expect(session.endedFor()).toBe("");
    await session.signOut().catch(() => undefined);
    expect(session.endedFor()).toBe("");
  });

  it("keeps_what_was_typed_where_a_session_ended_elsewhere_and_forgets_it_where_its_member_leaves", async () => {
    storeSession(-10);
    keep("ana", "item", "A ladder");
    const { session } = sessionWith();
    await session.restore();
    expect(session.get()).toEqual({ kind: "signedOut" });
    expect(kept("ana", "item", Boolean) !== null).toBe(true);
    storeSession(HOUR_S);
    await session.restore();
    expect(kept("ana", "item", Boolean) !== null).toBe(true);
    await session.signOut().catch(() => undefined);
    expect(kept("ana", "item", Boolean) !== null).toBe(false);
  });

  it("shows_nobody_what_somebody_else_has_typed", async () => {
    keep("ben", "item", "A drill");
    storeSession(HOUR_S);
    const { session } = sessionWith();
    await session.restore();
    expect(session.get()).toMatchObject({ member: { uid: "ana" } });
    expect(JSON.stringify({ ...sessionStorage })).not.toContain("drill");
  });

  it("stays_signed_in_when_the_server_cannot_be_reached", async () => {
    storeSession(-10);
    const { session } = sessionWith({
      refresh: () => {
        throw new ConnectError("down", Code.Unavailable);
      },
    });
    await session.restore();
    expect(session.get().kind).toBe("signedIn");
    expect(localStorage.getItem("refresh_token")).toBe("refresh-1");
  });

  it("judges_the_expiry_by_the_drift_of_the_clock", async () => {
    storeSession(-10);
    // This clock is a minute ahead: by the server's there are 50 seconds left.
    localStorage.setItem("goodturn.clock_drift_s", "60");
    const { session, calls } = sessionWith();
    await session.restore();
    expect(session.get().kind).toBe("signedIn");
    expect(calls.refresh).toEqual([]);
  });
});

describe("the server's clock", () => {
  afterEach(() => hear(new Date().toUTCString()));

  // The device's was an hour ahead when the tokens came, and has been set since.
  it("judges_the_expiry_once_an_answer_has_told_it", async () => {
    storeSession(-10);
    localStorage.setItem("goodturn.clock_drift_s", String(HOUR_S));
    hear(new Date().toUTCString());
    const { session, calls } = sessionWith({ refresh: fresh });
    await session.accessToken();
    expect(calls.refresh).toEqual(["refresh-1"]);
  });

  it("keeps_tokens_that_the_device_holds_for_expired", async () => {
    storeSession(-10);
    hear(new Date(Date.now() - 60_000).toUTCString());
    const { session, calls } = sessionWith({ refresh: fresh });
    await session.accessToken();
    expect(calls.refresh).toEqual([]);
  });
});

describe("refreshing", () => {
  it("asks_once_for_many_parallel_calls", async () => {
    storeSession(-10);
    const { session, calls } = sessionWith({ refresh: fresh });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => session.accessToken()));
    expect(calls.refresh).toHaveLength(1);
    expect(new Set(tokens).size).toBe(1);
  });

  it("takes_what_another_tab_has_just_stored", async () => {
    storeSession(-10);
    const used = localStorage.getItem("access_token") ?? "";
    const { session, calls } = sessionWith({ refresh: fresh });
    storeSession(HOUR_S, "refresh-9");
    expect(await session.refresh(used)).toBe(localStorage.getItem("access_token"));
    expect(calls.refresh).toEqual([]);
  });

  it("does_not_bring_a_session_back_that_ended_meanwhile", async () => {
    storeSession(-10);
    const { session } = sessionWith({
      refresh: () => {
        localStorage.clear();
        return fresh();
      },
    });
    await expect(session.accessToken()).rejects.toThrow("User is not authenticated");
    expect(localStorage.getItem("access_token")).toBeNull();
  });
});

describe("signing out", () => {
  it("clears_this_device_and_revokes", async () => {
    storeSession(HOUR_S);
    const { session, calls } = sessionWith();
    await session.restore();
    await session.signOut();
    expect(session.get()).toEqual({ kind: "signedOut" });
    expect(Object.keys(localStorage)).toEqual(["goodturn.kept_since"]);
    expect(calls.revoke).toEqual(["refresh-1"]);
  });

  it("clears_this_device_even_when_the_server_fails", async () => {
    storeSession(HOUR_S);
    const { session } = sessionWith({
      revoke: () => {
        throw new ConnectError("down", Code.Unavailable);
      },
    });
    await session.restore();
    await expect(session.signOut()).rejects.toThrow("down");
    expect(session.get()).toEqual({ kind: "signedOut" });
    expect(localStorage.getItem("access_token")).toBeNull();
  });

  it("follows_another_tab", async () => {
    storeSession(HOUR_S);
    const { session } = sessionWith();
    await session.restore();
    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage", { key: "access_token" }));
    expect(session.get()).toEqual({ kind: "signedOut" });
  });
});

describe("local testing", () => {
  const demo = { uid: "ana", accessToken: jwt("ana", HOUR_S), idToken: jwt("ana", HOUR_S, ana) };

  it("the_demo_member_is_taken_over_without_anything_of_the_one_before", () => {
    storeSession(-10, "refresh-of-somebody-else");
    const { session } = sessionWith();
    session.takeOver(demo);
    expect(session.get()).toMatchObject({ kind: "signedIn", member: { displayName: "Ana Ruiz" } });
    expect(localStorage.getItem("refresh_token")).toBeNull();
  });

  it.each([
    [true, "signedIn"],
    [false, "signedOut"],
  ])("auto_sign_in_%s_starts_%s", async (autoSignIn, kind) => {
    const config = { clientId: "web", userPoolId: "us-east-1_x", autoSignIn, demo };
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(config)));
    // The configuration is read once a page: another page is another copy of its module.
    vi.resetModules();
    const { createSession: create } = await import("./session");
    const session = create(() => Promise.reject(new Error("nothing is called")));
    await session.restore();
    expect(session.get().kind).toBe(kind);
  });
});
