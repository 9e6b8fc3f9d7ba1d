// What the server said that this device keeps for a day, so that it is there at once the next time, and without a connection: it is shown, and
// asked anew. One member's, of one build, and small; gone at the sign-out, in whatever tab, and at that of an account that is deleted.
import { type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { experimental_createQueryPersister, type PersistedQuery } from "@tanstack/query-persist-client-core";
import type { Query, QueryFunction, QueryFunctionContext, QueryKey } from "@tanstack/react-query";
import { CACHE_PREFIX } from "./kept";
import { claimsOf, readTokens } from "./tokens";

/** The build that this page is of: the file is named by all that it, and what it imports, is made of. */
const BUILD = import.meta.url;
const KEPT_MS = 24 * 60 * 60_000;
/** Of one entry. What is larger is asked for each time. */
const CHARS_MAX = 32_768;

/** Whether this member is signed in on this device now: the tokens of all tabs are one, those of memory may be older. */
function isIn(uid: string): boolean {
  const tokens = readTokens();
  return tokens !== null && claimsOf(tokens.access).sub === uid;
}

/** Nothing where the storage is forbidden or full: then it is asked for. */
function tried<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The storage of one member: a late answer to somebody who has left is written nowhere. */
const storageOf = (uid: string) => ({
  getItem: (key: string): string | null => tried(() => (isIn(uid) ? localStorage.getItem(key) : null), null),
  setItem: (key: string, text: string): void =>
    tried(() => {
      if (isIn(uid) && text.length <= CHARS_MAX) localStorage.setItem(key, text);
      else localStorage.removeItem(key);
    }, undefined),
  removeItem: (key: string): void => tried(() => localStorage.removeItem(key), undefined),
  entries: (): [string, string][] => tried(() => Object.entries<string>(localStorage), []),
});

const packed = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const unpacked = (text: string): Uint8Array => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

type Stored = Omit<PersistedQuery, "state"> & { data: string; at_ms: number };

const prefixOf = (uid: string): string => `${CACHE_PREFIX}${uid}`;

function persisterOf(uid: string, schema: DescMessage, build: string) {
  return experimental_createQueryPersister<string>({
    storage: storageOf(uid),
    prefix: prefixOf(uid),
    buster: build,
    maxAge: KEPT_MS,
    // By this file, which minds what becomes of it.
    refetchOnRestore: false,
    serialize: ({ state, ...others }) =>
      JSON.stringify({
        ...others,
        data: packed(toBinary(schema, state.data as Message)),
        at_ms: state.dataUpdatedAt,
      } satisfies Stored),
    deserialize(text) {
      const { data, at_ms, ...others } = JSON.parse(text) as Stored;
      const state = { data: fromBinary(schema, unpacked(data)), dataUpdatedAt: at_ms, errorUpdatedAt: 0 };
      return { ...others, state } as PersistedQuery;
    },
  });
}

/** What an option of a query needs to be kept for `uid`, and what a deed calls that has put something newer into the cache. */
export function persisted<Desc extends DescMessage>(uid: string, schema: Desc, build = BUILD) {
  const { persisterFn, persistQueryByKey } = persisterOf(uid, schema, build);

  async function persister<Key extends QueryKey>(
    ask: QueryFunction<MessageShape<Desc>, Key>,
    context: QueryFunctionContext<Key>,
    query: Query,
  ): Promise<MessageShape<Desc>> {
    let isAsked = false;
    const asked = (given: QueryFunctionContext<Key>): MessageShape<Desc> | Promise<MessageShape<Desc>> => {
      isAsked = true;
      return ask(given);
    };
    // It looks into the storage only while the cache has nothing: what is fresher is never overwritten.
    const answer = await persisterFn(asked, context, query);
    // Its age is told first. That it could not be asked anew is told by the query.
    if (!isAsked) setTimeout(() => query.isStale() && void query.fetch().catch(() => undefined));
    return answer;
  }

  return { persister, keep: persistQueryByKey };
}

/** At start: what is too old or of another build goes, and so does all of other members. */
export async function cleanPersisted(uid: string, schema: DescMessage): Promise<void> {
  const storage = storageOf(uid);
  for (const [key] of storage.entries())
    if (key.startsWith(CACHE_PREFIX) && !key.startsWith(`${prefixOf(uid)}-`)) storage.removeItem(key);
  await persisterOf(uid, schema, BUILD).persisterGc();
}
