// What the member lends: all of it, what is listed, and what is not.
import { Button, SegmentedControl } from "@mantine/core";
import { IconPencil, IconPlus } from "@tabler/icons-react";
import { Link, useLocation, useSearchParams } from "wouter";
import { type Item, ItemAction, type ItemCounts, ItemStatus } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { editItemPath, manageItemPath, sharePath } from "../../lib/sharing";
import { NextPage, withoutNext } from "../../ui/Endless";
import { ItemCategoryTag, ItemPicture, ItemStatusBadge, pricePerDayOf } from "../../ui/item";
import { NoItems } from "../../ui/itemDrawings";
import { Loaded } from "../../ui/Loaded";
import { Pairs, PairSkeletons } from "../../ui/Pairs";
import { EmptyState } from "../../ui/Pieces";
import { Pull } from "../../ui/Pull";
import { Words } from "../../ui/Words";
import "./items.css";
import { allows, useMove, useMoves } from "./moves";
import { OnTheWay } from "./OnTheWay";
import { itemsIn, type Shown, useMyItems } from "./queries";
import { mineWords, moveWords, words } from "./words";

const FILTERS = ["all", "listed", "unlisted"] as const;
type Filter = (typeof FILTERS)[number];
const STATUS: Record<Filter, Shown> = {
  all: ItemStatus.UNSPECIFIED,
  listed: ItemStatus.LISTED,
  unlisted: ItemStatus.UNLISTED,
};

function useFilter(): [Filter, (filter: Filter) => void] {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const filter = FILTERS.find((name) => name === params.get("show")) ?? "all";
  const path = sharePath("mine");
  return [filter, (next) => navigate(next === "all" ? path : `${path}&show=${next}`, { replace: true })];
}

type CardProps = { item: Item; moves: ReturnType<typeof useMoves> };

function OwnItem({ item, moves }: CardProps) {
  const { title, itemId, category, mainImage } = item;
  const move = useMove(item);
  return (
    <article className="card tap stack s">
      <div className="row start">
        <ItemPicture url={mainImage} category={category} small />
        <div className="grow stack xs">
          <h2 className="t16 b6 clamp2">
            <Link href={manageItemPath(itemId)} className="cover">
              <Words>{title}</Words>
            </Link>
          </h2>
          <p className="dim t14">{pricePerDayOf(item)}</p>
        </div>
      </div>
      <div className="row s wraps">
        <ItemCategoryTag category={category} />
        <ItemStatusBadge status={item.status} />
      </div>
      <OnTheWay id={itemId} />
      <div className="row s wraps over">
        {allows(item, ItemAction.EDIT) && (
          <Button
            component={Link}
            href={editItemPath(itemId)}
            variant="default"
            px={12}
            leftSection={<IconPencil size={20} />}
            aria-label={words.editWhich(title)}
          >
            {words.edit}
          </Button>
        )}
        {move !== undefined && (
          <Button
            variant={move === "list" ? "light" : "default"}
            px={12}
            loading={moves.busy === itemId}
            aria-label={moveWords[move].which(title)}
            onClick={() => void moves.ask(item, move)}
          >
            {moveWords[move].label}
          </Button>
        )}
      </div>
    </article>
  );
}

function Nothing({ filter, onAll }: { filter: Filter; onAll: () => void }) {
  if (filter === "all")
    return (
      <EmptyState
        drawing={<NoItems size={200} />}
        title={mineWords.none}
        action={
          <Button component={Link} href={sharePath("create")}>
            {words.listFirst}
          </Button>
        }
      >
        {mineWords.noneText}
      </EmptyState>
    );
  const isListed = filter === "listed";
  return (
    <EmptyState
      drawing={<NoItems size={200} />}
      title={isListed ? mineWords.noneListed : mineWords.noneUnlisted}
      action={
        <Button variant="light" onClick={onAll}>
          {mineWords.showAll}
        </Button>
      }
    >
      {isListed ? mineWords.noneListedText : mineWords.noneUnlistedText}
    </EmptyState>
  );
}

type HeadProps = { counts: ItemCounts | undefined; filter: Filter; onFilter: (filter: Filter) => void };

function Filters({ counts, filter, onFilter }: HeadProps) {
  if (counts === undefined) return null;
  return (
    <SegmentedControl
      fullWidth
      mb={16}
      className="seg"
      aria-label={mineWords.which}
      value={filter}
      data={FILTERS.map((value) => ({ value, label: mineWords.filters[value](counts[value]) }))}
      onChange={(value) => onFilter(FILTERS.find((name) => name === value) ?? "all")}
    />
  );
}

const idOf = ({ itemId }: Item): string => itemId;

export function MyListings() {
  const [filter, show] = useFilter();
  const query = useMyItems(STATUS[filter]);
  const moves = useMoves();
  return (
    <Pull onRefresh={() => query.refetch()}>
      <Loaded query={withoutNext(query)} skeleton={<PairSkeletons label={words.loading} />} failed={mineWords.failed}>
        {(data) => {
          const items = itemsIn(data);
          const { counts } = data.pages[0] ?? {};
          return (
            <div aria-busy={query.isPlaceholderData}>
              {counts !== undefined && counts.all > 0 && <Filters counts={counts} filter={filter} onFilter={show} />}
              {items.length === 0 ? (
                <Nothing filter={counts?.all === 0 ? "all" : filter} onAll={() => show("all")} />
              ) : (
                <>
                  <div className="ownitems">
                    <Pairs
                      name={`mine.${filter}`}
                      label={mineWords.label}
                      things={items}
                      idOf={idOf}
                      isOpen={query.hasNextPage}
                    >
                      {(item) => <OwnItem item={item} moves={moves} />}
                    </Pairs>
                  </div>
                  <NextPage
                    query={query}
                    failed={mineWords.failed}
                    skeleton={<PairSkeletons label={words.loading} count={1} />}
                  />
                  <Link href={sharePath("create")} className="fab" aria-label={mineWords.add}>
                    <IconPlus size={24} aria-hidden="true" />
                  </Link>
                </>
              )}
            </div>
          );
        }}
      </Loaded>
    </Pull>
  );
}
