// The face and the name that others see, as they become, and the ways to another picture.
import { Button } from "@mantine/core";
import { IconArrowBackUp, IconPhoto, IconTrash } from "@tabler/icons-react";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { part } from "../../lib/parts";
import { PICTURE_TYPES, wrongFile, type WrongFile } from "../../lib/pictureFile";
import { useOutcome } from "../../lib/outcome";
import { Face } from "../../ui/Face";
import { Failed } from "../../ui/Failed";
import { fileWords } from "../../ui/fileWords";
import { Sheet } from "../../ui/Sheet";
import { CropSkeleton } from "./CropSkeleton";
import { Words } from "../../ui/Words";

import "../../ui/styles/picture.css";
import { pictureWords, words } from "./words";

const CropPicture = part(() => import("./CropPicture").then((m) => m.CropPicture));

const WRONG: Record<WrongFile, { title: string; text: string }> = {
  format: { title: fileWords.wrongFormat, text: fileWords.wrongFormatText },
  size: { title: fileWords.tooLarge, text: fileWords.tooLargeText },
};

type PickProps = { camera?: boolean; onFile: (file: File) => void };

/** A file is chosen by a button that looks as all others do. */
function usePick({ camera = false, onFile }: PickProps) {
  const input = useRef<HTMLInputElement>(null);
  function took({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    const file = currentTarget.files?.[0];
    // The same one can be chosen again.
    currentTarget.value = "";
    if (file !== undefined) onFile(file);
  }
  const field = (
    <input
      ref={input}
      type="file"
      hidden
      accept={PICTURE_TYPES.join(",")}
      {...(camera ? { capture: "user" } : {})}
      onChange={took}
    />
  );
  return { field, open: () => input.current?.click() };
}

/** `saved` is the address that the server has; `picture` takes its place: empty for none, null where it stays. */
type Props = {
  name: string;
  saved: string;
  picture: string | null;
  isBusy: boolean;
  onChoose: (picture: string | null) => void;
};

function stateOf(picture: string | null): string {
  if (picture === null) return "";
  return picture === "" ? pictureWords.removal : pictureWords.notSaved;
}

export function PictureCard({ name, saved, picture, isBusy, onChoose }: Props) {
  const [wrong, setWrong] = useOutcome<WrongFile | null>(picture?.length, null);
  // What is closed keeps its contents until it is gone, and begins anew with another file.
  const [crop, setCrop] = useState({ address: "", opened: false });
  const { address } = crop;
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const shown = picture ?? saved;
  const close = (): void => setCrop((was) => ({ ...was, opened: false }));

  function onFile(file: File): void {
    const what = wrongFile(file);
    setWrong(what ?? null);
    if (what === undefined) setCrop({ address: URL.createObjectURL(file), opened: true });
    else close();
  }
  const photo = usePick({ onFile });
  const camera = usePick({ camera: true, onFile });

  function use(next: string): void {
    close();
    onChoose(next);
  }

  function broken(): void {
    close();
    setWrong("format");
  }

  return (
    <section className="card stack picture" aria-label={pictureWords.label}>
      <div className="row picture-seen">
        <Face person={{ displayName: name, profilePictureUrl: shown }} size={80} fallback="U" />
        <div className="grow">
          <p className="dim t14">{words.seenAs}</p>
          <p className="t18 breakable">
            <Words>{name}</Words>
          </p>
          <p className="dim t14" role="status">
            {stateOf(picture) || pictureWords.hint}
          </p>
        </div>
      </div>
      {wrong !== null && <Failed {...WRONG[wrong]} />}
      <fieldset className="fieldset row s wraps picture-acts" disabled={isBusy}>
        {photo.field}
        {camera.field}
        <Button
          variant="light"
          leftSection={<IconPhoto size={20} />}
          aria-label={shown === "" ? pictureWords.chooseLabel : pictureWords.changeLabel}
          onClick={photo.open}
        >
          {shown === "" ? pictureWords.choose : pictureWords.change}
        </Button>
        <Button variant="default" className="from-camera" aria-label={pictureWords.cameraLabel} onClick={camera.open}>
          {pictureWords.camera}
        </Button>
        {picture !== null && (
          <Button variant="default" leftSection={<IconArrowBackUp size={20} />} onClick={() => onChoose(null)}>
            {pictureWords.undo}
          </Button>
        )}
        {picture === null && saved !== "" && (
          <Button variant="default" leftSection={<IconTrash size={20} />} onClick={() => onChoose("")}>
            {pictureWords.remove}
          </Button>
        )}
      </fieldset>
      <Sheet opened={crop.opened} onClose={close} title={pictureWords.crop} skeleton={<CropSkeleton />}>
        {address !== "" && (
          <CropPicture key={address} address={address} onUse={use} onBroken={broken} onAnother={photo.open} />
        )}
      </Sheet>
    </section>
  );
}
