// Asks to borrow an item: its summary, the days, whether they can be had, some words, and what it costs.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type Item, ItemStatus } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { useBack } from "../../lib/back";
import { hasReason } from "../../lib/errors";
import { itemPath, manageItemPath } from "../../lib/sharing";
import { useTitle } from "../../lib/title";
import { failedWords } from "../../ui/failedWords";
import { NoFriends, NoRequests, NotFound } from "../../ui/illustrations";
import { itemWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { ScreenHead } from "../../ui/ScreenHead";
import { DetailSkeleton } from "../../ui/Skeletons";
import { BLANK, isSame, useBorrow } from "./borrow";
import { BorrowForm } from "./BorrowForm";
import { borrowWords as words } from "./borrowWords";
import { ItemSummary } from "./ItemSummary";
import { useItem } from "./queries";
import "./rentals.css";

function GoBack({ id, light = true }: { id: string; light?: boolean }) {
  const back = useBack();
  return (
    <Button variant={light ? "light" : "default"} onClick={() => back(itemPath(id))}>
      {words.goBack}
    </Button>
  );
}

/** Why nobody asks for this item, if nobody does. `said` adds that the words are kept. */
function refusalOf(item: Item, said: (text: string) => string): ReactNode {
  if (item.isOwner)
    return (
      <EmptyState
        drawing={<NoRequests size={200} />}
        title={words.yours}
        action={
          <Button component={Link} href={manageItemPath(item.itemId)} variant="light">
            {words.manage}
          </Button>
        }
      >
        {words.yoursText}
      </EmptyState>
    );
  if (item.status !== ItemStatus.LISTED)
    return (
      <EmptyState drawing={<NoRequests size={200} />} title={words.notListed} action={<GoBack id={item.itemId} />}>
        {said(words.notListedText)}
      </EmptyState>
    );
  return null;
}

function FriendsOnly({ id, text }: { id: string; text: string }) {
  const action = (
    <div className="row s wraps">
      <GoBack id={id} light={false} />
      <Button component={Link} href="/friends/find" variant="light">
        {words.findFriends}
      </Button>
    </div>
  );
  return (
    <EmptyState drawing={<NoFriends size={200} />} title={words.itemFailed} action={action}>
      {text}
    </EmptyState>
  );
}

/** The form goes with the item, and what stands in it does not: it is there again where the item is. */
function useKeptSaid(me: string, id: string): (text: string) => string {
  const isKept = !isSame(useBorrow(me, id), BLANK);
  return (text) => (isKept ? failedWords.failedBy(text, failedWords.typedKept) : text);
}

function Contents({ id, me }: { id: string; me: string }) {
  const query = useItem(id);
  const said = useKeptSaid(me, id);
  if (hasReason(query.error, "FRIENDS_ONLY")) return <FriendsOnly id={id} text={said(itemWords.friendsOnly)} />;
  // What is no id names no item.
  if (hasReason(query.error, "NOT_FOUND", "INVALID_ARGUMENT"))
    return (
      <EmptyState drawing={<NotFound size={200} />} title={words.notFound} action={<GoBack id={id} />}>
        {said(itemWords.gone)}
      </EmptyState>
    );
  return (
    <Loaded query={query} skeleton={<DetailSkeleton label={words.loading} />} failed={words.itemFailed}>
      {(item) =>
        item !== undefined &&
        (refusalOf(item, said) ?? (
          <div className="stack l padstick narrow">
            <ItemSummary item={item} />
            <BorrowForm key={item.itemId} item={item} me={me} />
          </div>
        ))
      }
    </Loaded>
  );
}

export function BorrowScreen({ id, me }: { id: string; me: string }) {
  useTitle(words.title);
  return (
    <>
      <ScreenHead title={words.title} back={words.back} otherwise={itemPath(id)} />
      <Contents id={id} me={me} />
    </>
  );
}
