// The copy of one's data, and the end of it.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { session } from "../../lib/current";
import { download } from "../../lib/download";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { proved } from "../../lib/proved";
import { words } from "./words";

/** All areas are asked for their part of it. */
const DEADLINE_MS = 60_000;

const useIdentity = () => createClient(IdentityService, useTransport());

export function useDownload() {
  const identity = useIdentity();
  return useMutation({
    mutationFn: async () => {
      const { document } = await identity.exportUserData({}, { timeoutMs: DEADLINE_MS });
      download(words.copy.file, "application/json", JSON.stringify(JSON.parse(document), undefined, 2));
    },
  });
}

/** The call brings its token itself: a wrong password must count once, and is refused as a stale token is. */
async function close(typed: string): Promise<void> {
  const accessToken = await session.accessToken();
  const { identity } = await session.calls();
  await proved(typed, (password) => identity.closeAccount({ accessToken, password }, { timeoutMs: DEADLINE_MS }));
}

/** `onDeleted` is called even if the sheet was closed in the meantime. */
export const useDeletion = (onDeleted: () => void) => useMutation({ mutationFn: close, onSuccess: onDeleted });

export const downloadFailure = (error: unknown): string =>
  textOf(error, { RATE_LIMITED: words.copy.tooOften }, words.copy.failed);

const TEXTS = { ITEMS_OUT: words.remove.itemsOut, ATTEMPTS_EXCEEDED: words.remove.tooOften };

export const deletionFailure = (error: unknown): string =>
  isUnreached(error) ? words.networkError : textOf(error, TEXTS, words.remove.tryAgain);

/** The message at the password field; empty where the failure is another one. */
export function passwordFailure(error: unknown, password: string): string {
  if (!hasReason(error, "NOT_AUTHORIZED")) return "";
  return password === "" ? words.remove.passwordNeeded : words.remove.wrongPassword;
}
