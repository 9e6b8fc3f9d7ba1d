// What is asked for, in short: the item with its owner, and its conditions.
import { IconCalendarRepeat, IconCoins, IconLink, IconShieldCheck } from "@tabler/icons-react";
import { Link } from "wouter";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { itemPath } from "../../lib/sharing";
import { Face } from "../../ui/Face";
import { Facts } from "../../ui/Facts";
import { ItemCategoryTag, ItemPicture, ItemStatusBadge, priceIn, pricePerDayOf } from "../../ui/item";
import { itemWords, noticeWords, policyWords } from "../../ui/itemWords";
import { Words } from "../../ui/Words";
import { borrowWords as words } from "./borrowWords";

function factsOf(item: Item) {
  const { deposit, currency, maxDays, cancellationPolicy } = item;
  return [
    { label: words.price, value: pricePerDayOf(item), icon: <IconCoins size={18} aria-hidden="true" /> },
    {
      label: words.deposit,
      value: deposit === 0 ? words.none : priceIn(deposit, currency),
      icon: <IconShieldCheck size={18} aria-hidden="true" />,
    },
    {
      label: words.maxDays,
      value: maxDays === 0 ? words.noLimit : words.days(maxDays),
      icon: <IconCalendarRepeat size={18} aria-hidden="true" />,
    },
    {
      label: words.policy,
      value: words.policyOf(policyWords[cancellationPolicy], noticeWords[cancellationPolicy]),
      icon: <IconCalendarRepeat size={18} aria-hidden="true" />,
    },
  ];
}

export function ItemSummary({ item }: { item: Item }) {
  const name = item.owner?.name || itemWords.formerMember;
  return (
    <article className="card stack asked-for">
      <div className="row start">
        <ItemPicture small url={item.mainImage} category={item.category} />
        <div className="grow stack s">
          <h2 className="t16 b6 clamp2">
            <Link className="plain" href={itemPath(item.itemId)}>
              <Words>{item.title}</Words>
            </Link>
          </h2>
          <span className="row s">
            <Face person={{ displayName: name, profilePictureUrl: item.owner?.profilePictureUrl ?? "" }} size={28} />
            <span className="dim t14 one">
              <Words>{name}</Words>
            </span>
          </span>
          <div className="row s wraps">
            <ItemCategoryTag category={item.category} />
            <ItemStatusBadge status={item.status} />
          </div>
        </div>
      </div>
      <p className="dim t14 clamp3">
        <Words>{item.description}</Words>
      </p>
      <Facts facts={factsOf(item)} />
      {item.url !== "" && (
        <div>
          <a className="link" href={item.url} target="_blank" rel="noopener noreferrer">
            <IconLink size={20} aria-hidden="true" />
            {words.reference}
          </a>
        </div>
      )}
    </article>
  );
}
