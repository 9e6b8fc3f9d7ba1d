// A member whose account is linked to others, as an answer of the server tells it.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Page } from "@playwright/test";
import { AttributeSchema, GetUserResponseSchema } from "../src/gen/goodturn/identity/v1/identity_service_pb";

export async function linkedAccounts(page: Page, providers: readonly string[]): Promise<void> {
  await page.route(/IdentityService\/GetUser$/, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    // A message of gRPC-Web has its length before it, and what ends the answer behind it.
    const end = 5 + body.readUInt32BE(1);
    const member = fromBinary(GetUserResponseSchema, body.subarray(5, end));
    const linked = providers.map((providerName, i) => ({ providerName, userId: String(i) }));
    member.userAttributes.push(create(AttributeSchema, { name: "identities", value: JSON.stringify(linked) }));
    const bytes = toBinary(GetUserResponseSchema, member);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    await route.fulfill({ response, body: Buffer.concat([head, bytes, body.subarray(end)]) });
  });
}
