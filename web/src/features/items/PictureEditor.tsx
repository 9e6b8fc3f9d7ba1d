// The pictures of an item as its owner sees them: chosen, sent, put in order by buttons or by dragging, and removed.
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconCamera, IconPhotoPlus, IconTrash, IconX } from "@tabler/icons-react";
import { type Dispatch, type DragEvent, type SetStateAction, useLayoutEffect, useState } from "react";
import type { Item, ItemImage } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { hasReason } from "../../lib/errors";
import type { RefusedFile } from "../../lib/pictureFile";
import { confirmed } from "../../ui/confirm";
import { Failed } from "../../ui/Failed";
import { sayFailure } from "../../ui/failure";
import { ItemPicture } from "../../ui/item";
import { RefusedPictures } from "../../ui/RefusedPictures";
import { say } from "../../ui/said";
import { usePicturePick } from "../../ui/usePicturePick";
import { useItemsApi } from "./deeds";
import { imageWords } from "./imageWords";
import "./items.css";
import { OnTheWay } from "./OnTheWay";
import { useInOrder } from "./orders";
import {
  choose,
  type Chosen,
  IMAGES_MAX,
  isFinishing,
  isToList,
  lostOf,
  reorder,
  unchoose,
  unchooseTaken,
  useChosen,
  useIsMade,
} from "./pictures";
import { aboutOf, sendFromForm, sendLostAgain } from "./saving";

/** One of the row: the item's own, or one that was chosen. */
type Shown = { key: string; url: string; image?: ItemImage; chosen?: Chosen };

const NONE: readonly ItemImage[] = [];
const NONE_REFUSED: readonly RefusedFile[] = [];

/** The same with the one at `from` standing at `to`. */
export function moved<T>(things: readonly T[], from: number, to: number): T[] {
  const rest = things.filter((_, i) => i !== from);
  return [...rest.slice(0, to), ...things.slice(from, from + 1), ...rest.slice(to)];
}

/** A button that can do nothing keeps the focus of who has just pressed it. */
const unless = (can: boolean) => (can ? {} : { "data-disabled": true, "aria-disabled": true });

type TileProps = {
  shown: Shown;
  number: number;
  of: number;
  /** Only what is the item's, or waits for it, has a place. */
  canMove: boolean;
  isDragged: boolean;
  /** What is sent now can be stopped, and nothing else be done. */
  isBusy: boolean;
  onMove: (to: number) => void;
  /** Also while it is sent: who stops that does not want it. What is finishing becomes the item's, and can be removed then. */
  onRemove: () => void;
  /** Of a new item they are sent again with it. */
  onRetry?: (() => void) | undefined;
  drag: Record<string, (event: DragEvent) => void>;
};

function Tile({ shown, number, of, canMove, isDragged, isBusy, onMove, onRemove, onRetry, drag }: TileProps) {
  const { chosen } = shown;
  const isSending = chosen !== undefined && chosen.part !== null;
  const isLast = isSending && isFinishing(chosen);
  return (
    <li className="pic" draggable={canMove} data-dragged={isDragged || undefined} {...(canMove ? drag : {})}>
      <div className="pic-shot">
        <ItemPicture url={shown.url} alt={imageWords.nth(number, of)} />
        {number === 1 && <span className="badge soft pic-main">{imageWords.main}</span>}
        {isLast && (
          <span className="badge soft pic-end" aria-hidden="true">
            {imageWords.finishing}
          </span>
        )}
        {isSending && (
          <progress
            className="pic-part"
            aria-label={isLast ? imageWords.finishingNth(number) : imageWords.sending(number)}
            max={1}
            {...(isLast ? {} : { value: chosen.part ?? 0 })}
          />
        )}
      </div>
      <div className="pic-acts">
        <ActionIcon
          aria-label={imageWords.earlier(number)}
          {...unless(canMove && number > 1)}
          onClick={() => onMove(number - 2)}
        >
          <IconArrowLeft size={20} />
        </ActionIcon>
        <ActionIcon
          aria-label={imageWords.later(number)}
          {...unless(canMove && number < of)}
          onClick={() => onMove(number)}
        >
          <IconArrowRight size={20} />
        </ActionIcon>
        {isSending ? (
          <ActionIcon aria-label={imageWords.stop(number)} {...unless(!isLast)} onClick={isLast ? undefined : onRemove}>
            <IconX size={20} />
          </ActionIcon>
        ) : (
          <ActionIcon aria-label={imageWords.remove(number)} disabled={isBusy} onClick={onRemove}>
            <IconTrash size={20} />
          </ActionIcon>
        )}
      </div>
      {chosen !== undefined && chosen.failed !== "" && (
        <Failed
          title={imageWords.uploadError}
          text={chosen.failed}
          isLost={false}
          onRetry={chosen.isLost ? onRetry : undefined}
        />
      )}
    </li>
  );
}

/** What is done with the pictures of an item that is there. `tell` says what shows before the server has answered. */
function useDeeds(item: Item | undefined, tell: Dispatch<SetStateAction<string>>) {
  const api = useItemsApi();
  const about = item && aboutOf(item);

  async function order(images: readonly ItemImage[], done: string): Promise<void> {
    if (item === undefined) return;
    tell(done);
    try {
      await api.orderImages(item.itemId, images);
    } catch (error) {
      // They stand again as they did.
      tell((now) => (now === done ? "" : now));
      sayFailure(error, imageWords.orderFailed, () => void order(images, done), about);
    }
  }

  async function removeNow(id: string, imageId: string): Promise<void> {
    try {
      await api.removeImage(id, imageId);
      say(imageWords.removed, "idle", { about });
    } catch (error) {
      if (hasReason(error, "NOT_FOUND")) return;
      sayFailure(error, imageWords.removeFailed, () => void removeNow(id, imageId), about);
    }
  }

  async function remove({ imageId }: ItemImage): Promise<void> {
    if (item !== undefined && (await confirmed({ ...imageWords.removal, about: item.title, destructive: true })))
      await removeNow(item.itemId, imageId);
  }

  return { api, order, remove };
}

