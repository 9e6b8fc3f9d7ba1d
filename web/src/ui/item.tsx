// How an item looks wherever it stands: its category, its status, its picture and its price.
import {
  IconBallFootball,
  IconCar,
  IconDeviceGamepad2,
  IconDeviceLaptop,
  IconHanger,
  IconPackage,
  IconPlant2,
  IconTool,
} from "@tabler/icons-react";
import type { SyntheticEvent } from "react";
import { Currency } from "../gen/later/goodturn/common/v1/currency_pb";
import { type CancellationPolicy, ItemCategory, ItemStatus } from "../gen/later/goodturn/items/v1/items_service_pb";
import type { RentedItem } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type Currency as CurrencyCode, moneyOf } from "../lib/money";
import { itemCategoryWords, itemStatusWords, itemWords, noticeWords, policyWords } from "./itemWords";
import "./styles/item.css";
import type { Tint, Tone } from "./theme";

/** In the order in which they stand. */
export const ITEM_CATEGORIES = [
  ItemCategory.ELECTRONICS,
  ItemCategory.SPORTS,
  ItemCategory.TOOLS,
  ItemCategory.TRANSPORTATION,
  ItemCategory.HOME,
  ItemCategory.ENTERTAINMENT,
  ItemCategory.FASHION,
  ItemCategory.OTHER,
] as const;

const other = { tint: "stone", Icon: IconPackage } as const;
const looks: Record<ItemCategory, { tint: Tint; Icon: typeof IconPackage }> = {
  [ItemCategory.UNSPECIFIED]: other,
  [ItemCategory.ELECTRONICS]: { tint: "sky", Icon: IconDeviceLaptop },
  [ItemCategory.SPORTS]: { tint: "teal", Icon: IconBallFootball },
  [ItemCategory.TOOLS]: { tint: "ochre", Icon: IconTool },
  [ItemCategory.TRANSPORTATION]: { tint: "violet", Icon: IconCar },
  [ItemCategory.HOME]: { tint: "teal", Icon: IconPlant2 },
  [ItemCategory.ENTERTAINMENT]: { tint: "rose", Icon: IconDeviceGamepad2 },
  [ItemCategory.FASHION]: { tint: "violet", Icon: IconHanger },
  [ItemCategory.OTHER]: other,
};

const lookOf = (category: ItemCategory) => looks[category] ?? other;

const tones: Record<ItemStatus, Tone> = {
  [ItemStatus.UNSPECIFIED]: "idle",
  [ItemStatus.DRAFT]: "idle",
  [ItemStatus.LISTED]: "ok",
  [ItemStatus.UNLISTED]: "idle",
};

export function ItemStatusBadge({ status }: { status: ItemStatus }) {
  return (
    <span className="badge" data-tone={tones[status] ?? "idle"}>
      {itemStatusWords[status] ?? itemStatusWords[ItemStatus.UNSPECIFIED]}
    </span>
  );
}

export function ItemCategoryIcon({ category }: { category: ItemCategory }) {
  const { tint, Icon } = lookOf(category);
  return <Icon size={20} stroke={1.75} color={`var(--gt-${tint}-fg)`} aria-hidden="true" />;
}

export function ItemCategoryTile({ category }: { category: ItemCategory }) {
  const { tint, Icon } = lookOf(category);
  return (
    <span className="tile" data-tint={tint} aria-hidden="true">
      <Icon size={24} stroke={1.75} />
    </span>
  );
}

export function ItemCategoryTag({ category }: { category: ItemCategory }) {
  const { tint, Icon } = lookOf(category);
  return (
    <span className="tag" data-tint={tint}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      {itemCategoryWords[category] ?? itemCategoryWords[ItemCategory.OTHER]}
    </span>
  );
}

/** The sheet has to know whether it came, and so has `app/faces.ts`, which asks anew for an address that has ended. */
function note({ type, currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  currentTarget.dataset["came"] = type;
}

type PictureProps = {
  url: string;
  /** The same with twice the pixels: the browser takes what the screen shows, where the picture stands in a grid. */
  card?: string;
  category?: ItemCategory;
  /** What it shows, where nothing beside it says that. */
  alt?: string;
  /** A small one in a row; else it is as wide as there is room, 4 to 3. */
  small?: boolean;
};

/** The picture of an item; its category stands under it until it has come, and where there is none. */
export function ItemPicture({ url, card, category = ItemCategory.OTHER, alt = "", small = false }: PictureProps) {
  const { tint, Icon } = lookOf(category);
  return (
    <span className={small ? "shot small" : "shot"} data-tint={tint}>
      <Icon size={24} stroke={1.5} aria-hidden="true" />
      {/* The same picture has another address after a while: it stays until the new one has come. */}
      {url !== "" && (
        <img
          key={url.split("?")[0]}
          sizes="(min-width: 56.25em) 15rem, 50vw"
          srcSet={card && `${url} 256w, ${card} 512w`}
          src={url}
          alt={alt}
          loading="lazy"
          onLoad={note}
          onError={note}
        />
      )}
    </span>
  );
}

/** The small picture of what a rental is about. */
export const RentedPicture = ({ item }: { item: RentedItem | undefined }) => (
  <ItemPicture small url={item?.mainImage ?? ""} category={item?.category ?? ItemCategory.OTHER} />
);

const codes: Record<Currency, CurrencyCode> = {
  [Currency.UNSPECIFIED]: "USD",
  [Currency.USD]: "USD",
  [Currency.INR]: "INR",
  [Currency.EUR]: "EUR",
  [Currency.GBP]: "GBP",
};
export const codeOf = (currency: Currency): CurrencyCode => codes[currency] ?? "USD";
export const currencyOf = (code: CurrencyCode): Currency => Currency[code];

/** "$5.00 USD" */
export const priceIn = (amount: number, currency: Currency): string => moneyOf(amount, codeOf(currency));

/** The policy, and under it what notice that is. */
export function Policy({ policy }: { policy: CancellationPolicy }) {
  return (
    <>
      {policyWords[policy]}
      <span className="dim t14" style={{ display: "block", fontWeight: 400 }}>
        {noticeWords[policy]}
      </span>
    </>
  );
}

type Priced = { pricePerDay: number; currency: Currency };

/** "$5.00 USD a day", or that it is free. */
export const pricePerDayOf = ({ pricePerDay, currency }: Priced): string =>
  pricePerDay === 0 ? itemWords.free : itemWords.perDay(priceIn(pricePerDay, currency));
