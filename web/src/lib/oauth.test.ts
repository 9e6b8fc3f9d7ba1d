// The way back from a provider: only a code that this browser asked for becomes tokens, and only once.
import { beforeEach, expect, it, vi } from "vitest";
import { jwt } from "../testing/tokens";
import { tokensFor } from "./oauth";

const TOKENS = { access_token: jwt("eve", 60), id_token: jwt("eve", 60), refresh_token: "refresh-1" };
const net = { status: 200, forms: [] as URLSearchParams[] };

vi.mock("./config", () => ({
  loadConfig: () => Promise.resolve({ clientId: "web", oauth: { token: "/oauth2/token", callback: "/auth/callback" } }),
}));

beforeEach(() => {
  Object.assign(net, { status: 200, forms: [] });
  sessionStorage.setItem("goodturn.oauth", JSON.stringify({ state: "ours", verifier: "a secret" }));
  vi.stubGlobal("fetch", (_: string, { body }: { body: URLSearchParams }) => {
    net.forms.push(body);
    return Promise.resolve(Response.json(TOKENS, { status: net.status }));
  });
});

it("a_code_becomes_tokens_once", async () => {
  expect(await tokensFor("?code=one&state=ours")).toEqual({
    access: TOKENS.access_token,
    id: TOKENS.id_token,
    refresh: "refresh-1",
  });
  expect(Object.fromEntries(net.forms[0] ?? [])).toMatchObject({ code: "one", code_verifier: "a secret" });
  await expect(tokensFor("?code=one&state=ours")).rejects.toThrow("another sign-in");
  expect(net.forms).toHaveLength(1);
});

it.each([
  ["a member who turns back at the provider", "?error=access_denied&state=ours", "OAuth error"],
  ["an answer with both an error and a code", "?error=access_denied&code=one&state=ours", "OAuth error"],
  ["an answer without a code", "?state=ours", "OAuth error"],
  ["a code of another sign-in", "?code=one&state=another", "another sign-in"],
  ["a code without a state", "?code=one", "another sign-in"],
])("%s_asks_for_no_tokens", async (_, search, says) => {
  await expect(tokensFor(search)).rejects.toThrow(says);
  expect(net.forms).toEqual([]);
  expect(sessionStorage.getItem("goodturn.oauth")).toBeNull();
});

it("a_code_that_the_provider_refuses_is_none", async () => {
  net.status = 400;
  await expect(tokensFor("?code=used&state=ours")).rejects.toThrow("Token exchange failed");
});

it("an_answer_without_valid_tokens_is_refused", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ ...TOKENS, id_token: "none" })));
  await expect(tokensFor("?code=one&state=ours")).rejects.toThrow("not a JWT");
});
