// Other members and operators act without a browser, by the same calls that the app makes.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { FavorsService } from "../src/gen/goodturn/favors/v1/favors_service_pb";
import {
  type CreateFavorRequestSchema,
  FavorCategory,
  FavorResponse,
  FavorsService as LaterFavors,
  FavorStatus,
} from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { FriendRequestAction, FriendsService } from "../src/gen/goodturn/friends/v1/friends_service_pb";
import { FriendsService as LaterFriends } from "../src/gen/later/goodturn/friends/v1/friends_service_pb";
import { RentalsService } from "../src/gen/later/goodturn/rentals/v1/rentals_service_pb";
import { ProfileService } from "../src/gen/goodturn/profile/v1/profile_service_pb";
import { IdentityService } from "../src/gen/goodturn/identity/v1/identity_service_pb";
import {
  type CreateItemRequestSchema,
  ItemsService,
  ItemStatus,
} from "../src/gen/later/goodturn/items/v1/items_service_pb";
import { baseURL, clientId, entered, identityCalls } from "./calls";
import { codeFor, person, type Person } from "./people";
import { forgetSessions, keepSpare, type Session, sessionOfItsOwn, sharedSession } from "./sessions";

const DAY_MS = 86_400_000;

/** Signs somebody up, who waits for a code then. */
export async function signUpElsewhere({ name, email, password }: Person): Promise<void> {
  const [givenName = "", familyName = ""] = name.split(" ");
  const attributes = { email, name, given_name: givenName, family_name: familyName };
  const userAttributes = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  await identityCalls().signUp({ clientId: await clientId(), username: email, password, userAttributes });
}

/** A new member with a confirmed address, who is not asked for a phone number any more. */
export async function joined(name: string): Promise<Person> {
  const who = await confirmed(name);
  const session = await entered(who);
  await createClient(ProfileService, transportOf(session)).skipPhoneStep({});
  keepSpare(who, session);
  return who;
}

/** A new member who was never in. */
export async function confirmed(name: string): Promise<Person> {
  const who = person(name);
  await signUpElsewhere(who);
  const confirmationCode = await codeFor(who.email);
  await identityCalls().confirmSignUp({ clientId: await clientId(), username: who.email, confirmationCode });
  return who;
}

/** A new member whom an operator made: the password is a temporary one. */
export async function created(name: string): Promise<Person> {
  const who = person(name);
  const program = process.env["GOODTURN_PROGRAM"] ?? "goodturn";
  const command = ["members", "create", "--email", who.email, "--name", name, "--json"];
  const { stdout } = await promisify(execFile)(program, command, { cwd: join(import.meta.dirname, "..", "..") });
  const { temporaryPassword } = JSON.parse(stdout) as { temporaryPassword: string };
  return { ...who, password: temporaryPassword };
}

/** The tokens of a sign-in, as the hosted one tells them. */
export async function tokensOf(who: Person) {
  const result = await sessionOfItsOwn(who);
  return { access_token: result.accessToken, id_token: result.idToken, refresh_token: result.refreshToken };
}

function transportOf({ accessToken }: Session) {
  const signed: Interceptor = (next) => (call) => {
    call.header.set("authorization", `Bearer ${accessToken}`);
    return next(call);
  };
  return createGrpcWebTransport({ baseUrl: baseURL(), interceptors: [signed] });
}

