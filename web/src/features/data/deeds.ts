// The copy of one's data, and the end of it.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { download } from "../../lib/download";
import { isUnreached, textOf } from "../../lib/errors";
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

export function useDeletion() {
  const identity = useIdentity();
  return useMutation({ mutationFn: () => identity.deleteUser({}, { timeoutMs: DEADLINE_MS }) });
}

export const downloadFailure = (error: unknown): string =>
  textOf(error, { RATE_LIMITED: words.copy.tooOften }, words.copy.failed);

export const deletionFailure = (error: unknown): string =>
  isUnreached(error) ? words.networkError : textOf(error, { ITEMS_OUT: words.remove.itemsOut }, words.remove.tryAgain);
