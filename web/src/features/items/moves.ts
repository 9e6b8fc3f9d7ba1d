// Listing an item and taking it off the list: asks, does it, and says how it went.
import { useState } from "react";
import { type Item, ItemAction, ItemStatus, Visibility } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { hasReason, textOf } from "../../lib/errors";
import { manageItemPath } from "../../lib/sharing";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { useItemsApi } from "./deeds";
import { useIsToBeListed } from "./pictures";
import { moveWords } from "./words";

export type Move = "list" | "unlist";

export const allows = ({ allowedActions }: Item, action: ItemAction): boolean => allowedActions.includes(action);

type Reach = "friends" | "groups" | "public";

/** Who can see an item once it is listed. */
export function reachOf({ visibility, groupIds }: Pick<Item, "visibility" | "groupIds">): Reach {
  if (visibility === Visibility.PUBLIC) return "public";
  return groupIds.length === 0 ? "friends" : "groups";
}

/** Which of the two the server allows now, if any. What is listed by itself, once its pictures are sent, is not listed without them. */
export function useMove(item: Item): Move | undefined {
  const isToBeListed = useIsToBeListed(item.itemId);
  if (allows(item, ItemAction.LIST)) return isToBeListed ? undefined : "list";
  return allows(item, ItemAction.UNLIST) ? "unlist" : undefined;
}

export function useMoves() {
  const api = useItemsApi();
  const [busy, setBusy] = useState("");

  async function take(item: Item, move: Move): Promise<void> {
    const { itemId: id, title } = item;
    const about = { name: title, path: manageItemPath(id) };
    const { done, failed, failedBy } = moveWords[move];
    setBusy(id);
    try {
      await api.setStatus(id, move === "list" ? ItemStatus.LISTED : ItemStatus.UNLISTED);
      say(done, move === "list" ? "ok" : "idle", { about });
    } catch (error) {
      const text = hasReason(error, "NOT_FOUND") ? failedBy(moveWords.gone) : textOf(error, {}, failed);
      sayFailure(error, text, () => void take(item, move), about);
    } finally {
      setBusy("");
    }
  }

  async function ask(item: Item, move: Move): Promise<void> {
    const { title, yes } = moveWords[move];
    const text = move === "list" ? moveWords.list.text[reachOf(item)] : moveWords.unlist.text;
    if (await confirmed({ title, text, yes, about: item.title })) await take(item, move);
  }

  return { busy, ask };
}