/** `item` is the one that is there. What is chosen for a new one waits until its form is sent. */
type Props = { me: string; item: Item | undefined; isNew?: boolean; isBusy?: boolean };

export function PictureEditor({ me, item, isNew = false, isBusy: isFormBusy = false }: Props) {
  // Its pictures are still sent from the form in which it was made, as whoever has closed that sees here.
  const isMade = useIsMade(item?.itemId ?? "") && !isNew;
  const isBusy = isFormBusy || isMade;
  const id = isNew || isMade ? "" : (item?.itemId ?? "");
  const chosen = useChosen(me, id);
  const [told, tell] = useState("");
  const { api, order, remove } = useDeeds(item, tell);
  const [refused, setRefused] = useState(NONE_REFUSED);
  const [dragged, setDragged] = useState<number>();

  // The answer that told so may have been lost.
  useLayoutEffect(() => {
    if (item !== undefined) unchooseTaken(me, id, item.images);
  }, [me, id, item]);

  const images = useInOrder(item?.itemId ?? "", item?.images ?? NONE);
  const own = images.map((image): Shown => ({ key: image.imageId, url: image.url, image }));
  const waiting: Shown[] = chosen.map((one) => ({ key: one.id, url: one.address, chosen: one }));
  const all = [...own, ...waiting];
  // Those of an item that is there have their place; what is sent to it comes behind them.
  const isWaiting = isNew && own.length === 0;
  const movable = isWaiting ? waiting : own;

  function take(files: File[]): void {
    setRefused(choose(me, id, files, IMAGES_MAX - all.length));
    if (!isNew && item !== undefined) void sendFromForm(api, me, item);
  }
  function again(ids?: readonly string[]): void {
    if (item !== undefined) void sendLostAgain(api, me, item, ids);
  }
  // Those of a new item are sent again with it.
  const unsent = isNew || isMade ? 0 : lostOf(chosen).length;
  const isUnlisted = isToList(me, id);
  const files = usePicturePick({ several: true, onFiles: take });
  const camera = usePicturePick({ camera: "environment", onFiles: take });

  function move(from: number, to: number): void {
    if (to < 0 || to >= movable.length || from === to) return undefined;
    const next = moved(movable, from, to);
    const done = imageWords.moved(to + 1);
    const ordered = next.flatMap(({ image }) => (image === undefined ? [] : [image]));
    if (!isWaiting) return void order(ordered, done);
    tell(done);
    return reorder(
      me,
      id,
      next.flatMap((shown) => (shown.chosen === undefined ? [] : [shown.chosen])),
    );
  }

  const dragOf = (index: number) => ({
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      setDragged(index);
    },
    onDragOver: (event: DragEvent) => {
      if (dragged !== undefined) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged !== undefined) move(dragged, index);
      setDragged(undefined);
    },
    onDragEnd: () => setDragged(undefined),
  });

  return (
    <section aria-label={imageWords.title} className="stack s">
      <h2 className="lbl">{imageWords.title}</h2>
      <p className="dim t14">{imageWords.hint(IMAGES_MAX)}</p>
      <div className="stack s">
        {all.length > 0 && (
          <ol className="plainlist pics" aria-label={imageWords.list}>
            {all.map((shown, i) => (
              <Tile
                key={shown.key}
                shown={shown}
                number={i + 1}
                of={movable.length}
                canMove={!isBusy && movable.length > 1 && i < movable.length}
                isBusy={isBusy}
                isDragged={dragged === i}
                onMove={(to) => move(i, to)}
                onRemove={() => {
                  setRefused(NONE_REFUSED);
                  if (shown.image !== undefined) return void remove(shown.image);
                  if (shown.chosen?.part !== null) tell(imageWords.stopped);
                  return unchoose(me, id, shown.key);
                }}
                onRetry={isNew || isMade ? undefined : () => again([shown.key])}
                drag={dragOf(i)}
              />
            ))}
          </ol>
        )}
        {(unsent > 1 || (unsent > 0 && isUnlisted)) && (
          <Failed
            text={isUnlisted ? imageWords.unsentUnlisted(unsent) : imageWords.unsent(unsent)}
            onRetry={() => again()}
          />
        )}
        <RefusedPictures refused={refused} max={IMAGES_MAX} />
        {isMade && item !== undefined && <OnTheWay id={item.itemId} />}
        <p className="sronly" role="status">
          {told}
        </p>
        <div className="row s wraps pic-adds">
          {files.field}
          {camera.field}
          <Button variant="light" leftSection={<IconPhotoPlus size={20} />} disabled={isBusy} onClick={files.open}>
            {imageWords.add}
          </Button>
          <Button
            variant="default"
            className="from-camera"
            leftSection={<IconCamera size={20} />}
            aria-label={imageWords.cameraLabel}
            disabled={isBusy}
            onClick={camera.open}
          >
            {imageWords.camera}
          </Button>
        </div>
      </div>
    </section>
  );
}
