// What the owner of an item sees and does: its details, how often it was lent, who asks for it, when it is not lent, and its end.
import { Button } from "@mantine/core";
import {
  IconCalendarStats,
  IconCash,
  IconCategory,
  IconCoins,
  IconEye,
  IconMapPin,
  IconPencil,
  IconShieldCheck,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { type Item, ItemAction } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  type GetItemStatsResponse,
  type Rental,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { useBack } from "../../lib/back";
import { dayHere, rangeText } from "../../lib/days";
import { textOf } from "../../lib/errors";
import { editItemPath, itemPath, rentalPath, sharePath } from "../../lib/sharing";
import { toDate } from "../../lib/times";
import { useTitle } from "../../lib/title";
import { confirmed } from "../../ui/confirm";
import { DueBadge } from "../../ui/due";
import { type Pages, withoutNext } from "../../ui/Endless";
import { Face } from "../../ui/Face";
import { sayFailure } from "../../ui/failure";
import { type FactRow, FactList } from "../../ui/Facts";
import { ItemCategoryTag, ItemPicture, ItemStatusBadge, priceIn, pricePerDayOf } from "../../ui/item";
import { itemCategoryWords, itemWords, policyWords } from "../../ui/itemWords";
import { Loaded, ShowMore } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { ScreenHead } from "../../ui/ScreenHead";
import { SectionRows } from "../../ui/SectionRows";
import type { Tone } from "../../ui/theme";
import { Words } from "../../ui/Words";
import { Blackout } from "./Blackout";
import { useItemsApi } from "./deeds";
import { ShareItem, WithItem } from "./ItemScreen";
import "./items.css";
import { manageWords as words } from "./manageWords";
import { allows, reachOf, useMove, useMoves } from "./moves";
import { OnTheWay } from "./OnTheWay";
import { forgetItem } from "./pictures";
import { useItemStats, useOpenRentals, usePastRentals } from "./queries";
import { moveWords, words as itemsWords } from "./words";

function visibilityOf(item: Item): string {
  const reach = reachOf(item);
  return reach === "groups" ? words.inGroups(item.groupIds.length) : words[reach];
}

function rowsOf(item: Item): FactRow[] {
  const { deposit, currency, maxDays, location, category, cancellationPolicy } = item;
  const city = location?.city ?? "";
  return [
    { label: words.dailyRate, value: pricePerDayOf(item), icon: <IconCoins size={20} /> },
    {
      label: words.deposit,
      value: deposit > 0 ? priceIn(deposit, currency) : words.none,
      icon: <IconCash size={20} />,
    },
    { label: words.category, value: itemCategoryWords[category], icon: <IconCategory size={20} /> },
    {
      label: words.maxDays,
      value: maxDays > 0 ? itemWords.days(maxDays) : words.noLimit,
      icon: <IconCalendarStats size={20} />,
    },
    {
      label: words.location,
      value: city === "" ? words.notSet : <Words>{city}</Words>,
      icon: <IconMapPin size={20} />,
    },
    { label: words.visibility, value: visibilityOf(item), icon: <IconEye size={20} /> },
    { label: words.policy, value: policyWords[cancellationPolicy], icon: <IconShieldCheck size={20} /> },
  ];
}

function Summary({ item }: { item: Item }) {
  const moves = useMoves();
  const move = useMove(item);
  const { itemId: id } = item;
  return (
    <section className="card stack">
      <div className="row start">
        <ItemPicture url={item.mainImage} category={item.category} small />
        <div className="grow stack xs">
          <h2 className="t18 breakable">
            <Words>{item.title}</Words>
          </h2>
          <div className="row s wraps">
            <ItemCategoryTag category={item.category} />
            <ItemStatusBadge status={item.status} />
          </div>
          <OnTheWay id={id} />
        </div>
      </div>
      <div className="row s wraps">
        {allows(item, ItemAction.EDIT) && (
          <Button component={Link} href={editItemPath(id)} variant="light" leftSection={<IconPencil size={20} />}>
            {itemsWords.edit}
          </Button>
        )}
        {move !== undefined && (
          <Button variant="default" loading={moves.busy === id} onClick={() => void moves.ask(item, move)}>
            {moveWords[move].label}
          </Button>
        )}
        <Button component={Link} href={itemPath(id)} variant="subtle">
          {words.see}
        </Button>
      </div>
      <ShareItem item={item} />
    </section>
  );
}

function Stats({ stats }: { stats: GetItemStatsResponse }) {
  const { totalRentals, totalEarned, daysRented, activeRequests, currency } = stats;
  const all = [
    [words.totalRentals, itemsWords.number(totalRentals)],
    [words.totalEarned, priceIn(totalEarned, currency)],
    [words.daysRented, itemsWords.number(daysRented)],
    [words.activeRequests, itemsWords.number(activeRequests)],
  ] as const;
  return (
    <dl className="statgrid">
      {all.map(([label, value]) => (
        <div key={label} className="card stat">
          <dt className="dim t14">{label}</dt>
          <dd className="t22">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const LOOKS: Partial<Record<RentalStatus, { tone: Tone; text: string }>> = {
  [RentalStatus.PENDING]: { tone: "wait", text: words.status.PENDING },
  [RentalStatus.ACCEPTED]: { tone: "ok", text: words.status.ACCEPTED },
  [RentalStatus.DECLINED]: { tone: "no", text: words.status.DECLINED },
  [RentalStatus.CANCELLED]: { tone: "no", text: words.status.CANCELLED },
  [RentalStatus.ACTIVE]: { tone: "wait", text: words.status.ACTIVE },
  [RentalStatus.RETURNED]: { tone: "ok", text: words.status.RETURNED },
  [RentalStatus.COMPLETED]: { tone: "ok", text: words.status.COMPLETED },
};

/** Its days; what came back before the last of them says when. Of the year in which they began the year is not said. */
function daysOf({ startDate, endDate, returned }: Rental): string {
  const days = rangeText(startDate, endDate, startDate);
  const at = toDate(returned?.at);
  const back = at === undefined ? endDate : dayHere(at);
  return back < endDate ? words.backOn(days, rangeText(back, back, startDate)) : days;
}

function RentalRow({ rental }: { rental: Rental }) {
  const { borrower, requestId, rentalStatus } = rental;
  const name = borrower?.name || itemWords.formerMember;
  const look = LOOKS[rentalStatus];
  return (
    <li className="over-row">
      <Face person={{ displayName: name, profilePictureUrl: borrower?.profilePictureUrl ?? "" }} size={44} />
      <div className="grow">
        <Link href={rentalPath(requestId)} className="cover b6 one block">
          <Words>{name}</Words>
        </Link>
        <p className="dim t14">{daysOf(rental)}</p>
        <DueBadge rental={rental} />
      </div>
      {look !== undefined && (
        <span className="badge" data-tone={look.tone}>
          {look.text}
        </span>
      )}
    </li>
  );
}

type RentalsProps = { title: string; failed: string; none: string; query: Pages<{ pages: { rentals: Rental[] }[] }> };

function Rentals({ title, failed, none, query }: RentalsProps) {
  return (
    <Section title={title}>
      <Loaded
        small
        query={withoutNext(query)}
        skeleton={<SectionRows label={words.loadingRequests} />}
        failed={failed}
        isEmpty={({ pages }) => pages.every(({ rentals }) => rentals.length === 0)}
        empty={<p className="card dim">{none}</p>}
      >
        {({ pages }) => (
          <div className="stack s">
            <ul className="card flush list" aria-label={title}>
              {pages
                .flatMap(({ rentals }) => rentals)
                .map((rental) => (
                  <RentalRow key={rental.requestId} rental={rental} />
                ))}
            </ul>
            <ShowMore query={query} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** Its end, after a question; or why that has to wait. */
function Danger({ item }: { item: Item }) {
  const api = useItemsApi();
  const back = useBack();
  const [busy, setBusy] = useState(false);
  const isFree = allows(item, ItemAction.DELETE);

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await api.remove(item.itemId);
      forgetItem(item.itemId);
      back(sharePath("mine"));
      say(words.removed, "idle");
    } catch (error) {
      setBusy(false);
      sayFailure(error, textOf(error, { WRONG_STATE: words.isLent }, words.removeFailed), () => void remove());
    }
  }

  async function ask(): Promise<void> {
    if (await confirmed({ ...words.removal, about: item.title, destructive: true })) await remove();
  }

  return (
    <Section title={words.danger}>
      <div className="card stack s danger">
        <p className="dim t14">{isFree ? words.dangerText : words.isLent}</p>
        {isFree && (
          <div>
            <Button
              variant="default"
              c="var(--gt-no-fg)"
              leftSection={<IconTrash size={20} />}
              loading={busy}
              onClick={() => void ask()}
            >
              {words.remove}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

function Management({ item }: { item: Item }) {
  const { itemId: id } = item;
  const stats = useItemStats(id);
  const open = useOpenRentals(id);
  const past = usePastRentals(id);
  useTitle(item.title);
  return (
    <div className="two stack l">
      <div className="stack l">
        <Summary item={item} />
        <Section title={words.stats}>
          <Loaded small query={stats} skeleton={<SectionRows label={words.loadingStats} />} failed={words.statsFailed}>
            {(known) => <Stats stats={known} />}
          </Loaded>
        </Section>
        <Rentals title={words.requests} failed={words.requestsFailed} none={words.noRequests} query={open} />
        <Rentals title={words.history} failed={words.historyFailed} none={words.noHistory} query={past} />
      </div>
      <div className="stack l">
        <Blackout item={item} />
        <Section title={words.details}>
          <FactList rows={rowsOf(item)} />
        </Section>
        <Danger item={item} />
      </div>
    </div>
  );
}

export function ManageScreen({ id }: { id: string }) {
  useTitle(words.title);
  return (
    <>
      <ScreenHead title={words.title} back={itemsWords.back} otherwise={sharePath("mine")} />
      <WithItem id={id} owned>
        {(item) => <Management key={id} item={item} />}
      </WithItem>
    </>
  );
}
