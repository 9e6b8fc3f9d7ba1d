// The item of a rental and its terms, as they stand now: beside what was agreed, for both sides. Who does not see the item any more is told
// that, and nothing of it.
import {
  IconCalendarRepeat,
  IconCategory,
  IconCoins,
  IconMapPin,
  IconPhoto,
  IconShieldCheck,
  IconUser,
} from "@tabler/icons-react";
import type { Item, ItemOwner } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { type FactRow, FactList } from "../../ui/Facts";
import { Policy, pricePerDayOf } from "../../ui/item";
import { itemCategoryWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { SectionRows } from "../../ui/SectionRows";
import { Words } from "../../ui/Words";
import { borrowWords } from "./borrowWords";
import { isGone, useItem } from "./queries";
import { words } from "./words";

/** Who it is, and how many favors they have helped with, if any. */
function Owner({ owner, isOwner }: { owner: ItemOwner; isOwner: boolean }) {
  return (
    <>
      {isOwner ? words.you : <Words>{owner.name || words.formerMember}</Words>}
      {owner.favorsCompleted > 0 && (
        <span className="dim t14" style={{ display: "block", fontWeight: 400 }}>
          {words.completed(owner.favorsCompleted)}
        </span>
      )}
    </>
  );
}

function rowsOf(item: Item): FactRow[] {
  const { images, category, location, maxDays, cancellationPolicy: policy, owner, isOwner } = item;
  const city = location?.city ?? "";
  return [
    { label: words.photos, value: words.photoCount(images.length), icon: <IconPhoto size={22} /> },
    { label: borrowWords.price, value: pricePerDayOf(item), icon: <IconCoins size={22} /> },
    { label: words.category, value: itemCategoryWords[category], icon: <IconCategory size={22} /> },
    ...(city === "" ? [] : [{ label: words.city, value: <Words>{city}</Words>, icon: <IconMapPin size={22} /> }]),
    {
      label: borrowWords.maxDays,
      value: maxDays === 0 ? borrowWords.noLimit : borrowWords.days(maxDays),
      icon: <IconCalendarRepeat size={22} />,
    },
    {
      label: borrowWords.policy,
      value: <Policy policy={policy} />,
      icon: <IconShieldCheck size={22} />,
    },
    ...(owner === undefined
      ? []
      : [{ label: words.owner, value: <Owner owner={owner} isOwner={isOwner} />, icon: <IconUser size={22} /> }]),
  ];
}

export function AboutItem({ id }: { id: string }) {
  const query = useItem(id);
  if (isGone(query))
    return (
      <Section title={words.aboutItem}>
        <p className="card dim">{words.itemGone}</p>
      </Section>
    );
  return (
    <Section title={words.aboutItem}>
      <Loaded small query={query} skeleton={<SectionRows label={words.loadingItem} />} failed={words.itemFailed}>
        {(item) =>
          item !== undefined && (
            <div className="stack">
              <p className="dim prewrap">
                <Words>{item.description}</Words>
              </p>
              <FactList rows={rowsOf(item)} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}
