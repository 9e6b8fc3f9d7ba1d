// Accounts at providers: shown as the server tells them, and taken away after a question.
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { renderWith } from "../../testing/render";
import { Links } from "./Links";
import { useAccount } from "./queries";

type Asked = { accessToken: string; providerName: string; userId: string };
type Question = { title: string };
const { unlinked, refusals, questions } = vi.hoisted(() => ({
  unlinked: [] as unknown[],
  refusals: [] as unknown[],
  questions: { asked: [] as string[], answer: true },
}));

vi.mock("../../ui/confirm", () => ({
  confirmed({ title }: Question): Promise<boolean> {
    questions.asked.push(title);
    return Promise.resolve(questions.answer);
  },
}));

vi.mock("../../lib/current", () => {
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      unlinkProvider({ accessToken, providerName, userId }) {
        const refusal = refusals.shift();
        if (refusal !== undefined) throw refusal;
        unlinked.push({ accessToken, providerName, userId } satisfies Asked);
        return {};
      },
    }),
  );
  const identity = createClient(IdentityService, transport);
  return { session: { accessToken: () => Promise.resolve("token"), calls: () => Promise.resolve({ identity }) } };
});

beforeEach(() => {
  unlinked.length = 0;
  refusals.length = 0;
  questions.asked.length = 0;
  questions.answer = true;
});

function Shown({ onChanged }: { onChanged: () => void }) {
  const { data } = useAccount();
  return data === undefined ? <p>waiting</p> : <Links account={data} onChanged={onChanged} />;
}

function show(identities: string) {
  const onChanged = vi.fn();
  renderWith(
    ({ service }) =>
      service(IdentityService, {
        getUser: () => ({ userAttributes: identities === "" ? [] : [{ name: "identities", value: identities }] }),
      }),
    <Shown onChanged={onChanged} />,
  );
  return onChanged;
}

const GOOGLE = JSON.stringify([{ userId: "1234", providerName: "Google", primary: false }]);

it("nothing_is_said_of_providers_where_there_are_none", async () => {
  show("");
  await vi.waitFor(() => expect(screen.queryByText("waiting")).toBeNull());
  expect(screen.queryByText("Linked accounts")).toBeNull();
});

it("a_provider_is_unlinked_after_a_question", async () => {
  const onChanged = show(GOOGLE);
  questions.answer = false;
  const button = await screen.findByRole("button", { name: "Unlink Google" });
  await userEvent.click(button);
  expect(questions.asked).toEqual(["Unlink Google?"]);
  expect(unlinked).toEqual([]);
  questions.answer = true;
  await userEvent.click(button);
  expect(await screen.findByText("Google is unlinked.")).toBeInTheDocument();
  expect(unlinked).toEqual([{ accessToken: "token", providerName: "Google", userId: "1234" }]);
  expect(onChanged).toHaveBeenCalledOnce();
});

it("the_only_way_in_stays_and_it_is_said_what_to_do", async () => {
  const detail = { desc: ErrorInfoSchema, value: { reason: "INVALID_PARAMETER", domain: "goodturn" } };
  refusals.push(new ConnectError("no", Code.InvalidArgument, undefined, [detail]));
  show(GOOGLE);
  await userEvent.click(await screen.findByRole("button", { name: "Unlink Google" }));
  expect(
    await screen.findByText(/It's your only way to sign in\. To unlink it, first sign out and set a password/),
  ).toBeInTheDocument();
  expect(unlinked).toEqual([]);
});