/** The acts of a member behind the scene, all of them in one session. */
export async function as(who: Pick<Person, "email" | "password">) {
  const transport = transportOf(await sharedSession(who));
  const friends = createClient(FriendsService, transport);
  const later = createClient(LaterFriends, transport);
  const lists = createClient(FavorsService, transport);
  const favors = createClient(LaterFavors, transport);
  const identity = createClient(IdentityService, transport);
  const profile = createClient(ProfileService, transport);
  const items = createClient(ItemsService, transport);
  const rentals = createClient(RentalsService, transport);

  async function uidOf(contact: string): Promise<string> {
    const { user } = await friends.findFriend({ contact });
    if (user === undefined) throw new Error(`nobody is found by ${contact}`);
    return user.uid;
  }

  return {
    identity: {
      ...identity,
      async globalSignOut(request: Parameters<typeof identity.globalSignOut>[0]): Promise<void> {
        await identity.globalSignOut(request);
        forgetSessions(who);
      },
    },
    profile,
    /** Acts on single favors. */
    acts: favors,
    /** Acts on items and rentals. */
    items,
    rentals,
    /** @returns the id of a new item that friends can find. */
    async lend(title: string, more: MessageInitShape<typeof CreateItemRequestSchema> = {}): Promise<string> {
      const description = "It works, and comes with its manual.";
      const { item } = await items.createItem({ title, description, status: ItemStatus.LISTED, ...more });
      return item?.itemId ?? "";
    },
    /** Whether somebody is found by their address. */
    finds: async (contact: string): Promise<boolean> => (await friends.findFriend({ contact })).found,
    friends: async (): Promise<readonly string[]> =>
      ((await friends.getActive({})).friends?.list ?? []).map(({ email }) => email),
    async invite(contact: string, message = ""): Promise<void> {
      await later.sendInvite({ contact, message });
    },
    async askToBeFriends(other: Person, message = ""): Promise<void> {
      await friends.sendFriendRequest({ receiverUid: await uidOf(other.email), message });
    },
    async acceptFriends(): Promise<void> {
      const { received } = await friends.listFriendRequests({});
      const action = FriendRequestAction.ACCEPT;
      for (const { friendRequest: requestId } of received) await friends.respondToFriendRequest({ requestId, action });
    },
    /** @returns the id of a new draft. */
    async draft(title: string): Promise<string> {
      const { favor } = await favors.createFavor({ title, description: "As it was.", status: FavorStatus.DRAFT });
      return favor?.id ?? "";
    },
    async retitle(id: string, title: string): Promise<void> {
      await favors.updateFavor({ id, title });
    },
    async remove(id: string): Promise<void> {
      await favors.deleteFavor({ id });
    },
    /** One's own that are open. */
    async favors() {
      return (await lists.listActiveFavors({})).favors;
    },
    async cancel(title: string): Promise<void> {
      const { favors: own } = await lists.listActiveFavors({});
      await favors.cancelFavor({ id: own.find((favor) => favor.title === title)?.id ?? "" });
    },
    async offerAnotherTime(title: string, message: string): Promise<void> {
      const received = await lists.listReceivedFavors({});
      const id = received.favors.find((favor) => favor.title === title)?.id ?? "";
      await favors.respondToFavor({ id, response: FavorResponse.ANOTHER_TIME, message });
    },
    async complete(title: string): Promise<void> {
      const received = await lists.listReceivedFavors({});
      const id = received.favors.find((favor) => favor.title === title)?.id ?? "";
      await favors.respondToFavor({ id, response: FavorResponse.ACCEPT });
      await favors.completeFavor({ id });
    },
    async settle(title: string): Promise<void> {
      const { favors: done } = await favors.listCompletedFavors({});
      await favors.settleFavor({ id: done.find((favor) => favor.title === title)?.id ?? "" });
    },
    /** Posts a favor that starts tomorrow. @returns its id. */
    async post(title: string, others: readonly Person[], more: MessageInitShape<typeof CreateFavorRequestSchema> = {}) {
      const start = timestampFromDate(new Date(Date.now() + DAY_MS));
      const recipients = await Promise.all(others.map(({ email }) => uidOf(email)));
      const { favor } = await favors.createFavor({
        title,
        description: "It takes ten minutes and there is cake.",
        status: FavorStatus.ACTIVE,
        startDate: start,
        recipients,
        ...more,
      });
      return favor?.id ?? "";
    },
    async askFavor(
      other: Person,
      title: string,
      description = "It takes ten minutes and there is cake.",
    ): Promise<void> {
      const start = timestampFromDate(new Date(Date.now() + DAY_MS));
      await favors.createFavor({
        title,
        description,
        category: FavorCategory.GENERAL,
        status: FavorStatus.ACTIVE,
        startDate: start,
        confirmationDate: start,
        recipients: [await uidOf(other.email)],
      });
    },
  };
}

/** Members who are there become friends. */
export async function befriend(who: Person, others: readonly Person[]): Promise<void> {
  await Promise.all(others.map(async (other) => (await as(other)).askToBeFriends(who)));
  await (await as(who)).acceptFriends();
}

/** A new member, and Ben Ortega, who is their friend. */
export async function twoFriends(name = "Eve Lang") {
  const [who, other] = await Promise.all([joined(name), joined("Ben Ortega")]);
  await befriend(who, [other]);
  return { who, own: await as(who), ben: await as(other), other };
}

/** The app offers a provider, Neighbors, in whose place the server's own page is asked. */
export async function offerOwnPage(page: Page): Promise<void> {
  await page.route("/config.json", async (route) => {
    const config = (await (await route.fetch()).json()) as { oauth: object };
    await route.fulfill({ json: { ...config, oauth: { ...config.oauth, providers: ["Neighbors"] } } });
  });
  await page.route(/\/oauth2\/authorize.*identity_provider/, (route) => {
    const address = new URL(route.request().url());
    address.searchParams.delete("identity_provider");
    return route.fulfill({ status: 302, headers: { location: String(address) } });
  });
}
