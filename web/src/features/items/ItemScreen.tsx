// One item in full, as others see it and as its owner does.
import { Button } from "@mantine/core";
import {
  IconCalendarOff,
  IconInfoCircle,
  IconLink,
  IconMapPin,
  IconShieldCheck,
  IconStarFilled,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import {
  type Item,
  ItemAction,
  type ItemOwner,
  ItemStatus,
  Visibility,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import { useBack } from "../../lib/back";
import { hasReason } from "../../lib/errors";
import { amountOf } from "../../lib/money";
import { useIsLost } from "../../lib/reach";
import { ratingOf } from "../../lib/rating";
import { itemPath, manageItemPath, sharePath } from "../../lib/sharing";
import { useTitle } from "../../lib/title";
import { Face } from "../../ui/Face";
import { type FactRow, FactList } from "../../ui/Facts";
import { filled } from "../../ui/filled";
import { Trouble } from "../../ui/brand";
import { codeOf, ItemCategoryTag, ItemStatusBadge, Policy, pricePerDayOf } from "../../ui/item";
import { itemWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { EmptyState, Note } from "../../ui/Pieces";
import { OtherAccount } from "../../ui/OtherAccount";
import { Retry } from "../../ui/Retry";
import { ScreenHead } from "../../ui/ScreenHead";
import { ShareLink } from "../../ui/ShareLink";
import { shareWords } from "../../ui/shareWords";
import { DetailSkeleton } from "../../ui/Skeletons";
import { Stick } from "../../ui/Stick";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import { Borrowing } from "./Borrowing";
import { Carousel } from "./Carousel";
import "./items.css";
import { allows } from "./moves";
import { useItem } from "./queries";

import { itemScreenWords as texts, words } from "./words";

function Owner({ owner }: { owner: ItemOwner }) {
  const name = owner.name || itemWords.formerMember;
  const { rating } = owner;
  const isSharing = owner.itemsShared > 0;
  return (
    <section className="card row" aria-label={texts.owner}>
      <Face person={{ displayName: name, profilePictureUrl: owner.profilePictureUrl }} size={56} />
      <div className="grow">
        <p className="b6 one">
          <Words>{name}</Words>
        </p>
        <p className="row s dim t14 wraps">
          {rating !== undefined && (
            <span className="row xs">
              <IconStarFilled size={16} color="var(--gt-accent-line)" aria-hidden="true" />
              <span aria-hidden="true">{isSharing ? texts.andMore(ratingOf(rating)) : ratingOf(rating)}</span>
              <span className="sronly">{texts.rating(ratingOf(rating))}</span>
            </span>
          )}
          {isSharing && <span>{texts.shared(owner.itemsShared)}</span>}
        </p>
      </div>
    </section>
  );
}

const isLink = (url: string): boolean => /^https?:\/\//i.test(url);

function rowsOf({ cancellationPolicy, location }: Item): FactRow[] {
  const value = <Policy policy={cancellationPolicy} />;
  const rows: FactRow[] = [{ label: texts.policy, value, icon: <IconShieldCheck size={20} /> }];
  if (location !== undefined && location.city !== "")
    rows.push({ label: texts.city, value: <Words>{location.city}</Words>, icon: <IconMapPin size={20} /> });
  return rows;
}

/** What it costs beside its price, and for how long it can be had; each stands in a line as a whole. */
function Terms({ item }: { item: Item }) {
  const { deposit, currency, maxDays } = item;
  const terms = [
    pricePerDayOf(item),
    ...(deposit > 0 ? [texts.deposit(amountOf(deposit, codeOf(currency)))] : []),
    ...(maxDays > 0 ? [texts.upTo(itemWords.days(maxDays))] : []),
  ];
  return (
    <p className="dim num terms">
      {terms.map((term, i) => (
        <span key={term}>{i < terms.length - 1 ? filled(texts.andMore, i === 0 ? <b>{term}</b> : term) : term}</span>
      ))}
    </p>
  );
}

/** The way to hand on a listed item. Its owner alone shares one that is for friends. */
export function ShareItem({ item }: { item: Item }) {
  const isPublic = item.visibility === Visibility.PUBLIC;
  if (item.status !== ItemStatus.LISTED || !(isPublic || item.isOwner)) return null;
  const text = isPublic ? shareWords.itemText : shareWords.friendsText;
  return <ShareLink path={itemPath(item.itemId)} title={item.title} text={text} />;
}

function About({ item }: { item: Item }) {
  const { title, description, url, owner } = item;
  return (
    <div className="stack">
      <Carousel item={item} />
      <div className="row s wraps">
        <ItemCategoryTag category={item.category} />
        <ItemStatusBadge status={item.status} />
      </div>
      <div className="stack s">
        <h2 className="t22 breakable">
          <Words>{title}</Words>
        </h2>
        <Terms item={item} />
        <p className="prewrap">
          <Words>{description}</Words>
        </p>
        {isLink(url) && (
          <a className="link" href={url} target="_blank" rel="noopener noreferrer nofollow">
            <IconLink size={20} aria-hidden="true" />
            {texts.link}
          </a>
        )}
      </div>
      {owner !== undefined && <Owner owner={owner} />}
      <FactList rows={rowsOf(item)} />
      <ShareItem item={item} />
    </div>
  );
}

/** What stands where others ask for it. */
function Instead({ item }: { item: Item }) {
  const text = item.isOwner ? texts.yours : texts.notYet;
  const Icon = item.isOwner ? IconInfoCircle : IconCalendarOff;
  return (
    <Stick
      above={
        <Note tone="idle" icon={<Icon size={20} />}>
          {text}
        </Note>
      }
    >
      {item.isOwner && (
        <Button component={Link} href={manageItemPath(item.itemId)} size="lg" className="main-act">
          {texts.manage}
        </Button>
      )}
    </Stick>
  );
}

function Details({ item }: { item: Item }) {
  useTitle(item.title);
  const canAsk = !item.isOwner && allows(item, ItemAction.REQUEST);
  return (
    <div className="itemwide padstick">
      <About item={item} />
      {canAsk ? <Borrowing item={item} /> : <Instead item={item} />}
    </div>
  );
}

/** Trying again does not help: the item is gone, or is not for this member. */
const isRefused = (error: unknown): boolean => hasReason(error, "NOT_FOUND", "INVALID_ARGUMENT", "FRIENDS_ONLY");

function useWhy(error: unknown): string {
  const isLost = useIsLost();
  if (hasReason(error, "FRIENDS_ONLY")) return itemWords.friendsOnly;
  if (error === null || isRefused(error)) return itemWords.gone;
  return isLost ? frameWords.noConnection : frameWords.nothingLost;
}

/** Somebody may have sent the link to another account of this member, or be no friend yet. */
function OtherWays() {
  return (
    <div className="stack s">
      <p className="dim t14">{texts.otherWays}</p>
      <div className="row s wraps">
        <Button component={Link} href="/friends/find" variant="light">
          {texts.findFriends}
        </Button>
        <OtherAccount />
      </div>
    </div>
  );
}

/** Why an item cannot be seen, with the way back. `error` is what the server said; nothing, where it is somebody else's. */
function NoItem({ error, onRetry, busy }: { error: unknown; onRetry: () => void; busy: boolean }): ReactNode {
  const back = useBack();
  const text = useWhy(error);
  const mayHelp = error !== null && !isRefused(error);
  return (
    <div role="alert">
      <EmptyState
        drawing={<Trouble size={200} />}
        title={texts.unable}
        action={
          <div className="stack">
            <div className="row s wraps">
              <Button variant="default" onClick={() => back(sharePath())}>
                {texts.goBack}
              </Button>
              {mayHelp && <Retry look="light" onRetry={onRetry} busy={busy} />}
            </div>
            {isRefused(error) && <OtherWays />}
          </div>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}

/** `head` stands above what is said in its place; `owned`: only its owner sees more. */
type WithProps = { id: string; head?: ReactNode; owned?: boolean; children: (item: Item) => ReactNode };

/** An item that is there, or why it is not. What is gone, or is not for this member any more, does not stay with its buttons. */
export function WithItem({ id, head, owned = false, children }: WithProps) {
  const query = useItem(id);
  const { error, data, isFetching, refetch } = query;
  const isOver = isRefused(error) || (owned && data?.isOwner === false);
  if (isOver || (data === undefined && error !== null))
    return (
      <>
        {head}
        <NoItem error={error} onRetry={() => void refetch()} busy={isFetching} />
      </>
    );
  const skeleton = (
    <>
      {head}
      <div className={owned ? "" : "itemshape"}>
        <DetailSkeleton label={words.loadingItem} />
      </div>
    </>
  );
  return (
    <Loaded query={query} skeleton={skeleton} failed={texts.unable}>
      {(item) => item !== undefined && children(item)}
    </Loaded>
  );
}

export function ItemScreen({ id }: { id: string }) {
  useTitle(texts.details);
  return (
    <>
      <ScreenHead title={texts.details} back={words.back} otherwise={sharePath()} />
      <WithItem id={id}>{(item) => <Details key={item.itemId} item={item} />}</WithItem>
    </>
  );
}
