// The pictures of an item one beside the other: swiped by a finger, turned by buttons, and by the keys of the row itself.
import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconPhotoOff } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { ItemPicture } from "../../ui/item";
import { itemScreenWords as words } from "./words";
import { part } from "../../lib/parts";
import { Piece } from "../../ui/Piece";
import "../../ui/styles/lightbox.css";

const Lightbox = part(() => import("../../ui/Lightbox").then((m) => m.default));

export function Carousel({ item }: { item: Item }) {
  const { images, title, category } = item;
  const row = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  const [enlarged, setEnlarged] = useState<{ isOpen: boolean; at: number } | null>(null);
  /** Where the buttons have it on its way to. */
  const aim = useRef<number>(undefined);
  if (images.length === 0)
    return (
      <div className="noimages">
        <IconPhotoOff size={24} stroke={1.5} aria-hidden="true" />
        <p>{words.noImages}</p>
      </div>
    );
  const current = Math.min(at, images.length - 1);

  function look(): void {
    const { scrollLeft = 0, clientWidth = 1 } = row.current ?? {};
    setAt(Math.round(scrollLeft / Math.max(1, clientWidth)));
  }

  function turn(by: number): void {
    const { current: list } = row;
    // Who presses twice wants two further, however far it has come by then.
    const to = Math.max(0, Math.min((aim.current ?? current) + by, images.length - 1));
    aim.current = to;
    list?.scrollTo({ left: to * list.clientWidth, behavior: "smooth" });
  }

  const isMany = images.length > 1;
  // Where there is nothing to be scrolled it is no stop.
  const tabStop = isMany ? 0 : -1;
  return (
    <section className="carousel" aria-label={words.pictures(title)}>
      {/* What scrolls takes the keys. */}
      <ul
        className="plainlist slides-in"
        ref={row}
        onScroll={look}
        onScrollEnd={() => (aim.current = undefined)}
        onTouchStart={() => (aim.current = undefined)}
        tabIndex={tabStop}
        aria-label={words.pictures(title)}
      >
        {images.map((image, i) => (
          <li key={image.imageId}>
            <button
              type="button"
              className="enlarge"
              aria-label={words.enlarge(i + 1, images.length)}
              // Those beside it are reached by the row.
              tabIndex={i === current ? 0 : -1}
              onClick={() => setEnlarged({ isOpen: true, at: i })}
            >
              <ItemPicture url={image.url} category={category} alt={words.picture(i + 1, images.length)} />
            </button>
          </li>
        ))}
      </ul>
      {isMany && (
        <>
          {current > 0 && (
            <ActionIcon className="turn" data-to="before" aria-label={words.before} onClick={() => turn(-1)}>
              <IconChevronLeft size={22} />
            </ActionIcon>
          )}
          {current < images.length - 1 && (
            <ActionIcon className="turn" data-to="after" aria-label={words.after} onClick={() => turn(1)}>
              <IconChevronRight size={22} />
            </ActionIcon>
          )}
          <span className="nth" aria-hidden="true">
            {words.nth(current + 1, images.length)}
          </span>
        </>
      )}
      {enlarged !== null && (
        <Piece skeleton={null}>
          <Lightbox
            url={enlarged.isOpen ? (images[enlarged.at]?.url ?? "") : ""}
            alt={words.picture(enlarged.at + 1, images.length)}
            onClose={() => setEnlarged({ ...enlarged, isOpen: false })}
          />
        </Piece>
      )}
    </section>
  );
}
