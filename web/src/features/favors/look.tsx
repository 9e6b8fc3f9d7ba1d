// How a favor looks: the icon and tint of its category, and how its money is said. Its status: badges.tsx.
import { IconLifebuoy, IconPaw, IconShoppingBag, IconTruckLoading } from "@tabler/icons-react";
import { Currency } from "../../gen/goodturn/common/v1/currency_pb";
import { FavorCategory } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { type Currency as CurrencyCode, moneyOf } from "../../lib/money";
import type { Tint } from "../../ui/theme";

export const categoryLooks: Record<FavorCategory, { tint: Tint; Icon: typeof IconPaw }> = {
  [FavorCategory.UNSPECIFIED]: { tint: "violet", Icon: IconLifebuoy },
  [FavorCategory.GENERAL]: { tint: "violet", Icon: IconLifebuoy },
  [FavorCategory.ERRANDS]: { tint: "sky", Icon: IconShoppingBag },
  [FavorCategory.PHYSICAL_HELP]: { tint: "ochre", Icon: IconTruckLoading },
  [FavorCategory.PET_CARE]: { tint: "rose", Icon: IconPaw },
};

export function CategoryTile({ category }: { category: FavorCategory }) {
  const { tint, Icon } = categoryLooks[category] ?? categoryLooks[FavorCategory.GENERAL];
  return (
    <span className="tile" data-tint={tint} aria-hidden="true">
      <Icon size={24} stroke={1.75} />
    </span>
  );
}

const codes: Record<Currency, CurrencyCode> = {
  [Currency.UNSPECIFIED]: "USD",
  [Currency.USD]: "USD",
  [Currency.INR]: "INR",
  [Currency.EUR]: "EUR",
  [Currency.GBP]: "GBP",
};

export const codeOf = (currency: Currency): CurrencyCode => codes[currency] ?? "USD";
export const currencyOf = (code: CurrencyCode): Currency => Currency[code];
export const tipOf = ({ tip, currency }: { tip: number; currency: Currency }): string => moneyOf(tip, codeOf(currency));
