// What friends lend: searched, narrowed to a category, and read on to its end.
import { Button, Skeleton, TextInput } from "@mantine/core";
import { IconSearch, IconUsers, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { type Item, ItemCategory } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { firstName } from "../../lib/names";
import { itemPath, sharePath } from "../../lib/sharing";
import { ownerIn } from "../../lib/theirThings";
import { NextPage, withoutNext } from "../../ui/Endless";
import { Face } from "../../ui/Face";
import { NotFound } from "../../ui/illustrations";
import { useInView } from "../../ui/inView";
import { ITEM_CATEGORIES, ItemCategoryIcon, ItemPicture, pricePerDayOf } from "../../ui/item";
import { NoItems } from "../../ui/itemDrawings";
import { itemCategoryWords, itemWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { Pull } from "../../ui/Pull";
import { times, Waiting } from "../../ui/Skeletons";
import "../../ui/styles/chips.css";
import { useDesktop } from "../../ui/useDesktop";
import { Windowed } from "../../ui/Windowed";
import { Words } from "../../ui/Words";
import "./items.css";
import { itemsIn, type Sought, useFeed, useFriendName } from "./queries";
import { useSeeking, WORDS_MAX } from "./seeking";
import { words } from "./words";

type FieldsProps = { typed: Sought; type: (part: Partial<Sought>) => void };

const CATEGORIES: readonly ItemCategory[] = [ItemCategory.UNSPECIFIED, ...ITEM_CATEGORIES];

/** One of them is chosen always; the first is all of them. */
function Categories({ typed, type }: FieldsProps) {
  const row = useInView(CATEGORIES.indexOf(typed.category));
  return (
    <div className="chips slides" role="group" aria-label={words.category} ref={row}>
      {CATEGORIES.map((category) => (
        <button
          key={category}
          type="button"
          className="chip"
          aria-pressed={typed.category === category}
          onClick={() => type({ category })}
        >
          {category === ItemCategory.UNSPECIFIED ? (
            words.all
          ) : (
            <>
              <ItemCategoryIcon category={category} />
              {itemCategoryWords[category]}
            </>
          )}
        </button>
      ))}
    </div>
  );
}

function Fields({ typed, type }: FieldsProps) {
  return (
    <search className="seekitems">
      <TextInput
        type="search"
        maxLength={WORDS_MAX}
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={20} />}
        value={typed.term}
        onChange={(event) => type({ term: event.currentTarget.value })}
      />
      <Categories typed={typed} type={type} />
    </search>
  );
}

type OwnerProps = { text: string; onClear: () => void };

/** Whose things these are, which ends with a press. */
function OwnerChip({ text, onClear }: OwnerProps) {
  return (
    <div className="chips ofone">
      <button type="button" className="chip" onClick={onClear}>
        <span className="one">{text}</span>
        <IconX size={18} aria-hidden="true" />
        <span className="sronly">{words.seeAll}</span>
      </button>
    </div>
  );
}

/** That only friends are in it, and how many things there are. */
function Indicator({ children }: { children: ReactNode }) {
  return (
    <p className="dim t14 indicator" role="status">
      <IconUsers size={20} aria-hidden="true" />
      {children}
    </p>
  );
}

function Thing({ item }: { item: Item }) {
  const { title, owner, category, mainImage, cardImage, itemId } = item;
  const name = owner?.name || itemWords.formerMember;
  return (
    <article className="thing">
      <ItemPicture url={mainImage} card={cardImage} category={category} />
      <h2 className="clamp2">
        <Link href={itemPath(itemId)} className="cover">
          <Words>{title}</Words>
        </Link>
      </h2>
      <div className="row s">
        <Face person={{ displayName: name, profilePictureUrl: owner?.profilePictureUrl ?? "" }} size={24} />
        <span className="dim t14 one">
          <Words>{name}</Words>
        </span>
      </div>
      <p className={item.pricePerDay === 0 ? "t14 b6 free" : "t14 b6"}>{pricePerDayOf(item)}</p>
    </article>
  );
}

const COLUMNS = { desktop: 4, phone: 2 } as const;

const idOf = ({ itemId }: Item): string => itemId;
const draw = (item: Item): ReactNode => <Thing item={item} />;

function GridSkeleton({ count = 8 }: { count?: number }) {
  return (
    <Waiting label={words.loading}>
      <div className="itemgrid">
        {times(count).map((i) => (
          <div key={i} className="thing">
            <Skeleton className="shot" />
            <Skeleton h={18} w="80%" mt={8} />
            <Skeleton h={14} w="55%" />
            <Skeleton h={14} w="40%" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      drawing={<NotFound size={200} />}
      title={words.noneFound}
      action={
        <Button variant="light" onClick={onClear}>
          {words.clear}
        </Button>
      }
    >
      {words.noneFoundText}
    </EmptyState>
  );
}

function NothingThere() {
  return (
    <EmptyState
      drawing={<NoItems size={200} />}
      title={words.none}
      action={
        <Button component={Link} href={sharePath("create")}>
          {words.listFirst}
        </Button>
      }
    >
      {words.noneText}
    </EmptyState>
  );
}

function NothingOfOwner({ title, onClear }: { title: string; onClear: () => void }) {
  return (
    <EmptyState
      drawing={<NoItems size={200} />}
      title={title}
      action={
        <Button variant="light" onClick={onClear}>
          {words.seeAll}
        </Button>
      }
    >
      {words.noneOfText}
    </EmptyState>
  );
}

/** What one friend's things are called: by the friends, or by the first of the things where it is not known who that is. */
function useOwnerTexts(owner: string, items: readonly Item[] | undefined): { label: string; none: string } {
  const name = useFriendName(owner) || items?.[0]?.owner?.name || "";
  if (name === "") return { label: words.friendsThings, none: words.noneOfFriend };
  return { label: words.theirThings(firstName(name)), none: words.noneOf(firstName(name)) };
}

type BrowsedProps = { me: string; owner: string; onClearOwner: () => void };

function Browsed({ me, owner, onClearOwner }: BrowsedProps) {
  const { typed, sought, type, clear } = useSeeking(me, owner);
  const columns = useDesktop() ? COLUMNS.desktop : COLUMNS.phone;
  const query = useFeed(sought, owner);
  const isOfOne = owner !== "";
  const texts = useOwnerTexts(owner, query.data && itemsIn(query.data));
  const isAll = sought.term === "" && sought.category === ItemCategory.UNSPECIFIED;
  const told = (count: number): string => words.indicator(query.hasNextPage ? words.over(count) : words.count(count));
  const none = isOfOne ? <NothingOfOwner title={texts.none} onClear={onClearOwner} /> : <NothingThere />;
  const nothing = isAll ? none : <NothingFound onClear={clear} />;
  return (
    <Pull onRefresh={() => query.refetch()}>
      <Fields typed={typed} type={type} />
      {isOfOne && <OwnerChip text={texts.label} onClear={onClearOwner} />}
      <Indicator>{query.data === undefined ? words.friendsOnly : told(itemsIn(query.data).length)}</Indicator>
      <div className="gap s" />
      <Loaded
        query={withoutNext(query)}
        skeleton={<GridSkeleton />}
        failed={words.failed}
        isEmpty={(data) => itemsIn(data).length === 0}
        empty={nothing}
      >
        {(data) => (
          <div aria-busy={query.isPlaceholderData}>
            <Windowed
              name={`items${owner}`}
              label={isOfOne ? texts.label : words.results}
              things={itemsIn(data)}
              idOf={idOf}
              isOpen={query.hasNextPage}
              columns={columns}
              grid="itemgrid"
            >
              {draw}
            </Windowed>
            <NextPage query={query} failed={words.failed} skeleton={<GridSkeleton count={columns} />} />
          </div>
        )}
      </Loaded>
    </Pull>
  );
}

/** Of everybody, or of the one friend whom the address names. */
export function Browse({ me }: { me: string }) {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const owner = ownerIn(params);
  return <Browsed key={owner} me={me} owner={owner} onClearOwner={() => navigate(sharePath(), { replace: true })} />;
}
